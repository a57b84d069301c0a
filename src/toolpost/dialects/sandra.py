"""Contract 002: {tool, args, requestId} in; {ok, tool, data | error, provenance} out, local.* and cloud.*."""

import re
from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from toolpost.call import Call
from toolpost.clock import rfc3339
from toolpost.define import Tool
from toolpost.dialects import Dialect, say
from toolpost.dialects.vocabulary import PLAIN_NAME, Word
from toolpost.errors import MalformedMessage
from toolpost.limits import EXEC_TIMEOUT_MS
from toolpost.result import Result

_REQUEST_ID = re.compile(r"[A-Za-z0-9._:\-]{1,128}")


def _glob_or_regex(args: dict[str, Any]) -> dict[str, Any]:
    """Text written /…/ is a regex, any other a glob (C9)."""
    pattern = args.get("glob")
    if not (isinstance(pattern, str) and len(pattern) > 1 and pattern[0] == pattern[-1] == "/"):
        return args
    return {name: value for name, value in args.items() if name != "glob"} | {"regex": pattern[1:-1]}


def _default(name: str, value: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda args: {name: value, **args}


def _listing(result: Result) -> Any:
    data = result.data
    files = [_entry(entry) for entry in data["files"]]
    return {"data": {"files": files, "count": len(files), "directory": data["absolute"]}}


def _entry(entry: dict[str, Any]) -> dict[str, Any]:
    kind = "directory" if entry["type"] == "directory" else "file"  # the contract knows no others
    shown = {"name": entry["name"], "type": kind}
    return {**shown, "size": entry["size_bytes"]} if "size_bytes" in entry else shown


def _content(result: Result) -> Any:
    return {"data": say.text_only(result.data["content"])}


def _command(result: Result) -> Any:
    """The exit code decides (C40): a command that failed is no success that says so."""
    data = result.data
    streams = {name: say.text_only(data[name]) for name in ("stdout", "stderr")}
    if data["exit_code"] == 0 or data.get("running"):
        return {"data": streams["stdout"].strip(), **streams}
    return {"ok": False, "error": _ended(data), **streams}


def _ended(data: dict[str, Any]) -> str:
    if data.get("timed_out"):
        return f"The command took longer than {data['sandbox']['limits']['time_s']:g} s and was stopped."
    return f"The command ended with exit code {data['exit_code']}."


class Sandra(Dialect):
    name = "sandra"
    WORDS = (
        Word("local.fs.list", "fs.list", params={"path": "dir"}, read=_default("path", "."), show=_listing),
        Word("local.fs.read", "fs.read", fixed={"text_only": True}, show=_content),
        Word(
            "local.fs.search",
            "fs.search",
            params={"path": "dir", "regex": "pattern", "glob": "pattern"},
            read=_glob_or_regex,
        ),
        Word(
            "local.os.exec",
            "os.exec",
            params={"timeout_ms": "timeoutMs"},
            read=_default("timeout_ms", EXEC_TIMEOUT_MS),
            show=_command,
        ),
        Word(
            "local.code.search", "code.search", params={"path": "dir"}
        ),  # beyond the contract, in its manner
        Word("local.audio.releaseMic", "audio.release_mic"),
        Word("local.apps.find", "apps.find"),
        Word("local.apps.launch", "apps.launch"),
        Word("cloud.github.readFile", "github.read", read=_default("ref", "main"), show=_content),
        Word("cloud.web.fetch", "web.fetch", read=_default("method", "GET")),
        Word(
            "cloud.render.logs", "render.logs", params={"service_id": "serviceId", "start_time": "startTime"}
        ),
        Word("cloud.pwa.query", "pwa.query"),
    )
    ANSWER = {
        "type": "object",
        "properties": {
            "ok": {"type": "boolean"},
            "tool": {"type": "string"},
            "data": {"type": ["object", "string"]},
            "stdout": {"type": "string"},
            "stderr": {"type": "string"},
            "error": {"type": "string"},
            "provenance": {
                "type": "object",
                "properties": {
                    "location": {"enum": ["local", "render"]},
                    "timestamp": {"type": "string", "format": "date-time"},
                    "durationMs": {"type": "number", "minimum": 0},
                    "requestId": {"type": "string"},
                },
                "required": ["location", "timestamp", "durationMs"],
                "additionalProperties": False,
            },
        },
        "required": ["ok", "tool", "provenance"],
        "if": {"properties": {"ok": {"const": True}}},
        "then": {"required": ["data"], "not": {"required": ["error"]}},
        "else": {"required": ["error"], "not": {"required": ["data"]}},
        "additionalProperties": False,
    }

    def own_name(self) -> Callable[[Tool], str] | None:
        return lambda tool: f"{_PREFIX[_location(tool.location)]}.{tool.name}"

    def read(self, value: Any) -> Call:
        if not isinstance(value, dict) or "tool" not in value:
            raise MalformedMessage("A call is an object with `tool`, `args` and a `requestId`.")
        request_id = _request_id(value.get("requestId"))
        envelope = Call(tool="", request_id=request_id, language=self.language)
        return self.vocabulary.call(value["tool"], value.get("args"), envelope)

    def render(self, result: Result) -> Any:
        answer = {"ok": result.ok, "tool": result.call.words.tool}
        shown = self._shown(result) if result.ok else {"error": say.summary(result)}
        return {**answer, **shown, "provenance": _provenance(result)}

    def _shown(self, result: Result) -> dict[str, Any]:
        shown = self.shown(result)
        if shown is not UNSET:
            return {**shown}
        data = result.text if result.data is UNSET else result.data
        return {"data": data if isinstance(data, _DATA) else {"result": data}}

    def ask(self, says: str, args: dict[str, Any]) -> Any:
        return {"tool": says, "args": args}

    def describe(self) -> Any:
        return [
            {
                "tool": word.says,
                "description": tool.description,
                "args": self.vocabulary.schema(word, tool),
                "location": _location(tool.location),
            }
            for word, tool in self.vocabulary.pairs()
        ]


def _request_id(given: Any) -> str:
    """The caller's own id, if it is one that may stand in a log line."""
    return given if isinstance(given, str) and _REQUEST_ID.fullmatch(given) else ""


def _location(location: str) -> str:
    return "local" if location == "local" else "render"


_DATA = (dict, str)
_PREFIX = {"local": "local", "render": "cloud"}


def _ended_well(result: Result) -> bool:
    """A command that ran and failed is a success to us, and none to this contract (C40)."""
    is_command = result.call.tool == "os.exec" and isinstance(result.data, dict)
    return result.ok and not (is_command and result.data.get("exit_code"))


def _provenance(result: Result) -> dict[str, Any]:
    provenance = result.provenance
    return {
        "location": _location(provenance.location),
        "timestamp": rfc3339(provenance.timestamp),
        "durationMs": say.number(provenance.duration_ms),
        "requestId": provenance.request_id,
    }


def log(result: Result) -> dict[str, Any]:
    """The call as the contract's structured log shows it."""
    call = result.call
    return {
        "requestId": result.provenance.request_id,
        "intent": PLAIN_NAME.get(call.tool, call.tool),
        "chosenTools": [call.said_tool],
        "localVsCloud": _PREFIX[_location(result.provenance.location)],
        "toolResults": [
            {
                "tool": call.said_tool,
                "ok": _ended_well(result),
                "durationMs": say.number(result.provenance.duration_ms),
            }
        ],
    }


DIALECT = Sandra
