"""ARDF resources."""

from msgspec import UNSET

from toolpost.convert import Failure, ardf, convert
from toolpost.convert.check import check
from toolpost.convert.wire import JsonObject

TOOL: JsonObject = {
    "schema_version": "1.0.0",
    "resource_id": "mail",
    "resource_type": "tool",
    "description": "Sends mail",
    "content": {
        "type": "tool/io",
        "data": {
            "inputs": [{"name": "to", "type": "string", "description": "Address", "format": "email"}],
            "outputs": {"failure": [{"code": "NO", "description": "Nobody", "suggested_value": "me"}]},
            "engine": "smtp",
        },
    },
    "metadata": {"maturity": "beta"},
}
PROMPT: JsonObject = {
    "schema_version": "1.0.0",
    "resource_id": "greeting",
    "resource_type": "prompt",
    "description": "Greets",
    "content": {"type": "prompt/text", "data": "Hello"},
}


def test_a_tool_becomes_a_card() -> None:
    (card,) = ardf.read(TOOL).cards
    assert card.kind is UNSET
    assert card.failures == [Failure("NO", "Nobody", {"suggested_value": "me"})]
    assert card.input_schema == {
        "type": "object",
        "properties": {"to": {"type": "string", "description": "Address", "format": "email"}},
    }
    assert card.extra["ardf"] == {"metadata": {"maturity": "beta"}, "data": {"engine": "smtp"}}
    assert ardf.write(ardf.read(TOOL)) == TOOL


def test_a_prompt_is_read_listed_and_kept_whole() -> None:
    value = {"resources": [PROMPT, TOOL]}
    catalogue = ardf.read(value)
    assert [card.kind for card in catalogue.cards] == ["prompt", UNSET]
    assert ardf.write(catalogue) == value
    assert convert(convert(value, "mcp", "ardf").value, "ardf").value == value


def test_the_rest_travels_inside_the_content() -> None:
    tool = {"name": "a", "inputSchema": {"type": "object"}, "annotations": {}}
    value = convert(tool, "ardf").value
    assert isinstance(value, dict)
    assert value["content"]["data"]["x-toolpost"]["set"] == {"annotations": {}}
    assert check(value, "ardf") == []


def test_a_resource_of_no_known_kind_is_a_fault() -> None:
    assert [fault.pointer for fault in check({**PROMPT, "resource_type": "song"}, "ardf")] == [
        "/resource_type"
    ]
