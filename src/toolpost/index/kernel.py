"""The four functions of the index that a native kernel could replace, each imported when it is first called.

What they take and give is bytes and numbers, so a kernel written in another language needs nothing of ours, and
what is on disk stays as it is. `finder` alone takes a Pattern, of which such a kernel reads text and switches.
Everything that is searched in an index is found by what `finder` gives.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from toolpost.index.model import Extract
from toolpost.workspace.walking.patterns import Pattern

_WHERE = {
    "finder": "toolpost.index.search.lines",
    "tri_build": "toolpost.index.search.trigrams",
    "stat_list": "toolpost.index.fresh.stamps",
    "extract": "toolpost.index.extract",
}


@cache
def _function(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(import_module(_WHERE[name]), name)
    return found


class Finder(Protocol):
    """Finds one pattern in one text, of which regions are named by their begin and end."""

    is_fast: bool
    """It goes through what holds no match at 1 to 10 GB/s."""
    knows_width: bool
    """It sees by itself which lines are not ASCII: any text may be called wide if the pattern minds."""
    next: Callable[[int, int], int]
    """Where the first match begins in a region, or -1. It ends there too; unless it is of a literal, so do lines."""

    def find(self, begin: int, end: int, *, is_wide: bool = False) -> tuple[int, int]:
        """Where the first match that begins in a region does, or -1; and how far it was looked.

        `is_wide`: the text there is not ASCII.
        """

    def gaps(self, begin: int, end: int) -> Sequence[int]:
        """Bytes before every place of a literal in a region, from the one before on; and those behind the last."""

    def cut(self, begin: int, end: int) -> int:
        """How much of a region to look at before the time is looked at: up to a line's end, or all of it."""

    def whole_lines(self, begin: int, end: int) -> tuple[int, int]:
        """A region with the whole of its first and last lines; of a literal the region itself."""


def finder(text: memoryview, pattern: Pattern) -> Finder:
    """It holds on to the text."""
    made: Finder = _function("finder")(text, pattern)
    return made


def tri_build(text: memoryview) -> bytes:
    """The trigrams of one segment."""
    made: bytes = _function("tri_build")(text)
    return made


def stat_list(top: int, paths: Iterable[bytes]) -> "array[int]":
    """Size, two times and inode of every file beneath an open folder."""
    found: array[int] = _function("stat_list")(top, paths)
    return found


def exports(path: str, text: bytes) -> Extract:
    """What a file gives to others, by its syntax."""
    found: Extract = _function("extract")(path, text)
    return found
