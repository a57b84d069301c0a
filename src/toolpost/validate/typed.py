"""Arguments in the tool's own types, and what no schema says: that they are JSON at all."""

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from toolpost.define import Tool
from toolpost.errors import InvalidArgument
from toolpost.limits import MESSAGE_DEPTH
from toolpost.schema import Schema, property_at
from toolpost.validate.faults import Fault, Path, spell


class NotJson(ValueError):
    """A value no message could have brought: only a call from within the process can hold one."""


def typed(tool: Tool, args: dict[str, Any]) -> Any:
    """The arguments as the tool takes them; msgspec.ValidationError where its types say no."""
    if tool.args_type is None:
        return plain(args)
    return msgspec.convert(args, tool.args_type, strict=False)  # to JSON Schema 1.0 is an integer


def plain(args: Any) -> Any:
    """A copy of the arguments, each value seen to be JSON: the tool may change what it is given."""
    if not isinstance(args, dict):
        raise InvalidArgument(f"The arguments are not JSON: {type(args).__name__} is no object.")
    copy = {}
    for name, value in args.items():
        try:
            copy[_key(name)] = copied(value)
        except NotJson as error:
            raise InvalidArgument(f"The arguments are not JSON: {error}.", parameter=str(name)) from None
        except UnicodeEncodeError:
            raise _half(name, value) from None
    return copy


_NUMBERS = frozenset({int, float, bool, type(None)})


def refuse_halves(args: dict[str, Any]) -> None:
    """For arguments that passed their schema, which looks at no text it has no rule for.

    A byte of a command line that is no UTF-8, or a text made in this process, may hold half a surrogate pair:
    no message could carry it, and no file has such a name.
    """
    for name, value in args.items():
        kind = type(value)
        if kind in _NUMBERS or (kind is str and value.isascii()):  # nearly every argument there is
            continue
        if not _is_whole(value):
            raise _half(name, value)


def _half(name: str, value: Any) -> InvalidArgument:
    said = "The arguments are not JSON: a text holds half a character, which UTF-8 has no form for."
    place = spell((name, *_way(value))) if _is_whole(name) else None
    return InvalidArgument(said, parameter=place)


def _way(value: Any) -> Path:
    """Where within a value its first half is, as far as it can be told: a name may be the one."""
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, _LISTS):
        parts = enumerate(value)
    for step, inner in parts:
        if not _is_whole(inner) and _is_whole(step):
            return (step, *_way(inner))
    return ()


def _is_whole(value: Any) -> bool:
    """Whether UTF-8 has a form for every text in it."""
    if isinstance(value, str):
        return value.isascii() or _SURROGATE.search(value) is None
    if isinstance(value, dict):
        return all(map(_is_whole, value)) and all(map(_is_whole, value.values()))
    return not isinstance(value, _LISTS) or all(map(_is_whole, value))


_LISTS = (list, tuple)
_SURROGATE = re.compile("[\ud800-\udfff]")


def copied(value: Any, depth: int = MESSAGE_DEPTH) -> Any:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return _whole(value)
    if isinstance(value, float):
        return _finite(value)
    if depth == 0:
        raise NotJson(f"they nest deeper than {MESSAGE_DEPTH} levels")
    if isinstance(value, dict):
        return {_key(name): copied(inner, depth - 1) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [copied(inner, depth - 1) for inner in value]
    raise NotJson(f"{type(value).__name__} is no JSON type")


def _key(name: Any) -> str:
    if not isinstance(name, str):
        raise NotJson(f"the name {name!r} is no text")
    return _whole(name)


def _whole(text: str) -> str:
    if not text.isascii():
        text.encode()  # UnicodeEncodeError for half a surrogate pair
    return text


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise NotJson(f"{_NO_NUMBER.get(str(number), 'NaN')} is no JSON number")
    return number


_NO_NUMBER = {"inf": "Infinity", "-inf": "-Infinity"}


def misfits(tool: Tool, args: dict[str, Any], flat: Schema) -> Iterator[Fault]:
    """One fault for each parameter the tool's types refuse, where reading them together stops at the first."""
    if tool.args_type is None:
        return
    for field in msgspec.structs.fields(tool.args_type):
        if field.encode_name in args:
            yield from misfit(args[field.encode_name], field, flat)


def misfit(value: Any, field: Any, flat: Schema) -> Iterator[Fault]:
    try:
        msgspec.convert(value, field.type, strict=False)
    except msgspec.ValidationError as error:
        why, _, place = str(error).partition(" - at `")
        inner, value = _walk(value, place)
        path = (field.encode_name, *inner)
        yield Fault(path, "convert", value, property_at(flat, list(path)), {"why": why})


def _walk(value: Any, place: str) -> tuple[Path, Any]:
    """As far as a place leads: msgspec writes `$.inner[0].name`, and `[...]` for a key it does not tell."""
    path: list[str | int] = []
    for name, index in _STEPS.findall(place if place.startswith("$") else ""):
        step = int(index) if index.isdecimal() else name
        if not step and step != 0:
            break
        path.append(step)
        value = value[step]
    return tuple(path), value


_STEPS = re.compile(r"\.([^.\[\]`]+)|\[([^\]]+)\]")
