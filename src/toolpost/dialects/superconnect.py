"""Contract 001: queryIndex, readFile and listFiles; bare answers, errors as {error: {code, message, details}}."""

from typing import Any

from msgspec import UNSET

from toolpost import messages
from toolpost.call import Call
from toolpost.clock import rfc3339
from toolpost.dialects import Dialect, say
from toolpost.dialects.vocabulary import Word, component, said_problems
from toolpost.errors import InvalidDirectory, InvalidPath, MalformedMessage
from toolpost.limits import READ_MAX
from toolpost.problem import Problem
from toolpost.result import Result

DEFAULT_COMPONENT = "default"
"""Whose budget a call is counted in that names no component: leaving the name out opens nothing."""


def _relative(error: type[InvalidPath]) -> Any:
    """Contract 001 takes no absolute path and no way up, before anything is resolved (C10, C65)."""

    def check(path: Any, parameter: str) -> None:
        if not isinstance(path, str):
            return
        if path.startswith(("/", "\\")) or path[1:3] in {":/", ":\\"}:
            said = "Absolute paths are not allowed; give one relative to the repository."
            raise error(said, parameter=parameter)
        if ".." in path.replace("\\", "/").split("/"):
            said = "The path leads out of the repository: it has a `..` segment."
            raise error(said, parameter=parameter)

    def read(args: dict[str, Any]) -> dict[str, Any]:
        check(args.get("path"), "path")
        several = args.get("paths")
        for at, path in enumerate(several if isinstance(several, list) else ()):
            check(path, f"paths[{at}]")
        return args

    return read


def _file(result: Result) -> Any:
    keys = ("path", "content", "size_bytes", "truncated", "encoding")
    answer = {key: result.data[key] for key in keys}
    return {**answer, "cached": True} if result.cached else answer


def _found(result: Result) -> Any:
    return {key: result.data[key] for key in ("files", "total_matches", "truncated")}


def _listing(result: Result) -> Any:
    data = result.data
    return {
        "directory": data["directory"],
        "files": [_entry(entry) for entry in data["files"]],
        "total": data["total"],
        "truncated": data["truncated"],
    }


def _lines(result: Result) -> Any:
    return {key: result.data[key] for key in ("matches", "total", "truncated") if key in result.data}


def _entry(entry: dict[str, Any]) -> dict[str, Any]:
    """The contract knows files and directories; a link or a device is shown as a file without a size."""
    keys: tuple[str, ...] = ("name", "path", "type", "size_bytes")
    shown = {key: entry[key] for key in keys if key in entry}
    return shown if shown["type"] == "directory" else {**shown, "type": "file"}


class Superconnect(Dialect):
    name = "superconnect"
    WORDS = (
        Word("queryIndex", "index.query", fixed={"cursor": None}, show=_found),
        Word(
            "readFile",
            "fs.read",
            params={"max_bytes": "maxBytes"},
            fixed={"text_only": True, "refuse_above": READ_MAX},
            read=_relative(InvalidPath),
            show=_file,
        ),
        Word(
            "listFiles",
            "fs.list",
            params={"path": "directory", "glob": "pattern"},
            read=_relative(InvalidDirectory),
            show=_listing,
        ),
        # Beyond the contract, in its manner: what to look for when the index names no symbol.
        Word(
            "searchCode",
            "code.search",
            params={"path": "directory", "glob": "pattern"},
            fixed={"cursor": None},
            read=_relative(InvalidDirectory),
            show=_lines,
        ),
    )
    ANSWER = {
        "if": {"type": "object", "required": ["error"]},
        "then": {
            "properties": {
                "error": {
                    "type": "object",
                    "properties": {
                        "code": {"type": "string", "pattern": "^[A-Z][A-Z0-9_]*$"},
                        "message": {"type": "string"},
                        "details": {"type": "object"},
                    },
                    "required": ["code", "message"],
                    "additionalProperties": False,
                }
            },
            "additionalProperties": False,
        },
    }

    def read(self, value: Any) -> Call:
        if not isinstance(value, dict) or "tool" not in value:
            raise MalformedMessage("A call is an object with `tool`, `params` and the `component` it is for.")
        caller = component(value.get("component") or DEFAULT_COMPONENT)
        envelope = Call(tool="", caller=caller, language=self.language)
        return self.vocabulary.call(value["tool"], value.get("params"), envelope)

    def render(self, result: Result) -> Any:
        if not result.ok:
            return {"error": _error(result)}
        shown = self.shown(result)
        if shown is UNSET:
            shown = {"text": result.text} if result.data is UNSET else _no_error(result.data)
        return {**shown, **_beside(result)} if isinstance(shown, dict) else shown

    def ask(self, says: str, args: dict[str, Any]) -> Any:
        return {"tool": says, "params": args}

    def describe(self) -> Any:
        return [
            {
                "name": word.says,
                "description": tool.description,
                "parameters": self.vocabulary.schema(word, tool),
            }
            for word, tool in self.vocabulary.pairs()
        ]


