from datetime import date, datetime
from typing import Annotated
from uuid import UUID

import msgspec
import pytest
from msgspec import Struct

from toolpost.errors import BadTool
from toolpost.schema import inline, property_at, schema_of


class Point(Struct):
    x: int
    y: Annotated[int, msgspec.Meta(ge=0)] = 0


class Line(Struct):
    start: Point
    ends: list[Point]


class Node(Struct):
    next: "Node | None" = None


POINT = {
    "title": "Point",
    "type": "object",
    "properties": {"x": {"type": "integer"}, "y": {"type": "integer", "minimum": 0, "default": 0}},
    "required": ["x"],
}


def test_a_types_schema_refers_to_nothing() -> None:
    assert schema_of(Line) == {
        "title": "Line",
        "type": "object",
        "properties": {"start": POINT, "ends": {"type": "array", "items": POINT}},
        "required": ["start", "ends"],
    }


def test_a_type_without_a_schema_is_refused() -> None:
    with pytest.raises(BadTool, match="No JSON Schema can be made"):
        schema_of(object)


def test_a_type_that_contains_itself_is_refused() -> None:
    with pytest.raises(BadTool, match="'Node' contains itself"):
        schema_of(Node)


def test_both_spellings_of_definitions_are_inlined_and_what_stands_beside_a_reference_wins() -> None:
    schema = {
        "$defs": {"a/b": {"type": "string", "title": "A"}},
        "definitions": {"c": {"type": "integer"}},
        "properties": {
            "one": {"$ref": "#/$defs/a~1b", "title": "mine"},
            "two": {"anyOf": [{"$ref": "#/definitions/c"}]},
        },
    }
    assert inline(schema) == {
        "properties": {"one": {"type": "string", "title": "mine"}, "two": {"anyOf": [{"type": "integer"}]}}
    }


def test_a_property_may_be_named_definitions() -> None:
    part = {"type": "object", "properties": {"definitions": {"$ref": "#/$defs/A"}}}
    assert inline({**part, "$defs": {"A": {"type": "string"}}}) == {
        "type": "object",
        "properties": {"definitions": {"type": "string"}},
    }


def test_a_reference_to_nothing_is_refused() -> None:
    with pytest.raises(BadTool, match="'gone', which it does not define"):
        inline({"$ref": "#/$defs/gone"})


def test_other_references_are_left_for_the_validator() -> None:
    assert inline({"$ref": "https://example.org/a"}) == {"$ref": "https://example.org/a"}


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ([], {"properties": {"a": {"items": {"type": "string"}}, "b": True, "c": {"items": [{}]}}}),
        (["a"], {"items": {"type": "string"}}),
        (["a", 3], {"type": "string"}),
        (["b"], {}),
        (["b", "deeper"], {}),
        (["c", 0], {}),
        (["unknown", 1, "x"], {}),
    ],
)
def test_the_part_that_speaks_of_one_value_is_found(path: list[str | int], part: dict[str, object]) -> None:
    schema = {"properties": {"a": {"items": {"type": "string"}}, "b": True, "c": {"items": [{}]}}}
    assert property_at(schema, path) == part


class Moments(Struct):
    at: datetime
    local: Annotated[datetime, msgspec.Meta(tz=False)]
    day: date
    ident: UUID
    perhaps: datetime | None = None
    many: list[datetime] = []
    named: dict[str, datetime] = {}
    mixed: Point | int | datetime | None = None


def test_a_datetime_was_published_as_any_text() -> None:
    parts = schema_of(Moments)["properties"]
    moment = {"type": "string", "format": "date-time"}
    assert (parts["at"], parts["local"]) == (moment, {"type": "string"})
    assert (parts["day"]["format"], parts["ident"]["format"]) == ("date", "uuid")
    assert parts["perhaps"]["anyOf"] == [moment, {"type": "null"}]
    assert (parts["many"]["items"], parts["named"]["additionalProperties"]) == (moment, moment)
    assert parts["mixed"]["anyOf"] == [{"type": "integer"}, moment, POINT, {"type": "null"}]
