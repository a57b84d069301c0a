"""The front door: convert, read, write and their reports."""

import pytest
from tests.convert.seed import HOTEL, MINIMAL

from toolpost.convert import UnknownFormat, convert, form_named, read, round_trip_losses

TOOL = {
    "name": "a",
    "description": "A",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}


def test_a_conversion_says_what_travels_and_what_was_derived() -> None:
    done = convert(TOOL, "2")
    assert (done.source, done.target) == ("mcp", "2")
    assert done.carried == ["/tools/0/annotations"]
    assert done.derived == [
        "/tools/0/when_to_use",
        "/tools/0/success",
        "/tools/0/failures",
        "/tools/0/input_schema/properties",
    ]
    assert done.lost == []


def test_a_lone_1_tool_without_a_catalogue_names_what_is_lost() -> None:
    done = convert(TOOL, "1", bare=True)
    assert isinstance(done.value, dict)
    assert sorted(done.value) == ["description", "how_to_use", "tool_id", "when_to_use"]
    assert done.lost == ["/tools/0/annotations"]
    assert done.carried == []


def test_a_lone_1_tool_that_needs_room_is_written_as_a_catalogue() -> None:
    value = convert(TOOL, "1").value
    assert isinstance(value, dict)
    assert value["x-toolpost"]["tools"]["a"]["set"] == {"annotations": {"readOnlyHint": True}}
    assert value["x-toolpost"]["catalogue"] == {"set": {"shape": "one"}}
    assert convert(value, "mcp").value == TOOL


def test_a_bare_round_trip_reports_each_loss_by_pointer() -> None:
    assert round_trip_losses(TOOL, "1", bare=True) == ["/inputSchema/properties", "/annotations"]
    assert round_trip_losses(HOTEL, "mcp", bare=True) == [
        "/tools/0/version",
        "/tools/0/tags",
        "/tools/0/examples",
    ]
    assert round_trip_losses(MINIMAL, "mcp", "spec", bare=True) == []


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownFormat) as caught:
        form_named("yaml")
    assert "openapi-3.0" in caught.value.fix


def test_openapi_is_the_version_the_document_names() -> None:
    document = {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {}}
    assert form_named("openapi", document).name == "openapi-3.0"
    assert form_named("openapi").name == "openapi"
    assert read(document, "openapi").cards == []
    assert convert(document, "openapi-3.0", "openapi").value == document
