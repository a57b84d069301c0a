from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec import Struct

from toolpost.content import Content, Data, Diff, Image, Ref, Text
from toolpost.define import Output, make
from toolpost.errors import BadTool, InvalidOutput, ToolFailed
from toolpost.normalize.shape import Shaper

PLAIN = make(name="x")
STRICT = make(name="x", output_schema={"type": "object", "required": ["a"]})


class Point(Struct):
    x: int


def _shape(raw: Any) -> tuple[Content, ...]:
    return Shaper().shape(PLAIN, raw).content


@pytest.mark.parametrize(
    ("raw", "content"),
    [
        ("text", (Text("text"),)),
        ("", (Text(""),)),
        (None, (Data(None),)),
        (5, (Data(5),)),
        ([], (Data([]),)),
        ([1, "a"], (Data([1, "a"]),)),
        ({"a": {2}}, (Data({"a": [2]}),)),
        ({1: 2}, (Data({"1": 2}),)),
        (Point(3), (Data({"x": 3}),)),
        (datetime(2025, 1, 1, tzinfo=UTC), (Data("2025-01-01T00:00:00Z"),)),
        (Data({"at": datetime(2025, 1, 1, tzinfo=UTC)}), (Data({"at": "2025-01-01T00:00:00Z"}),)),
        (Image(b"x"), (Image(b"x"),)),
        ([Text("a"), Diff("p", "1", "2")], (Text("a"), Diff("p", "1", "2"))),
        ((Ref("u", 1), Data(Point(1))), (Ref("u", 1), Data({"x": 1}))),
        ([Text("a"), {"b": 1}], (Data([{"type": "text", "text": "a"}, {"b": 1}]),)),
    ],
)
def test_whatever_a_tool_returns_becomes_content(raw: Any, content: tuple[Content, ...]) -> None:
    assert _shape(raw) == content


def test_an_output_keeps_what_it_says_of_itself() -> None:
    output = Output(content=(Text("t"),), data=Point(1), usage={"bytes": 3}, notes=("cut",), cached=True)
    assert Shaper().shape(PLAIN, output) == Output(
        content=(Text("t"), Data({"x": 1})), usage={"bytes": 3}, notes=("cut",), cached=True
    )


def _nested() -> list[Any]:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    return deep


@pytest.mark.parametrize(
    "raw", [object(), {object(): 1}, [{1, object()}], _nested()], ids=["it", "key", "in", "deep"]
)
def test_an_answer_json_has_no_word_for_is_the_tools_failure(raw: Any) -> None:
    with pytest.raises(ToolFailed, match="The tool's answer is not JSON"):
        _shape(raw)


def _strict() -> Shaper:
    shaper = Shaper()
    shaper.prepare(STRICT)
    return shaper


def test_a_tool_is_held_to_its_own_output_schema() -> None:
    assert _strict().shape(STRICT, {"a": 1}).content == (Data({"a": 1}),)
    with pytest.raises(InvalidOutput, match='forbids: "a" is a required property'):
        _strict().shape(STRICT, {})
    with pytest.raises(InvalidOutput, match="answered no data"):
        _strict().shape(STRICT, "text")


def test_a_bad_output_schema_is_refused_when_it_is_prepared() -> None:
    with pytest.raises(BadTool, match="cannot be used"):
        Shaper().prepare(make(name="x", output_schema={"type": "nothing"}))


def test_a_tool_that_went_is_forgotten() -> None:
    shaper = _strict()
    shaper.forget(STRICT)
    shaper.forget(STRICT)
    assert shaper.shape(STRICT, "anything").content == (Text("anything"),)


def test_two_keys_that_are_one_in_json_lost_a_value_without_a_word() -> None:
    with pytest.raises(ToolFailed, match="two keys that are one in JSON"):
        _shape({1: "a", "1": "b"})


@pytest.mark.parametrize(("number", "said"), [(float("nan"), "NaN"), (float("-inf"), "Infinity")])
def test_a_number_json_does_not_have_was_called_null(number: float, said: str) -> None:
    strict = make(name="x", output_schema={"properties": {"a": {"items": {"type": "number"}}}})
    shaper = Shaper()
    shaper.prepare(strict)
    with pytest.raises(InvalidOutput, match=f"{said} is no JSON number"):
        shaper.shape(strict, {"a": [1.0, number]})
    assert len(_shape({"a": number})) == 1
