"""ATDF 1.x."""

import pytest

from toolpost.convert import Card, ConvertError, Failure, atdf_1
from toolpost.convert.wire import JsonObject

TOOL: JsonObject = {
    "schema_version": "1.0.0",
    "id": "mail",
    "description": "Sends mail",
    "when_to_use": "To tell somebody",
    "how_to_use": {
        "inputs": [
            {"name": "to", "type": "string", "description": "Address"},
            {"name": "body", "type": "html"},
        ],
        "outputs": {"success": "Sent", "failure": [{"code": "NO_SUCH", "description": "Nobody"}]},
    },
}


def test_a_tool_becomes_a_card_with_a_schema() -> None:
    assert atdf_1.read(TOOL).cards == [
        Card(
            "mail",
            description="Sends mail",
            when_to_use="To tell somebody",
            input_schema={
                "type": "object",
                "properties": {
                    "to": {"type": "string", "description": "Address"},
                    "body": {"x-type": "html"},
                },
            },
            success="Sent",
            failures=[Failure("NO_SUCH", "Nobody")],
            extra={"1": {"schema_version": "1.0.0", "id_key": "id"}},
        )
    ]
    assert atdf_1.write(atdf_1.read(TOOL)) == TOOL


@pytest.mark.parametrize("ids", [{}, {"id": "a", "tool_id": "a"}])
def test_a_tool_has_exactly_one_id(ids: JsonObject) -> None:
    with pytest.raises(ConvertError, match="exactly one"):
        atdf_1.read({**ids, "how_to_use": {}})


def test_two_inputs_of_one_name_are_kept_as_they_came() -> None:
    twins = {"inputs": [{"name": "a", "type": "string"}] * 2, "outputs": {"success": "", "failure": []}}
    value = {"tool_id": "a", "description": "", "when_to_use": "", "how_to_use": twins}
    assert atdf_1.write(atdf_1.read(value)) == value
