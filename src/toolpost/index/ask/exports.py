"""Files by a name they export, as it is written or as a part of another.

Exactly so: first where it is defined, then where a default export is called so, then where it is passed on.
Then names of the same words in another spelling, names that begin with them, and names that hold them.
"""

from collections.abc import Iterable, Iterator

from toolpost.index.ask.changed import keys_of
from toolpost.index.ask.order import Matches, Ranked, Stretch, gone_from, ranked
from toolpost.index.model import Doc
from toolpost.index.names.claims import PASSED_ON, claims
from toolpost.index.names.lookup import Key, Names, names_of
from toolpost.index.names.texts import Entries
from toolpost.index.names.words import WHOLE, WITHIN, key, runs
from toolpost.index.snapshot import Snapshot

EXACT, RESPELLED, PART = range(3)
"""Stages, best first."""

Rank = tuple[int, str, int]


def exporting(snapshot: Snapshot, name: str) -> Matches:
    names, sought = names_of(snapshot.base), key(name)
    changed = ranked(_ranks(snapshot.docs, name, sought)) if snapshot.docs else []
    found = names.key(sought)
    if found is None:
        return Matches(len(changed), (), changed)
    total = found.total + len(changed)
    if snapshot.gone:
        spelled = [names.exporting(spelling, spelling + 1) for spelling in range(found.low, found.high)]
        total -= gone_from([*spelled, found.parts], snapshot.gone)
    return Matches(total, _stretches(names, found, name), changed)


def _stretches(names: Names, found: Key, name: str) -> Iterator[Stretch]:
    exact = names.spellings.find(name, found.low, found.high)
    given = [names.exporting(exact, exact + 1)] if exact >= 0 else []
    if exact >= 0:
        yield Stretch(EXACT, given[0])
    if found.high - found.low > len(given):
        yield from _respelled(names, found, exact, given)
    if len(found.parts):
        yield Stretch(PART, found.parts)


def _respelled(names: Names, found: Key, exact: int, given: list[Entries]) -> Iterator[Stretch]:
    is_once = len(names.exporting(found.low, found.high)) == found.total - len(found.parts)
    for spelling in range(found.low, found.high):
        if spelling != exact:
            entries = names.exporting(spelling, spelling + 1)
            earlier = () if is_once else tuple(given)  # some file has two spellings
            yield Stretch(RESPELLED, entries, names.spellings.at(spelling), earlier)
            given.append(entries)


def _ranks(docs: Iterable[Doc], name: str, sought: str) -> Iterator[Ranked]:
    for doc in docs:
        if doc.exports and sought in keys_of(doc.exports):
            best = rank(doc, name, sought)
            if best is not None:
                yield *best, doc


def rank(doc: Doc, name: str, sought: str) -> Rank | None:
    """Where a changed file stands for a name and its key; None where it does not match."""
    found = (_rank(exported, claim, name, sought) for exported, claim in claims(doc.exports))
    return min((one for one in found if one is not None), default=None)


def _rank(exported: str, claim: int, name: str, sought: str) -> Rank | None:
    if exported == name:
        return EXACT, "", claim
    if sought not in key(exported):  # a tenth of what taking the name apart costs
        return None
    how = runs(exported).get(sought)
    if how is None:
        return None
    if how == WHOLE:
        return RESPELLED, exported, claim
    return PART, "", 2 * (how == WITHIN) + (claim == PASSED_ON)
