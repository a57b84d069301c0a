"""Very many lines with a literal, as hits: found stretch by stretch, a stretch being the text of many files.

Places come from the finder, all else by numpy: 1 us a hit, where one after the other it is 3. Where the lines of a
stretch begin is kept once it is known, in four bytes each. Only who wants very many hits imports this.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, repeat
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from toolpost.index.search.facts import Facts
from toolpost.index.search.literal import Sought, snippet_of
from toolpost.limits import LINE_BEGINS_KEPT, SLICE_APART_BYTES, SNIPPET_CHARS, STRETCH_BYTES
from toolpost.workspace.walking.within import Hit, Run

Numbers = NDArray[Any]
_RETURN = 13
_known: WeakKeyDictionary[Facts, dict[int, Numbers]] = WeakKeyDictionary()


class Stretch(Struct, frozen=True):
    first: int
    after: int
    """Its files."""
    begin: int
    end: int
    """Of their text."""


class Found(Struct, frozen=True):
    """What the files of a stretch give."""

    numbers: list[int]
    names: list[str]
    """Of the files that have hits."""
    counts: list[int]
    hits: list[Hit]
    more: dict[str, int]


def many_hits(sought: Sought, begin: int, end: int) -> Iterator[tuple[int, Run]]:
    """Runs of the files from `begin` to before `end` that have hits, each with the last of them."""
    facts = sought.shown.ground.facts
    low, high = facts.starts[begin], facts.starts[end]
    looking = _Looking(sought, high)
    stretch = Stretch(0, 0, 0, 0)
    for region in sought.lookup.regions(low, high):
        at, stop = max(region[0], low), min(region[1], high)
        while at < stop:
            if at >= stretch.end:
                yield from looking.runs(stretch)
                stretch = stretch_of(facts.starts, facts.at(at))
            looking.through(at, min(stop, stretch.end))
            at = stretch.end
    yield from looking.runs(stretch)


def stretch_of(starts: Sequence[int], number: int) -> Stretch:
    """The one a file belongs to, always the same: its files begin in the same STRETCH_BYTES of the text."""
    low = starts[number] - starts[number] % STRETCH_BYTES
    first = bisect_left(starts, low)
    after = bisect_left(starts, low + STRETCH_BYTES, first, len(starts) - 1)
    return Stretch(first, after, starts[first], starts[after])


class _Looking:
    def __init__(self, sought: Sought, high: int) -> None:
        self._sought = sought
        self._facts = sought.shown.ground.facts
        self._high = high
        self._room = len(sought.literal) - 1
        self._places: list[int] = []
        self._once = self._room < _OFTEN
        """Whether lines are likely to hold it several times."""

    def through(self, begin: int, end: int) -> None:
        stop = min(end + self._room, self._high)
        self._facts.text.check(begin, stop)
        self._places += self._sought.lookup.finder.places(begin, stop, once=self._once)

    def runs(self, stretch: Stretch) -> Iterator[tuple[int, Run]]:
        """Of what was found since the last time."""
        if not self._places:
            return
        places, self._places = self._places, []
        lines = _Lines(self._facts, stretch, places)
        self._once = len(places) > _OFTEN * len(lines.places)
        found = lines.found(self._sought)
        if found.hits:
            yield from _parted(found, self._sought)


_OFTEN = 2


class _Lines:
    """The lines of a stretch that hold the literal, each once; places are counted from the begin of the stretch."""

    def __init__(self, facts: Facts, stretch: Stretch, places: list[int]) -> None:
        self._stretch = stretch
        self._text = facts.text.view[stretch.begin : stretch.end]
        self._begins = _begins(facts, stretch)
        every = (np.array(places) - stretch.begin).astype(np.uint32)
        lines = self._begins.searchsorted(every, "right") - 1
        is_first = _is_other(lines)
        self.places: Numbers = every[is_first]
        self._lines: Numbers = lines[is_first]
        starts = np.frombuffer(facts.starts[stretch.first : stretch.after + 1], np.uint64) - stretch.begin
        files = starts.searchsorted(self.places, "right") - 1
        self._heads = np.flatnonzero(_is_other(files))
        """The first line of every file."""
        self._files = files[self._heads]
        self._before = self._begins.searchsorted(starts[self._files].astype(np.uint32))
        """Lines of the stretch before each file."""

    def found(self, sought: Sought) -> Found:
        numbers: list[int] = (self._files + self._stretch.first).tolist()
        names = sought.shown.names(numbers)
        counts = np.diff(self._heads, append=len(self.places))
        given = np.minimum(counts, sought.per_file)
        given[[at for at, name in enumerate(names) if name is None]] = 0
        kept = np.repeat(given, counts) > np.arange(len(self.places)) - np.repeat(self._heads, counts)
        numbered = (self._lines - np.repeat(self._before, counts))[kept] + 1
        columns, snippets = self._shown(self.places[kept], self._lines[kept])
        all_given, left = given.tolist(), (counts - given).tolist()
        shown = [at for at, name in enumerate(names) if name is not None]
        paths = [name for name in names if name is not None]
        each = [all_given[at] for at in shown]
        hits = map(Hit, chain.from_iterable(map(repeat, paths, each)), numbered.tolist(), columns, snippets)
        return Found(
            numbers=[numbers[at] for at in shown],
            names=paths,
            counts=each,
            hits=list(hits),
            more={path: left[at] for path, at in zip(paths, shown, strict=True) if left[at]},
        )

    def _shown(self, places: Numbers, lines: Numbers) -> tuple[list[int], list[str]]:
        """Columns and snippets: as bytes, and then those that are long or not ASCII as they are to be."""
        if not len(lines):
            return [], []
        lows, stops = self._begins[lines], self._begins[lines + 1] - 1
        columns: list[int] = (places - lows + 1).tolist()
        snippets = self._slices(lows, stops)
        letters = np.frombuffer(self._text, np.uint8)
        is_odd = (stops - lows > SNIPPET_CHARS) | (letters[stops - 1] == _RETURN)
        is_odd |= ~np.fromiter(map(str.isascii, snippets), np.bool_, len(snippets))
        for at in np.flatnonzero(is_odd).tolist():
            snippets[at], columns[at] = snippet_of(snippets[at].encode("latin-1"), columns[at] - 1)
        return columns, snippets

    def _slices(self, lows: Numbers, stops: Numbers) -> list[str]:
        """Cut from the text decoded at once, unless that is much more than is shown."""
        first, last = int(lows[0]), int(stops[-1])
        if last - first > SLICE_APART_BYTES * len(lows):
            text = self._text
            return [
                str(text[low:stop], "latin-1")
                for low, stop in zip(lows.tolist(), stops.tolist(), strict=True)
            ]
        decoded = str(self._text[first:last], "latin-1")
        return list(map(decoded.__getitem__, map(slice, (lows - first).tolist(), (stops - first).tolist())))


def _is_other(numbers: Numbers) -> Numbers:
    """Which of them differ from the one before."""
    found = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=found[1:])
    return found


def _begins(facts: Facts, stretch: Stretch) -> Numbers:
    """Where its lines begin, and at the end where the last one ends."""
    known = _known.setdefault(facts, {})
    begins = known.get(stretch.first)
    if begins is None:
        facts.text.check(stretch.begin, stretch.end)
        ends = np.flatnonzero(
            np.frombuffer(facts.text.view[stretch.begin : stretch.end], np.uint8) == _LINE_END
        )
        begins = np.zeros(len(ends) + 1, np.uint32)
        begins[1:] = ends + 1
        if sum(map(len, list(known.values()))) + len(begins) <= LINE_BEGINS_KEPT:
            known[stretch.first] = begins
    return begins


_LINE_END = 10


def _parted(found: Found, sought: Sought) -> Iterator[tuple[int, Run]]:
    """In runs that end where other files come between."""
    base, numbers = sought.shown.ground.snapshot.base, found.numbers
    low = bisect_left(sought.docs, base.path(numbers[0]))
    high = bisect_left(sought.docs, base.path(numbers[-1]))
    if low == high:
        yield numbers[-1], Run(found.hits, found.more)
        return
    cuts = {bisect_left(numbers, base.span(path)[0]) for path in sought.docs[low:high]}
    ends = list(accumulate(found.counts, initial=0))
    begin = 0
    for cut in sorted(cuts | {len(numbers)}):
        more = {name: found.more[name] for name in found.names[begin:cut] if name in found.more}
        if begin < cut:
            yield numbers[cut - 1], Run(found.hits[ends[begin] : ends[cut]], more)
        begin = cut
