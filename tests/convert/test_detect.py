"""Naming a format by what it holds."""

import pytest

from toolpost.convert import FORMATS, AmbiguousFormat, UnknownFormat, convert, detect

TOOL = {"name": "a", "description": "A", "inputSchema": {"type": "object"}}
USE: dict[str, object] = {"tool_id": "a", "description": "A", "when_to_use": "W", "how_to_use": {}}


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (TOOL, "spec"),
        ([TOOL], "spec"),
        ({**TOOL, "tags": []}, "spec"),
        ({**TOOL, "title": "T"}, "mcp"),
        ({**TOOL, "title": "T", "tags": [], "x-toolpost": {}}, "spec"),
        ({**TOOL, "title": "T", "tags": [], "_meta": {}}, "mcp"),
        ({"tools": [TOOL, {**TOOL, "annotations": {}}]}, "mcp"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}, "mcp"),
        (USE, "1"),
        ({**USE, "metadata": {}}, "2"),
        ({**USE, "schema_version": "2.0.0"}, "2"),
        ([USE, {**USE, "feedback": {}}], "2"),
        ({"resource_id": "a", "resource_type": "prompt"}, "ardf"),
        ({"resources": [{"resource_id": "a", "resource_type": "tool"}]}, "ardf"),
        ({"openapi": "3.1.0"}, "openapi"),
        ({"openapi": "3.0.1"}, "openapi-3.0"),
        ({"type": "function", "function": {"name": "a"}}, "functions"),
        ({"type": "function", "name": "a"}, "responses"),
        ({"name": "a", "parameters": {}}, "responses"),
        ({"name": "a", "input_schema": {}}, "anthropic"),
        ({"errors": [{}]}, "error"),
        ({"status": "error", "data": {"code": "X"}}, "error"),
    ],
)
def test_the_content_names_the_format(value: object, form: str) -> None:
    assert detect(value) == form


@pytest.mark.parametrize(
    ("value", "candidates"),
    [
        ({**TOOL, "annotations": {}, "tags": []}, ["spec", "mcp"]),
        ({**TOOL, "how_to_use": {}}, ["spec", "1"]),
        ([{"name": "a", "parameters": {}}, {"name": "a", "input_schema": {}}], ["responses", "anthropic"]),
    ],
)
def test_more_than_one_reading_is_reported_with_its_names(value: object, candidates: list[str]) -> None:
    with pytest.raises(AmbiguousFormat) as caught:
        detect(value)
    assert caught.value.candidates == candidates


def test_an_empty_list_could_be_anything() -> None:
    with pytest.raises(AmbiguousFormat, match="spec, mcp, 1, 2"):
        detect({"tools": []})


@pytest.mark.parametrize("value", [{}, 5, "tools.json", [5], {"name": "mcp_tools.json"}])
def test_what_no_format_knows_is_said_to_be_unknown(value: object) -> None:
    with pytest.raises(UnknownFormat):
        detect(value)


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"mcp"}))
def test_what_we_write_is_detected_as_what_it_is(form: str) -> None:
    assert detect(convert({**TOOL, "examples": [], "feedback": {}}, form, "spec").value) == form
