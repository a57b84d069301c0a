"""One order for what a base and what changed files answer, and a page of it.

Files stand by stage (how well they match), then spelling, then rank, then path. Of the base that order is
written down already: each stretch is a list of numbers with ranks in their highest bits. A page takes from
them what it needs, leaves out files that are gone, and puts changed ones where they belong.
"""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from operator import itemgetter
from typing import Protocol

from msgspec import Struct

from toolpost.index.limits import QUERY_TAKEN
from toolpost.index.model import Doc
from toolpost.index.names.tables import RANK_BITS
from toolpost.index.names.texts import Entries
from toolpost.index.places import place_of as base_place
from toolpost.index.snapshot import Snapshot, key

FILE = (1 << RANK_BITS) - 1
"""The bits of an entry that are the file's number."""


class Ascending(Protocol):
    def __len__(self) -> int: ...

    def place(self, number: int, /) -> int:
        """How many are less."""
        ...

    def take(self, begin: int, count: int, /) -> list[int]: ...


class Listed(Struct, frozen=True):
    """Entries in memory."""

    entries: Sequence[int]

    def __len__(self) -> int:
        return len(self.entries)

    def place(self, number: int) -> int:
        low, high = 0, len(self.entries)
        while low < high:
            middle = (low + high) >> 1
            if self.entries[middle] < number:
                low = middle + 1
            else:
                high = middle
        return low

    def take(self, begin: int, count: int) -> list[int]:
        return list(self.entries[begin : begin + count])


class Stretch(Struct, frozen=True):
    """Files of the base that match equally well, but for their ranks."""

    stage: int
    entries: Ascending
    spelling: str = ""
    earlier: tuple[Entries, ...] = ()
    """Lists whose files were given before: those are left out."""


class Place(Struct, frozen=True, order=True):
    """Where a file stands in the order of an answer."""

    stage: int
    spelling: str
    rank: int
    path: bytes


Ranked = tuple[int, str, int, Doc]
"""A changed file that matches: stage, spelling, rank and the file."""


class Matches(Struct, frozen=True):
    total: int
    stretches: Iterable[Stretch]
    ranked: list[Ranked]
    """In the order of their places."""
    note: str = ""


class Item(Struct, frozen=True, gc=False):
    """A file of an answer: a number in the base, or a changed file."""

    stage: int
    spelling: str
    entry: int
    doc: Doc | None = None


def page(snapshot: Snapshot, matches: Matches, after: Place | None, count: int) -> list[Item]:
    """The first so many that come after a place."""
    items: list[Item] = []
    docs = matches.ranked
    if after is not None:
        docs = [one for one in docs if Place(*one[:3], key(one[3])) > after]
    for stretch in _stretches(matches, docs):
        here = (stretch.stage, stretch.spelling)
        if after is not None and here < (after.stage, after.spelling):
            continue
        since = after if after is not None and here == (after.stage, after.spelling) else None
        items += _within(snapshot, stretch, docs, since, count - len(items))
        if len(items) >= count:
            break
    return items


def place_of(snapshot: Snapshot, item: Item) -> Place:
    path = snapshot.base.path(item.entry & FILE) if item.doc is None else key(item.doc)
    return Place(item.stage, item.spelling, item.entry >> RANK_BITS, path)


def ranked(found: Iterable[Ranked]) -> list[Ranked]:
    """Sorted, where they come in the order of their paths, as those of a snapshot do."""
    return sorted(found, key=itemgetter(0, 1, 2))


def _stretches(matches: Matches, docs: list[Ranked]) -> Iterator[Stretch]:
    """Those of the base, and between them one for each spelling that only changed files have."""
    if not docs:
        yield from matches.stretches
        return
    alone = sorted({one[:2] for one in docs}, reverse=True)
    for stretch in matches.stretches:
        here = (stretch.stage, stretch.spelling)
        while alone and alone[-1] < here:
            yield _empty(alone.pop())
        if alone and alone[-1] == here:
            alone.pop()
        yield stretch
    while alone:
        yield _empty(alone.pop())


def _empty(where: tuple[int, str]) -> Stretch:
    return Stretch(where[0], Listed(()), where[1])


def _within(
    snapshot: Snapshot, stretch: Stretch, docs: list[Ranked], since: Place | None, count: int
) -> list[Item]:
    stage, spelling = stretch.stage, stretch.spelling
    entries = _living(snapshot, stretch, since, count)
    items = [Item(stage, spelling, entry) for entry in entries]
    if docs:
        last = entries[-1] if len(entries) == count else None
        items += islice(_changed(snapshot, stretch, docs, last), count)
        items.sort(key=_by_entry)  # stable: changed files of one place stay in the order of their paths
    return items[:count]


def _by_entry(item: Item) -> tuple[int, bool]:
    return item.entry, item.doc is None


def _changed(snapshot: Snapshot, stretch: Stretch, docs: list[Ranked], last: int | None) -> Iterator[Item]:
    """Each by the number in the base it would stand before; none that comes after the last one wanted."""
    where = (stretch.stage, stretch.spelling)
    for _, _, rank, doc in (one for one in docs if one[:2] == where):
        entry = rank << RANK_BITS | base_place(snapshot.base, key(doc))
        if last is not None and entry > last:
            return
        yield Item(*where, entry, doc)


def _living(snapshot: Snapshot, stretch: Stretch, since: Place | None, count: int) -> list[int]:
    """The first so many entries that are not gone and were not given before."""
    at = stretch.entries.place(_beyond(snapshot, since)) if since is not None else 0
    gone, earlier = snapshot.gone, stretch.earlier
    if not gone and not earlier:
        return stretch.entries.take(at, count)
    living: list[int] = []
    while len(living) < count and at < len(stretch.entries):
        taken = stretch.entries.take(at, max(count, QUERY_TAKEN))
        at += len(taken)
        living += [entry for entry in taken if entry & FILE not in gone and not is_in(earlier, entry & FILE)]
    return living[:count]


def _beyond(snapshot: Snapshot, since: Place) -> int:
    """The least entry that comes after a place."""
    number = snapshot.base.span(since.path)[0]
    is_there = number < snapshot.base.count and snapshot.base.path(number) == since.path
    return (since.rank << RANK_BITS | number) + is_there


def is_in(lists: Sequence[Entries], number: int) -> bool:
    """Whether a file is in one of the lists, with whatever rank."""
    return any(rank << RANK_BITS | number in entries for entries in lists for rank in range(_RANKS))


def gone_from(lists: Iterable[Entries], gone: frozenset[int]) -> int:
    """How many of the files that are gone are in the lists, each counted once."""
    found: set[int] = set()
    for entries in lists:
        found |= _among(entries, gone)
    return len(found)


_RANKS = 4
_SCANNED = 4
"""Entries looked at in the time one is looked up."""


def _among(entries: Entries, gone: frozenset[int]) -> AbstractSet[int]:
    if len(entries) <= _SCANNED * len(gone):
        return gone.intersection([entry & FILE for entry in entries.take(0, len(entries))])
    entries.check()
    found: set[int] = set()
    for rank in range(_RANKS):
        one = entries.between(rank << RANK_BITS, (rank + 1) << RANK_BITS)
        if len(one):
            found.update(number for number in gone if rank << RANK_BITS | number in one)
    return found
