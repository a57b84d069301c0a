"""Filling in what is known."""

from toolpost.convert import Example, convert, read
from toolpost.convert.check import check
from toolpost.convert.enrich import Known, enrich
from toolpost.convert.wire import JsonObject

FAILURES = Known(failures={"NOT_FOUND": "There is no such file."})
TOOL: JsonObject = {"name": "a", "description": "A", "inputSchema": {"type": "object"}}
USE: JsonObject = {
    "tool_id": "a",
    "description": "A",
    "when_to_use": "W",
    "how_to_use": {"inputs": [], "outputs": {"success": "S", "failure": []}},
}


def test_a_missing_schema_version_is_filled() -> None:
    made = enrich(USE, Known())
    assert made.value == {"schema_version": "1.0.0", **USE}
    assert made.filled == ["/schema_version"]


def test_a_value_that_lacks_nothing_stays_as_it_is() -> None:
    versioned = {"schema_version": "1.0.0", **USE}
    made = enrich(versioned, Known())
    assert (made.value, made.filled) == (versioned, [])


def test_metadata_is_filled_from_the_root_and_never_overwritten() -> None:
    tool = {**USE, "schema_version": "2.0.0", "version": "3", "tags": ["x"], "metadata": {"version": "1"}}
    made = enrich(tool, Known())
    assert made.filled == ["/metadata/tags"]
    assert isinstance(made.value, dict)
    assert made.value["metadata"] == {"version": "1", "tags": ["x"]}


def test_a_specification_tool_takes_its_version_from_its_metadata() -> None:
    made = enrich({**TOOL, "metadata": {"version": "1", "owner": "me"}}, Known())
    assert made.filled == ["/version"]


def test_failures_come_from_the_registry_and_only_where_there_are_none() -> None:
    made = enrich(USE, FAILURES)
    assert made.filled == ["/how_to_use/outputs/failure/0", "/schema_version"]
    assert check(made.value, "1") == []
    assert enrich(made.value, Known(failures={"OTHER": "Other."})).filled == []


def test_filled_failures_are_no_longer_derived() -> None:
    for form in ("1", "2", "ardf"):
        converted = convert({**TOOL, "title": "T"}, form, "spec").value
        made = enrich(converted, FAILURES, form)
        (card,) = read(made.value, form).cards
        assert [one.code for one in card.failures or []] == ["NOT_FOUND"]
        assert card.title == "T"
        assert not any("toolpost" in place for place in made.filled)


def test_a_mark_that_held_nothing_else_goes_away() -> None:
    tool = {"schema_version": "2.0.0", **USE, "x-toolpost": {"derived": ["failures"]}}
    made = enrich(tool, FAILURES)
    assert isinstance(made.value, dict)
    assert "x-toolpost" not in made.value


def test_failures_have_no_place_in_an_mcp_tool() -> None:
    assert enrich(TOOL, FAILURES, "mcp").value == TOOL


def test_recorded_calls_become_examples_when_given() -> None:
    known = Known(examples={"a": [Example(name="Once", input={}, expected="Done")]})
    assert enrich(TOOL, known, "spec").filled == ["/examples"]
    made = enrich({"schema_version": "2.0.0", **USE}, known, "2")
    assert isinstance(made.value, dict)
    assert made.value["examples"] == [{"goal": "Once", "input_values": {}, "expected_result": "Done"}]
    assert enrich(made.value, known, "2").filled == []


def test_an_example_that_would_need_made_up_text_is_left_out() -> None:
    unnamed = Known(examples={"a": [Example(input={})]})
    no_result = Known(examples={"a": [Example(name="Once", input={})]})
    assert enrich(TOOL, unnamed, "spec").filled == []
    assert enrich({"schema_version": "2.0.0", **USE}, no_result, "2").filled == []
