"""The files a pattern can match in, in their order, each with the parts of it where that can be."""

from bisect import bisect_left
from collections.abc import Callable, Iterator

from toolpost.index import kernel
from toolpost.index.limits import SMALL_FILE_BYTES
from toolpost.index.search.facts import Facts
from toolpost.index.search.needles import needles
from toolpost.limits import PATTERN_PIECE_BYTES, PATTERN_WORK
from toolpost.workspace.walking.patterns import Pattern
from toolpost.workspace.walking.within import Piece

Found = tuple[int, tuple[Piece, ...] | None]
"""A file and its parts; None for all of it, none at all for a file that only says how far the search came."""


class Lookup:
    """One pattern in one base."""

    def __init__(self, facts: Facts, pattern: Pattern) -> None:
        self._facts = facts
        self._starts = facts.starts
        self.pattern = pattern
        self.finder = kernel.finder(facts.text.view, pattern)
        special = facts.special(pattern)
        self._whole = special.whole
        self._special = () if self.finder.knows_width and not self._whole else special.ids
        self.is_literal = pattern.literal is not None
        self._is_heavy = pattern.crosses_lines or pattern.size * PATTERN_PIECE_BYTES > PATTERN_WORK
        self.is_by_line = self.is_literal or not (self._is_heavy or self._whole)
        """Lines match or do not, whatever stands around them, and no file is to be looked at by itself."""
        self._room = len(pattern.literal or b"")
        self.next: Callable[[int, int], int] = self._exactly if self._special else self.finder.next
        """Where the first match in a region of whole lines begins, or -1."""
        self._is_sensitive = pattern.is_sensitive and self.finder.knows_width
        self._from, self._until, self._is_wide = 0, 0, False
        """A part of the text that is ASCII, or is not."""

    def files(self, begin: int, end: int) -> Iterator[Found]:
        """Those from one number to before another."""
        low, high = self._starts[begin], self._starts[end]
        if low == high:
            return iter(())
        if self._is_heavy:
            return self._whole_files(low, high)
        return self._found(low, high)

    def regions(self, low: int, high: int) -> Iterator[Piece]:
        candidates = self._facts.candidates
        wanted = None if candidates is None else needles(self.pattern)
        if candidates is None or wanted is None:
            return iter([(low, high)])
        crosses = self.pattern.crosses_lines
        return candidates.regions(wanted, low, high, crosses=crosses, joins=self.finder.is_fast)

    def _whole_files(self, low: int, high: int) -> Iterator[Found]:
        for begin, end in self.regions(low, high):
            while low < end:
                number = self._facts.at(max(begin, low))
                low = self._starts[number + 1]
                yield number, None

    def lines(self, low: int, high: int) -> Iterator[Piece]:
        """Regions of whole lines, none overlapping the one before; of a literal those it begins in. All are checked."""
        done = low
        for region in self.regions(low, high):
            begin, end = self.finder.whole_lines(*region)
            begin, end = max(begin, done), min(end, high)
            if begin < end:
                self._facts.text.check(begin, min(end + self._room, self._facts.size))
                yield begin, end
                done = end

    def _found(self, low: int, high: int) -> Iterator[Found]:
        regions = self.lines(low, high)
        starts = self._starts
        first = self._facts.at(low)
        begin = end = low
        while True:
            if begin >= end:
                following = next(regions, None)
                if following is None:
                    return
                begin, end = max(begin, following[0]), following[1]
                continue
            at, reached = self._next(begin, end)
            if at < 0:
                begin = reached
                if reached < end and (number := self._facts.at(reached) - 1) >= first:
                    yield number, ()
                continue
            number = self._facts.at(at)
            stop = starts[number + 1]
            if stop - starts[number] <= SMALL_FILE_BYTES and number not in self._whole:
                low = at if self.is_literal else self._line(starts[number], at)
                yield number, ((low - starts[number], stop - starts[number]),)
                begin = stop
                continue
            parts = [(at, min(end, stop))]
            while end < stop:
                following = next(regions, None)
                if following is None:
                    begin = end = stop
                elif following[0] < stop:
                    begin, end = following
                    parts.append((begin, min(end, stop)))
                else:
                    begin, end = following
            yield number, None if number in self._whole else self._parts(number, parts)
            begin = max(begin, stop)

    def _exactly(self, begin: int, end: int) -> int:
        while begin < end:
            if not self._from <= begin < self._until:
                self._enter(begin)
            at, begin = self.finder.find(begin, min(end, self._until), is_wide=self._is_wide)
            if at >= 0:
                return at
        return -1

    def _enter(self, place: int) -> None:
        """The file there if it is not ASCII, else all up to the next one that is not."""
        number, special = self._facts.at(place), self._special
        at = bisect_left(special, number)
        following = special[at] if at < len(special) else len(self._starts) - 1
        self._is_wide = following == number
        self._from, self._until = place, self._starts[following + self._is_wide]

    def _next(self, begin: int, end: int) -> tuple[int, int]:
        """Where a file is to be looked at, or -1; and how far it was looked. A special one always is."""
        limit = end
        if self._special:
            at = bisect_left(self._special, self._facts.at(begin))
            if at < len(self._special):
                number = self._special[at]
                if self._starts[number] <= begin:
                    return self._in_special(number, begin, min(end, self._starts[number + 1]))
                limit = min(end, self._starts[number])
        found, reached = self.finder.find(begin, limit, is_wide=self._is_sensitive)
        return (found, reached) if found < limit else (-1, reached)

    def _in_special(self, number: int, begin: int, end: int) -> tuple[int, int]:
        if number in self._whole:
            return begin, end
        return self.finder.find(begin, end, is_wide=True)

    def _line(self, begin: int, at: int) -> int:
        """Where the line begins, in a file that begins there."""
        return max(self._facts.letters.rfind(b"\n", begin, at) + 1, begin)

    def _parts(self, number: int, parts: list[Piece]) -> tuple[Piece, ...]:
        """Counted from the begin of the file, at line ends."""
        base, stop = self._starts[number], self._starts[number + 1]
        letters = self._facts.letters
        made, done = [], base
        for begin, end in parts:
            low = max(self._line(base, begin), done)
            done = max(letters.find(b"\n", max(end, low + 1) - 1, stop) + 1 or stop, low)
            made.append((low - base, done - base))
        return tuple(made)
