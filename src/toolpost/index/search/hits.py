"""The lines that match, as hits: the commonest questions, answered with as few steps as can be.

What is looked for lies within a line; all else is `Within`'s, which gives the same. Places are looked up by
stringzilla alone: a call takes half as long as one of `bytes`. Files come many at a time, in runs. Who wants very
many hits of a literal gets them as `many` finds them, as soon as there are enough of them.
"""

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from msgspec import Struct

from toolpost.index.limits import (
    HITS_APART_BYTES,
    HITS_FOR_MANY,
    HITS_FOR_MANY_AGAIN,
    HITS_WANTED,
    LINES_STRIDE_BYTES,
    SCAN_WINDOW_BYTES,
)
from toolpost.index.search.ground import Shown
from toolpost.index.search.lookup import Lookup
from toolpost.limits import SNIPPET_CHARS
from toolpost.workspace.walking.within import Hit, Run, cut_around

Found = tuple[int, Run | None]
"""The last file of a run; without one it only says how far the search came."""


class Sought(Struct, frozen=True):
    """A pattern, and where and how it is looked for."""

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


def hits(sought: Sought, begin: int, end: int) -> Iterator[Found]:
    """Those of the files from `begin` to before `end`."""
    lookup, facts = sought.lookup, sought.shown.ground.facts
    first, last = facts.starts[begin], facts.starts[end]
    file = _File(sought, first)
    room = max(len(sought.literal) - 1, 0)  # what begins in a region may end behind it
    scanned = 0
    for low, high in lookup.lines(first, last):
        at = max(low, file.reached)
        while at < high:
            stop = lookup.finder.cut(at, high)
            yield from file.through(at, min(stop + room, last))
            if file.goes_on >= 0:
                yield from _many().many_hits(sought, file.goes_on, end)
                return
            scanned += stop - at
            if stop < high or scanned >= SCAN_WINDOW_BYTES:
                scanned, done = 0, min(facts.at(stop), end) - 1
                if done >= begin:
                    yield from file.told(done)
            at = max(stop, file.reached)
    yield from file.rest()


_MANY = "toolpost.index.search.many"


def _many() -> Any:
    """Its module needs numpy, which takes longer to import than most searches do."""
    return import_module(_MANY)


def snippet_of(raw: bytes, at: int) -> tuple[str, int]:
    """A line and the column of a place in it, for lines that are long or not ASCII."""
    line, column = raw.decode("utf-8", "replace").removesuffix("\r"), len(raw[:at].decode("utf-8", "replace"))
    return cut_around(line, column), column + 1


