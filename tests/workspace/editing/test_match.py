import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.workspace.texts import texts

from toolpost.errors import InvalidArgument
from toolpost.limits import MATCH_LINES, MATCHES_MAX
from toolpost.workspace.editing.indent import Shift
from toolpost.workspace.editing.match import Found, Span, Step, find, plain


def _places(text: str, old: str) -> tuple[str | None, list[str]]:
    found = find(text, old)
    return found.step, [text[span.start : span.end] for span in found.spans]


@pytest.mark.parametrize(
    ("text", "old", "step", "places"),
    [
        ("a b a", "a", "exact", ["a", "a"]),
        ("$& \\1 $$", "\\1 $$", "exact", ["\\1 $$"]),
        ("a\r\nb\r\nc\r\n", "a\nb\n", "line_endings", ["a\r\nb\r\n"]),
        ("a\nb\nc\n", "a\r\nb", "line_endings", ["a\nb"]),
        ("a\r\nb\nc", "a\nb\r\nc\n", "line_endings", ["a\r\nb\nc"]),
        ("x\r\nc\r\n", "\nc", "line_endings", ["\r\nc"]),
        ("x\r\nc", "x\r", "trailing_blanks", ["x"]),
        ("a\nb", "b\n", "line_endings", ["b"]),
        ("a  \nb\t\nc\n", "a\nb\n", "trailing_blanks", ["a  \nb\t\n"]),
        ("a\nb\n", "a  \nb \n", "trailing_blanks", ["a\nb\n"]),
        ("if a: \r\n  b\r\n", "if a:\n  b", "trailing_blanks", ["if a: \r\n  b"]),
        ("foo\n", "foo  ", "trailing_blanks", ["foo"]),
        ("foo bar\n", "foo  ", None, []),
        ("a\n   \nb\n", "a\n\nb\n", "trailing_blanks", ["a\n   \nb\n"]),
        ("    a\n      b\n", "a\n  b\n", "indent", ["    a\n      b\n"]),
        ("a\n  b\n", "    a\n      b", "indent", ["a\n  b"]),
        ("\ta\n\t\tb\n", "    a\n        b\n", "indent", ["\ta\n\t\tb\n"]),
        ("  a\n\n    b  \n", "a\n \n  b\n", "indent", ["  a\n\n    b  \n"]),
        ("  a\n  b", "a\nb\n", "indent", ["  a\n  b"]),
        ("  a\n   b\n", "a\nb\n", None, []),
        (
            "say “hi” \u2013 it\u2019s\u00a0me",
            'say "hi" - it\'s me',
            "unicode",
            ["say “hi” \u2013 it\u2019s\u00a0me"],
        ),
        ('say "hi" - it\'s', "say “hi” \u2014 it\u2019s", "unicode", ['say "hi" - it\'s']),
        ("“a”\r\n\u00a0“b”\r\n", '"a"\n "b"\n', "unicode", ["“a”\r\n\u00a0“b”\r\n"]),
        ("  “a”\n", '    "a"\n', "unicode", ["  “a”\n"]),
        ("é", "e", None, []),
        ("abc", "abd", None, []),
        ("", "a", None, []),
        ("a\n", "\n\n", None, []),
        ("a\nb", "   ", None, []),
        ("a\nb", " \n ", None, []),
    ],
)
def test_a_text_is_found_by_the_strictest_step_that_finds_it(
    text: str, old: str, step: str | None, places: list[str]
) -> None:
    assert _places(text, old) == (step, places)


def test_an_empty_text_is_nowhere_in_particular() -> None:
    with pytest.raises(InvalidArgument, match="empty"):
        find("abc", "")


def test_an_exact_match_keeps_looser_ones_out() -> None:
    assert _places("  a b\na b  \n", "a b  \n") == ("exact", ["a b  \n"])


def test_two_places_that_overlap_are_two() -> None:
    assert find("x\nx\nx\n", "x\nx\n") == Found((Span(0, 4),), Step.EXACT, twin=Span(2, 6))
    assert find("x\r\nx\r\nx\r\n", "x\nx\n").twin == Span(3, 9)
    shift = Shift(put="  ")
    assert find("  x\n  x\n  x\n", "x\nx\n") == Found(
        (Span(0, 8, shift),), Step.INDENT, twin=Span(4, 12, shift)
    )


def test_places_that_overlap_beside_others_are_left_out() -> None:
    assert [span.start for span in find("  x\n" * 5, "x\nx\n").spans] == [0, 8]


def test_a_span_much_longer_than_the_text_is_refused() -> None:
    assert _places(f"a{' ' * 100}\nb\n", "a\nb\n") == ("trailing_blanks", [f"a{' ' * 100}\nb\n"])
    assert _places(f"a{' ' * 1000}\nb\n", "a\nb\n") == (None, [])
    assert _places(f"{' ' * 1000}a\n{' ' * 1000}b\n", "a\nb\n") == (None, [])


def test_no_more_places_are_told_than_anyone_changes() -> None:
    assert len(find("a" * (MATCHES_MAX + 10), "a").spans) == MATCHES_MAX + 1


def test_in_a_file_of_very_many_lines_only_exact_quotes_are_found() -> None:
    text = "\n" * MATCH_LINES
    assert _places(f"{text}a", "a\n") == ("line_endings", ["a"])
    assert _places(f"{text}\na", "a\n") == (None, [])
    assert _places(f"{text}\na", "a") == ("exact", ["a"])


def test_where_too_many_indents_would_have_to_be_compared_nothing_is_found() -> None:
    text = " a\n" * 6_000
    assert _places(text, "a\n" * 3_000) == (None, [])
    assert _places(text[: 3 * 3_000], "a\n" * 3_000) == ("indent", [" a\n" * 3_000])


@given(texts(), st.data())
def test_what_is_found_literally_occurs_and_every_place_of_it_is_apart(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, max(len(text) - 1, 0)))
    old = text[start : data.draw(st.integers(start + 1, len(text) + 1))]
    found = find(text, old or "a")
    assert all(0 <= span.start < span.end <= len(text) for span in found.spans)
    assert all(one.end <= two.start for one, two in zip(found.spans, found.spans[1:], strict=False))
    if found.step is Step.EXACT:
        assert {text[span.start : span.end] for span in found.spans} == {old or "a"}


def _loose(text: str) -> list[str]:
    """What a text says, with everything set aside that a step may set aside."""
    return [line.strip() for line in plain(text).rstrip("\r\n").replace("\r\n", "\n").split("\n")]


@given(texts(), st.text('ab “”"\u2013-\u00a0\t\r\n', min_size=1, max_size=12))
def test_no_step_sets_aside_what_is_written(text: str, old: str) -> None:
    for span in find(text, old).spans:
        assert _loose(text[span.start : span.end]) == _loose(old)


@given(texts(), st.data())
def test_a_quote_in_other_line_endings_is_found(text: str, data: st.DataObject) -> None:
    lines = text.replace("\r\n", "\n").split("\n")
    first = data.draw(st.integers(0, len(lines) - 1))
    quote = "\n".join(lines[first : data.draw(st.integers(first + 1, len(lines)))])
    if quote:
        assert find(text, quote).spans
        assert find(text.replace("\r\n", "\n").replace("\n", "\r\n"), quote).spans