def _beside(result: Result) -> dict[str, Any]:
    """What the contract's shapes have no place for: what is left of the budget, and the policy's hint (C72)."""
    told: dict[str, Any] = {"budget": result.left} if result.left else {}
    return {**told, "notes": list(result.notes)} if result.notes else told


def _no_error(data: Any) -> Any:
    """A success that has a key `error` would read as a failure; it is put one level down."""
    return {"result": data} if isinstance(data, dict) and "error" in data else data


def _error(result: Result) -> dict[str, Any]:
    (problem, said), *others = said_problems(result)
    language = result.call.language
    details = _details(problem, said, result)
    if others:
        details["others"] = [say.facts(other, said, language) for other, said in others]
    error: dict[str, Any] = {"code": problem.code, "message": messages.detail(problem, said, language)}
    return {**error, "details": details} if details else error


def _details(problem: Problem, said: str | None, result: Result) -> dict[str, Any]:
    """The context, and what the agent can adjust. No `retryable` means that no retry helps."""
    details = dict(problem.context)
    if said is not None:
        details["parameter"] = said
    if problem.suggested is not UNSET:
        details["suggested_value"] = problem.suggested
    repaired = say.repair(result)
    if repaired is not None:
        details["suggested_params"] = repaired
    if problem.retryable:
        details["retryable"] = True
    return details


def metric(result: Result) -> dict[str, Any]:
    """The call as a line of the contract's tool-metrics.jsonl; failed calls count too.

    The contract's name of a tool is told whichever dialect it was called in.
    """
    call = result.call
    said, measure = _MEASURES.get(call.tool, (call.said_tool, _nothing))
    line: dict[str, Any] = {
        "timestamp": rfc3339(result.provenance.timestamp),
        "component": call.caller.component,
        "tool": said,
        **measure(call, result.data if isinstance(result.data, dict) else {}),
        "duration_ms": say.number(result.provenance.duration_ms),
    }
    if result.problem is not None:
        line["error"] = result.problem.code
    if result.cached:
        line["cached"] = True
    return line


def _nothing(_call: Call, _data: Any) -> dict[str, Any]:
    return {}


def _given(call: Call, *names: str) -> Any:
    """What was asked, also where it was refused before it was read."""
    given = call.args or call.input
    given = given if isinstance(given, dict) else {}
    return next((given[name] for name in names if name in given), None)


def _count(data: dict[str, Any]) -> int:
    files = data.get("files")
    return len(files) if isinstance(files, list) else 0


def _query_measure(call: Call, data: Any) -> dict[str, Any]:
    query = _given(call, "query")
    kind = query.get("type") if isinstance(query, dict) else None
    return {"query_type": kind, "results": _count(data)}


def _read_measure(call: Call, data: Any) -> dict[str, Any]:
    return {"path": _given(call, "path"), "size_bytes": data.get("size_bytes", 0)}


def _list_measure(call: Call, data: Any) -> dict[str, Any]:
    directory = data.get("directory") or _given(call, "path", "directory")
    return {"directory": directory, "results": _count(data)}


_MEASURES = {
    "index.query": ("queryIndex", _query_measure),
    "fs.read": ("readFile", _read_measure),
    "fs.list": ("listFiles", _list_measure),
}

DIALECT = Superconnect
