"""What the format's origin gets wrong, as measured, and ours must not."""

import itertools
import json

import pytest
from msgspec import UNSET
from tests.convert.seed import ERRORS, HOTEL, PLACEHOLDER, TEMPLATES

from toolpost.convert import FORMATS, convert, detect, read
from toolpost.convert.check import check
from toolpost.convert.enrich import Known, enrich
from toolpost.convert.search import search
from toolpost.convert.wire import JsonObject, alike

RICH: JsonObject = {
    "name": "list_issues",
    "title": "List issues",
    "description": "List issues in a repository",
    "inputSchema": {
        "required": ["owner"],
        "type": "object",
        "properties": {
            "owner": {"type": "string"},
            "state": {"enum": ["OPEN", "CLOSED"], "type": "string", "default": "OPEN"},
            "page": {"type": "number", "minimum": 1, "maximum": 100},
            "labels": {"type": "array", "items": {"type": "string"}},
            "since": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
            "order": {"oneOf": [{"const": "asc"}, {"const": "desc"}]},
        },
        "additionalProperties": False,
    },
    "annotations": {"title": "List issues", "readOnlyHint": True, "destructiveHint": False},
    "icons": [{"src": "https://example.com/i.png"}],
    "_meta": {"vendor/id": 7},
}


@pytest.mark.parametrize("name", sorted(TEMPLATES))
def test_the_specifications_own_tools_are_accepted_by_every_format_they_are_written_in(name: str) -> None:
    for target in FORMATS:
        assert check(convert(TEMPLATES[name], target, "spec").value, target) == []


@pytest.mark.parametrize("version", ["1", "2"])
def test_a_versioned_example_is_valid_against_the_version_it_declares(version: str) -> None:
    written = enrich(convert(HOTEL, version).value, Known()).value
    assert detect(written) == version
    assert check(written, version) == []


@pytest.mark.parametrize("error", ERRORS)
def test_the_seven_real_error_objects_pass(error: JsonObject) -> None:
    assert check({"errors": [error]}, "error") == []


def test_the_placeholder_error_object_fails_and_says_where() -> None:
    faults = check({"errors": [PLACEHOLDER]}, "error")
    assert sorted(fault.pointer for fault in faults) == ["/errors/0/context", "/errors/0/type"]


@pytest.mark.parametrize(("there", "further"), list(itertools.product(FORMATS, FORMATS)))
def test_a_real_tool_comes_back_identical_through_any_two_formats(there: str, further: str) -> None:
    there_value = convert(RICH, there, "mcp").value
    back = convert(convert(there_value, further, there).value, "mcp", further).value
    assert back == RICH
    assert isinstance(back, dict)
    assert json.dumps(back["inputSchema"]) == json.dumps(RICH["inputSchema"])
    assert json.dumps(back["annotations"]) == json.dumps(RICH["annotations"])


@pytest.mark.parametrize("form", FORMATS)
def test_no_keyword_and_no_annotation_is_lost_on_the_way(form: str) -> None:
    (before,) = read(RICH, "mcp").cards
    (after,) = read(convert(RICH, form, "mcp").value, form).cards
    assert alike(after.input_schema, before.input_schema)
    assert alike(after.annotations, before.annotations)


@pytest.mark.parametrize(
    ("key", "value"),
    [("email", "not-an-email"), ("check_in", "tomorrow"), ("check_out", "2025-02-30T00:00:00Z")],
)
def test_formats_are_really_checked(key: str, value: str) -> None:
    broken = json.loads(json.dumps(HOTEL))
    broken["tools"][0]["examples"][0]["input"][key] = value
    (fault,) = check(broken, "spec")
    assert fault.pointer == f"/tools/0/examples/0/input/{key}"
    assert fault.fix.startswith("write a valid")


def test_when_to_use_holds_no_machine_text_after_conversion() -> None:
    written = convert(RICH, "2", "mcp")
    assert isinstance(written.value, dict)
    assert written.value["when_to_use"] == RICH["description"]
    assert "/tools/0/when_to_use" in written.derived
    (card,) = read(written.value).cards
    assert card.when_to_use is UNSET


def test_enrich_translates_nothing_and_adds_no_empty_example_and_no_fixed_feedback() -> None:
    made = enrich(convert(RICH, "2", "mcp").value, Known())
    assert made.filled == []
    assert isinstance(made.value, dict)
    assert not {"localization", "examples", "feedback"} & made.value.keys()


def test_convert_decides_by_content_and_has_no_file_name_to_look_at() -> None:
    assert detect(RICH) == "mcp"
    assert detect(HOTEL) == "spec"


def test_an_mcp_tool_is_written_with_inputschema_and_any_tool_can_be() -> None:
    value = convert(HOTEL, "mcp").value
    assert isinstance(value, dict)
    assert "input_schema" not in value["tools"][0]
    assert alike(value["tools"][0]["inputSchema"], read(HOTEL).cards[0].input_schema)


def test_search_for_the_letter_a_does_not_hit_everything() -> None:
    cards = [card for one in TEMPLATES.values() for card in read(one, "spec").cards]
    assert [hit.card.name for hit in search(cards, "a")] == ["hotel_reservation"]


def test_openapi_has_a_converter_both_ways() -> None:
    document = convert(HOTEL, "openapi").value
    assert check(document, "openapi") == []
    assert convert(document, "spec").value == HOTEL
