"""Very many lines with a literal, as hits: found stretch by stretch, a stretch being the text of many files.

Places come from the finder, all else by numpy: 1 us a hit, where one after the other it is 3. Where the lines of a
stretch begin is kept once it is known, in four bytes each. Only who wants very many hits imports this.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, repeat
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from toolpost.index.limits import HITS_PATHS_KEPT, LINE_BEGINS_KEPT, SLICE_APART_BYTES, STRETCH_BYTES
from toolpost.index.search.facts import Facts
from toolpost.index.search.hits import Sought, snippet_of
from toolpost.limits import SNIPPET_CHARS
from toolpost.workspace.walking.within import Hit, Run

Numbers = NDArray[Any]
_RETURN = 13
_known: WeakKeyDictionary[Facts, dict[int, Numbers]] = WeakKeyDictionary()
_known_paths: WeakKeyDictionary[Facts, dict[int, list[str]]] = WeakKeyDictionary()


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
    """Of the files that have lines to show, or would have; of those that are not shown it is empty."""
    counts: list[int]
    hits: list[Hit]
    more: dict[str, int]


def many_hits(sought: Sought, begin: int, end: int) -> Iterator[tuple[int, Run]]:
    """Runs of the files from `begin` to before `end` that have hits, each with the last of them."""
    facts = sought.shown.ground.facts
    low, high = facts.starts[begin], facts.starts[end]
    looking = _Looking(sought, low, high)
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
    def __init__(self, sought: Sought, begin: int, high: int) -> None:
        self._sought = sought
        self._facts = sought.shown.ground.facts
        self._high = high
        self._size = len(sought.literal)
        self._gaps: list[int] = []
        self._begin = self._reached = begin
        """Where the first gap begins, and behind the last literal found."""

    def through(self, begin: int, end: int) -> None:
        stop = min(end + self._size - 1, self._high)
        self._facts.text.check(begin, stop)
        *gaps, rest = self._sought.lookup.finder.gaps(begin, stop)
        if gaps:
            gaps[0] += begin - self._reached
            self._reached = stop - rest
            self._gaps += gaps

    def runs(self, stretch: Stretch) -> Iterator[tuple[int, Run]]:
        """Of what was found since the last time."""
        if not self._gaps:
            return
        places = np.cumsum(np.array(self._gaps) + self._size) + (self._begin - self._size - stretch.begin)
        self._gaps, self._begin = [], self._reached
        found = _Lines(self._facts, stretch, places).found(self._sought)
        if found.hits:
            yield from _parted(found, self._sought)


class _Lines:
    """The lines of a stretch that hold the literal, each once; places are counted from the begin of the stretch."""

    def __init__(self, facts: Facts, stretch: Stretch, places: Numbers) -> None:
        self._stretch = stretch
        self._text = facts.text.view[stretch.begin : stretch.end]
        self._begins = _begins(facts, stretch)
        every = places.astype(np.uint32)
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
        names = sought.shown.names(numbers, self._stretch.first, _paths(sought, self._stretch))
        counts = np.diff(self._heads, append=len(self.places))
        given = np.minimum(counts, sought.per_file)
        if None in names:
            given[[at for at, name in enumerate(names) if name is None]] = 0
        is_left = given < counts
        places, lines, before = self.places, self._lines, np.repeat(self._before, counts)
        if is_left.any():
            kept = np.repeat(given, counts) > np.arange(len(places)) - np.repeat(self._heads, counts)
            places, lines, before = places[kept], lines[kept], before[kept]
        columns, snippets = self._shown(places, lines)
        each: list[int] = given.tolist()
        paths = [name or "" for name in names] if None in names else cast("list[str]", names)
        numbered: list[int] = (lines - before + 1).tolist()
        hits = map(Hit, chain.from_iterable(map(repeat, paths, each)), numbered, columns, snippets)
        left: list[int] = np.flatnonzero(is_left & (given > 0)).tolist()
        return Found(
            numbers=numbers,
            names=paths,
            counts=each,
            hits=list(hits),
            more={paths[at]: int(counts[at] - given[at]) for at in left},
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
        text, first, last = self._text, int(lows[0]), int(stops[-1])
        if last - first > SLICE_APART_BYTES * len(lows):
            spans = zip(lows.tolist(), stops.tolist(), strict=True)
            return [text[low:stop].tobytes().decode("latin-1") for low, stop in spans]
        decoded = str(text[first:last], "latin-1")
        spans = zip((lows - first).tolist(), (stops - first).tolist(), strict=True)
        return [decoded[low:stop] for low, stop in spans]


def _is_other(numbers: Numbers) -> Numbers:
    """Which of them differ from the one before."""
    found = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=found[1:])
    return found


def _paths(sought: Sought, stretch: Stretch) -> list[str]:
    """Those of a stretch, as text."""
    ground = sought.shown.ground
    known = _known_paths.setdefault(ground.facts, {})
    paths = known.get(stretch.first)
    if paths is None:
        raw = b"\0".join(ground.snapshot.base.paths(stretch.first, stretch.after))
        paths = raw.decode("utf-8", "surrogateescape").split("\0")
        if sum(map(len, list(known.values()))) + len(paths) <= HITS_PATHS_KEPT:
            known[stretch.first] = paths
    return paths


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
