"""Arguments as they are typed: a JSON object, `-` for one on stdin, or key=value pairs."""

import sys
from collections.abc import Iterable
from typing import Any

from toolpost import codec
from toolpost.cli.trouble import Trouble
from toolpost.errors import BadTool, MalformedMessage
from toolpost.limits import MESSAGE_BYTES
from toolpost.schema import Schema, inline, property_at

HOW = "Write key=value, key:=json, one JSON object, or - to read one from stdin."


def read(words: tuple[str, ...], schema: Schema) -> dict[str, Any]:
    if words == ("-",):
        return _object(stdin())
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        return _object(words[0])
    return _pairs(words, flat(schema))


def stdin() -> bytes:
    """All of stdin, or just enough to see that it is too much."""
    return sys.stdin.buffer.read(MESSAGE_BYTES + 1)


def _object(text: str | bytes) -> dict[str, Any]:
    value = _decoded(text, "The arguments")
    if not isinstance(value, dict):
        raise Trouble("The arguments must be a JSON object.", HOW)
    return value


def _decoded(text: str | bytes, what: str) -> Any:
    try:
        return codec.decode(text)
    except MalformedMessage as error:
        raise Trouble(f"{what} cannot be read: {error.detail}", HOW) from None


def flat(schema: Schema) -> Schema:
    """The schema with its references followed."""
    try:
        return inline(schema)
    except BadTool:  # a schema that contains itself: its top level is enough here
        return schema


def _pairs(words: Iterable[str], schema: Schema) -> dict[str, Any]:
    args: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        is_json = key.endswith(":")
        name = key.removesuffix(":")
        if not equals or not name:
            raise Trouble(f"{word!r} is no argument.", HOW)
        path = _path(name, schema)
        _put(
            args,
            path,
            _decoded(value, name) if is_json else _value(value, property_at(schema, [*path])),
            name,
        )
    return args


def _path(name: str, schema: Schema) -> list[str]:
    """`a.b` goes into `a`, unless the tool has a parameter of that very name."""
    return [name] if name in schema.get("properties", {}) else name.split(".")


def _put(args: dict[str, Any], path: list[str], value: Any, name: str) -> None:
    place = args
    for step in path[:-1]:
        place = place.setdefault(step, {})
        if not isinstance(place, dict):
            raise Trouble(f"{name} goes into a value that is no object.", HOW)
    if path[-1] in place:
        raise Trouble(f"{name} was given twice.", "Give it once; a list is name:='[1, 2]'.")
    place[path[-1]] = value


def _value(text: str, part: Schema) -> Any:
    """Text stays text wherever the schema takes text; elsewhere it is read as JSON, if it is any."""
    kinds = _kinds(part)
    if not kinds or "string" in kinds:
        return text
    try:
        return codec.decode(text)
    except MalformedMessage:
        return text


def _kinds(part: Any) -> set[str]:
    if not isinstance(part, dict):
        return set()
    kinds = part.get("type", [])
    found = {kinds} if isinstance(kinds, str) else set(kinds)
    for branch in (*part.get("anyOf", ()), *part.get("oneOf", ())):
        found |= _kinds(branch)
    return found or {"string" if isinstance(one, str) else "other" for one in part.get("enum", ())}
