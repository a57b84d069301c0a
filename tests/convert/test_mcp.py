"""MCP tools."""

from toolpost.convert import Card, Catalogue, mcp
from toolpost.convert.wire import JsonObject

TOOL: JsonObject = {
    "name": "a",
    "title": "A",
    "description": "Does a",
    "inputSchema": {"type": "object"},
    "outputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
    "icons": [{"src": "https://example.com/a.png"}],
    "execution": {"taskSupport": "optional"},
    "_meta": {"vendor": 1},
    "vendor": [None],
}


def test_every_field_of_a_tool_is_kept() -> None:
    (card,) = mcp.read(TOOL).cards
    assert card.annotations == {"readOnlyHint": True}
    assert sorted(card.extra["mcp"]) == ["_meta", "execution", "icons", "vendor"]
    assert mcp.write(mcp.read(TOOL)) == TOOL


def test_an_answer_keeps_its_id_and_its_cursor() -> None:
    answer = {"jsonrpc": "2.0", "id": 3, "result": {"tools": [TOOL], "nextCursor": "n", "_meta": {}}}
    catalogue = mcp.read(answer)
    assert catalogue.shape == "rpc"
    assert mcp.write(catalogue) == answer


def test_the_rest_travels_in_meta_beside_what_was_there() -> None:
    (card,) = mcp.read(TOOL).cards
    tagged = Card("a", tags=["x"], extra=card.extra)
    value = mcp.write(Catalogue([tagged], shape="one"))
    assert isinstance(value, dict)
    assert value["_meta"] == {
        "vendor": 1,
        "toolpost/card": {"derived": ["input_schema"], "set": {"tags": ["x"]}},
    }


def test_what_mcp_would_refuse_travels_in_meta() -> None:
    card = Card("a", input_schema={"anyOf": []}, output_schema={"type": "array"}, annotations={"title": 5})
    value = mcp.write(Catalogue([card], shape="one"))
    assert isinstance(value, dict)
    assert value["inputSchema"] == {"type": "object", "anyOf": []}
    assert not {"outputSchema", "annotations"} & value.keys()
    assert mcp.read(value).cards == [card]
