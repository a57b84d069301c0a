"""ATDF 2.x."""

from toolpost.convert import Card, Catalogue, Example, atdf_2
from toolpost.convert.wire import JsonObject

TOOL: JsonObject = {
    "schema_version": "2.0.0",
    "tool_id": "mail",
    "description": "Sends mail",
    "when_to_use": "To tell somebody",
    "how_to_use": {
        "inputs": [
            {
                "name": "to",
                "type": "string",
                "required": True,
                "schema": {"type": "string", "format": "email"},
            }
        ],
        "outputs": {"success": "Sent", "failure": []},
    },
    "metadata": {"version": "1", "author": "me", "tags": ["x"], "category": "c", "created_at": "2025-01-15"},
    "localization": {"es": {"description": "Envía correo", "when_to_use": "Para avisar"}},
    "prerequisites": {"tools": ["login"]},
    "feedback": {"progress_indicators": ["sending"]},
    "examples": [{"goal": "Greet", "input_values": {"to": "a@example.com"}, "expected_result": "Sent"}],
}


def test_a_tool_becomes_a_card_and_needs_nothing_beside_it() -> None:
    (card,) = atdf_2.read(TOOL).cards
    assert card.input_schema == {
        "type": "object",
        "properties": {"to": {"type": "string", "format": "email"}},
        "required": ["to"],
    }
    assert (card.version, card.author, card.tags, card.category) == ("1", "me", ["x"], "c")
    assert card.examples == [Example(name="Greet", input={"to": "a@example.com"}, expected="Sent")]
    assert card.extra == {"2": {"metadata": {"created_at": "2025-01-15"}}}
    assert card.origin == {}
    assert atdf_2.write(atdf_2.read(TOOL)) == TOOL


def test_an_expected_value_that_is_no_text_is_written_as_json() -> None:
    card = Card("a", description="A", examples=[Example(description="Try", input={}, expected={"n": 1})])
    value = atdf_2.write(Catalogue([card], shape="one"))
    assert isinstance(value, dict)
    assert value["examples"] == [{"goal": "Try", "input_values": {}, "expected_result": '{"n":1}'}]
    assert atdf_2.read(value).cards == [card]


def test_an_absent_schema_version_stays_absent() -> None:
    value = {key: part for key, part in TOOL.items() if key != "schema_version"}
    assert atdf_2.write(atdf_2.read(value)) == value
