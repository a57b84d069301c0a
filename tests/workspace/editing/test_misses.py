from msgspec import UNSET

from toolpost.limits import CLOSEST_CHARS, OPTIONS_TOLD
from toolpost.workspace.editing import misses
from toolpost.workspace.editing.match import Span, find


def test_a_miss_shows_the_closest_region_with_its_blanks_and_offers_it() -> None:
    miss = misses.not_found("def f():\n\treturn  1\n", "def f():\n    return 1\n", "edits[0].old_text")
    assert miss.detail == (
        "The text of edits[0].old_text is not in the file. The closest region is lines 1-2; they first differ at "
        "line 2, column 1: the file has `→return··1`, the text has `····return·1` (· is a blank, → a tab).\n"
        "     1\tdef·f():\n     2\t→return··1"
    )
    assert miss.suggested == "def f():\n\treturn  1\n"
    assert miss.context == {
        "closest": {
            "start_line": 1,
            "end_line": 2,
            "text": "def f():\n\treturn  1\n",
            "shown": "     1\tdef·f():\n     2\t→return··1",
            "similarity": 0.97,
            "first_difference": {"line": 2, "column": 1, "file": "`→return··1`", "given": "`····return·1`"},
        }
    }


def test_what_occurs_twice_or_is_too_long_is_shown_but_not_offered() -> None:
    twice = misses.not_found("alpha beta\nalpha beta\n", "alpha betas", "p")
    assert (twice.suggested, twice.context["closest"]["text"]) == (UNSET, "alpha beta")
    long = misses.not_found("alpha " * 1_000, "alpha " * 1_000 + "x", "p")
    assert long.suggested is UNSET
    assert len(long.context["closest"]["text"]) == CLOSEST_CHARS


def test_a_text_like_nothing_in_the_file_is_said_so() -> None:
    miss = misses.not_found("abc\n", "zzz", "p")
    assert miss.detail == "The text of p is not in the file, nor is anything like it: read the file again."
    assert (miss.suggested, miss.context) == (UNSET, {})


def test_line_numbers_in_the_text_are_seen_for_what_they_are() -> None:
    miss = misses.not_found("one\ntwo\n", "     1\tone\n     2\ttwo\n", "p")
    assert miss.detail == "The text of p has line numbers that are not in the file: leave them out."
    assert miss.suggested == "one\ntwo\n"


def test_of_very_many_places_some_are_told() -> None:
    text = "a\n" * 500
    refusal = misses.ambiguous(text, find(text, "a"), "p")
    assert (refusal.context["count"], refusal.context["lines"]) == (500, [*range(1, OPTIONS_TOLD + 1)])
    assert ", 100, …. Give" in refusal.detail
    assert refusal.suggested is UNSET


def test_a_longer_text_is_the_only_one_of_its_kind() -> None:
    text = "if a:\r\n  x()\r\nend\r\nif b:\r\n  x()\r\nend\r\n"
    second = text.rindex("x()")
    around = misses.unique_around(text, Span(second, second + 3))
    assert around == "if b:\r\n  x()"
    assert len(find(text, around).spans) == 1


def test_no_longer_text_is_offered_where_it_would_be_very_long() -> None:
    line = "y" * (CLOSEST_CHARS + 1)
    assert misses.unique_around(f"{line}a\n{line}a\n", Span(0, 1)) is None


def test_a_difference_at_the_end_of_a_line_or_of_the_text_is_said_in_words() -> None:
    ends = misses.not_found("alpha beta\ngamma delta\n", "alpha beta;\ngamma delta", "p")
    assert "line 1, column 11: the file has the end of a line, the text has `;`" in ends.detail
    nothing = misses.not_found("alpha beta", "alpha betas", "p")
    assert "line 1, column 11: the file has nothing, the text has `s`" in nothing.detail
