"""OpenAPI 3.0 schema objects to JSON Schema and back."""

import pytest

from toolpost.convert.openapi_schema import down, up
from toolpost.convert.wire import JsonObject

BOTH_WAYS: list[tuple[JsonObject, JsonObject]] = [
    ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
    ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
    ({"maximum": 1.5, "exclusiveMaximum": True}, {"exclusiveMaximum": 1.5}),
    ({"example": "x", "x-note": 1}, {"examples": ["x"], "x-note": 1}),
    ({"allOf": [{"nullable": True, "type": "number"}]}, {"allOf": [{"type": ["number", "null"]}]}),
    (
        {
            "type": "object",
            "properties": {"a": {"type": "string", "nullable": True}},
            "additionalProperties": False,
        },
        {"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "additionalProperties": False},
    ),
    ({"type": "array", "items": {"enum": [1]}}, {"type": "array", "items": {"enum": [1]}}),
]


@pytest.mark.parametrize(("old", "new"), BOTH_WAYS)
def test_both_generations_say_the_same(old: JsonObject, new: JsonObject) -> None:
    assert up(old) == new
    assert down(new) == old


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ({"const": 5}, {"enum": [5]}),
        ({"type": ["string", "integer"]}, {}),
        ({"type": "array"}, {"type": "array", "items": {}}),
        ({"required": [], "enum": [], "anyOf": [], "examples": []}, {}),
        ({"if": {}, "$schema": "x", "title": 5, "minLength": "1", "uniqueItems": 1, "minimum": "1"}, {}),
        ({"items": True, "not": False}, {"items": {}, "not": {"not": {}}}),
        ({"properties": 5, "additionalProperties": {"const": 1}}, {"additionalProperties": {"enum": [1]}}),
        ({"$defs": {"n": {"type": "null"}}, "items": {"$ref": "#/$defs/n"}}, {"items": {}}),
        ({"items": {"$ref": "#/$defs/none"}}, {"items": {}}),
        ({"default": None, "exclusiveMinimum": True}, {"default": None}),
    ],
)
def test_what_3_0_cannot_say_is_left_out(new: JsonObject, old: JsonObject) -> None:
    assert down(new) == old


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"nullable": True}, {"nullable": True}),
        ({"minimum": 1, "exclusiveMinimum": False}, {"minimum": 1}),
        ({"exclusiveMinimum": True}, {}),
        ({"example": 1, "examples": [2]}, {"example": 1, "examples": [2]}),
        ({"not": True}, {"not": True}),
    ],
)
def test_odd_3_0_schemas_are_read_for_what_they_mean(old: JsonObject, new: JsonObject) -> None:
    assert up(old) == new
