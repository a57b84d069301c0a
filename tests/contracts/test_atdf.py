"""Contract 003, requirement by requirement, as far as descriptions and errors go."""

from collections.abc import Callable
from typing import Any

import jsonschema_rs
import pytest
from tests.contracts.cases import every_case
from tests.contracts.line import Line
from tests.contracts.scripted import Raised, Script

from toolpost.errors import every_error
from toolpost.problem import HTTP_STATUS

BASE = "https://api.example.com/errors/"
PROBE = {
    "type": "object",
    "properties": {
        "string": {"type": "string", "minLength": 1},
        "integer": {"type": "integer", "minimum": 1, "maximum": 100},
        "number": {"type": "number", "minimum": 0.0},
        "boolean": {"type": "boolean"},
        "array": {"type": "array", "items": {"type": "string"}},
        "object": {"type": "object", "properties": {}},
        "email": {"type": "string", "format": "email"},
        "date-time": {"type": "string", "format": "date-time"},
        "date": {"type": "string", "format": "date"},
        "uri": {"type": "string", "format": "uri"},
    },
}


DESCRIBED = [
    case.expect["tools"][0]
    for case in every_case()
    if case.dialect == "atdf" and case.answered_by == "describe"
]


async def probe(**given: Any) -> Any:
    line = Line("atdf", Script(name="probe", answer={"passed": True}, input_schema=PROBE).tool())
    return await line.say({"name": "probe", "input": given})


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("string", "x"),
        ("integer", 7),
        ("number", 0.5),
        ("boolean", False),
        ("array", ["a"]),
        ("object", {}),
        ("email", "a@example.com"),
        ("date-time", "2025-01-15T14:00:00Z"),
        ("date", "2025-01-15"),
        ("uri", "https://example.com"),
    ],
)
async def test_every_type_and_format_of_the_contract_takes_a_good_value(name: str, good: Any) -> None:
    assert await probe(**{name: good}) == {"passed": True}


@pytest.mark.parametrize(
    ("name", "bad", "rule"),
    [
        ("string", "", "minLength"),
        ("string", 7, "type"),
        ("integer", 0, "minimum"),
        ("integer", 101, "maximum"),
        ("integer", 1.5, "type"),
        ("number", -1, "minimum"),
        ("boolean", "maybe", "type"),
        ("array", [7], "type"),
        ("object", [], "type"),
        ("email", "invalid-email", "email_format"),
        ("date-time", "tomorrow", "date-time_format"),
        ("date", "15.01.2025", "date_format"),
        ("uri", "not a uri", "uri_format"),
    ],
)
async def test_every_type_and_format_is_really_checked(name: str, bad: Any, rule: str) -> None:
    (error,) = (await probe(**{name: bad}))["errors"]
    assert error["type"] == BASE + "validation-error"
    assert error["parameter_name"].startswith(name)
    assert error["context"]["validation_rule"] == rule
    assert "provided_value" in error["context"]


@pytest.mark.parametrize("tool", DESCRIBED, ids=lambda tool: str(tool["name"]))
def test_every_example_of_a_described_tool_passes_its_own_schema(tool: dict[str, Any]) -> None:
    validator = jsonschema_rs.validator_for(tool["inputSchema"], validate_formats=True)
    for example in tool.get("examples", []):
        validator.validate(example["input"])


def test_a_tool_without_properties_is_described_with_all_three_keys() -> None:
    line = Line("atdf", Script(name="bare").tool())
    assert line.dialect.describe()["tools"][0]["inputSchema"] == {
        "type": "object",
        "properties": {},
        "required": [],
    }


@pytest.mark.parametrize(
    ("kind", "slug"),
    [
        ("InvalidArgument", "validation-error"),
        ("InvalidDate", "invalid-date"),
        ("InvalidRoute", "invalid-route"),
        ("BusinessRule", "business-rule"),
        ("Unauthenticated", "authentication"),
        ("Denied", "authorization"),
    ],
)
async def test_each_standard_type_has_its_uri(kind: str, slug: str) -> None:
    line = Line("atdf", Script(name="probe", raises=Raised(kind, "no")).tool())
    (error,) = (await line.say({"name": "probe", "input": {}}))["errors"]
    assert error["type"] == BASE + slug


def test_every_error_there_is_has_a_type_with_a_known_status() -> None:
    assert {error.slug for error in every_error() if error.__module__.startswith("toolpost")} <= set(
        HTTP_STATUS
    )


