"""Inputs and outputs of the how-to-use formats."""

import pytest

from toolpost.convert import Card
from toolpost.convert.usage import Room, read_inputs, type_name, write_inputs
from toolpost.convert.wire import JsonObject


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        ({"type": "integer"}, "integer"),
        ({"type": ["null", "array"]}, "array"),
        ({"properties": {}}, "object"),
        ({"items": {}}, "array"),
        ({"enum": [True]}, "boolean"),
        ({"enum": [3]}, "integer"),
        ({"const": 0.5}, "number"),
        ({"const": [1]}, "array"),
        ({"const": {}}, "object"),
        ({"const": "x"}, "string"),
        ({"x-type": "file"}, "file"),
        ({"anyOf": []}, "string"),
    ],
)
def test_a_schema_has_one_type_word(schema: JsonObject, word: str) -> None:
    assert type_name(schema) == word


@pytest.mark.parametrize(
    "inputs",
    [None, [5], [{"name": "a"}], [{"name": "a", "type": "string", "schema": 5}], [{"type": "string"}]],
)
def test_inputs_we_do_not_understand_make_no_schema(inputs: object) -> None:
    assert read_inputs(inputs) is None


def test_an_input_of_a_described_format_reuses_its_title_or_its_name() -> None:
    card = Card("a", input_schema={"properties": {"x": {"title": "X"}, "y": {"type": "null"}, "z": True}})
    written = write_inputs(card, Room.DESCRIBED)
    assert [one["description"] for one in written] == ["X", "y", "z"]


def test_a_closed_input_says_only_its_name_type_and_text() -> None:
    card = Card(
        "a", input_schema={"properties": {"x": {"type": "string", "minLength": 1, "description": "X"}}}
    )
    assert write_inputs(card, Room.TYPE) == [{"name": "x", "type": "string", "description": "X"}]
