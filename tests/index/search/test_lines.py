"""Lines found region by region in a mapped text, and no further than asked."""

import os

import pytest

from toolpost.index import kernel
from toolpost.index.model import Extract
from toolpost.workspace.walking.patterns import Pattern, Span

TEXT = b"one foo\ntwo\nfoo foo\n" + b"bar foobar\n" * 3 + b"last foo"


def _lines(pattern: Pattern, regions: list[tuple[int, int]], limit: int = 99) -> list[bytes]:
    return [
        TEXT[span.begin : span.end] for span in kernel.find_lines(memoryview(TEXT), pattern, regions, limit)
    ]


@pytest.mark.parametrize("pattern", [Pattern("foo"), Pattern(r"fo+", regex=True), Pattern("FOO", case=False)])
def test_lines_come_once_and_in_order_and_end_at_the_limit(pattern: Pattern) -> None:
    every = [b"one foo", b"foo foo", *[b"bar foobar"] * 3, b"last foo"]
    assert _lines(pattern, [(0, len(TEXT))]) == every
    assert _lines(pattern, [(0, len(TEXT))], 2) == every[:2]
    assert _lines(pattern, [(0, len(TEXT))], 0) == []
    assert _lines(pattern, [(12, 14), (14, 20), (len(TEXT) - 4, len(TEXT))]) == [b"foo foo", b"last foo"]


def test_a_region_within_a_line_stands_for_the_line() -> None:
    assert kernel.find_lines(memoryview(TEXT), Pattern("^one", regex=True), [(5, 6)], 9) == [Span(0, 7, 0, 0)]


def test_an_anchor_that_is_everywhere_is_given_up() -> None:
    text = b"anchor no\n" * 200 + b"anchor yes\n" + b"nothing\n" * 9_000 + b"anchor yes"
    found = kernel.find_lines(memoryview(text), Pattern("[a-b]?nchor .es", regex=True), [(0, len(text))], 9)
    assert [text[span.begin : span.end] for span in found] == [b"anchor yes"] * 2


def test_a_long_region_is_cut_at_line_ends() -> None:
    text = b"x" * 3_000_000 + b"\n" + b"abc 1\n" * 400_000 + b"abc22"
    found = kernel.find_lines(memoryview(text), Pattern(r"[a-c]+ ?\d\d$", regex=True), [(0, len(text))], 9)
    assert [text[span.begin : span.end] for span in found] == [b"abc22"]


def test_the_other_functions_of_the_kernel_are_there(tmp_path: os.PathLike[str]) -> None:
    assert kernel.exports("none.unknown", b"") == Extract()
    assert len(kernel.tri_build(memoryview(b"abcdef"))) > 0
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        assert list(kernel.stat_list(folder, [b"nothing"])) == [0, 0, 0, 0]
    finally:
        os.close(folder)