async def test_errors_come_in_the_order_the_caller_wrote_the_arguments() -> None:
    answer = await probe(uri="x y", integer=0, email="e")
    assert [error["parameter_name"] for error in answer["errors"]] == ["uri", "integer", "email"]


async def test_each_occurrence_has_an_instance_of_its_own_that_the_record_knows() -> None:
    line = Line("atdf", Script(name="probe", answer={}, input_schema=PROBE).tool())
    said = {"name": "probe", "input": {"integer": 0, "email": "e"}}
    answers = [await line.say(said), await line.say(said)]
    instances = [error["instance"] for answer in answers for error in answer["errors"]]
    assert len(set(instances)) == 4
    recorded = [instance for record in line.records for instance in record.instances]
    assert instances == [f"/api/errors/{instance}" for instance in recorded]


async def test_a_suggestion_is_text_and_its_typed_value_stands_in_the_context() -> None:
    (error,) = (await probe(integer=0))["errors"]
    assert (error["suggested_value"], error["context"]["suggested"]) == ("1", 1)


async def test_where_no_fix_exists_the_suggestion_is_null() -> None:
    line = Line("atdf", Script(name="probe", raises=Raised("BusinessRule", "full")).tool())
    (error,) = (await line.say({"name": "probe", "input": {}}))["errors"]
    assert (error["suggested_value"], error["parameter_name"]) == (None, None)


async def test_an_error_of_the_tool_echoes_the_value_it_speaks_of() -> None:
    raised = Raised("BusinessRule", "no such city", parameter="city")
    line = Line("atdf", Script(name="probe", raises=raised).tool())
    (error,) = (await line.say({"name": "probe", "input": {"city": "Atlantis"}}))["errors"]
    assert error["context"]["provided_value"] == "Atlantis"


async def test_a_secret_is_not_echoed() -> None:
    raised = Raised("BusinessRule", "wrong", parameter="password")
    line = Line("atdf", Script(name="probe", raises=raised).tool())
    (error,) = (await line.say({"name": "probe", "input": {"password": "open sesame"}}))["errors"]
    assert error["context"]["provided_value"] == "[redacted]"


async def test_the_suggested_input_is_the_whole_call_repaired() -> None:
    answer = await probe(integer=0, date="15.01.2025")
    assert answer["meta"]["suggested_input"] == {"integer": 1, "date": "2025-01-15"}
    assert await probe(**answer["meta"]["suggested_input"]) == {"passed": True}


async def test_an_unknown_tool_is_a_not_found_error_with_the_nearest_name() -> None:
    line = Line("atdf", Script(name="hotel_reservation").tool())
    (error,) = (await line.say({"name": "hotel_reservations", "input": {}}))["errors"]
    assert (error["type"], error["suggested_value"]) == (BASE + "not-found", "hotel_reservation")
    assert error["tool_name"] == "hotel_reservations"


async def test_a_success_that_has_a_key_named_errors_is_not_taken_for_a_failure() -> None:
    line = Line("atdf", Script(name="probe", answer={"errors": []}).tool())
    assert await line.say({"name": "probe", "input": {}}) == {"result": {"errors": []}}


@pytest.mark.parametrize("message", [b"{", b"[]", b'{"input": {}}'])
async def test_a_message_that_is_no_call_is_answered_with_errors(message: bytes) -> None:
    line = Line("atdf", Script(name="probe").tool())
    (error,) = (await line.say(message))["errors"]
    assert error["code"] == "MALFORMED_MESSAGE"


async def test_the_templates_validating_tool_is_there_and_says_what_is_wrong(
    real: Callable[..., Line],
) -> None:
    given = {"data": {"age": -1}, "schema": {"properties": {"age": {"minimum": 0}}}}
    answer = await real("atdf").say({"name": "validate_data", "input": given})
    verdict = {"valid": False, "errors": ["/age: -1 is less than the minimum of 0"], "warnings": []}
    assert answer == {"result": verdict}  # its key `errors` would read as a failure (C13)


async def test_a_real_file_that_is_not_there_is_told_with_one_that_is(real: Callable[..., Line]) -> None:
    answer = await real("atdf", {"src/app.ts": 9}).say({"name": "read_file", "input": {"path": "src/ap.ts"}})
    (error,) = answer["errors"]
    assert (error["code"], error["parameter_name"], error["suggested_value"]) == (
        "FILE_NOT_FOUND",
        "path",
        "src/app.ts",
    )
