"""The engine that makes every format lossless."""

import pytest
from tests.convert.seed import HOTEL

from toolpost.convert import FORMATS, Card, Catalogue, ConvertError, convert, lossless, read, write
from toolpost.convert.lossless import attach, detach
from toolpost.convert.wire import JsonObject, same

TOOL: JsonObject = {"name": "a", "description": "A", "inputSchema": {"type": "object"}}


def test_what_is_attached_is_detached_again() -> None:
    value = attach({"a": 1}, ("_meta", "card"), 5)
    assert value == {"a": 1, "_meta": {"card": 5}}
    assert detach(value, ("_meta", "card")) == ({"a": 1}, 5)
    assert detach({"_meta": {"card": 5, "own": 1}}, ("_meta", "card")) == ({"_meta": {"own": 1}}, 5)


def test_an_edit_by_hand_in_a_converted_file_keeps_what_travels_beside_it() -> None:
    tool = convert({**TOOL, "annotations": {"readOnlyHint": True}}, "2", "mcp").value
    assert isinstance(tool, dict)
    tool["description"] = "Edited"
    (card,) = read(tool).cards
    assert card.description == "Edited"
    assert card.annotations == {"readOnlyHint": True}
    assert same(write(read(tool), "2"), tool)


@pytest.mark.parametrize(
    "around",
    [5, {"tools": 5}, {"catalogue": {"set": {"names": ["other"]}}}, {"catalogue": {"set": {"shape": 5}}}, {}],
)
def test_a_foreign_x_toolpost_is_kept_as_it_came(around: object) -> None:
    value = {"tools": [TOOL], "x-toolpost": around}
    assert same(write(read(value, "spec"), "spec"), value)
    assert same(convert(convert(value, "1", "spec").value, "spec").value, value)


def test_a_side_table_for_a_tool_that_is_gone_is_kept() -> None:
    value = {"tools": [], "x-toolpost": {"tools": {"gone": {"set": {"title": "T"}}}}}
    assert same(write(read(value, "1"), "1"), value)


@pytest.mark.parametrize("form", ["spec", "openapi"])
def test_two_tools_of_one_name_are_refused(form: str) -> None:
    with pytest.raises(ConvertError, match="two tools are called 'a'") as caught:
        read({"tools": [TOOL, TOOL]}, "spec")
    assert caught.value.pointer == "/tools/1"
    with pytest.raises(ConvertError, match="two tools") as caught:
        write(Catalogue([Card("a"), Card("a")]), form)
    assert caught.value.pointer == "/tools/1"


def test_a_tool_without_a_name_is_refused_where_it_stands() -> None:
    with pytest.raises(ConvertError) as caught:
        read({"tools": [TOOL, {"inputSchema": {}}]}, "spec")
    assert caught.value.pointer == "/tools/1/name"
    assert caught.value.fix == "add 'name': the tool's name"


def test_a_kept_source_that_no_longer_reads_is_not_written() -> None:
    catalogue = Catalogue([Card("a", origin={"spec": {"description": "no name"}})], origin={"spec": 5})
    written = write(catalogue, "spec")
    assert read(written, "spec") == catalogue


def test_a_kept_source_of_another_tool_is_not_written() -> None:
    catalogue = Catalogue([Card("a")], origin={"spec": {"tools": [{"name": "b"}]}})
    assert read(write(catalogue, "spec"), "spec") == catalogue


def test_cards_taken_out_of_their_document_can_still_be_written() -> None:
    document = {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {
            "/a": {
                "post": {
                    "operationId": "a",
                    "requestBody": {"$ref": "#/components/requestBodies/A"},
                    "responses": {"200": {"description": "ok"}},
                }
            }
        },
        "components": {
            "requestBodies": {"A": {"content": {"application/json": {"schema": {"type": "object"}}}}}
        },
    }
    card = read(document).cards[0]
    alone = Catalogue([card])
    assert read(write(alone, "openapi"), "openapi") == alone
    assert card.input_schema == {"type": "object"}


def test_bare_writing_says_only_what_the_format_says() -> None:
    written = lossless.write_bare(FORMATS["1"], read(HOTEL))
    assert isinstance(written.value, dict)
    assert list(written.value) == ["tools"]
    assert written.tools[0].set["tags"] == ["travel", "booking", "hotel"]
