"""OpenAPI 3.0 schema objects to JSON Schema and back.

Down is best effort: 3.0 knows few keywords, and what it cannot say is left out; the engine carries it.
"""

from collections.abc import Callable, Mapping

from toolpost.convert.errors import ConvertError
from toolpost.convert.refs import Inliner
from toolpost.convert.usage import TYPES
from toolpost.convert.wire import JsonObject

TEXTS = ("title", "description", "format", "pattern")
NUMBERS = ("multipleOf", "maximum", "minimum")
COUNTS = ("maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties")
FLAGS = ("uniqueItems", "readOnly", "writeOnly", "deprecated")
BRANCHES = ("allOf", "anyOf", "oneOf")
BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


def up(schema: object) -> object:
    """A 3.0 schema object as JSON Schema: nullable, boolean exclusive bounds and example in today's words."""
    if not isinstance(schema, dict):
        return schema
    made = {key: _up_inside(key, value) for key, value in schema.items()}
    return _up_example(_up_bounds(_up_nullable(made)))


def down(schema: JsonObject) -> JsonObject:
    """A JSON Schema as a strictly valid 3.0 schema object."""
    try:
        flat = Inliner(schema, "#/").inline(schema)
    except ConvertError:
        flat = schema
    return _down(flat)


def _up_inside(key: str, value: object) -> object:
    if key in {"items", "not", "additionalProperties"}:
        return up(value)
    if key in BRANCHES and isinstance(value, list):
        return [up(item) for item in value]
    if key == "properties" and isinstance(value, dict):
        return {name: up(item) for name, item in value.items()}
    return value


def _up_nullable(schema: JsonObject) -> JsonObject:
    if schema.get("nullable") is not True or not isinstance(schema.get("type"), str):
        return schema
    kept = {key: value for key, value in schema.items() if key != "nullable"}
    return {key: [value, "null"] if key == "type" else value for key, value in kept.items()}


def _up_bounds(schema: JsonObject) -> JsonObject:
    made = dict(schema)
    for exclusive, bound in BOUNDS.items():
        flag = made.get(exclusive)
        if flag is True and bound in made:
            made[exclusive] = made.pop(bound)
        elif isinstance(flag, bool):
            del made[exclusive]
    return made


def _up_example(schema: JsonObject) -> JsonObject:
    if "example" not in schema or "examples" in schema:
        return schema
    return {
        "examples" if key == "example" else key: [value] if key == "example" else value
        for key, value in schema.items()
    }


def _down(schema: object) -> JsonObject:
    if schema is False:
        return {"not": {}}
    if not isinstance(schema, dict) or "$ref" in schema:
        return {}
    made: JsonObject = {}
    for key, value in schema.items():
        if key.startswith("x-"):
            made[key] = value
        elif key in DOWN:
            made.update(DOWN[key](key, value))
    if made.get("type") == "array":
        made.setdefault("items", {})
    return made


def _keep_text(key: str, value: object) -> JsonObject:
    return {key: value} if isinstance(value, str) else {}


def _keep_flag(key: str, value: object) -> JsonObject:
    return {key: value} if isinstance(value, bool) else {}


def _keep_number(key: str, value: object) -> JsonObject:
    return {key: value} if _is_number(value) else {}


def _keep_count(key: str, value: object) -> JsonObject:
    return {key: value} if _is_number(value) and not isinstance(value, float) else {}


def _keep_any(key: str, value: object) -> JsonObject:
    return {key: value}


def _keep_list(key: str, value: object) -> JsonObject:
    return {key: value} if isinstance(value, list) and value else {}


def _down_type(_: str, value: object) -> JsonObject:
    words = value if isinstance(value, list) else [value]
    real = [word for word in words if word in TYPES and word != "null"]
    if len(real) != 1:
        return {}
    return {"type": real[0], "nullable": True} if "null" in words else {"type": real[0]}


def _down_const(_: str, value: object) -> JsonObject:
    return {"enum": [value]}


def _down_examples(_: str, value: object) -> JsonObject:
    return {"example": value[0]} if isinstance(value, list) and value else {}


def _down_bound(key: str, value: object) -> JsonObject:
    return {BOUNDS[key]: value, key: True} if _is_number(value) else {}


def _down_branches(key: str, value: object) -> JsonObject:
    return {key: [_down(item) for item in value]} if isinstance(value, list) and value else {}


def _down_properties(key: str, value: object) -> JsonObject:
    return {key: {name: _down(item) for name, item in value.items()}} if isinstance(value, dict) else {}


def _down_one(key: str, value: object) -> JsonObject:
    return {key: _down(value)}


def _down_additional(key: str, value: object) -> JsonObject:
    return {key: value if isinstance(value, bool) else _down(value)}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


DOWN: Mapping[str, Callable[[str, object], JsonObject]] = {
    **dict.fromkeys(TEXTS, _keep_text),
    **dict.fromkeys(NUMBERS, _keep_number),
    **dict.fromkeys(COUNTS, _keep_count),
    **dict.fromkeys(FLAGS, _keep_flag),
    **dict.fromkeys(BRANCHES, _down_branches),
    **dict.fromkeys(BOUNDS, _down_bound),
    "enum": _keep_list,
    "required": _keep_list,
    "default": _keep_any,
    "const": _down_const,
    "examples": _down_examples,
    "type": _down_type,
    "properties": _down_properties,
    "items": _down_one,
    "not": _down_one,
    "additionalProperties": _down_additional,
}
