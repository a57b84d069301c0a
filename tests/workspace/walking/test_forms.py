r"""Patterns mean what they mean to ripgrep, in lines of any script; and where they do not, it is said here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.workspace.walking.forms import loose, narrow, shadows, wide
from toolpost.workspace.walking.patterns import PLAIN, How, Pattern
from toolpost.workspace.walking.syntax import parse


def _matches(regex: str, line: str, how: How = PLAIN) -> str | None:
    pattern = Pattern(regex, regex=True, how=how)
    data = f"first\n{line}\nlast".encode()
    for span in pattern.spans(data, 6, len(data) - 4):
        return data[span.match_begin : span.match_end].decode()
    return None


@pytest.mark.parametrize(
    ("regex", "line", "found"),
    [
        (r"\w+", "— größe —", "größe"),
        (r"\bfoo", "éfoo", None),
        (r"foo\b", "foo—é", "foo"),
        (r"\d+", "१२३", "१२३"),
        (r"^\D+$", "१२३é", None),
        (r"a\sb", "a\u00a0b", "a\u00a0b"),
        (r"a\sb", "a\vb", "a\vb"),
        (r"a\Sb", "a\u00a0b", None),
        (r"a\Wb", "aéb", None),
        (r"a\Wb", "a—b", "a—b"),
        (r"[\w-]+", "—ß-x", "ß-x"),
        (r"[^\w]+", "é—é", "—"),
        (r"[^\W\d]+", "१é", "é"),
        (r"\Bb", "éb", "b"),
        (r"\w\b\s", "é x", "é "),
        (r"(?i)stop", "\u017ftop", "\u017ftop"),
        (r"(?i)\bkg\b", "5 \u212ag é", "\u212ag"),
        (r"(?i)É", "é", "é"),
        (r"\Afirst|\Alast", "x last é", None),
        (r"\Ax\z", "x", "x"),
        (r"(?-m)^x$", "x", "x"),
        (r"\w\p{Han}", "é漢", "é漢"),
        (r"é\w", "éü", "éü"),
        (r"é\W", "é—", "é—"),
        (r"[a-zA-Z0-9_]\w", "aé", "aé"),
        (r"[a-zA-Z_]\d", "a१", "a१"),
        (r"[a-zA-Z_0-9]\D\s\S", "aé\u00a0é", "aé\u00a0é"),
        (r"(a(?i)b)\w", "aBé", "aBé"),
        (r"\Cé\w", "xéé", "xéé"),
        (r"\bé", "aé", None),
        (r"\bé", "a é", "é"),
        (r"\bé", "é", "é"),
        (r"é\b", "éa é", "é"),
        (r"é\b—\B", "é——", "é—"),
        (r"\Bé", "é aé", "é"),
        (r"\B…", "é…", None),
        (r"\bé\w+\Wü\b", "aé1 é2b—ü", "é2b—ü"),
        (r"\x{e9}t\x{e9}\b", "étés été", "été"),
        (r"\Qé!\E\bü", "é!ü", "é!ü"),
        (r"\bé(?i:X)", "éx", "éx"),
        (r"\bé", "a e à", None),
        (r"[\Wx]é", "üé", None),
        (r"[\Wx]é", "—é", "—é"),
        (r"\Ba(?i:b)\w", "漢aB1", "aB1"),
        (r"[\Wx](?i:b)", "üb —B", "—B"),
        (r"é\b(?i:b)", "éb", None),
    ],
)
def test_classes_and_edges_know_all_of_unicode(regex: str, line: str, found: str | None) -> None:
    assert _matches(regex, line) == found


@pytest.mark.parametrize(
    ("regex", "line", "ours", "ripgrep"),
    [
        (r"\b[éè]", "aé", "é", None),
        (r"\b[éè]", " é", None, "é"),
        (r"(?i)\bé", " É", None, "É"),
        ("é\\b\u00a0\\s", "é\u00a0 ", None, "é\u00a0 "),
        (r"\b\x{661}", " \u0661", None, "\u0661"),
        (r"[\Wx][éè]", "üé", "üé", None),
    ],
)
def test_beside_letters_beyond_ascii_named_in_a_set_or_in_either_case_edges_are_those_of_ascii(
    regex: str, line: str, ours: str | None, ripgrep: str | None
) -> None:
    assert _matches(regex, line) == ours
    assert ours != ripgrep


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("foo", "x foo y", True),
        ("foo", "éfoo", False),
        ("foo", "foobar foo-bar", True),
        ("-x", "a -x b", True),
        ("-x", "a-x", False),
        ("foo", "föö foo é", True),
    ],
)
def test_a_word_is_a_word_in_any_script(text: str, line: str, *, found: bool) -> None:
    for regex in (False, True):
        pattern = Pattern(text, regex=regex, how=How(word=True))
        assert pattern.is_in(line) == found
        data = line.encode()
        spans = list(pattern.spans(data, 0, len(data)))
        assert [data[span.match_begin : span.match_end] for span in spans] == [text.encode()] * found


def test_a_word_and_a_line_are_those_of_the_whole_pattern() -> None:
    assert _matches("(fo)(o)|ba", "bar foo", how=How(word=True)) == "foo"
    assert _matches("foo|ba", "ba", how=How(line=True)) == "ba"
    assert _matches("foo|ba", "bar", how=How(line=True)) is None
    assert _matches(r"\w+", "é", how=How(line=True)) == "é"


@pytest.mark.parametrize(
    ("text", "folds"),
    [("foo", True), ("Foo", False), (r"\Wfoo", True), ("[A-Z]", False), ("é", True), ("É", False)],
)
def test_case_counts_when_there_is_a_capital(text: str, *, folds: bool) -> None:
    assert Pattern(text, regex=True, how=How(smart=True)).folds == folds


def test_a_match_of_many_lines_counts_for_each() -> None:
    data = "a\nb é\nb a\nb\nc\n".encode()
    pattern = Pattern(r"a\s+b", regex=True, how=How(multiline=True))
    lines = [data[span.begin : span.end].decode() for span in pattern.spans(data, 0, len(data))]
    assert lines == ["a", "b é", "b a", "b"]
    empty = Pattern("x*", regex=True, how=How(multiline=True))
    assert [span.begin for span in empty.spans(b"a\nb\n", 0, 4)] == [0, 2]
    words = Pattern(r"é\s\w", regex=True, how=How(multiline=True))
    assert [span.begin for span in words.spans("é\nü\n".encode(), 0, 6)] == [0, 3]
    assert list(pattern.spans(b"zz", 0, 2)) == []


def test_forms_are_written_out() -> None:
    assert (
        narrow(r"\s[\S]\A", parse(r"\s[\S]\A"), by_line=True, captures=True)
        == "[[:space:]][[:^space:]](?m:^)"
    )
    assert narrow("(a)(?P<n>b)", parse("(a)(?P<n>b)"), by_line=True, captures=False) == "(?:a)(?:b)"
    assert wide(r"\D[\D]\W", parse(r"\D[\D]\W"), by_line=True, captures=True).startswith(
        r"[\P{Nd}][\P{Nd}][^\p{L}"
    )
    assert loose(r"\bx\w\b\z", parse(r"\bx\w\b\z")) == r"\bx(?:\w|[^\x00-\x7F])(?:)(?m:$)"


def test_there_is_not_always_a_character_free_to_stand_in() -> None:
    assert shadows(parse(r"\w+")) is not None
    assert shadows(parse("[a-zA-Z0-9_]")) is None
    assert shadows(parse(r"[a-zA-Z_]\d")) is None
    assert shadows(parse("é")) is None
    assert shadows(parse("a(?i)b")) is not None
    assert shadows(parse("s(?i)b")) is None


def test_a_pattern_too_large_when_spelled_out_is_taken_as_it_is() -> None:
    heavy = r"[a-zA-Z0-9_](?:\w{30}){30}é"
    assert _matches(heavy, "a" * 901 + "é") == "a" * 901 + "é"


ALPHABET = "ab _-1\u00e9\u00df\u0661\u00a0\u2014\u6f22sk\u017f\u212a"


@given(
    st.lists(
        st.sampled_from([r"\w", r"\W", r"\d", r"\s", r"\S", r"\b", "a", "-", ".", "[ab]", "[^a]", r"\w+"]),
        max_size=5,
    ),
    st.text(ALPHABET, max_size=12),
)
def test_the_loose_form_misses_no_line(parts: list[str], line: str) -> None:
    regex = "".join(parts) or "a"
    pattern = Pattern(regex, regex=True)
    data = line.encode()
    if pattern.is_in(line) and data:
        assert pattern.find_loosely(data, 0, len(data)) >= 0
