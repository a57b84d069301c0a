"""The tool shape of the specification."""

from toolpost.convert import Card, Catalogue, Example, spec


def test_an_example_keeps_its_other_keys() -> None:
    value = {
        "name": "a",
        "description": "A",
        "inputSchema": {"type": "object"},
        "examples": [{"name": "n", "input": {}, "note": 1, "expected": [2]}],
    }
    (card,) = spec.read(value).cards
    assert card.examples == [Example(name="n", input={}, expected=[2], extra={"note": 1})]
    assert spec.write(spec.read(value)) == value


def test_examples_we_do_not_understand_stay_as_they_are() -> None:
    value = {"name": "a", "description": "A", "inputSchema": {"type": "object"}, "examples": ["a b c"]}
    (card,) = spec.read(value).cards
    assert card.extra["spec"] == {"examples": ["a b c"]}
    assert spec.write(spec.read(value)) == value


def test_an_example_without_an_input_is_no_example_but_travels() -> None:
    catalogue = Catalogue([Card("a", description="A", examples=[Example(name="n")])], shape="one")
    value = spec.write(catalogue)
    assert isinstance(value, dict)
    assert "examples" not in value
    assert spec.read(value) == catalogue
