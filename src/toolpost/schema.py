"""Types as JSON Schema, with nothing left to look up: every `$ref` is inlined."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

import msgspec

from toolpost.errors import BadTool
from toolpost.limits import SCHEMA_NODES

Schema = dict[str, Any]

_DEFINITIONS = ("$defs", "definitions")
_NAMED = ("properties", "patternProperties", "dependentSchemas")
"""What holds schemas under any name, `definitions` among them."""


class Unfolds(BadTool):
    """A schema whose references multiply without end: it would take as long to check a call against it."""


def schema_of(kind: Any) -> Schema:
    """The JSON Schema of a type msgspec knows."""
    try:
        schema = msgspec.json.schema(kind)
    except TypeError as error:
        raise BadTool(f"No JSON Schema can be made of this type: {error}.") from None
    flat = inline(schema)
    _say_moments(msgspec.inspect.type_info(kind), flat)
    return flat


def _say_moments(kind: msgspec.inspect.Type, part: Any) -> None:
    """Give a datetime its format: msgspec leaves it out where a zone is not demanded."""
    if not isinstance(part, dict):
        return
    match kind:
        case msgspec.inspect.Metadata(type=inner):
            _say_moments(inner, part)
        case msgspec.inspect.DateTimeType(tz=None):
            part.setdefault("format", "date-time")
        case msgspec.inspect.UnionType(types=kinds) if len(kinds) == len(part.get("anyOf", ())):
            for inner, option in zip(sorted(kinds, key=_rank), part["anyOf"], strict=True):
                _say_moments(inner, option)
        case msgspec.inspect.DictType(value_type=inner):
            _say_moments(inner, part.get("additionalProperties"))
        case _:
            _say_moments_inside(kind, part)


def _rank(kind: msgspec.inspect.Type) -> int:
    """The order in which msgspec writes the members of a union."""
    if isinstance(kind, msgspec.inspect.Metadata):
        return _rank(kind.type)
    if isinstance(kind, msgspec.inspect.NoneType):
        return 2
    return int(isinstance(kind, msgspec.inspect.StructType) and not kind.array_like)


def _say_moments_inside(kind: msgspec.inspect.Type, part: Schema) -> None:
    inner = getattr(kind, "item_type", None)
    if inner is not None:
        _say_moments(inner, part.get("items"))
    for field in getattr(kind, "fields", ()):
        _say_moments(field.type, part.get("properties", {}).get(field.encode_name))


def inline(schema: Schema) -> Schema:
    """The same schema without local references. Remote ones are left for the validator to refuse."""
    if _size(schema, schema, {}) > SCHEMA_NODES:
        raise Unfolds(
            f"The schema's references unfold to more than {SCHEMA_NODES} parts.", limit=SCHEMA_NODES
        )
    definitions = {**schema.get("definitions", {}), **schema.get("$defs", {})}
    inlined = _inline(schema, definitions, ())
    return {key: value for key, value in inlined.items() if key not in _DEFINITIONS}


def _size(node: Any, root: Schema, known: dict[str, int]) -> int:
    """How many parts a node unfolds to. What is referred to is measured once, and counts as one within itself."""
    if isinstance(node, list):
        return 1 + sum(_size(item, root, known) for item in node)
    if not isinstance(node, dict):
        return 1
    ref = node.get("$ref")
    if isinstance(ref, str) and ref not in known:
        known[ref] = 1
        known[ref] = _size(_pointed(root, ref), root, known)
    beside = [part for key, value in node.items() for part in _parts(key, value)]
    return (
        (known[ref] if isinstance(ref, str) else 0) + sum(_size(value, root, known) for value in beside) + 1
    )


def _parts(key: str, value: Any) -> Iterable[Any]:
    if key in _NAMED and isinstance(value, dict):
        return value.values()
    return () if key in _DEFINITIONS else (value,)


def _pointed(root: Schema, ref: str) -> Any:
    """What a local reference points at, wherever that stands; None for every other reference."""
    if not ref.startswith("#"):
        return None
    if ref != "#" and not ref.startswith("#/"):
        return _anchored(root, ref[1:])
    node: Any = root
    for step in unquote(ref).split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict):
            node = node.get(name)
        else:
            node = node[int(name)] if isinstance(node, list) and _is_index(name, node) else None
    return node


def _is_index(name: str, items: list[Any]) -> bool:
    return name.isdecimal() and len(name) < 10 and int(name) < len(items)


def _anchored(node: Any, anchor: str) -> Any:
    if isinstance(node, dict) and anchor in (node.get("$anchor"), node.get("$dynamicAnchor")):
        return node
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return next((found for item in inner if (found := _anchored(item, anchor)) is not None), None)


def _inline(node: Any, definitions: Schema, open_names: tuple[str, ...]) -> Any:
    if isinstance(node, list):
        return [_inline(item, definitions, open_names) for item in node]
    if not isinstance(node, dict):
        return node
    name = _local_name(node.get("$ref"))
    if name is None:
        return {key: _within(key, value, definitions, open_names) for key, value in node.items()}
    if name in open_names:
        raise BadTool(f"The type {name!r} contains itself; a tool's schema has to end somewhere.")
    if name not in definitions:
        raise BadTool(f"The schema refers to {name!r}, which it does not define.")
    beside = {key: value for key, value in node.items() if key != "$ref"}
    inlined: Schema = _inline(definitions[name], definitions, (*open_names, name))
    return {**inlined, **beside}


def _within(key: str, value: Any, definitions: Schema, open_names: tuple[str, ...]) -> Any:
    if key in _NAMED and isinstance(value, dict):
        return {name: _inline(part, definitions, open_names) for name, part in value.items()}
    return value if key in _DEFINITIONS else _inline(value, definitions, open_names)


def _local_name(ref: Any) -> str | None:
    if not isinstance(ref, str) or not ref.startswith(("#/$defs/", "#/definitions/")):
        return None
    name = ref.split("/", 2)[2]
    return None if "/" in name else name.replace("~1", "/").replace("~0", "~")


def property_at(schema: Schema, path: list[str | int]) -> Schema:
    """The part of a schema that speaks of one value; {} when the path leads through no plain part."""
    for step in path:
        if isinstance(step, int):
            items = schema.get("items", {})
            schema = items if isinstance(items, dict) else {}
        else:
            schema = schema.get("properties", {}).get(step, {})
        if not isinstance(schema, dict):
            return {}
    return schema
