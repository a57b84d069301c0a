"""Contract 004: JSON-RPC `tools/use` in, `tools/result` out, content as text, image and diff.

This is the contract's own protocol, not the Agent Client Protocol that has the same short name (C32).
"""

from collections.abc import Iterable
from itertools import count
from typing import Any

from msgspec import UNSET

from toolpost import codec, jsonrpc
from toolpost.call import Call, Caller
from toolpost.content import Content, Data, Diff, Image, Ref, Text
from toolpost.define import Tool
from toolpost.dialects import say
from toolpost.dialects.rpc import RpcDialect
from toolpost.dialects.vocabulary import PLAIN, Word, named
from toolpost.errors import MalformedMessage
from toolpost.result import Result

_SEARCH = {"glob": "includePattern"}


def _text(text: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": text}]


def _file(result: Result) -> Any:
    """The text, and after it what was cut and how to go on."""
    shown = _text(say.text_only(result.data["content"]))
    return [*shown, *_text("\n".join(result.notes))] if result.notes else shown


def _written(result: Result) -> Any:
    """The contract's sentence first, then what its own best practice asks for (C46)."""
    data = result.data
    return _text(f"File written successfully to {data['path']} ({data['size_bytes']} bytes)")


def _listing(result: Result) -> Any:
    entries = result.data["files"]
    return _lines([f"{entry['name']}{'/' * (entry['type'] == 'directory')}" for entry in entries], result)


def _matches(result: Result) -> Any:
    matches = result.data["matches"]
    return _lines([f"{match['path']}:{match['line']}: {match['snippet']}" for match in matches], result)


def _lines(lines: list[str], result: Result) -> Any:
    """What was found, and after it what was not shown and how to get it."""
    texts = ["\n".join(lines), "\n".join(result.notes)]
    return [item for text in texts if text for item in _text(text)] or _text("Nothing found.")


def _command(result: Result) -> Any:
    """As a terminal would show it, with what was cut; from the streams where a tool gives nothing but data."""
    if result.text:
        return _text(result.text)
    data = result.data
    tail = "" if data["exit_code"] == 0 else f"\nexit code {data['exit_code']}"
    return _text(f"{data['stdout']}{data['stderr']}{tail}")


def _web_results(result: Result) -> Any:
    lines = ["Top results:"]
    for place, found in enumerate(result.data["results"], 1):
        lines += [f"{place}. {found['title']}", f"   {found['url']}", f"   {found['snippet']}"]
    return _text("\n".join(lines))


_OWN = (
    Word("read_file", "fs.read", show=_file),
    Word("write_file", "fs.write", fixed={"overwrite": True}, show=_written),
    Word("list_directory", "fs.list", show=_listing),
    Word("search_files", "code.search", params=_SEARCH, show=_matches),
    Word("search_in_files", "code.search", params=_SEARCH, show=_matches),  # C47
    Word("edit_file", "fs.edit"),
    Word("run_command", "os.exec", show=_command),
    Word("web_search", "web.search", show=_web_results),
    Word("delete_file", "fs.delete"),
    Word("web_request", "web.fetch"),
)
_NAMED = frozenset(word.tool for word in _OWN)


class Acp(RpcDialect):
    name = "acp"
    METHOD = "tools/use"
    WORDS = (*_OWN, *(word for word in PLAIN if word.tool not in _NAMED))
    _ITEM = {
        "type": "object",
        "properties": {"type": {"enum": ["text", "image", "diff"]}},
        "required": ["type"],
        "allOf": [
            {
                "if": {"properties": {"type": {"const": "text"}}},
                "then": {"required": ["text"], "properties": {"text": {"type": "string"}}},
            },
            {
                "if": {"properties": {"type": {"const": "diff"}}},
                "then": {
                    "required": ["path", "diff"],
                    "properties": {"path": {"type": "string"}, "diff": {"type": "string"}},
                },
            },
            {
                "if": {"properties": {"type": {"const": "image"}}},
                "then": {
                    "required": ["source"],
                    "properties": {"source": {"required": ["type", "mediaType", "data"]}},
                },
            },
        ],
    }
    _RESULT = {
        "type": "object",
        "properties": {
            "sessionId": {"type": ["string", "null"]},
            "toolCallId": {"type": ["string", "null"]},
            "content": {"type": "array", "items": _ITEM},
            "isError": {"type": "boolean"},
        },
        "required": ["sessionId", "toolCallId", "content", "isError"],
        "additionalProperties": False,
    }
    ANSWER = {
        "type": "object",
        "properties": {"jsonrpc": {"const": "2.0"}, "id": {"type": ["string", "number", "null"]}},
        "required": ["jsonrpc", "id"],
        "oneOf": [
            {"required": ["result"], "properties": {"result": _RESULT}},
            {
                "required": ["method", "params"],
                "properties": {"method": {"const": "tools/result"}, "params": _RESULT},
            },
            {"required": ["error"], "properties": {"error": {"required": ["code", "message"]}}},
        ],
    }

    def __init__(self, tools: Iterable[Tool], *, language: str = "en", first_id: int = 1) -> None:
        super().__init__(tools, language=language)
        self._ids = count(first_id)

    def use(self, request: jsonrpc.Request) -> Call:
        params = request.params
        session = named(params.get("sessionId"), "sessionId")
        call_id = named(params.get("toolCallId"), "toolCallId")
        form = "notification" if request.is_notification else "request"
        envelope = Call(
            tool="",
            caller=Caller(session=session),
            call_id=call_id,
            reply_to=request.id,
            form=form,
            language=self.language,
        )
        if "toolName" not in params:
            return self.vocabulary.faulty(MalformedMessage("`params` has no `toolName`."), envelope)
        return self.vocabulary.call(params["toolName"], params.get("input"), envelope)

    def answer(self, result: Result) -> Any:
        """A `tools/result` message; a caller that sent an id gets the same as its response (C31)."""
        call = result.call
        told = {
            "sessionId": call.caller.session or None,
            "toolCallId": call.call_id or None,
            "content": self._content(result),
            "isError": not result.ok,
        }
        if call.form == "request":
            return jsonrpc.answer(call.reply_to, told)
        return {"jsonrpc": "2.0", "id": next(self._ids), "method": "tools/result", "params": told}

    def _content(self, result: Result) -> list[dict[str, Any]]:
        if not result.ok:
            return [{"type": "text", "text": f"Error: {say.summary(result)}", "isError": True}]
        shown = self.shown(result)
        if shown is not UNSET:
            return [*shown]
        is_told = len(result.content) > 1 and any(isinstance(part, _TELLING) for part in result.content)
        return [_item(part) for part in result.content if not (is_told and isinstance(part, Data))]

    def ask(self, says: str, args: dict[str, Any]) -> Any:
        params = {"sessionId": "sess_1", "toolCallId": "call_1", "toolName": says, "input": args}
        return {"jsonrpc": "2.0", "method": "tools/use", "params": params}

    def describe(self) -> Any:
        definitions = [
            {
                "name": word.says,
                "description": tool.description,
                "inputSchema": self.vocabulary.schema(word, tool),
            }
            for word, tool in self.vocabulary.pairs()
        ]
        return {"tools": {"definitions": definitions}}


_TELLING = (Text, Diff, Image)
"""Beside these, data is not told again."""


def _item(part: Content) -> dict[str, Any]:
    match part:
        case Text(text):
            return {"type": "text", "text": text}
        case Image():
            source = {"type": "base64", "mediaType": part.media_type, "data": part.base64}
            return {"type": "image", "source": source}
        case Diff():
            return {"type": "diff", "path": part.path, "diff": part.unified}
        case Data(value):
            return {"type": "text", "text": codec.pretty(value)}
        case Ref():
            return {"type": "text", "text": f"{part.head}\n({part.size_bytes} bytes in all: {part.uri})"}


def telemetry(result: Result) -> dict[str, Any]:
    """The contract's `tool_used` event, for every call, however it ended."""
    return {
        "event": "tool_used",
        "tool": result.call.said_tool,
        "duration_ms": say.number(result.provenance.duration_ms),
        "success": result.ok,
    }


DIALECT = Acp
