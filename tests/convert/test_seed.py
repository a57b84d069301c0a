"""The specification's own templates, as values."""

import pytest
from msgspec import UNSET
from tests.convert.seed import HOTEL, MINIMAL, SEARCH, TEMPLATES, VALIDATE

from toolpost.convert import FORMATS, convert, detect, read, round_trip_losses, write
from toolpost.convert.check import check


@pytest.mark.parametrize("name", sorted(TEMPLATES))
def test_a_template_is_strictly_valid_and_detected_as_the_specification(name: str) -> None:
    assert detect(TEMPLATES[name]) == "spec"
    assert check(TEMPLATES[name], "spec") == []


@pytest.mark.parametrize("via", FORMATS)
@pytest.mark.parametrize("name", sorted(TEMPLATES))
def test_a_template_comes_back_through_every_format(name: str, via: str) -> None:
    assert round_trip_losses(TEMPLATES[name], via, "spec") == []
    assert write(read(TEMPLATES[name], "spec"), "spec") == TEMPLATES[name]


def test_the_hotel_example_becomes_a_goal_in_2_and_keeps_its_input() -> None:
    value = convert(HOTEL, "2").value
    assert isinstance(value, dict)
    (example,) = value["tools"][0]["examples"]
    assert example["goal"] == "Basic reservation"
    assert example["input_values"]["guests"] == 2
    assert value["tools"][0]["x-toolpost"]["at"]["examples"] == {"at": {"0": {"derived": ["expected"]}}}


def test_the_minimal_template_keeps_its_empty_required_list() -> None:
    (card,) = read(MINIMAL).cards
    assert card.input_schema == {"type": "object", "properties": {}, "required": []}
    assert card.examples is UNSET


def test_a_parameter_called_schema_is_a_parameter_and_not_a_schema() -> None:
    value = convert(VALIDATE, "2").value
    assert isinstance(value, dict)
    inputs = value["tools"][0]["how_to_use"]["inputs"]
    assert [one["name"] for one in inputs] == ["data", "schema"]
    assert all(one["required"] for one in inputs)


def test_a_default_travels_in_the_schema_of_its_input() -> None:
    value = convert(SEARCH, "2").value
    assert isinstance(value, dict)
    limit = value["tools"][0]["how_to_use"]["inputs"][2]
    assert limit == {
        "name": "limit",
        "type": "integer",
        "required": False,
        "schema": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
    }
