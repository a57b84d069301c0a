"""What the validator found, flattened: one fault a broken rule, at one place of the arguments."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from toolpost.limits import ECHO_CHARS
from toolpost.schema import Schema, property_at

Path = tuple[str | int, ...]


class Fault(Struct, frozen=True):
    path: Path
    rule: str
    value: Any
    part: Schema
    facts: dict[str, Any]
    """What the rule asked for: `limit`, `allowed`, `expected`, `format` …"""

    @property
    def parameter(self) -> str:
        return spell(self.path)


def spell(path: Path) -> str:
    """`("items", 2, "status")` as `items[2].status`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def head(path: Path) -> str:
    """The parameter a path begins with; a path may be spelled already."""
    return str(path[0]).split(".", 1)[0].split("[", 1)[0] if path else ""


def at(args: Any, path: Path) -> Any:
    for step in path:
        args = args[step]
    return args


def put(args: Any, path: Path, value: Any) -> Any:
    """The arguments with one value in place; only what lies on the way to it is copied."""
    if not path:
        return value if isinstance(value, dict) else args
    step, rest = path[0], path[1:]
    changed = args.copy()
    changed[step] = put(args[step], rest, value) if rest else value
    return changed


def flatten(errors: Iterable[Any], schema: Schema) -> Iterator[Fault]:
    for error in errors:
        needs, read = _READERS.get(error.kind.name, ("name", _plain))
        yield from (read if hasattr(error.kind, needs) else _plain)(error, schema)


def _plain(error: Any, schema: Schema) -> Iterator[Fault]:
    path = tuple(error.instance_path)
    part = property_at(schema, list(path))
    yield Fault(path, error.kind.name, error.instance, part, _facts(error))


def _facts(error: Any) -> dict[str, Any]:
    try:
        return _FACTS.get(error.kind.name, _why)(error)
    except AttributeError:  # an engine that gave up has the rule's name, but not its facts
        return _gave_up(error)


def _gave_up(error: Any) -> dict[str, Any]:
    if "backtracking" in error.message:
        return {"why": "its pattern took too many steps to try on this value"}
    return _why(error)


def _required(error: Any, schema: Schema) -> Iterator[Fault]:
    path = (*error.instance_path, error.kind.property)
    yield Fault(path, "required", None, property_at(schema, list(path)), {})


def _unexpected(error: Any, schema: Schema) -> Iterator[Fault]:
    known = list(property_at(schema, list(error.instance_path)).get("properties", {}))
    instance = error.instance  # each look at it makes a new copy
    for name in error.kind.unexpected:
        path = (*error.instance_path, name)
        yield Fault(path, "additionalProperties", instance.get(name), {}, {"known": known})


def _alternatives(error: Any, schema: Schema) -> Iterator[Fault]:
    """Of several alternatives, the one that came closest: the others would only confuse."""
    branches = [list(branch) for branch in getattr(error.kind, "context", [])]
    deep = [branch for branch in branches if any(len(inner.instance_path) for inner in branch)]
    if deep:
        best = min(deep, key=len)
        if not any(_is_beside(inner) for inner in best):
            yield from flatten(_under(best, error), schema)
            return
    yield from _plain(error, schema)


def _is_beside(error: Any) -> bool:
    return error.kind.name == "const" and len(error.instance_path) <= 1


def _under(errors: list[Any], above: Any) -> list[Any]:
    """Errors of a branch, placed where the branch stands."""
    return [_Placed(error, above) for error in errors]


class _Placed:
    def __init__(self, error: Any, above: Any) -> None:
        self.kind = error.kind
        self.message = error.message
        self.instance = error.instance
        inner, outer = list(error.instance_path), list(above.instance_path)
        self.instance_path = inner if inner[: len(outer)] == outer else outer + inner


def _limit(error: Any) -> dict[str, Any]:
    return {"limit": error.kind.limit}


def _expected(error: Any) -> dict[str, Any]:
    return {"expected": " or ".join(error.kind.types)}


def _allowed(error: Any) -> dict[str, Any]:
    options = error.kind.value
    return {"allowed": options if isinstance(options, list) else [options]}


def _format(error: Any) -> dict[str, Any]:
    return {"format": error.kind.format}


def _pattern(error: Any) -> dict[str, Any]:
    return {"pattern": error.kind.pattern}


def _multiple(error: Any) -> dict[str, Any]:
    return {"limit": error.kind.value}


def _types(error: Any) -> dict[str, Any]:
    """For alternatives that differ in type alone, the types say it best."""
    names: list[str] = []
    for branch in getattr(error.kind, "context", []):
        for inner in branch:
            names.extend(getattr(inner.kind, "types", []))
    return {"expected": " or ".join(dict.fromkeys(names))} if names else _why(error)


def _why(error: Any) -> dict[str, Any]:
    message = error.message
    return {"why": message if len(message) <= 2 * ECHO_CHARS else message[: 2 * ECHO_CHARS] + "…"}


_FACTS = {
    "type": _expected,
    "enum": _allowed,
    "const": _allowed,
    "format": _format,
    "pattern": _pattern,
    "minimum": _limit,
    "maximum": _limit,
    "exclusiveMinimum": _limit,
    "exclusiveMaximum": _limit,
    "minLength": _limit,
    "maxLength": _limit,
    "minItems": _limit,
    "maxItems": _limit,
    "multipleOf": _multiple,
    "anyOf": _types,
    "oneOf": _types,
}

_READERS: dict[str, tuple[str, Callable[[Any, Schema], Iterator[Fault]]]] = {
    "required": ("property", _required),
    "additionalProperties": ("unexpected", _unexpected),
    "unevaluatedProperties": ("unexpected", _unexpected),
    "anyOf": ("context", _alternatives),
    "oneOf": ("context", _alternatives),
}
