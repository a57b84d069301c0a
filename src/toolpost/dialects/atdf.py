"""Contract 003: {name, input} in; the tool's own object out, or {errors: [...]} that teach how to correct it."""

from typing import Any

from msgspec import UNSET

from toolpost import messages, redact
from toolpost.call import Call
from toolpost.clock import rfc3339
from toolpost.define import Example, Tool
from toolpost.dialects import Dialect, say
from toolpost.dialects.vocabulary import PLAIN, Word, said_problems
from toolpost.errors import MalformedMessage
from toolpost.limits import ECHO_CHARS
from toolpost.problem import Problem
from toolpost.result import Result

DEFAULT_BASE = "https://toolpost.invalid"
"""Error types are URIs; until an owner sets a base, they are on a host that cannot exist (C58)."""

_ERROR = {
    "type": "object",
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string", "minLength": 1},
        "detail": {"type": "string", "minLength": 1},
        "instance": {"type": "string", "pattern": "^/api/errors/.+"},
        "tool_name": {"type": "string"},
        "parameter_name": {"type": ["string", "null"]},
        "suggested_value": {"type": ["string", "null"]},
        "context": {"type": "object", "required": ["timestamp", "retryable"]},
        "code": {"type": "string", "pattern": "^[A-Z][A-Z0-9_]*$"},
    },
    "required": [
        "type", "title", "detail", "instance", "tool_name", "parameter_name", "suggested_value", "context", "code"
    ],
    "additionalProperties": False,
}  # fmt: skip


class Atdf(Dialect):
    name = "atdf"
    WORDS = PLAIN
    ANSWER = {
        "type": "object",
        "if": {"required": ["errors"]},
        "then": {
            "properties": {
                "errors": {"type": "array", "minItems": 1, "items": _ERROR},
                "meta": {"type": "object"},
            },
            "additionalProperties": False,
        },
    }

    base = DEFAULT_BASE

    def read(self, value: Any) -> Call:
        if not isinstance(value, dict) or not ("name" in value or "tool_name" in value):
            raise MalformedMessage("A call is an object with `name` and `input`.")
        says = value["name"] if "name" in value else value["tool_name"]
        return self.vocabulary.call(says, value.get("input"), Call(tool="", language=self.language))

    def render(self, result: Result) -> Any:
        if result.ok:
            return _success(result)
        answer: dict[str, Any] = {
            "errors": [_error(problem, said, result, self.base) for problem, said in said_problems(result)]
        }
        repaired = say.repair(result)
        return answer if repaired is None else {**answer, "meta": {"suggested_input": repaired}}

    def ask(self, says: str, args: dict[str, Any]) -> Any:
        return {"name": says, "input": args}

    def describe(self) -> Any:
        return {"tools": [self._tool(word, tool) for word, tool in self.vocabulary.pairs()]}

    def _tool(self, word: Word, tool: Tool) -> dict[str, Any]:
        described: dict[str, Any] = {
            "name": word.says,
            "description": tool.description,
            "version": tool.version,
            "inputSchema": _complete(self.vocabulary.schema(word, tool)),
        }
        if tool.tags:
            described["tags"] = list(tool.tags)
        if tool.examples:
            described["examples"] = [_example(example) for example in tool.examples]
        return described


def _complete(schema: dict[str, Any]) -> dict[str, Any]:
    """The contract wants all three keys of an object schema, also where they say nothing."""
    return {"type": "object", "properties": {}, "required": [], **schema}


def _example(example: Example) -> dict[str, Any]:
    return {"name": example.name, "input": example.input}


def _success(result: Result) -> Any:
    """The tool's own object; what is none is put into one."""
    data = result.data
    if isinstance(data, dict) and "errors" not in data:
        return data
    return {"result": result.text if data is UNSET else data}


def _error(problem: Problem, said: str | None, result: Result, base: str) -> dict[str, Any]:
    language = result.call.language
    suggested = problem.suggested
    return {
        "type": f"{base.rstrip('/')}/errors/{problem.slug}",
        "title": messages.title(problem, language) or problem.code,
        "detail": messages.detail(problem, said, language) or problem.code,
        "instance": f"/api/errors/{problem.instance}",
        "tool_name": result.call.said_tool,
        "parameter_name": said,
        "suggested_value": None if suggested is UNSET or suggested is None else say.as_text(suggested),
        "context": _context(problem, result),
        "code": problem.code,
    }


def _context(problem: Problem, result: Result) -> dict[str, Any]:
    context = {**_received(problem, result.call), **problem.context}
    if problem.suggested is not UNSET and not isinstance(problem.suggested, str):
        context["suggested"] = problem.suggested
    context["timestamp"] = rfc3339(result.provenance.timestamp)
    context["retryable"] = problem.retryable
    return context


def _received(problem: Problem, call: Call) -> dict[str, Any]:
    """The value as it came (C28), unless the tool told it in a word of its own."""
    name = problem.parameter or ""
    value = call.args.get(name)
    is_short = isinstance(value, str | int | float) and len(str(value)) <= ECHO_CHARS
    if not is_short or value in problem.context.values():
        return {}
    return {"provided_value": redact.value(value, name)}


DIALECT = Atdf
