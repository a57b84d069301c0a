"""Files by a name nobody exports: names with a word that only begins so, or spelled nearly so."""

from collections.abc import Callable, Iterable, Iterator

from toolpost.index.ask.order import FILE, Listed, Matches, Stretch, ranked
from toolpost.index.limits import NAME_FUZZY_CHARS, NAME_LOOSE
from toolpost.index.model import Doc
from toolpost.index.names.claims import PASSED_ON, claims
from toolpost.index.names.lookup import Names, names_of
from toolpost.index.names.near import is_near, near
from toolpost.index.names.tables import RANK_BITS
from toolpost.index.names.words import WHOLE, key, runs
from toolpost.index.snapshot import Snapshot

PARTIAL, FUZZY = 3, 4
"""Stages after those of `exports`."""
_PART = 2
"""The rank of a file whose name only holds what was found."""

Ranges = list[tuple[int, int]]
"""Keys, each range without its end."""


def partial(snapshot: Snapshot, name: str) -> Matches:
    """By runs of words that begin with the key; names that begin so first."""
    sought = key(name)
    ranges, cut = _bounded(names_of(snapshot.base), [names_of(snapshot.base).keys.beginning(sought)])
    found = _matching(snapshot, PARTIAL, ranges, lambda run: run.startswith(sought))
    note = f"No export is called {name!r}; these names have a part that begins so."
    more = " There are more: give more of the name." if cut else ""
    return Matches(found.total, found.stretches, found.ranked, note + more)


def fuzzy(snapshot: Snapshot, name: str) -> Matches:
    """By runs one slip away from the key."""
    sought, names = key(name), names_of(snapshot.base)
    if len(sought) < NAME_FUZZY_CHARS:
        return Matches(0, (), [], f"No export is called {name!r}.")
    numbers = near(names.keys, sought)
    ranges, _ = _bounded(names, [(number, number + 1) for number in numbers])
    found = _matching(snapshot, FUZZY, ranges, lambda run: is_near(run, sought))
    note = f"No export is called {name!r}" + ("; these are spelled nearly so." if found.total else ".")
    return Matches(found.total, found.stretches, found.ranked, note)


def _matching(snapshot: Snapshot, stage: int, ranges: Ranges, accepts: Callable[[str], bool]) -> Matches:
    entries = _entries(names_of(snapshot.base), ranges, snapshot.gone)
    changed = ranked((stage, "", rank, doc) for rank, doc in _ranks(snapshot.docs, accepts))
    return Matches(len(entries) + len(changed), (Stretch(stage, Listed(entries)),), changed)


def _entries(names: Names, ranges: Ranges, gone: frozenset[int]) -> list[int]:
    """Each file once, by its best rank: a name of its own, one it passes on, a part of any."""
    found: list[int] = []
    for low, high in ranges:
        wholes, parts = names.exporting(*names.spelled(low, high)), names.containing(low, high)
        found += [
            (entry >> RANK_BITS == PASSED_ON) << RANK_BITS | entry & FILE
            for entry in wholes.take(0, len(wholes))
        ]
        found += [_PART << RANK_BITS | entry & FILE for entry in parts.take(0, len(parts))]
    best: dict[int, int] = {}
    for entry in sorted(found):
        best.setdefault(entry & FILE, entry)
    return [entry for number, entry in best.items() if number not in gone]


def _bounded(names: Names, ranges: Ranges) -> tuple[Ranges, bool]:
    """As many of the keys as have NAME_LOOSE files, and whether some were left out."""
    kept: Ranges = []
    left = NAME_LOOSE
    for low, high in ranges:
        end = high
        while low < end and _weight(names, low, end) > left:
            end = low + (end - low) // 2
        if low < end:
            kept.append((low, end))
            left -= _weight(names, low, end)
        if end < high:
            return kept, True
    return kept, False


def _weight(names: Names, low: int, high: int) -> int:
    return len(names.exporting(*names.spelled(low, high))) + len(names.containing(low, high))


def _ranks(docs: Iterable[Doc], accepts: Callable[[str], bool]) -> Iterator[tuple[int, Doc]]:
    for doc in docs:
        found = [
            (claim == PASSED_ON) if how == WHOLE else _PART
            for name, claim in claims(doc.exports)
            for run, how in runs(name).items()
            if accepts(run)
        ]
        if found:
            yield min(found), doc
