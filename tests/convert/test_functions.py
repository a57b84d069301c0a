"""Function-calling tools."""

import pytest

from toolpost.convert import Card, Catalogue, ConvertError, convert, functions, read, write
from toolpost.convert.functions import PLAIN_NAME, fit_names
from toolpost.convert.wire import JsonObject

TOOL: JsonObject = {"name": "a", "description": "A", "inputSchema": {"type": "object"}}


def names_in(cards: list[Card]) -> list[str]:
    return [card.name for card in fit_names(cards, "functions")]


def test_the_three_layouts() -> None:
    assert convert(TOOL, "functions").value == {
        "type": "function",
        "function": {"name": "a", "description": "A", "parameters": {"type": "object"}},
    }
    assert convert(TOOL, "responses").value == {
        "type": "function",
        "name": "a",
        "description": "A",
        "parameters": {"type": "object"},
    }
    assert convert(TOOL, "anthropic").value == {
        "name": "a",
        "description": "A",
        "input_schema": {"type": "object"},
    }


def test_a_name_is_fitted_and_comes_back_through_the_table() -> None:
    catalogue = Catalogue(
        [Card("files.read", input_schema={"type": "object"}), Card("files_read"), Card("x" * 80)]
    )
    value = functions.write(catalogue)
    assert isinstance(value, dict)
    written = [tool["function"]["name"] for tool in value["tools"]]
    assert all(PLAIN_NAME.fullmatch(name) for name in written)
    assert len(set(written)) == 3
    assert written[1] == "files_read"
    assert functions.read(value) == catalogue


def test_a_name_that_needs_no_change_has_none() -> None:
    assert names_in([Card("a.b"), Card("c")]) == ["a_b", "c"]


def test_a_digest_that_is_taken_gives_way_to_another() -> None:
    clash = names_in([Card("a_b"), Card("a.b")])[1]
    assert names_in([Card("a_b"), Card(clash), Card("a.b")])[2] not in {"a_b", clash}


def test_a_name_the_provider_would_refuse_goes_back_as_it_came() -> None:
    value = {"type": "function", "function": {"name": "a.b"}}
    assert write(read(value), "functions") == value


def test_strict_and_cache_control_are_kept() -> None:
    chat = {"type": "function", "function": {"name": "a", "strict": True}, "vendor": 1}
    claude = {"name": "a", "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral"}}
    assert convert(convert(chat, "anthropic").value, "functions").value == chat
    assert convert(convert(claude, "functions").value, "anthropic").value == claude


@pytest.mark.parametrize("tool", [{"type": "web_search"}, {"type": "function", "function": {}}])
def test_what_is_no_function_is_refused(tool: JsonObject) -> None:
    with pytest.raises(ConvertError) as caught:
        read([tool], "functions")
    assert caught.value.pointer.startswith("/0/function")
