"""What is found region by region in a mapped text, and no further than asked; and that all is found by the kernel."""

import os

import pytest
from tests.index.search.trees import based, ground
from tests.workspace.memory import MemoryRoot

from toolpost.index import kernel
from toolpost.index.model import Extract
from toolpost.index.search.engine import answer
from toolpost.index.snapshot import Snapshot
from toolpost.workspace.walking.patterns import Pattern
from toolpost.workspace.walking.within import Mode, Question

TEXT = b"one foo\ntwo\nfoo foo\n" + b"bar foobar\n" * 3 + b"last foo"


def _lines(text: bytes, pattern: Pattern, *regions: tuple[int, int]) -> list[bytes]:
    """The lines with a match, each once."""
    finder, found, done = kernel.finder(memoryview(text), pattern), list[bytes](), 0
    for region in regions or ((0, len(text)),):
        begin, end = finder.whole_lines(*region)
        begin = max(begin, done)
        while begin < end:
            at, begin = finder.find(begin, end)
            if at >= 0:
                begin = text.find(b"\n", at) + 1 or len(text)
                found.append(text[text.rfind(b"\n", 0, at) + 1 : begin].rstrip(b"\n"))
        done = begin
    return found


@pytest.mark.parametrize("pattern", [Pattern("foo"), Pattern(r"fo+", regex=True), Pattern("FOO", case=False)])
def test_lines_come_in_order(pattern: Pattern) -> None:
    assert _lines(TEXT, pattern) == [b"one foo", b"foo foo", *[b"bar foobar"] * 3, b"last foo"]
    regions = ((12, 14), (14, 20), (len(TEXT) - 4, len(TEXT)))
    assert _lines(TEXT, pattern, *regions) == [b"foo foo", b"last foo"]


def test_a_region_within_a_line_stands_for_the_line() -> None:
    assert _lines(TEXT, Pattern("^one", regex=True), (5, 6)) == [b"one foo"]


def test_a_literal_is_found_everywhere_at_once() -> None:
    finder = kernel.finder(memoryview(TEXT), Pattern("foo"))
    assert finder.next(5, len(TEXT)) == 12
    assert finder.next(5, 14) == -1
    assert list(finder.gaps(0, 31)) == [4, 5, 1, 5, 4]
    assert list(finder.gaps(len(TEXT) - 5, len(TEXT))) == [2, 0]
    assert list(finder.gaps(7, 12)) == [5]


def test_an_anchor_that_is_everywhere_is_given_up() -> None:
    text = b"anchor no\n" * 200 + b"anchor yes\n" + b"nothing\n" * 9_000 + b"anchor yes"
    assert _lines(text, Pattern("[a-b]?nchor .es", regex=True)) == [b"anchor yes"] * 2


def test_a_long_region_is_cut_at_line_ends() -> None:
    text = b"x" * 3_000_000 + b"\n" + b"abc 1\n" * 400_000 + b"abc22"
    assert _lines(text, Pattern(r"[a-c]+ ?\d\d$", regex=True)) == [b"abc22"]


class Counting:
    """The kernel's own finder, with what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._own = kernel.finder

    def __call__(self, text: memoryview, pattern: Pattern) -> kernel.Finder:
        self.asked.append(pattern.text)
        return self._own(text, pattern)


class Blind:
    """A finder that finds nothing."""

    is_fast = knows_width = True

    def __init__(self) -> None:
        self.next = lambda _begin, _end: -1

    def find(self, begin: int, end: int, *, is_wide: bool = False) -> tuple[int, int]:
        return -1, max(begin, end) + 0 * is_wide

    def gaps(self, begin: int, end: int) -> list[int]:
        return [end - begin]

    def cut(self, begin: int, end: int) -> int:
        return max(begin, end)

    def whole_lines(self, begin: int, end: int) -> tuple[int, int]:
        return begin, end


QUESTIONS = [
    Question(pattern=Pattern("foo")),
    Question(pattern=Pattern("foo"), mode=Mode.COUNT),
    Question(pattern=Pattern("fo+", regex=True)),
    Question(pattern=Pattern("FOO", case=False), before=1),
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_another_kernel_finds_what_the_engine_answers(
    question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"a": TEXT, "b": TEXT}
    with based(files) as base:
        place = ground(MemoryRoot(files), Snapshot(base))
        whole = answer([place], question, limit=99)
        counting = Counting()
        monkeypatch.setattr(kernel, "finder", counting)
        assert answer([place], question, limit=99) == whole
        assert counting.asked == [question.pattern.text]
        monkeypatch.setattr(kernel, "finder", lambda _text, _pattern: Blind())
        assert answer([place], question, limit=99).hits == []


def test_the_other_functions_of_the_kernel_are_there(tmp_path: os.PathLike[str]) -> None:
    assert kernel.exports("none.unknown", b"") == Extract()
    assert len(kernel.tri_build(memoryview(b"abcdef"))) > 0
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        assert list(kernel.stat_list(folder, [b"nothing"])) == [0, 0, 0, 0]
    finally:
        os.close(folder)
