"""Strict validation."""

import pytest
from tests.convert.seed import ERRORS, FULL, HOTEL

from toolpost.convert import UnknownFormat, convert
from toolpost.convert.check import Fault, check
from toolpost.convert.wire import JsonObject

TOOL: JsonObject = {"name": "a", "description": "A", "inputSchema": {"type": "object"}}
USE: JsonObject = {
    "tool_id": "a",
    "description": "A",
    "when_to_use": "W",
    "how_to_use": {"inputs": [], "outputs": {"success": "S", "failure": []}},
}


def test_every_fault_has_its_place_and_its_fix() -> None:
    value = {"tools": [TOOL, {"name": "", "inputSchema": {"type": "string"}, "tags": "x"}]}
    assert check(value, "spec") == [
        Fault("/tools/1", '"description" is a required property', "add description"),
        Fault("/tools/1/name", '"" is shorter than 1 character', "write at least 1 characters"),
        Fault("/tools/1/inputSchema/type", '"object" was expected', "write object"),
        Fault("/tools/1/tags", '"x" is not of type "array"', "make it array"),
    ]


def test_1_is_closed_at_every_level_and_2_is_open_at_the_root() -> None:
    loose = {**USE, "colour": "red"}
    assert [fault.fix for fault in check(loose, "1")] == ["remove colour"]
    assert check(loose, "2") == []
    assert check(loose, "1", lax=True) == []


def test_a_tool_with_two_ids_is_refused() -> None:
    (fault,) = check({**USE, "id": "a"}, "2")
    assert fault.fix == "keep exactly one of the alternatives"


def test_a_schema_that_is_none_is_a_fault() -> None:
    (fault,) = check(
        {**TOOL, "inputSchema": {"type": "object", "properties": {"a": {"type": "text"}}}}, "spec"
    )
    assert fault.pointer == "/inputSchema/properties/a/type"
    assert check({**TOOL, "outputSchema": {"type": "object", "required": 5}}, "mcp") != []


def test_a_remote_reference_is_not_fetched() -> None:
    (fault,) = check({**TOOL, "inputSchema": {"type": "object", "$ref": "https://example.com/schema"}}, "mcp")
    assert "is not fetched" in fault.message


def test_a_local_reference_that_leads_nowhere_is_a_fault() -> None:
    (fault,) = check({**TOOL, "inputSchema": {"type": "object", "$ref": "#/$defs/none"}}, "mcp")
    assert "does not exist" in fault.message


@pytest.mark.parametrize("form", ["spec", "1", "2", "ardf", "mcp", "openapi", "functions"])
def test_an_example_that_breaks_its_schema_is_a_fault_in_every_format(form: str) -> None:
    broken = {
        **TOOL,
        "inputSchema": {"type": "object", "required": ["x"]},
        "examples": [{"name": "n", "input": {}}],
    }
    value = convert(broken, form, "spec").value
    (fault,) = check(value, form)
    assert fault.pointer.endswith(("/examples/0/input", "/examples/0/input_values"))
    assert fault.fix == "add x"
    assert check(value, form, lax=True) == []


def test_an_example_without_an_input_is_not_validated() -> None:
    value = {**TOOL, "x-toolpost": {"set": {"examples": [{"name": "n"}]}}}
    assert check(value, "spec") == []


def test_a_format_is_forgiven_only_when_asked() -> None:
    problem = {**ERRORS[0], "type": "/errors/validation-error"}
    assert [fault.fix for fault in check({"errors": [problem]}, "error")] == ["write a valid uri"]
    assert check({"errors": [problem]}, "error", lax=True) == []


def test_errors_hold_at_least_one_and_nothing_else() -> None:
    assert [fault.fix for fault in check({"errors": []}, "error")] == ["give at least 1"]
    assert check({"errors": ERRORS, "status": "error", "meta": {}}, "error") == []
    assert [fault.fix for fault in check({"errors": ERRORS, "trace": 1}, "error")] == ["remove trace"]


def test_a_parameter_name_may_be_null_and_a_suggestion_may_not_be_a_number() -> None:
    assert check({"errors": [{**ERRORS[0], "parameter_name": None}]}, "error") == []
    assert check({"errors": [{**ERRORS[0], "suggested_value": 5}]}, "error") != []


def test_the_second_error_shape_is_checked_too() -> None:
    expected = {"conditions": ["not empty"], "format": "email"}
    details = {"field": "email", "received": None, "expected": expected, "solution": "send an address"}
    answer: JsonObject = {
        "status": "error",
        "data": {"code": "INVALID_EMAIL", "message": "bad", "details": details},
        "meta": {"timestamp": "2025-01-15T12:00:00Z"},
    }
    assert check(answer, "error") == []
    (fault,) = check({**answer, "meta": {"timestamp": "noon"}}, "error")
    assert fault == Fault("/meta/timestamp", '"noon" is not a "date-time"', "write a valid date-time")


def test_what_cannot_be_read_at_all_is_one_fault() -> None:
    assert check(5, "spec") == [
        Fault("", "not a tool, a list of tools or a catalogue", "give a JSON object or array")
    ]
    (fault,) = check({"tools": [TOOL, TOOL]}, "mcp")
    assert fault.message == "two tools are called 'a'"


def test_a_long_message_is_cut() -> None:
    (fault,) = check({**TOOL, "description": ["x" * 1000]}, "spec")
    assert len(fault.message) == 300


def test_a_3_0_document_is_checked_as_3_0() -> None:
    operation = {"operationId": "a", "responses": {"200": {"description": "ok"}}}
    document: JsonObject = {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"post": operation}},
    }
    assert check(document, "openapi") == []
    body = {"content": {"application/json": {"schema": {"type": ["string", "null"]}}}}
    broken = {**document, "paths": {"/a": {"post": {**operation, "requestBody": body}}}}
    assert [fault.pointer for fault in check(broken, "openapi")] == [
        "/paths/~1a/post/requestBody/content/application~1json/schema/type"
    ]
    assert check({**broken, "openapi": "3.1.0"}, "openapi") == []


def test_a_document_of_another_version_is_refused() -> None:
    (fault,) = check({"openapi": "2.0"}, "openapi")
    assert fault.pointer == "/openapi"


def test_dates_in_metadata_are_checked() -> None:
    assert check({**USE, "metadata": {"created_at": "2025-01-15"}}, "2") == []
    assert check({**USE, "metadata": {"created_at": "yesterday"}}, "2") != []


def test_real_templates_pass_lax_and_strict() -> None:
    for value in (FULL, HOTEL):
        assert check(value, "spec") == check(value, "spec", lax=True) == []


def test_an_unknown_format_cannot_be_checked() -> None:
    with pytest.raises(UnknownFormat):
        check({}, "yaml")
