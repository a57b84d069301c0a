"""Finding what matches in a text, region by region, without looking further than asked.

A literal is found by stringzilla, at some 10 GB/s and 0.4 us for a block; anything else by RE2, straight on the
mapped text. Neither copies it.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Protocol

from toolpost.index.search.needles import anchor, begins_with_text
from toolpost.limits import ANCHOR_GAP_BYTES, ANCHORS_IN_VAIN, PATTERN_WORK, SCAN_WINDOW_BYTES
from toolpost.workspace.walking.patterns import Pattern

Find = Callable[[memoryview, int, int], int]
_stringzilla = import_module("stringzilla")
"""It ships no types."""


class Letters(Protocol):
    """What of stringzilla's Str is used."""

    def find(self, wanted: bytes, begin: int = 0, end: int = ...) -> int: ...
    def rfind(self, wanted: bytes, begin: int = 0, end: int = ...) -> int: ...
    def count(self, wanted: bytes, begin: int = 0, end: int = ...) -> int: ...


def letters_of(text: memoryview) -> Letters:
    """A text for stringzilla: not a copy."""
    made: Letters = _stringzilla.Str(text)
    return made


class Lines:
    """One pattern in one text, as `kernel.Finder` says."""

    def __init__(self, text: memoryview, pattern: Pattern) -> None:
        self._text = text
        self._letters = letters_of(text)
        self._pattern = pattern
        self._literal = pattern.literal
        is_fast = self._literal is not None or begins_with_text(pattern)
        self._anchor = None if is_fast or pattern.crosses_lines else anchor(pattern)
        self._window = max(min(SCAN_WINDOW_BYTES, PATTERN_WORK // max(pattern.size, 1)), 1)
        self._room = len(self._literal or b"-") - 1
        """What a literal may take of what comes after a region it begins in."""
        self._in_vain = 0
        self.is_fast = is_fast or self._anchor is not None
        self.next: Callable[[int, int], int] = partial(self._letters.find, self._literal or b"")

    def find(self, begin: int, end: int, *, is_wide: bool = False) -> tuple[int, int]:
        if self._literal is not None:
            return self._letters.find(self._literal, begin, min(end + self._room, len(self._text))), end
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

    def places(self, begin: int, end: int, *, once: bool) -> list[int]:
        """Going on behind the line takes twice as long, unless lines hold it several times."""
        find, literal = self._letters.find, self._literal or b""
        found: list[int] = []
        add, size = found.append, len(literal)
        at = find(literal, begin, end)
        while at >= 0:
            add(at)
            at = find(literal, (find(b"\n", at) + 1 or end) if once else at + size, end)
        return found

    def whole_lines(self, begin: int, end: int) -> tuple[int, int]:
        if self._literal is not None:
            return begin, end
        begin = self._letters.rfind(b"\n", 0, begin) + 1
        after = self._letters.find(b"\n", end - 1) + 1
        return begin, after or len(self._text)

    def _cut(self, begin: int, end: int) -> int:
        if end - begin <= self._window:
            return end
        cut = self._letters.rfind(b"\n", begin, begin + self._window) + 1
        return min(cut or self._letters.find(b"\n", begin) + 1 or end, end)


def finder(text: memoryview, pattern: Pattern) -> Lines:
    return Lines(text, pattern)
