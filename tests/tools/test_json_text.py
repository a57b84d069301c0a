import pytest

from toolpost.tools.json_text import parsed, trimmed


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ('[{"a": 1}]', [{"a": 1}]),
        (' {"a": 1}\n', {"a": 1}),
        ("a text", "a text"),
        ("[not json", "[not json"),
        ("5", "5"),
        (5, 5),
        ([1], [1]),
        ("", ""),
    ],
)
def test_a_list_or_object_that_came_as_text_is_read_and_all_else_left(given: object, value: object) -> None:
    assert parsed(given) == value


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('Here it is:\n```json\n{"a": [1, 2]}\n```\nDone.', '{"a": [1, 2]}'),
        ('As said [1], {"a": "with } in it"} is it', '{"a": "with } in it"}'),
        ('{"a": NaN} but [1, 2]', "[1, 2]"),
        ("{broken [1]", "[1]"),
        ("nothing here", None),
        ("{ [ {", None),
        ("", None),
    ],
)
def test_the_longest_json_is_cut_out_of_the_talk_around_it(text: str, found: str | None) -> None:
    assert trimmed(text) == found


@pytest.mark.parametrize("text", ["{" * 1_000_000, "[" * 1_000_000, '[1,"' * 250_000, '{"a":' * 200_000])
def test_a_text_made_to_be_slow_is_given_up(text: str) -> None:
    assert trimmed(text) is None


def test_what_comes_after_too_much_in_vain_is_not_looked_for() -> None:
    open_lists = "[1," * 100_000

    assert trimmed(f"{open_lists} and [1]") is None
