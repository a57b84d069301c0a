"""The neutral card."""

import pytest
from msgspec import UNSET

from toolpost.convert.card import Card, Example, dump, load, words_for
from toolpost.convert.errors import BadPatch


def test_an_absent_field_is_not_an_empty_one() -> None:
    assert dump(Card("a")) == {"name": "a"}
    assert dump(Card("a", tags=[], description="", examples=[])) == {
        "name": "a",
        "description": "",
        "tags": [],
        "examples": [],
    }


def test_a_null_input_is_not_an_absent_one() -> None:
    assert load({"name": "a", "examples": [{"input": None}, {}]}).examples == [Example(input=None), Example()]
    assert Example().input is UNSET


def test_a_card_is_rebuilt_from_its_fields() -> None:
    card = Card("a", input_schema={"b": 1, "a": 10**30}, tags=["x"], extra={"mcp": {"icons": []}})
    assert load(dump(card)) == card


@pytest.mark.parametrize(
    "fields", [{}, {"name": 5}, {"name": "a", "colour": "red"}, {"name": "a", "tags": "x"}]
)
def test_what_is_not_a_card_is_refused(fields: object) -> None:
    with pytest.raises(BadPatch, match="not a tool card"):
        load(fields)


def test_the_words_to_reuse_are_the_best_the_card_has() -> None:
    titled: dict[str, object] = {"title": "Hinted"}
    assert words_for(Card("a", title="T", description="D", annotations=titled)) == "D"
    assert words_for(Card("a", title="T", annotations=titled)) == "T"
    assert words_for(Card("a", annotations=titled)) == "Hinted"
    assert words_for(Card("a")) == "a"
    assert words_for(Card("a", description="")) == ""
