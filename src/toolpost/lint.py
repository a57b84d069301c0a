"""What a tool's definition lacks for a model to use it well. Pure: a tool in, findings out."""

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any

from msgspec import Struct

from toolpost.compiled import Compiled, compile_schema
from toolpost.define import Example, Tool
from toolpost.errors import BadTool
from toolpost.limits import DESCRIPTION_CHARS, NAME_CHARS
from toolpost.schema import Schema

SHORTEST_DESCRIPTION = 16  # "Reads the file." tells a model no more than the name does
SHORTEST_NAME = 3  # contract 004 calls rf and wf bad names
GENERIC = frozenset({  # contract 004 calls `search` a bad name: search what?
    "search", "find", "get", "set", "list", "read", "write", "run", "do", "execute", "exec", "call", "use",
    "tool", "function", "action", "process", "handle", "query", "fetch", "send", "update", "create", "delete",
    "test", "main", "helper", "util", "utils", "data", "api", "request",
})  # fmt: skip
_LEGAL = re.compile(rf"[A-Za-z0-9_.-]{{1,{NAME_CHARS}}}")
_BRANCHES = ("anyOf", "oneOf", "allOf", "prefixItems")
_WITHIN = ("items", "additionalProperties", "not", "if", "then", "else")
_DEEPEST = 16  # a schema that contains itself has no end


