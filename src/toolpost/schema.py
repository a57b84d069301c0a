"""Types as JSON Schema, with nothing left to look up: every `$ref` is inlined."""

from typing import Any

import msgspec

from toolpost.errors import BadTool
from toolpost.limits import SCHEMA_NODES

Schema = dict[str, Any]

_DEFINITIONS = ("$defs", "definitions")


class Unfolds(BadTool):
    """A schema whose references multiply without end: it would take as long to check a call against it."""


def schema_of(kind: Any) -> Schema:
    """The JSON Schema of a type msgspec knows."""
    try:
        schema = msgspec.json.schema(kind)
    except TypeError as error:
        raise BadTool(f"No JSON Schema can be made of this type: {error}.") from None
    return inline(schema)


def inline(schema: Schema) -> Schema:
    """The same schema without local references. Remote ones are left for the validator to refuse."""
    definitions = {**schema.get("definitions", {}), **schema.get("$defs", {})}
    if _size(schema, definitions, {}) > SCHEMA_NODES:
        raise Unfolds(
            f"The schema's references unfold to more than {SCHEMA_NODES} parts.", limit=SCHEMA_NODES
        )
    inlined = _inline(schema, definitions, ())
    return {key: value for key, value in inlined.items() if key not in _DEFINITIONS}


def _size(node: Any, definitions: Schema, known: dict[str, int]) -> int:
    """How many parts a node unfolds to. A definition is measured once, and counts as one within itself."""
    if isinstance(node, list):
        return 1 + sum(_size(item, definitions, known) for item in node)
    if not isinstance(node, dict):
        return 1
    name = _local_name(node.get("$ref"))
    if name is not None and name not in known:
        known[name] = 1
        known[name] = _size(definitions.get(name), definitions, known)
    beside = [value for key, value in node.items() if key not in _DEFINITIONS]
    return known.get(name or "", 0) + sum(_size(value, definitions, known) for value in beside) + 1


def _inline(node: Any, definitions: Schema, open_names: tuple[str, ...]) -> Any:
    if isinstance(node, list):
        return [_inline(item, definitions, open_names) for item in node]
    if not isinstance(node, dict):
        return node
    name = _local_name(node.get("$ref"))
    if name is None:
        return {
            key: value if key in _DEFINITIONS else _inline(value, definitions, open_names)
            for key, value in node.items()
        }
    if name in open_names:
        raise BadTool(f"The type {name!r} contains itself; a tool's schema has to end somewhere.")
    if name not in definitions:
        raise BadTool(f"The schema refers to {name!r}, which it does not define.")
    beside = {key: value for key, value in node.items() if key != "$ref"}
    inlined: Schema = _inline(definitions[name], definitions, (*open_names, name))
    return {**inlined, **beside}


def _local_name(ref: Any) -> str | None:
    if not isinstance(ref, str) or not ref.startswith(("#/$defs/", "#/definitions/")):
        return None
    return ref.rsplit("/", 1)[1].replace("~1", "/").replace("~0", "~")


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
