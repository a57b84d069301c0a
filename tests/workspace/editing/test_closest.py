from hypothesis import given
from hypothesis import strategies as st
from tests.workspace.texts import texts

from toolpost.limits import CLOSEST_LINES, CLOSEST_PLACES
from toolpost.workspace.editing.closest import Closest, closest, marked

CODE = """\
import os


def load(path):
    with open(path) as file:
        return file.read()


def save(path, text):
    with open(path, "w") as file:
        file.write(text)
"""


def test_the_closest_region_is_found_by_the_lines_it_shares() -> None:
    assert closest(CODE, 'def save(path, text):\n    with open(path, "wb") as file:\n') == Closest(
        start_line=9,
        end_line=10,
        text='def save(path, text):\n    with open(path, "w") as file:\n',
        similarity=0.97,
        line=10,
        column=23,
        has='") as file:\n',
        wanted='b") as file:\n',
    )


def test_where_no_line_is_shared_words_decide() -> None:
    found = closest(CODE, "        file.write(text + newline)")
    assert found is not None
    assert (found.start_line, found.end_line, found.text) == (11, 11, "        file.write(text)")
    assert (found.line, found.column, found.has, found.wanted) == (11, 24, ")", " + newline)")


def test_a_region_at_the_end_is_as_long_as_the_file_allows() -> None:
    found = closest("a one\nb two\nc three", "b two\nc threeee\nd four\n")
    assert found is not None
    assert (found.start_line, found.end_line, found.text) == (2, 3, "b two\nc three")
    short = closest("load(path)\n", "load(path)\nsave\n")
    assert short is not None
    assert (short.start_line, short.end_line, short.has, short.wanted) == (1, 1, "", "save\n")


def test_line_endings_are_shown_where_the_text_ends_with_one() -> None:
    found = closest("alpha beta\r\n", "alpha beta gamma")
    assert found is not None
    assert found.text == "alpha beta"


def test_what_is_like_nothing_has_no_closest_region() -> None:
    assert closest(CODE, "zzz qqq") is None
    assert closest(CODE, "import zzz; much else that is nowhere in the file at all\n") is None
    assert closest("", "a") is None
    assert closest(CODE, "\n\n") is None
    assert closest(CODE, "}") is None


def test_lines_and_words_that_are_everywhere_tell_nothing() -> None:
    assert closest("common words\n" * (CLOSEST_PLACES + 1), "common words here\nrare") is None


def test_only_so_much_of_a_file_is_looked_at() -> None:
    far = "x\n" * CLOSEST_LINES + "the line looked for\n"
    assert closest(far, "the line looked for!") is None
    assert closest(far[4:], "the line looked for!") is not None


def test_blanks_and_what_else_cannot_be_seen_are_marked() -> None:
    assert marked("\ta  b\u00a0c\r\n\u200b\ud800é") == "→a··b<U+00A0>c<U+000D>\n<U+200B><U+D800>é"


@given(texts(), st.text("ab \t\n", min_size=1, max_size=20))
def test_a_region_is_made_of_whole_lines_of_the_file(text: str, wanted: str) -> None:
    found = closest(text, wanted)
    if found is not None:
        lines = "".join(text.split("\n")[found.start_line - 1 : found.end_line])
        assert "".join(found.text.split("\n")) in {lines, lines.removesuffix("\r")}
        assert found.start_line <= found.line <= found.end_line + 1
        assert 0.5 <= found.similarity <= 1
