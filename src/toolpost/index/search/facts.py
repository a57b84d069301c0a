"""What searches need to know of a base beside its text, found out when first asked and kept while it is open."""

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from weakref import WeakKeyDictionary

from msgspec import Struct

from toolpost.index.disk.mapped import Base
from toolpost.index.limits import LINES_STRIDE_BYTES
from toolpost.index.search.candidates import Candidates
from toolpost.index.search.lines import letters_of
from toolpost.limits import PATTERN_PIECE_BYTES, PATTERN_WORK
from toolpost.workspace.guard import Guard
from toolpost.workspace.walking.patterns import Pattern


class Special(Struct, frozen=True):
    ids: Sequence[int] = ()
    whole: frozenset[int] = frozenset()
    """Those of them that are not even looked at in parts."""


_NONE = Special()


class Facts:
    def __init__(self, base: Base) -> None:
        self.text = base.text
        self.starts = base.starts
        self.size = base.starts[base.count]
        self.letters = letters_of(base.text.view)
        """The text for those who search it: not a copy."""
        self.candidates = None if base.trigrams is None else Candidates(base.trigrams, self.size)
        self._wide = base.wide
        self._no_newline = frozenset(base.no_newline)
        self._lines: dict[int, array[int]] = {}
        self._hidden: dict[Guard, bytearray] = {}

    def read(self, number: int) -> bytes:
        """A file's text as the file has it."""
        end = self.starts[number + 1] - (number in self._no_newline)
        return self.text.read(self.starts[number], end)

    def part(self, number: int, begin: int, end: int) -> bytes:
        """From one place of the text to another, both within a file; without the line end the file has not."""
        if end == self.starts[number + 1]:
            end -= number in self._no_newline
        return self.text.read(begin, end)

    def lines_before(self, number: int, offset: int) -> int:
        """Line ends of a file before a place in it. Of a large one they are counted once, and some kept."""
        start = self.starts[number]
        if offset - start <= LINES_STRIDE_BYTES:
            return self.letters.count(b"\n", start, offset)
        known = self._lines.get(number)
        if known is None:
            ends = range(start, self.starts[number + 1], LINES_STRIDE_BYTES)
            counts = (self.letters.count(b"\n", at, at + LINES_STRIDE_BYTES) for at in ends)
            known = self._lines[number] = array("I", accumulate(counts, initial=0))
        whole = (offset - start) // LINES_STRIDE_BYTES
        return known[whole] + self.letters.count(b"\n", start + whole * LINES_STRIDE_BYTES, offset)

    def told(self, guard: Guard) -> bytearray:
        """What a guard has said of every file: 1 for those it shows, 2 for those it hides, 0 where it was not asked."""
        known = self._hidden.get(guard)
        if known is None:
            known = self._hidden[guard] = bytearray(len(self.starts))
        return known

    def hides(self, guard: Guard, number: int, path: bytes) -> bool:
        """Whether a root's guard hides a file, asked of it once."""
        told = self.told(guard)
        if not told[number]:
            told[number] = 1 + guard.hides(path.decode("utf-8", "surrogateescape"))
        return told[number] == 2

    def at(self, offset: int) -> int:
        """The file whose text is there."""
        return bisect_right(self.starts, offset) - 1

    def special(self, pattern: Pattern) -> "Special":
        """Files this pattern is to be looked for in by itself: what RE2 finds in the text as it is, is not all."""
        most = PATTERN_WORK // max(pattern.size, 1)
        large = frozenset(number for number, size in self._large if size > most)
        if not pattern.needs_plain_ends and not large:
            return Special(self._wide) if pattern.is_sensitive else _NONE
        returns = self._returns if pattern.needs_plain_ends else ()
        wide = self._wide if pattern.is_sensitive else ()
        whole = large.union(returns)
        return Special(sorted(whole.union(wide)), whole)

    @cached_property
    def _returns(self) -> list[int]:
        r"""Files with lines that end in `\r\n`."""
        found: list[int] = []
        at = self.letters.find(b"\r\n")
        while at >= 0:
            found.append(self.at(at))
            at = self.letters.find(b"\r\n", self.starts[found[-1] + 1])
        return found

    @cached_property
    def _large(self) -> list[tuple[int, int]]:
        """Files large enough for some pattern to take too long, with their sizes."""
        starts = self.starts
        sizes = ((number, starts[number + 1] - starts[number]) for number in range(len(starts) - 1))
        return [found for found in sizes if found[1] > PATTERN_PIECE_BYTES]


_known: WeakKeyDictionary[Base, Facts] = WeakKeyDictionary()


def facts_of(base: Base) -> Facts:
    found = _known.get(base)
    if found is None:
        found = _known[base] = Facts(base)
    return found
