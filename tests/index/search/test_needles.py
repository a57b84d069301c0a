"""Needles are in every text a pattern matches; and where there are some, they tell something."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.index.search.needles import All, Either, Needle, Wanted, anchor, begins_with_text, needles
from toolpost.index.search.segments import FOLD
from toolpost.workspace.walking.patterns import How, Pattern


def _regex(text: str) -> Wanted | None:
    return needles(Pattern(text, regex=True))


@pytest.mark.parametrize(
    ("regex", "wanted"),
    [
        ("useTheme", Needle(b"usetheme")),
        (r"use[A-Z]\w+Props\(", All((Needle(b"use"), Needle(b"props(")))),
        ("TODO.*remove", All((Needle(b"todo"), Needle(b"remove")))),
        ("colou?r", Either((Needle(b"color"), Needle(b"colour")))),
        ("(abc|def)ghi", Either((Needle(b"abcghi"), Needle(b"defghi")))),
        ("(abc.*|def+)", Either((Needle(b"abc"), Needle(b"def")))),
        ("abc|.*", None),
        (r"\w{40,}", None),
        ("ab", None),
        ("a{3}b", Needle(b"aaab")),
        ("(abc)+", Needle(b"abc")),
        ("(abc)*def", Needle(b"def")),
        ("x{0}abc", Needle(b"abc")),
        (r"\bfoo\b bar$", Needle(b"foo bar")),
        ("(?i)class", Needle(b"class", folds=True)),
        ("(?i)été", None),
        ("fo[oax]d", Either((Needle(b"food"), Needle(b"foad"), Needle(b"foxd")))),
        (r"\Qa.b\E\.c", Needle(b"a.b.c")),
        (r"\x41\x{42}\103\tz", Needle(b"abc\tz")),
        (r"\pLabc[[:alpha:]]", Needle(b"abc")),
        ("a" * 200, Needle(b"a" * 64)),
        (r"\C\Cabc", Needle(b"abc")),
        ("[a-d][a-d][a-d]xyz", Either(tuple(Needle(bytes([letter]) + b"xyz") for letter in b"abcd"))),
        (r"abc\ndef", All((Needle(b"abc"), Needle(b"def")))),
        (r"(?:x{20}){20}", None),
    ],
)
def test_what_a_pattern_must_hold(regex: str, wanted: Wanted | None) -> None:
    assert _regex(regex) == wanted


def test_a_pattern_without_case_is_looked_up_folded() -> None:
    assert needles(Pattern("Props", case=False)) == Needle(b"props", folds=True)
    assert needles(Pattern("Pro", how=How(word=True))) == Needle(b"pro")


@pytest.mark.parametrize(
    ("regex", "text"),
    [
        ("foo.*barbaz", b"barbaz"),
        ("(?i)foo", None),
        ("foo|bar", None),
        ("(ab)+c", None),
        (r"x\(y+zzz", b"zzz"),
    ],
)
def test_an_anchor_is_written_just_so_in_every_match(regex: str, text: bytes | None) -> None:
    assert anchor(Pattern(regex, regex=True)) == text


@pytest.mark.parametrize(
    ("regex", "begins"),
    [
        ("(foo)b.", True),
        ("(?i)foo", False),
        (r"\bfoo", False),
        ("()", False),
        ("foo|bar", False),
        ("[a]b", False),
    ],
)
def test_some_patterns_begin_with_text(regex: str, *, begins: bool) -> None:
    assert begins_with_text(Pattern(regex, regex=True)) == begins


def _holds(wanted: Wanted | None, text: bytes) -> bool:
    if wanted is None:
        return True
    if isinstance(wanted, Needle):
        return wanted.text in text
    return (all if isinstance(wanted, All) else any)(_holds(part, text) for part in wanted.parts)


ATOMS = st.sampled_from(
    ["a", "b", "cde", "X", ".", r"\w", "[ab]", "[^a]", r"\.", "(?i:q)", r"\b", "^", "$", "é", r"\d", "[x-z]"]
)
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"({'|'.join(parts)})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{0,2}?"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=12,
)


@given(PATTERNS, st.lists(st.text("abcdeXqQ.éxyz19 ", max_size=20), max_size=5))
def test_whatever_matches_holds_its_needles_and_its_anchor(regex: str, lines: list[str]) -> None:
    pattern = Pattern(regex, regex=True)
    wanted, fixed = needles(pattern), anchor(pattern)
    for line in lines:
        data = line.encode()
        if next(pattern.spans(data, 0, len(data)), None) is not None:
            assert _holds(wanted, data.translate(FOLD))
            assert fixed is None or fixed in data
