from typing import Any

import pytest

from toolpost.compiled import compile_schema
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
