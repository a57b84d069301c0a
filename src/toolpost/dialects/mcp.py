"""Model Context Protocol: `tools/call` and `tools/list`, with structured content and provenance."""

from typing import Any

from msgspec import UNSET

from toolpost import codec, jsonrpc
from toolpost.call import Call
from toolpost.clock import rfc3339
from toolpost.content import Content, Data, Diff, Image, Ref, Text
from toolpost.define import Effect, Tool
from toolpost.dialects import say
from toolpost.dialects.rpc import RpcDialect
from toolpost.dialects.vocabulary import PLAIN, Word, said_problems
from toolpost.result import Result

PROVENANCE = "toolpost/provenance"
PROBLEMS = "toolpost/problems"
REPAIR = "toolpost/suggestedArguments"
NOTES = "toolpost/notes"
BUDGET = "toolpost/budgetLeft"


class Mcp(RpcDialect):
    name = "mcp"
    METHOD = "tools/call"
    WORDS = PLAIN
    _RESULT = {
        "type": "object",
        "properties": {
            "content": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"type": {"enum": ["text", "image", "resource_link"]}},
                    "required": ["type"],
                },
            },
            "structuredContent": {"type": "object"},
            "isError": {"type": "boolean"},
            "_meta": {"type": "object"},
        },
        "required": ["content", "isError"],
        "additionalProperties": False,
    }
    ANSWER = {
        "type": "object",
        "properties": {"jsonrpc": {"const": "2.0"}, "id": {"type": ["string", "number", "null"]}},
        "required": ["jsonrpc", "id"],
        "oneOf": [
            {"required": ["result"], "properties": {"result": _RESULT}},
            {"required": ["error"], "properties": {"error": {"required": ["code", "message"]}}},
        ],
    }

    def use(self, request: jsonrpc.Request) -> Call:
        name = request.params.get("name")
        if not isinstance(name, str):
            return self.refused("`params.name` must be a string.", jsonrpc.INVALID_PARAMS, request.id)
        given = request.params.get("arguments")
        envelope = Call(tool="", reply_to=request.id, form="call", language=self.language)
        return self.vocabulary.call(name, given, envelope)

    def answer(self, result: Result) -> Any:
        return jsonrpc.answer(result.call.reply_to, self.result(result))

    def result(self, result: Result) -> dict[str, Any]:
        if result.problems:
            content = [{"type": "text", "text": say.summary(result)}]
            return {"content": content, "isError": True, "_meta": _meta(result)}
        data = result.data
        answer: dict[str, Any] = {"content": _content(result, data), "isError": False, "_meta": _meta(result)}
        if data is not UNSET:
            answer["structuredContent"] = data if isinstance(data, dict) else {"result": data}
        return answer

    def ask(self, says: str, args: dict[str, Any]) -> Any:
        params = {"name": says, "arguments": args}
        return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}

    def describe(self) -> Any:
        return {"tools": [self._tool(word, tool) for word, tool in self.vocabulary.pairs()]}

    def _tool(self, word: Word, tool: Tool) -> dict[str, Any]:
        described: dict[str, Any] = {"name": word.says}
        if tool.title:
            described["title"] = tool.title
        described["description"] = tool.description
        described["inputSchema"] = {"type": "object", **self.vocabulary.schema(word, tool)}
        if tool.output_schema is not None:
            described["outputSchema"] = tool.output_schema
        described["annotations"] = annotations(tool)
        return described


def annotations(tool: Tool) -> dict[str, Any]:
    changes = tool.effects & {Effect.WRITE, Effect.DELETE, Effect.EXEC, Effect.LAUNCH}
    hints: dict[str, Any] = {"readOnlyHint": not changes}
    if changes:
        hints["destructiveHint"] = bool(tool.effects & {Effect.DELETE, Effect.EXEC, Effect.WRITE})
    if tool.idempotent is not None:
        hints["idempotentHint"] = tool.idempotent
    hints["openWorldHint"] = Effect.NET in tool.effects
    return hints


def _content(result: Result, data: Any) -> list[dict[str, Any]]:
    """Everything a person can read; data is written as text only where nothing else says it."""
    if data is UNSET or len(result.content) > 1:
        readable = [_item(part) for part in result.content if not isinstance(part, Data)]
        if readable or data is UNSET:
            return readable
    return [{"type": "text", "text": codec.encode(data).decode("utf-8")}]


def _item(part: Content) -> dict[str, Any]:
    match part:
        case Data(value):
            return {"type": "text", "text": codec.encode(value).decode("utf-8")}
        case Text(text):
            return {"type": "text", "text": text}
        case Image():
            return {"type": "image", "data": part.base64, "mimeType": part.media_type}
        case Ref():
            name = part.uri.rsplit("/", 1)[-1]
            link = {"type": "resource_link", "uri": part.uri, "name": name, "mimeType": part.media_type}
            return {**link, "size": part.size_bytes}
        case Diff():
            return {"type": "text", "text": f"--- {part.path}\n+++ {part.path}\n{part.unified}"}


def _meta(result: Result) -> dict[str, Any]:
    provenance = result.provenance
    meta: dict[str, Any] = {
        PROVENANCE: {
            "location": provenance.location,
            "timestamp": rfc3339(provenance.timestamp),
            "durationMs": provenance.duration_ms,
            "requestId": provenance.request_id,
        }
    }
    if result.problems:
        language = result.call.language
        meta[PROBLEMS] = [say.facts(problem, said, language) for problem, said in said_problems(result)]
    if result.repaired is not None:
        meta[REPAIR] = say.repair(result)
    if result.notes:
        meta[NOTES] = list(result.notes)
    if result.left:
        meta[BUDGET] = result.left
    return meta


DIALECT = Mcp
