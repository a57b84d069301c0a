"""Finding the lines of a text that match, region by region, without looking further than asked.

A literal is found by stringzilla, at some 10 GB/s and 0.4 us for a block; anything else by RE2, straight on the
mapped text. Neither copies it.
"""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Protocol

from toolpost.index.search.needles import anchor, begins_with_text
from toolpost.limits import ANCHOR_GAP_BYTES, ANCHORS_IN_VAIN, PATTERN_WORK, SCAN_WINDOW_BYTES
from toolpost.workspace.walking.patterns import Pattern, Span

Find = Callable[[memoryview, int, int], int]


class Letters(Protocol):
    """What of stringzilla's Str is used."""

    def find(self, wanted: bytes, begin: int = 0, end: int = ...) -> int: ...
    def rfind(self, wanted: bytes, begin: int = 0, end: int = ...) -> int: ...
    def count(self, wanted: bytes, begin: int = 0, end: int = ...) -> int: ...


def letters_of(text: memoryview) -> Letters:
    """A text for stringzilla, which ships no types: not a copy."""
    made: Letters = import_module("stringzilla").Str(text)
    return made


class Finder:
    """One pattern in one text."""

    def __init__(self, text: memoryview, letters: Letters, pattern: Pattern) -> None:
        self._text = text
        self._letters = letters
        self._pattern = pattern
        self._literal = pattern.literal
        is_fast = self._literal is not None or begins_with_text(pattern)
        self._anchor = None if is_fast or pattern.crosses_lines else anchor(pattern)
        self._window = max(min(SCAN_WINDOW_BYTES, PATTERN_WORK // max(pattern.size, 1)), 1)
        self._in_vain = 0
        self.is_fast = is_fast or self._anchor is not None
        """It goes through what holds no match at 1 to 10 GB/s."""

    def find(self, begin: int, end: int, *, is_wide: bool = False) -> tuple[int, int]:
        """Where the first match in a region begins, or -1; and how far it was looked.

        In a text that is not ASCII what is found may be no match.
        """
        if self._literal is not None:
            return self._letters.find(self._literal, begin, end), end
        end = self._cut(begin, end)
        find = self._pattern.find_loosely if is_wide else self._pattern.find
        at = find(self._text, begin, end) if self._anchor is None else self._at_anchor(find, begin, end)
        return (at, end) if at < end else (-1, end)

    def _at_anchor(self, find: Find, begin: int, end: int) -> int:
        """Only lines that hold the anchor are shown to RE2, unless that is nearly every one."""
        letters, text = self._letters, self._text
        wanted = self._anchor or b""
        while (at := letters.find(wanted, begin, end)) >= 0:
            low = max(letters.rfind(b"\n", 0, at) + 1, begin)
            if self._in_vain > ANCHORS_IN_VAIN:
                self._in_vain -= 1
                return find(text, low, end)
            high = letters.find(b"\n", at, end) + 1 or end
            found = find(text, low, high)
            if 0 <= found < high:
                return found
            self._in_vain += 1 if at - begin < ANCHOR_GAP_BYTES else -1
            begin = high
        return -1

    def whole_lines(self, begin: int, end: int) -> tuple[int, int]:
        """A region with the whole of its first and last lines; a literal needs only room for its end."""
        if self._literal is not None:
            return begin, min(end + len(self._literal) - 1, len(self._text))
        begin = self._letters.rfind(b"\n", 0, begin) + 1
        after = self._letters.find(b"\n", end - 1) + 1
        return begin, after or len(self._text)

    def _cut(self, begin: int, end: int) -> int:
        if end - begin <= self._window:
            return end
        cut = self._letters.rfind(b"\n", begin, begin + self._window) + 1
        return min(cut or self._letters.find(b"\n", begin) + 1 or end, end)


def find_lines(
    text: memoryview, pattern: Pattern, regions: Iterable[tuple[int, int]], limit: int
) -> list[Span]:
    """The first lines that match as RE2 sees them, in the order of the text: each once, none past the limit."""
    letters, found = letters_of(text), list[Span]()
    if limit > 0:
        for span in _lines(Finder(text, letters, pattern), letters, len(text), regions):
            found.append(span)
            if len(found) == limit:
                break
    return found


def _lines(finder: Finder, letters: Letters, size: int, regions: Iterable[tuple[int, int]]) -> Iterator[Span]:
    done = 0
    for region in regions:
        begin, end = finder.whole_lines(*region)
        begin = max(begin, done)
        while begin < end:
            at, begin_next = finder.find(begin, end)
            if 0 <= at < size:
                stop = letters.find(b"\n", at)
                stop = size if stop < 0 else stop
                yield Span(letters.rfind(b"\n", 0, at) + 1, stop, at, at)
                begin_next = stop + 1
            begin = begin_next
        done = max(done, begin)
