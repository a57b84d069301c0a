import pytest

from toolpost.errors import InvalidArgument
from toolpost.limits import PATTERN_CHARS, PATTERN_PIECE_BYTES
from toolpost.workspace.walking.patterns import Pattern, Span


def _lines(pattern: Pattern, data: bytes) -> list[bytes]:
    return [
        data[span.begin : span.end]
        for begin, end in pattern.pieces(data)
        for span in pattern.spans(data, begin, end)
    ]


def test_a_text_is_found_as_it_is() -> None:
    assert _lines(Pattern("a.b("), b"axb(\na.b(\n") == [b"a.b("]
    assert _lines(Pattern("été", case=False), "ÉTÉ\nete\n".encode()) == ["ÉTÉ".encode()]


def test_a_line_counts_once_with_its_first_match() -> None:
    data = b"x\nfoo foo\nfoo"
    assert list(Pattern("foo").spans(data, 0, len(data))) == [Span(2, 9, 2, 5), Span(10, 13, 10, 13)]


@pytest.mark.parametrize(
    ("regex", "data", "found"),
    [
        ("^b$", b"a\nb\nbb\n", [b"b"]),
        (r"a\s*b", b"a \nb\na  b\n", [b"a  b"]),
        ("a[^x]b", b"a\nb\naxb\na-b", [b"a-b"]),
        ("(?s)a.b", b"a\nb", []),
        ("x*", b"one\n\ntwo", [b"one", b"", b"two"]),
        ("x*", b"one\n", [b"one"]),
        ("$", b"one\ntwo", [b"one", b"two"]),
        ("two$", b"two", [b"two"]),
        (r"\bx", b"... \nxyz\n", [b"xyz"]),
        ("é.", "éa\nb".encode(), ["éa".encode()]),
        ("caf.", b"caf\xe9\n", []),  # what is no UTF-8 is no character
        ("(?i)ABC", b"abc", [b"abc"]),
    ],
)
def test_a_regular_expression_stays_within_a_line(regex: str, data: bytes, found: list[bytes]) -> None:
    assert _lines(Pattern(regex, regex=True), data) == found


def test_a_pattern_that_speaks_of_line_ends_crosses_them() -> None:
    data = b"a\nb\nc\n"
    assert _lines(Pattern("a\nb"), data) == [b"a"]
    assert _lines(Pattern(r"b\s*\nc", regex=True), data) == [b"b"]
    assert list(Pattern("\n").pieces(b"x\n" * PATTERN_PIECE_BYTES)) == [(0, 2 * PATTERN_PIECE_BYTES)]


def test_a_long_text_is_cut_at_line_ends_and_nothing_is_lost_or_doubled() -> None:
    data = b"".join(b"%d...\n" % number for number in range(40_000))
    pattern = Pattern(r"\b\d*7\b", regex=True)
    pieces = list(pattern.pieces(data))
    assert [begin for begin, _ in pieces[1:]] == [end for _, end in pieces[:-1]]
    assert len(pieces) > 4
    assert all(end - begin <= PATTERN_PIECE_BYTES and data[end - 1 : end] == b"\n" for begin, end in pieces)
    assert _lines(pattern, data) == [line for line in data.splitlines() if line[-4:-3] == b"7"]


def test_an_empty_match_between_two_pieces_belongs_to_the_second() -> None:
    line = b"." * (PATTERN_PIECE_BYTES - 1) + b"\n"
    assert _lines(Pattern(r"\b", regex=True), line + b"xyz\n") == [b"xyz"]


def test_one_line_longer_than_a_piece_is_one_piece() -> None:
    long = b"x" * (3 * PATTERN_PIECE_BYTES)
    assert list(Pattern("a").pieces(long)) == [(0, len(long))]
    assert list(Pattern("a").pieces(b"a\n" + long + b"\nb")) == [
        (0, 2),
        (2, len(long) + 3),
        (len(long) + 3, len(long) + 4),
    ]


def test_a_heavy_pattern_on_a_very_long_line_is_too_much() -> None:
    heavy = Pattern("a.{0,900}c", regex=True)
    assert heavy.is_too_much(0, 8_000_000)
    assert not heavy.is_too_much(0, PATTERN_PIECE_BYTES)
    assert not Pattern("plain text", case=False).is_too_much(0, 8_000_000)


@pytest.mark.parametrize(
    ("regex", "said"),
    [
        ("", "nothing to look for"),
        ("a" * (PATTERN_CHARS + 1), "5,001 characters; at most 5,000"),
        ("a\udcff", "surrogate"),
        ("(a", "missing ). RE2"),
        ("a)|(b", "unexpected ). RE2"),
        (r"(x)\1", r"invalid escape sequence at character 4, '\\1'"),
        ("foo(?=bar)", "at character 4, '(?='. RE2 reads it, which has no backreferences and no lookaround"),
        ("[z-a]", "at character 2, 'z-a'"),
        ("((a{100}){100}){100}", "repetition"),
        (r"(?:\pL{500}){2}x\pL{900}", "pattern too large"),
    ],
)
def test_a_pattern_that_cannot_be_read_is_refused_with_the_place(regex: str, said: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        Pattern(regex, regex=True, parameter="pattern")
    assert said in refused.value.detail
    assert refused.value.parameter == "pattern"


def test_a_pattern_that_would_backtrack_does_not() -> None:
    assert _lines(Pattern("(x+x+)+y", regex=True), b"x" * 100_000) == []
