"""Matches with the lines around them, in the order they are shown."""

from collections.abc import Iterable, Iterator
from enum import Enum

from msgspec import Struct

from toolpost.cli.searching.matches import Block


class Kind(Enum):
    MATCH = ":"
    CONTEXT = "-"
    BREAK = "--"
    """Lines were left out."""


class Shown(Struct, frozen=True, gc=False):
    kind: Kind
    number: int = 0
    """Of its first line, from 1."""
    begin: int = 0
    end: int = 0


class Around:
    """One text. Lines around two matches are shown once; after the last match that counts none is added."""

    def __init__(self, data: bytes, before: int, after: int, most: int | None) -> None:
        """`most` matches count; those in the lines after the last of them are still told as such."""
        self._data = data
        self._before = before
        self._after = after
        self._most = most
        self._number, self._counted = 1, 0
        self.matched = 0

    def each(self, found: Iterable[Block]) -> Iterator[Shown]:
        at = reach = 0
        for block in found:
            is_counted = self._most is None or self.matched < self._most
            if not is_counted and block.begin >= reach:
                break
            yield from self._context(at, min(reach, block.begin))
            lead = max(self._back(block.begin), at, min(reach, block.begin))
            if self.matched and lead > max(at, reach) and (self._before or self._after):
                yield Shown(Kind.BREAK)
            yield from self._context(lead, block.begin)
            self.matched += is_counted
            yield Shown(Kind.MATCH, self._line(block.begin), block.begin, block.end)
            at = block.end
            reach = self._on(block.end) if is_counted else max(reach, at)
            if self.matched == self._most and reach == at:
                break
        yield from self._context(at, reach)

    def _context(self, begin: int, end: int) -> Iterator[Shown]:
        while begin < end:
            after = self._data.find(b"\n", begin) + 1 or len(self._data)
            yield Shown(Kind.CONTEXT, self._line(begin), begin, after)
            begin = after

    def _line(self, begin: int) -> int:
        self._number += self._data.count(b"\n", self._counted, begin)
        self._counted = begin
        return self._number

    def _back(self, begin: int) -> int:
        for _ in range(self._before):
            if not begin:
                break
            begin = self._data.rfind(b"\n", 0, begin - 1) + 1
        return begin

    def _on(self, end: int) -> int:
        for _ in range(self._after):
            if end >= len(self._data):
                break
            end = self._data.find(b"\n", end) + 1 or len(self._data)
        return end
