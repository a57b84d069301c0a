"""The four functions of the index that a native kernel could replace, each imported when it is first called.

What they take and give is bytes and numbers, so a kernel written in another language needs nothing of ours, and
what is on disk stays as it is. `find_lines` alone takes a Pattern, of which such a kernel reads text and switches.
"""

from array import array
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any

from toolpost.index.model import Extract
from toolpost.workspace.walking.patterns import Pattern, Span

_WHERE = {
    "find_lines": "toolpost.index.search.lines",
    "tri_build": "toolpost.index.search.trigrams",
    "stat_list": "toolpost.index.fresh.stamps",
    "extract": "toolpost.index.extract",
}


@cache
def _function(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(import_module(_WHERE[name]), name)
    return found


def find_lines(
    text: memoryview, pattern: Pattern, regions: Iterable[tuple[int, int]], limit: int
) -> list[Span]:
    """The first lines that match in these regions of a text of ASCII, in its order."""
    found: list[Span] = _function("find_lines")(text, pattern, regions, limit)
    return found


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
