"""The syntax of RE2 as a tree."""

from hypothesis import given
from hypothesis import strategies as st

from toolpost.workspace.walking.patterns import Unreadable, expression
from toolpost.workspace.walking.syntax import (
    Choice,
    Dot,
    Edge,
    Group,
    Many,
    Node,
    Odd,
    Perl,
    Row,
    Set,
    Text,
    parse,
)


def _parts(text: str) -> tuple[Node, ...]:
    tree = parse(text)
    assert isinstance(tree, Row)
    return tree.parts


def test_letters_escapes_and_quotes_are_text() -> None:
    codes = [part.code for part in _parts(r"a\.\n\x41\x{1F600}\101\7\Q.*\E") if isinstance(part, Text)]
    assert "".join(map(chr, codes)) == "a.\nA\U0001f600A\x07.*"
    assert [part.code for part in _parts(r"\Q(") if isinstance(part, Text)] == [ord("(")]


def test_sets_hold_ranges_and_classes() -> None:
    assert _parts(r"[a-cx\-]") == (Set(0, 8, ((97, 99), (120, 120), (45, 45))),)
    assert _parts(r"[^]\w\D]") == (
        Set(0, 8, ((93, 93),), (Perl("w", negated=False), Perl("d", negated=True)), negated=True),
    )
    assert _parts(r"[[:alpha:]a-]") == (Set(0, 13, ((97, 97), (45, 45)), is_open=True),)
    assert _parts(r"[\pL\p{Greek}]") == (Set(0, 14, is_open=True),)
    assert _parts(r"\PN") == (Set(0, 3, is_open=True),)
    assert _parts(r"\W") == (Set(0, 2, perl=(Perl("w", negated=True),)),)
    assert _parts(r"[[:]") == (Set(0, 4, ((91, 91), (58, 58))),)


def test_repetitions_and_braces_that_are_none() -> None:
    bounds = [(part.least, part.most) for part in _parts("a*b+?c?d{2}e{2,}f{2,3}?") if isinstance(part, Many)]
    assert bounds == [(0, None), (1, None), (0, 1), (2, 2), (2, None), (2, 3)]
    assert all(isinstance(part, Text) for part in _parts("a{,2}{x}{"))


def test_groups_choices_and_flags() -> None:
    (first, second, third) = _parts("(a|b)(?P<n>c)(?i:d)")
    assert isinstance(first, Group)
    assert first.captures
    assert isinstance(first.part, Choice)
    assert isinstance(second, Group)
    assert (second.captures, second.opening) == (True, 11)
    assert isinstance(third, Group)
    assert not third.captures
    inner = third.part
    assert isinstance(inner, Row)
    assert inner.parts == (Text(17, 18, 100, folds=True),)
    folding = [part.folds for part in _parts("a(?i)b(?-i)c") if isinstance(part, Text)]
    assert folding == [False, True, False]


def test_edges_and_the_rest() -> None:
    assert _parts(r"^\b.\z\C") == (
        Edge(0, 1, "^"),
        Edge(1, 3, r"\b"),
        Dot(3, 4),
        Edge(4, 6, r"\z", of_text=True),
        Odd(6, 8),
    )
    assert _parts("(?-m)$") == (Edge(5, 6, "$", of_text=True),)


def test_what_cannot_be_read_is_odd() -> None:
    for text in ("(", "a)", "[a", "\\", r"\x{", "(?P<a"):
        assert parse(text) == Odd(0, len(text))


@given(st.text("ab01(){}[]|*+?^$.\\-,:<>PQEnpLixwWdDsSbBzA é", max_size=12))
def test_whatever_re2_takes_is_read_without_an_error_and_lies_within_the_text(text: str) -> None:
    try:
        expression(text, memory=1_000_000)
    except Unreadable:
        return
    tree = parse(text)
    assert 0 <= tree.begin <= tree.end <= len(text)
