from typing import Any

import pytest

from toolpost import Bench
from toolpost.compiled import compile_schema
from toolpost.define import from_schema
from toolpost.errors import BadTool


def test_a_schema_is_compiled_and_laid_flat() -> None:
    schema = {"$defs": {"n": {"type": "integer"}}, "properties": {"a": {"$ref": "#/$defs/n"}}}
    compiled = compile_schema(schema)
    assert compiled.flat == {"properties": {"a": {"type": "integer"}}}
    assert [compiled.validator.is_valid({"a": value}) for value in (1, "1")] == [True, False]


def test_formats_are_asserted() -> None:
    assert not compile_schema({"format": "email"}).validator.is_valid("nobody")


@pytest.mark.parametrize("schema", [
    {"type": "number", "minimum": 1, "exclusiveMinimum": True},
    {"allOf": [{"maximum": 5, "minimum": 0, "exclusiveMinimum": False}, {"minimum": 1, "exclusiveMinimum": True}]},
])  # fmt: skip
def test_a_draft_4_schema_is_read_as_one(schema: dict[str, Any]) -> None:
    assert [compile_schema(schema).validator.is_valid(value) for value in (1, 2)] == [False, True]


def test_a_schema_that_contains_itself_validates() -> None:
    schema = {
        "$defs": {"n": {"properties": {"next": {"$ref": "#/$defs/n"}}, "required": ["v"]}},
        "$ref": "#/$defs/n",
    }
    compiled = compile_schema(schema)
    assert compiled.validator.is_valid({"v": 1, "next": {"v": 2}})
    assert not compiled.validator.is_valid({"v": 1, "next": {}})


def _doubling(times: int) -> dict[str, Any]:
    definitions: dict[str, Any] = {"a0": {"type": "string"}}
    for step in range(times):
        definitions[f"a{step + 1}"] = {"allOf": [{"$ref": f"#/$defs/a{step}"}] * 2}
    return {"$defs": definitions, "properties": {"p": {"$ref": f"#/$defs/a{times}"}}}


def test_references_that_double_sixty_times_are_refused_at_once() -> None:
    with pytest.raises(BadTool, match="unfold to more than 100000 parts"):
        compile_schema(_doubling(60))


def test_references_that_double_a_few_times_are_not() -> None:
    assert compile_schema(_doubling(6)).validator.is_valid({"p": "x"})


def test_a_schema_that_nests_without_end_is_refused() -> None:
    nested: dict[str, Any] = {}
    for _ in range(5_000):
        nested = {"properties": {"a": nested}}
    with pytest.raises(BadTool, match="cannot be used: it nests too deep"):
        compile_schema(nested, "work")


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"type": "objekt"}, '"objekt" is not valid'),
        ({"pattern": "("}, 'is not a "regex"'),
        ({"$ref": "#/nowhere"}, "Pointer '/nowhere' does not exist"),
        ({"$ref": "https://example.org/s.json"}, "would have to be fetched, and schemas are never fetched"),
        ({"$schema": "https://example.org/meta"}, "Unknown meta-schema"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused_with_its_cause(schema: dict[str, Any], why: str) -> None:
    with pytest.raises(BadTool) as caught:
        compile_schema(schema, "work")
    assert caught.value.detail.startswith("The schema of 'work' cannot be used: ")
    assert why in caught.value.detail


def _pointing(times: int, base: str) -> dict[str, Any]:
    parts: dict[str, Any] = {"a0": {"type": "string"}}
    for step in range(times):
        parts[f"a{step + 1}"] = {"allOf": [{"$ref": f"{base}a{step}"}] * 2}
    return parts


@pytest.mark.parametrize("times", [20, 60])
def test_references_that_double_outside_the_definitions_hung_the_first_call(times: int) -> None:
    with pytest.raises(BadTool, match="unfold to more than"):
        compile_schema({"properties": _pointing(times, "#/properties/")})
    anchored = {name: {"$anchor": name, **part} for name, part in _pointing(times, "#").items()}
    with pytest.raises(BadTool, match="unfold to more than"):
        compile_schema({"properties": {"a": {"$ref": f"#a{times}"}}, "$defs": anchored})
    with pytest.raises(BadTool, match="unfold to more than"):
        Bench([from_schema("work", "", _doubling(times), None)])


@pytest.mark.parametrize("schema", [True, False, None, [], "x"])
def test_a_schema_that_is_no_object_is_refused(schema: Any) -> None:
    with pytest.raises(BadTool, match="it must be an object"):
        compile_schema(schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}},
        {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}] * 2}}},
        {"allOf": [{"$ref": "#"}], "required": ["b"]},
    ],
)
def test_a_reference_that_leads_to_itself_breaks_no_call(schema: dict[str, Any]) -> None:
    looped = from_schema("work", "", {**schema, "required": ["b"]}, lambda _args: "done", blocking=False)
    assert [problem.code for problem in Bench([looped]).call_sync("work").problems] == ["MISSING_PARAMETER"]


def test_a_reference_into_a_definition_is_not_taken_for_a_definition() -> None:
    inner = {"type": "object", "properties": {"b": {"type": "integer"}}}
    compiled = compile_schema(
        {"$defs": {"a": inner}, "properties": {"c": {"$ref": "#/$defs/a/properties/b"}}}
    )
    assert [compiled.validator.is_valid({"c": value}) for value in (1, "1")] == [True, False]


@pytest.mark.parametrize("pattern", ["^(?!x)a", r"^(a)\1$", "^(?=a).(?<=a)$"])
def test_a_foreign_pattern_that_looks_around_or_back_still_works(pattern: str) -> None:
    assert not compile_schema({"pattern": pattern}).validator.is_valid("xyz")


def test_a_pattern_with_nested_repeats_runs_in_linear_time() -> None:
    (error,) = compile_schema({"pattern": "^(a+)+$"}).validator.iter_errors("a" * 10_000 + "!")
    assert error.kind.pattern == "^(a+)+$"


@pytest.mark.parametrize(
    ("schema", "is_open"),
    [
        ({}, True),
        ({"type": "object"}, True),
        ({"type": "object", "properties": {"a": {}}, "additionalProperties": False}, True),
        ({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}, False),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, False),
        ({"type": "array"}, True),
        ({"type": "array", "items": {"enum": [1]}}, False),
        ({"type": "array", "prefixItems": [{"const": 1}], "maxItems": 1}, False),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, False),
        ({"oneOf": [{"type": "integer"}, {}]}, True),
    ],
)
def test_a_schema_is_open_where_some_value_may_be_anything(schema: dict[str, Any], is_open: bool) -> None:
    assert compile_schema(schema).is_open is is_open