class _File:
    """The file that is being looked through, and what it and those before it gave since the last run."""

    def __init__(self, sought: Sought, begin: int) -> None:
        self._facts = sought.shown.ground.facts
        self._base = sought.shown.ground.snapshot.base
        self._next = sought.lookup.next
        self._sought = sought
        self._limit = sought.limit
        self._run_hits = HITS_FOR_MANY_AGAIN if _MANY in sys.modules else HITS_FOR_MANY
        """Hits of a run, about; so many may be the first of very many."""
        self._may_be_many = sought.limit >= HITS_WANTED and sought.lookup.is_literal
        self._begun, self._sum = begin, 0
        """Where it began to be counted how many hits there are."""
        self.goes_on = -1
        """The file from which on there are."""
        self._hits: list[Hit] = []
        self._more: dict[str, int] = {}
        self._given = 0
        """Hits of runs before."""
        self._is_due = False
        """The run ends with the file: it is time to look at the clock."""
        self._doc = -1
        """How many of the other files come before."""
        self._number = -1
        self._name: str | None = None
        self._room = 0
        """Hits the file may still give."""
        self._end = 0
        self._line, self._counted = 0, 0
        """The line that begins at that place of the whole text."""
        self.reached = 0
        """Up to where nothing more is to be found: behind the last line given, or a file that gives no more."""

    def rest(self) -> Iterator[Found]:
        """The last run."""
        if self._hits:
            yield self._number, self._run()

    def told(self, number: int) -> Iterator[Found]:
        """That all files up to that one are done; if another is not, as soon as it is."""
        self._is_due = bool(self._hits) and self._number > number
        if not self._is_due:
            yield from self.rest()
            yield number, None

    def _run(self) -> Run:
        made = Run(self._hits, self._more)
        self._given += len(made.hits)
        self._sum += len(made.hits)
        self._hits, self._more, self._is_due = [], {}, False
        return made

    def through(self, begin: int, end: int) -> Iterator[Found]:
        """All of a region, in which matches may begin."""
        at = self._next(begin, end)
        while at >= 0:
            if at >= self._end:
                number = bisect_right(self._facts.starts, at, self._number + 1) - 1
                if self._hits and self._ends(number):
                    yield self._number, self._run()
                    if self._may_be_many and self._sum >= self._run_hits and self._is_dense(at):
                        self.goes_on = number
                        return
                self._begin(number)
            if self._room:
                at = self._gather(at, end)
                if self._given + len(self._hits) > self._limit:  # the page is full, and ends within the run
                    yield self._number, self._run()
                continue
            if self._name is not None:
                self._leave_out(at)
            self.reached = self._end
            at = self._next(self._end, end)

    def _ends(self, number: int) -> bool:
        """Whether a run ends before a file."""
        if self._is_due or len(self._hits) >= self._run_hits:
            return True
        docs = self._sought.docs
        return bool(docs) and bisect_left(docs, self._base.path(number)) > self._doc

    def _is_dense(self, at: int) -> bool:
        """Whether the hits before that place are close to each other; asked again after as many."""
        is_dense = at - self._begun < self._sum * HITS_APART_BYTES
        self._begun, self._sum = at, 0
        return is_dense

    def _begin(self, number: int) -> None:
        starts, docs = self._facts.starts, self._sought.docs
        self._number, self._end = number, starts[number + 1]
        if docs:
            self._doc = bisect_left(docs, self._base.path(number))
        self._name = self._sought.shown.name(number)
        self._room = 0 if self._name is None else self._sought.per_file
        self._line, self._counted = 1, starts[number]

    def _gather(self, at: int, end: int) -> int:
        """Hits of the file in a region; and where the pattern matches next, in it or in another, or -1."""
        facts, following = self._facts, self._next
        find, rfind, count = facts.letters.find, facts.letters.rfind, facts.letters.count
        view, check = facts.text.view, facts.text.check
        name, add, before = self._name or "", self._hits.append, len(self._hits)
        line, counted, stop, size = self._line, self._counted, at, self._end
        for _ in range(min(self._room, self._limit + 1 - self._given - before)):
            low, stop = rfind(b"\n", 0, at) + 1, find(b"\n", at)
            check(low, stop)
            if low - counted > LINES_STRIDE_BYTES:
                line = facts.lines_before(self._number, low) + 1
            else:
                line += count(b"\n", counted, low)
            counted = low
            raw = bytes(view[low:stop])
            if stop - low > SNIPPET_CHARS or not raw.isascii() or raw[-1:] == b"\r":
                snippet, column = snippet_of(raw, at - low)
            else:
                snippet, column = raw.decode("ascii"), at - low + 1
            add(Hit(name, line, column, snippet))
            at = following(stop + 1, end)
            if not 0 <= at < size:
                break
        self._room -= len(self._hits) - before
        self._line, self._counted, self.reached = line, counted, stop + 1
        return at

    def _leave_out(self, at: int) -> None:
        """Count the lines of the file that match, from one on."""
        find, lines, end = self._facts.letters.find, 0, self._end
        self._facts.text.check(at, end)
        while at >= 0:
            lines += 1
            at = self._next(find(b"\n", at) + 1, end)
        self._more[self._name or ""] = lines
