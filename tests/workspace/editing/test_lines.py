import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.workspace.texts import ODD, texts

from toolpost.workspace.editing import lines
from toolpost.workspace.editing.lines import Endings


@given(texts())
def test_lines_end_at_newlines_only_and_joined_are_the_text(text: str) -> None:
    found = lines.split(text)
    assert "".join(found) == text
    assert len(found) == text.count("\n") + (text != "" and not text.endswith("\n"))
    assert all(line.count("\n") == 1 and line.endswith("\n") for line in found[:-1])


@pytest.mark.parametrize("odd", [*ODD, "\r"])
def test_no_other_character_ends_a_line(odd: str) -> None:
    assert lines.split(f"a{odd}b\nc") == [f"a{odd}b\n", "c"]


@given(texts(), st.data())
def test_a_character_lies_between_the_start_and_the_end_of_its_line(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    number = lines.number_at(text, offset)
    start = lines.start_at(text, offset)
    assert start == sum(map(len, lines.split(text)[: number - 1]))
    assert start <= offset
    assert "\n" not in text[start : lines.end_at(text, offset)]


@given(st.text("ab\n", max_size=30), st.text("ab\n", max_size=30))
def test_two_texts_begin_alike_as_far_as_said_and_no_further(one: str, two: str) -> None:
    same = lines.same_start(one, two)
    assert one[:same] == two[:same]
    assert same in {len(one), len(two)} or one[same] != two[same]


def test_in_a_file_of_mixed_line_endings_each_place_has_its_own() -> None:
    endings = Endings("a\r\nbb\nccc")
    assert [endings.at(offset) for offset in (0, 1, 3, 4, 6, 9, 0)] == ["\r\n", "\r\n", *["\n"] * 4, "\r\n"]


def test_a_file_of_one_line_has_no_line_ending() -> None:
    assert Endings("abc").is_none
    assert Endings("abc").at(1) == "\n"


def test_a_file_that_begins_with_a_newline_is_no_riddle() -> None:
    assert Endings("\na\r\nb\r").at(0) == "\n"
