"""What is looked for before RE2 is asked: every match holds it, beside bytes that are foreseen."""

from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.index.search.clues import Clue, clue, series
from toolpost.index.search.lines import finder
from toolpost.workspace.walking.patterns import How, Pattern


def _of(table: bytes) -> str:
    """The printable characters a table allows, and whether it allows others beyond ASCII; "any" for all."""
    if all(table):
        return "any"
    shown = "".join(chr(code) for code in range(9, 127) if table[code])
    return shown + ("+" if all(table[128:]) else "")


WORDS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
NO_WORDS = "".join(chr(code) for code in range(9, 127) if chr(code) not in WORDS)


@pytest.mark.parametrize(
    ("regex", "text", "before", "after"),
    [
        (r"\bname\b", b"name", NO_WORDS + "+", NO_WORDS + "+"),
        (r"^\s*name", b"name", "\t\n\x0b\x0c\r +", "any"),
        (r"\s*name", b"name", "any", "any"),
        (r"name\s*[(=:]", b"name", "any", "\t\x0b\x0c\r (:=+"),
        (r"name[A-Za-z]+end", b"name", "any", LETTERS),
        (r"(name)[^a-z]$", b"name", "any", "".join(c for c in map(chr, range(9, 127)) if not c.islower() and c != "\n") + "+"),
        (r"x?name$", b"name", "any", "\n\r"),
        (r"(?:ab|c)name(?:d|[ef]x)", b"name", "bc", "def"),
        (r"(?i:a)name(?i:é)", b"name", "Aa+", "any"),
        (r"[é]name[^\W]", b"name", "+", WORDS + "+"),
        (r"(?i:[k])name(?i:[é])", b"name", "Kk+", "any"),
        (r"\Bname\pL", b"name", "any", "any"),
        (r"(?:a|)name.", b"name", "any", "any"),
        (r" \b\s*name(?:\b|x)", b"name", "any", "any"),
        (r"\b\(call", b"(call", WORDS + "+", "any"),
        (r"éa\b", "éa".encode(), "any", NO_WORDS + "+"),
        (r"\béé", "éé".encode(), "any", "any"),
        (r"(longer)+abc", b"longer", "any", "any"),
    ],
)  # fmt: skip
def test_a_clue_knows_what_can_stand_beside_it(regex: str, text: bytes, before: str, after: str) -> None:
    found = clue(Pattern(regex, regex=True))
    assert found is not None
    assert (found.text, _of(found.before), _of(found.after)) == (text, before, after)


def test_a_word_or_a_line_ends_where_its_clue_does() -> None:
    word, line = clue(Pattern("name", how=How(word=True))), clue(Pattern("name", how=How(line=True)))
    assert word is not None
    assert line is not None
    assert (_of(word.before), _of(line.before), _of(line.after)) == (NO_WORDS + "+", "\n\r", "\n\r")
    assert not word.is_all
    assert not line.is_all


@pytest.mark.parametrize(
    ("regex", "is_all"),
    [(r"\bname\b", True), (r"name\b", True), (r"\bnamé\b", False), (r"\bname\b\s", False)],
)
def test_some_clues_are_all_there_is_to_a_match(regex: str, *, is_all: bool) -> None:
    found = clue(Pattern(regex, regex=True))
    assert found is not None
    assert found.is_all == is_all


@pytest.mark.parametrize("regex", [r"\w+", "(?i)name", "a|b", "ab.*c", r"\d{11,}"])
def test_some_patterns_give_no_clue(regex: str) -> None:
    assert clue(Pattern(regex, regex=True)) is None


def test_a_clue_alone_says_nothing_of_what_stands_beside_it() -> None:
    assert not Clue(b"name").is_near


@pytest.mark.parametrize(
    ("regex", "length", "of"),
    [
        (r"\d{11,}", 11, "0123456789+"),
        (r"([A-C_]{24,})x", 24, "ABC_"),
        (r"x{8}y{9}", 9, "y"),
    ],
)
def test_bytes_of_one_class_in_a_row_are_known(regex: str, length: int, of: str) -> None:
    found = series(Pattern(regex, regex=True))
    assert found is not None
    assert (found.length, _of(found.table)) == (length, of)


@pytest.mark.parametrize("regex", [r"\d{7,}", r"(?:ab){20}", r".{30}", r"\pL{30}", "abc"])
def test_what_is_short_or_of_no_class_is_no_series(regex: str) -> None:
    assert series(Pattern(regex, regex=True)) is None


PATTERNS = [
    *(r"\bab\b", r"\bab_c\b", r"^\s*abc", r"abc\s*[(=]", r"abc[a-c]+x", r"abc\w+", r"[^b]abc$", r"(?:a|b)abc\b"),
    *(r"\w{8,}", r"[ab]{9,}", r"\d{8}\b", r"[^a]{8}", r"[aé]{8,}x?", r"\babc\b.*é", r"éabc", r"\S{8,10}"),
]  # fmt: skip
LINES = st.lists(
    st.text(st.sampled_from("aaabbcc__ 11é(=x\t\r\u212a"), max_size=40)
    | st.sampled_from(["abc", "xabc abc", "éabc"])
)


@settings(max_examples=400, deadline=None)
@given(regex=st.sampled_from(PATTERNS), lines=LINES, word=st.booleans())
def test_what_is_found_by_a_clue_is_what_the_pattern_finds(
    regex: str, lines: list[str], *, word: bool
) -> None:
    pattern = Pattern(regex, regex=True, how=How(word=word))
    text = "".join(line.replace("\r", "") + "\n" for line in lines).encode()
    wanted = [span.match_begin for span in pattern.spans(text, 0, len(text))]
    found, at, look = list[int](), 0, finder(memoryview(text), pattern)
    while at < len(text):
        is_wide = pattern.is_sensitive and not text.isascii()
        place, at = look.find(at, len(text), is_wide=is_wide)
        if place >= 0:
            found.append(place)
            at = text.find(b"\n", place) + 1
    assert found == wanted
    assert [one for one, _ in groupby(found)] == found


def test_a_series_is_found_in_every_window_and_no_further_than_asked() -> None:
    text = b"1234567\n" * 40_000 + b"12345678\n" + b"-\n" * 200_000 + b"x 123456789"
    look = finder(memoryview(text), Pattern(r"\d{8,}", regex=True))
    first = 8 * 40_000
    assert look.find(0, len(text)) == (first, len(text))
    assert look.find(first + 9, len(text)) == (len(text) - 9, len(text))
    assert look.find(0, first) == (-1, first)


def test_a_series_that_is_in_every_line_is_given_up() -> None:
    text = b"12345678 no\n" * 200 + b"12345678yes\n"
    look = finder(memoryview(text), Pattern(r"\d{8}y", regex=True))
    assert look.find(0, len(text)) == (len(text) - 12, len(text))