class Level(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Finding(Struct, frozen=True):
    level: Level
    code: str
    where: str
    message: str
    fix: str


def lint(tool: Tool) -> list[Finding]:
    """Everything worth mending, the worst first."""
    found = [
        finding for check in (_name, _description, _effects, _output, _input) for finding in _run(check, tool)
    ]
    return sorted(found, key=lambda finding: list(Level).index(finding.level))


def _run(check: Callable[[Tool], Iterator[Finding]], tool: Tool) -> list[Finding]:
    """A tool can be made of anything; what a check cannot even look at is a finding too."""
    try:
        return list(check(tool))
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        what = check.__name__.strip("_")
        return [
            Finding(
                Level.ERROR,
                "broken-tool",
                f"{tool.name}: {what}",
                f"It cannot be checked: {type(error).__name__}: {error}.",
                "Define it with the types toolpost.define asks for.",
            )
        ]


def _input(tool: Tool) -> Iterator[Finding]:
    try:
        compiled = compile_schema(tool.input_schema, tool.name)
    except BadTool as error:
        yield _bad_schema(tool, "input schema", error)
        return
    yield from (*_open(tool), *_parameters(tool, compiled.flat), *_examples(tool, compiled))


def _name(tool: Tool) -> Iterator[Finding]:
    if not _LEGAL.fullmatch(tool.name):
        yield Finding(
            Level.ERROR,
            "illegal-name",
            tool.name,
            "No dialect can carry this name.",
            f"Use 1 to {NAME_CHARS} letters, digits, `_`, `-` and `.`.",
        )
    elif len(tool.name) < SHORTEST_NAME:
        yield Finding(
            Level.WARNING,
            "cryptic-name",
            tool.name,
            "The name is too short to say anything.",
            "Say what it does to what, such as read_file.",
        )
    elif tool.name.casefold() in GENERIC:
        yield Finding(
            Level.WARNING,
            "generic-name",
            tool.name,
            f"A model cannot tell what {tool.name!r} is about.",
            f"Name its object too, such as {tool.name}_orders.",
        )


def _description(tool: Tool) -> Iterator[Finding]:
    size = len(tool.description.strip())
    if not size:
        yield Finding(
            Level.ERROR,
            "no-description",
            tool.name,
            "There is no description; a model chooses tools by it.",
            "Say what it does, when to use it and what comes back.",
        )
    elif size < SHORTEST_DESCRIPTION:
        yield Finding(
            Level.WARNING,
            "short-description",
            tool.name,
            f"The description has {size} characters.",
            "Say what it does, when to use it and what comes back.",
        )
    elif size > DESCRIPTION_CHARS:
        yield Finding(
            Level.WARNING,
            "long-description",
            tool.name,
            f"The description has {size} characters; every call pays for them.",
            f"Keep it under {DESCRIPTION_CHARS}; put the rest into examples.",
        )


def _effects(tool: Tool) -> Iterator[Finding]:
    """A function says nothing of its effects either, but a schema written by hand was the time to."""
    if tool.args_type is None and not tool.effects:
        yield Finding(
            Level.WARNING,
            "no-effects",
            tool.name,
            "It declares no effects, so it runs without a question.",
            'Pass effects=["read"], or whatever it does: read, write, delete, exec, net, launch.',
        )


def _output(tool: Tool) -> Iterator[Finding]:
    if tool.output_schema is None:
        yield Finding(
            Level.INFO,
            "no-output-schema",
            tool.name,
            "It publishes no output schema.",
            "Annotate the return type with a Struct, or pass output_schema.",
        )
        return
    try:
        compile_schema(tool.output_schema, tool.name)
    except BadTool as error:
        yield _bad_schema(tool, "output schema", error)


def _bad_schema(tool: Tool, which: str, error: BadTool) -> Finding:
    return Finding(
        Level.ERROR, "bad-schema", f"{tool.name}: {which}", error.detail, "Write a valid JSON Schema."
    )


def _open(tool: Tool) -> Iterator[Finding]:
    """An object of anything. A function without parameters closes its schema, and is none."""
    schema = tool.input_schema
    if tool.args_type is None and not any(key in schema for key in ("properties", "$ref", *_BRANCHES)):
        yield Finding(
            Level.WARNING,
            "open-schema",
            tool.name,
            "Its schema takes any object: a model can only guess the arguments.",
            "List the parameters under `properties`.",
        )


def _parameters(tool: Tool, flat: Schema) -> Iterator[Finding]:
    for path, part in _properties(flat, "", _DEEPEST):
        name = path.rsplit(".", 1)[-1].rstrip("[]")
        if not (isinstance(part, dict) and str(part.get("description", "")).strip()):
            yield Finding(
                Level.WARNING,
                "undescribed-parameter",
                f"{tool.name}: {path}",
                f"The parameter {name!r} has no description.",
                "Say what it means, in which unit, and give an example.",
            )
        if len(name) == 1:
            yield Finding(
                Level.WARNING,
                "cryptic-parameter",
                f"{tool.name}: {path}",
                f"The parameter {name!r} is one letter.",
                "Write the word out, such as path.",
            )


def _properties(part: Any, path: str, depth: int) -> Iterator[tuple[str, Any]]:
    """Every named parameter at every depth, as `query.type` or `items[].name`."""
    if not isinstance(part, dict) or not depth:
        return
    for name, inner in part.get("properties", {}).items():
        at = f"{path}.{name}" if path else name
        yield at, inner
        yield from _properties(inner, at, depth - 1)
    for key in _BRANCHES:
        for inner in part.get(key, ()):
            yield from _properties(inner, path, depth - 1)
    for key in _WITHIN:
        at = f"{path}[]" if key == "items" else path
        yield from _properties(part.get(key), at, depth - 1)


def _examples(tool: Tool, compiled: Compiled) -> Iterator[Finding]:
    for example in tool.examples:
        yield from _example(tool, example, compiled)


def _example(tool: Tool, example: Any, compiled: Compiled) -> Iterator[Finding]:
    if not isinstance(example, Example):
        yield Finding(
            Level.ERROR,
            "broken-example",
            f"{tool.name}: example",
            f"It is a {type(example).__name__}, not an Example.",
            'Write Example("what it shows", {...the arguments...}).',
        )
        return
    for error in compiled.validator.iter_errors(example.input):
        yield Finding(
            Level.ERROR,
            "broken-example",
            f"{tool.name}: example {example.name!r}",
            f"It does not pass the tool's own schema: {error.message}.",
            "Correct the example, or the schema.",
        )
