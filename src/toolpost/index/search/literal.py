"""The lines that hold a literal, as hits: the commonest question, answered with as few steps as can be.

A text is decoded in chunks of many files, first small ones, then larger: 1 us a hit, where file by file it is 3.
Places are looked up by stringzilla alone: a call takes half as long as one of `bytes`. Who wants very many hits
gets them as `many` finds them, as soon as there are enough of them. What a file gives is what `Within` would give.
"""

from bisect import bisect_right
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from msgspec import Struct

from toolpost.index.search.facts import Facts
from toolpost.index.search.ground import Shown
from toolpost.index.search.lookup import Lookup
from toolpost.limits import (
    HITS_APART_BYTES,
    HITS_FIRST_BYTES,
    HITS_FOR_MANY,
    HITS_MOST_BYTES,
    HITS_WANTED,
    SNIPPET_CHARS,
)
from toolpost.workspace.walking.within import Hit, Ready, Run, cut_around


class Sought(Struct, frozen=True):
    """A literal, and where and how it is looked for."""

    lookup: Lookup
    shown: Shown
    per_file: int
    """Hits a file may give."""
    limit: int
    """Hits wanted in all."""
    docs: list[bytes]
    """Paths of other files that come between; no run of files goes past one."""

    @property
    def literal(self) -> bytes:
        return self.lookup.pattern.literal or b""


def literal_hits(sought: Sought, begin: int, end: int) -> Iterator[tuple[int, Ready | Run]]:
    """Every file from `begin` to before `end` that has hits, with them; a run of files comes with its last."""
    facts, literal = sought.shown.ground.facts, sought.literal
    low, high = facts.starts[begin], facts.starts[end]
    file = _File(facts, sought, low)
    done = low
    lookup = sought.lookup
    for region in lookup.regions(low, high):
        at, stop = max(region[0], done), min(region[1] + len(literal) - 1, high)
        if at < stop:
            facts.text.check(at, stop)
            yield from file.through(at, stop)
            done = max(region[1], file.skips_to, file.told)  # what begins in the next one may overlap its end
        if file.goes_on >= 0:
            yield from _many().many_hits(sought, file.goes_on, end)
            return
    yield from file.rest()


def _many() -> Any:
    """Its module needs numpy, which takes longer to import than most searches do."""
    return import_module("toolpost.index.search.many")


def snippet_of(raw: bytes, at: int) -> tuple[str, int]:
    """A line and the column of a place in it, for lines that are long or not ASCII."""
    line, column = raw.decode("utf-8", "replace").removesuffix("\r"), len(raw[:at].decode("utf-8", "replace"))
    return cut_around(line, column), column + 1


class _File:
    """The file that is being looked through, and the chunk of text."""

    def __init__(self, facts: Facts, sought: Sought, begin: int) -> None:
        self._facts = facts
        self._next = sought.lookup.finder.next
        self._shown = sought.shown
        self._per_file = sought.per_file
        self._begun = begin
        self._many = HITS_FOR_MANY if sought.limit >= HITS_WANTED else sought.limit + 1
        """Hits given, from which on there may be very many."""
        self._sum = 0
        self.goes_on = -1
        """The file from which on there are."""
        self._number = -1
        self._end = 0
        self._name = ""
        self._hits: list[Hit] = []
        self._left_out = 0
        self._line = 0
        self._counted = 0
        """Up to where the lines are counted, in the whole text."""
        self._chunk, self._base, self._chunk_end = b"", 0, 0
        self._text: str | None = None
        """The chunk, if bytes are characters and lines end as they are shown."""
        self._size = HITS_FIRST_BYTES
        self.skips_to = 0
        """Where a file ends of which no more is shown."""
        self.told = 0
        """Where the last line ends that was given; it may go on in the next region."""

    def rest(self) -> Iterator[tuple[int, Ready]]:
        """The last file."""
        if self._hits:
            yield self._number, Ready(self._name, self._hits, self._left_out)

    def through(self, begin: int, end: int) -> Iterator[tuple[int, Ready]]:
        """All of a region, in which the literal may begin."""
        at = self._next(begin, end)
        while at >= 0:
            if at >= self._end:
                if self._hits:
                    yield self._number, Ready(self._name, self._hits, self._left_out)
                    self._sum += len(self._hits)
                if self._sum >= self._many and self._is_dense(at):
                    self.goes_on = self._facts.at(at)
                    return
                self._begin(at)
            if self.skips_to:  # it is not shown, or has given all it may
                at = self._next(self._end, end)
                continue
            if at >= self._chunk_end:
                self._load(at)
            at = self._given(at, end)

    def _is_dense(self, at: int) -> bool:
        """Whether the hits before that place are close to each other; asked again after as many."""
        is_dense = at - self._begun < self._sum * HITS_APART_BYTES
        self._begun, self._sum = at, 0
        return is_dense

    def _given(self, at: int, end: int) -> int:
        """Hits of the file in the chunk; and where the literal comes next, in it or in another, or -1."""
        text, base = self._text, self._base
        letters = self._facts.letters
        find, count, rfind = letters.find, letters.count, letters.rfind
        name, add, following = self._name, self._hits.append, self._next
        line, counted, stop = self._line, self._counted, self.told
        size = min(self._chunk_end, self._end)
        for _ in range(self._per_file - len(self._hits)):
            low, stop = rfind(b"\n", 0, at) + 1, find(b"\n", at)
            line += count(b"\n", counted, low)
            counted = low
            if text is None or stop - low > SNIPPET_CHARS:
                snippet, column = snippet_of(self._chunk[low - base : stop - base], at - low)
            else:
                snippet, column = text[low - base : stop - base], at - low + 1
            add(Hit(name, line, column, snippet))
            at = following(stop, end)
            if not 0 <= at < size:
                break
        else:
            self._left_out = self._lines_left(at)
            self.skips_to = self._end
        self._counted, self._line, self.told = counted, line, stop
        return at

    def _load(self, at: int) -> None:
        """A chunk of whole lines from that place on: the denser the hits, the longer."""
        facts = self._facts
        is_near = at < self._chunk_end + self._size
        self._size = min(self._size * 2, HITS_MOST_BYTES) if is_near else HITS_FIRST_BYTES
        low = facts.letters.rfind(b"\n", 0, at) + 1
        high = facts.letters.find(b"\n", min(at + self._size, facts.size) - 1) + 1 or facts.size
        self._chunk, self._base, self._chunk_end = facts.text.read(low, high), low, high
        is_simple = self._chunk.isascii() and b"\r" not in self._chunk
        self._text = self._chunk.decode("ascii") if is_simple else None
        self._line, self._counted = facts.lines_before(self._number, low) + 1, low

    def _begin(self, at: int) -> None:
        """Another file; if it begins in the chunk, its lines are counted from there."""
        starts = self._facts.starts
        self._number = bisect_right(starts, at, self._number + 1) - 1
        self._end = starts[self._number + 1]
        name = self._shown.name(self._number)
        self._name, self._hits, self._left_out = name or "", [], 0
        self.skips_to = self._end if name is None else 0
        self._line, self._counted = 1, starts[self._number]

    def _lines_left(self, at: int) -> int:
        """Lines of the file that hold the literal, from one on."""
        find, lines = self._facts.letters.find, 0
        self._facts.text.check(at, self._end)
        while at >= 0:
            lines += 1
            at = self._next(find(b"\n", at, self._end), self._end)
        return lines
