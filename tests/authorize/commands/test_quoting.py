"""Text out of its quotes."""

import pytest

from toolpost.authorize.commands.quoting import ansi_c, braces, in_double, plain_pieces
from toolpost.authorize.commands.script import Part, Piece, Raw
from toolpost.limits import BRACE_GROUPS


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("a", "a"),
        ("\\x41\\101\\u0041\\U00000041", "AAAA"),
        ("\\n\\t\\e\\\\\\'\\\"", "\n\t\x1b\\'\""),
        ("\\ca", "\x01"),
        ("\\q", "\\q"),
        ("a\\0b", "a"),
        ("\\UFFFFFFFF", "\ufffd"),
    ],
)
def test_ansi_c_escapes(text: str, decoded: str) -> None:
    assert ansi_c(text) == decoded


def test_in_double_quotes_only_some_letters_are_escaped() -> None:
    assert in_double('\\$ \\` \\" \\\\ \\n \\\n.') == '$ ` " \\ \\n .'


def test_what_follows_a_backslash_is_quoted() -> None:
    assert plain_pieces("a\\*b\\\nc") == [
        Piece(Part.PLAIN, "a"),
        Piece(Part.QUOTED, "*"),
        Piece(Part.PLAIN, "b"),
        Piece(Part.PLAIN, "c"),
    ]


def _expanded(*pieces: Piece) -> list[str] | None:
    words = braces(Raw(pieces))
    return None if words is None else ["".join(piece.text for piece in word.pieces) for word in words]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a", ["a"]),
        ("{a,b}", ["a", "b"]),
        ("{a,b}{c,d}", ["ac", "ad", "bc", "bd"]),
        ("x{,y}", ["x", "xy"]),
        ("{1..3}", ["1", "2", "3"]),
        ("{1..900}", ["*"]),
        ("{a..1}", ["{a..1}"]),
        ("{a}", ["{a}"]),
        ("${a,b}", ["${a,b}"]),
        ("}{", ["}{"]),
    ],
)
def test_braces_become_words(text: str, words: list[str]) -> None:
    assert _expanded(Piece(Part.PLAIN, text)) == words


def test_quoted_braces_and_commas_are_letters() -> None:
    assert _expanded(Piece(Part.PLAIN, "{a"), Piece(Part.QUOTED, ","), Piece(Part.PLAIN, "b}")) == ["{a,b}"]
    assert _expanded(Piece(Part.PLAIN, "{a,"), Piece(Part.VARIABLE, "x"), Piece(Part.PLAIN, "}")) == [
        "a",
        "x",
    ]


def test_too_many_braces_are_not_told() -> None:
    assert _expanded(Piece(Part.PLAIN, "{a,b}" * 10)) is None
    assert _expanded(Piece(Part.PLAIN, "{a,b}" * (BRACE_GROUPS + 1))) is None
    assert _expanded(Piece(Part.PLAIN, "{{1..60},{1..60},{1..60}}")) is None
