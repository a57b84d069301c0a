"""A JSON Schema made ready once. Nothing is ever fetched for it."""

from collections.abc import Iterator
from typing import Any, NoReturn, Protocol

import jsonschema_rs
from msgspec import Struct, field

from toolpost.errors import BadTool
from toolpost.limits import BACKTRACKS
from toolpost.schema import Schema, Unfolds, inline


class Validator(Protocol):
    def is_valid(self, instance: Any) -> bool: ...
    def iter_errors(self, instance: Any) -> Iterator[Any]: ...


class Compiled(Struct, frozen=True):
    validator: Validator
    flat: Schema
    """The schema without local references, to look parameters up in."""
    is_open: bool = False
    """Whether some value may be anything at all: then what is no JSON passes too."""
    schema: Schema = {}
    parts: dict[str, Validator | None] = field(default_factory=dict)

    def alone(self, name: str) -> Validator | None:
        """A validator of one property by itself; None where the others have a say in whether it passes."""
        if name not in self.parts and name in self.schema.get("properties", ()):
            self.parts[name] = _alone(self.schema, name) if _PLAIN_ROOT.issuperset(self.schema) else None
        return self.parts.get(name)


_CONTEXT = {"$schema", "$id", "$defs", "definitions"}
_PLAIN_ROOT = {
    *_CONTEXT,
    *("type", "properties", "required", "additionalProperties"),
    *("title", "description", "default", "examples", "$comment"),
}
_LINEAR = jsonschema_rs.RegexOptions()
_FANCY = jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACKS)


def compile_schema(schema: Schema, tool: str = "") -> Compiled:
    if not isinstance(schema, dict):
        raise BadTool(
            f"The schema of {tool!r} cannot be used: it must be an object, not {schema!r}.", tool=tool
        )
    try:
        flat = _flat(schema)
        return Compiled(_validator(schema), flat, _is_open(flat), schema)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, *_NOT_JSON) as error:
        why = str(error).split("\n", 1)[0]
        raise BadTool(f"The schema of {tool!r} cannot be used: {why}", tool=tool) from None
    except RecursionError:
        raise BadTool(f"The schema of {tool!r} cannot be used: it nests too deep.", tool=tool) from None


_NOT_JSON = (ValueError, TypeError, AttributeError, OverflowError)


def _alone(schema: Schema, name: str) -> Validator | None:
    around = {key: value for key, value in schema.items() if key in _CONTEXT}
    if "$schema" not in schema and _speaks_draft_4(schema):
        around["$schema"] = "http://json-schema.org/draft-04/schema#"
    try:
        return _validator({**around, "properties": {name: schema["properties"][name]}})
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError):
        return None  # it refers to a part that was left out


def _validator(schema: Schema) -> Validator:
    """Patterns run in linear time; only a schema that looks around or back gets the engine that can run away."""
    try:
        return _built(schema, _LINEAR)
    except jsonschema_rs.ValidationError:
        return _built(schema, _FANCY)


def _built(schema: Schema, patterns: Any) -> Validator:
    settings: dict[str, Any] = {
        "validate_formats": True,
        "retriever": _refuse,
        "pattern_options": patterns,
    }
    if "$schema" not in schema and _speaks_draft_4(schema):
        return jsonschema_rs.Draft4Validator(schema, **settings)
    return jsonschema_rs.validator_for(schema, **settings)


def _refuse(uri: str) -> NoReturn:
    message = f"{uri} would have to be fetched, and schemas are never fetched"
    raise ValueError(message)


def _speaks_draft_4(node: Any) -> bool:
    """Draft 4 alone writes an exclusive bound as true or false."""
    if isinstance(node, list):
        return any(_speaks_draft_4(item) for item in node)
    if not isinstance(node, dict):
        return False
    if any(isinstance(node.get(bound), bool) for bound in ("exclusiveMinimum", "exclusiveMaximum")):
        return True
    return any(_speaks_draft_4(item) for item in node.values())


def _flat(schema: Schema) -> Schema:
    try:
        return inline(schema)
    except Unfolds:
        raise
    except BadTool:  # a schema that contains itself validates well; only suggestions stop at the loop
        return schema


def _is_open(part: Any) -> bool:
    """Whether a value may stand here that nothing looks at."""
    if not isinstance(part, dict) or "$ref" in part:
        return part is not False
    if "enum" in part or "const" in part:
        return False
    for word in ("anyOf", "oneOf"):
        if word in part:
            return any(_is_open(option) for option in part[word])
    kinds = part.get("type", ["object", "array"])
    return ("object" in kinds and _is_open_object(part)) or ("array" in kinds and _is_open_array(part))


def _is_open_object(part: Schema) -> bool:
    inside = [*part.get("properties", {}).values(), *part.get("patternProperties", {}).values()]
    return any(_is_open(inner) for inner in (*inside, part.get("additionalProperties", True)))


def _is_open_array(part: Schema) -> bool:
    first = part.get("prefixItems", [])
    closed = part.get("maxItems") == len(first) and "items" not in part
    return any(_is_open(inner) for inner in (*first, closed is False and part.get("items", True)))
