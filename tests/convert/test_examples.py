"""Examples and failures."""

from msgspec import UNSET

from toolpost.convert import Card, Example, Failure
from toolpost.convert.examples import (
    goal_examples,
    read_examples,
    read_failures,
    spec_examples,
    write_failures,
)

SPEC = {"name": "name", "input": "input"}


def test_an_example_without_a_name_reuses_the_words_there_are() -> None:
    card = Card("a", description="A", examples=[Example(input={}), Example(description="D", input={})])
    assert [one["name"] for one in spec_examples(card) or []] == ["A", "D"]
    assert [one["expected_result"] for one in goal_examples(card) or []] == ["A", "A"]


def test_no_examples_are_not_an_empty_list_of_them() -> None:
    assert spec_examples(Card("a")) is UNSET
    assert spec_examples(Card("a", examples=[])) == []


def test_what_is_not_a_list_of_examples_is_not_read() -> None:
    assert read_examples({"a": 1}, SPEC) is None
    assert read_examples([5], SPEC) is None
    assert read_examples([{"name": 5}], SPEC) is None


def test_a_failure_without_a_text_reuses_the_description() -> None:
    card = Card("a", description="A", failures=[Failure("X", extra={"context": 1})])
    assert write_failures(card, extras=True) == [{"code": "X", "description": "A", "context": 1}]
    assert write_failures(card, extras=False) == [{"code": "X", "description": "A"}]
    assert read_failures([{"description": "no code"}]) is None
