"""Exported names like one: another spelling, a slip of the hand, names that begin with it, names that hold it."""

from collections.abc import Iterator

from toolpost.index.ask.order import FILE
from toolpost.index.limits import NAME_FUZZY_CHARS, SIMILAR_DEFAULT, SIMILAR_FILES, SIMILAR_LOOKED_AT
from toolpost.index.names.claims import claims
from toolpost.index.names.lookup import names_of
from toolpost.index.names.near import is_near, near
from toolpost.index.names.words import WHOLE, key, runs
from toolpost.index.snapshot import Snapshot


def similar(snapshot: Snapshot, name: str, *, limit: int = SIMILAR_DEFAULT) -> list[str]:
    """Likest first, then the shortest; never the name itself. Of very many, those that were looked at."""
    sought, snapshot = key(name), snapshot.settled
    known = {*_of_base(snapshot, sought), *_of_docs(snapshot)} - {name}
    scored = sorted((likeness, len(other), other) for other in known for likeness in _likeness(other, sought))
    found: list[str] = []
    for *_, other in scored:
        if len(found) < limit and _is_exported(snapshot, other):
            found.append(other)
    return found


def _likeness(other: str, sought: str) -> list[int]:
    """The less the liker; empty for what is not alike."""
    parts = runs(other)
    whole = key(other)
    ways = (
        whole == sought,
        len(sought) >= NAME_FUZZY_CHARS and is_near(whole, sought),
        whole.startswith(sought),
        parts.get(sought, WHOLE) != WHOLE,
    )
    return [ways.index(True)] if True in ways else []


def _of_base(snapshot: Snapshot, sought: str) -> Iterator[str]:
    """Names that may be alike: by their keys, then of files that have it as a name or a part of one."""
    names = names_of(snapshot.base)
    slips = near(names.keys, sought) if len(sought) >= NAME_FUZZY_CHARS else []
    for low, high in [names.keys.beginning(sought), *((number, number + 1) for number in slips)]:
        first, after = names.spelled(low, high)
        yield from map(names.spellings.at, range(first, min(after, first + SIMILAR_LOOKED_AT)))
    found = names.key(sought)
    if found is not None:
        lists = (names.exporting(found.low, found.high), found.parts)
        for number in {entry & FILE for one in lists for entry in one.take(0, SIMILAR_FILES)}:
            yield from (name for name, _ in claims(snapshot.base.exports(number)))


def _of_docs(snapshot: Snapshot) -> Iterator[str]:
    for doc in snapshot.docs:
        yield from (name for name, _ in claims(doc.exports))


def _is_exported(snapshot: Snapshot, name: str) -> bool:
    """Whether some file still exports it: those that did may be gone."""
    exact = names_of(snapshot.base).exact(name)
    gone = snapshot.gone
    if exact is not None and any(entry & FILE not in gone for entry in exact.take(0, len(gone) + 1)):
        return True
    return any(exported == name for doc in snapshot.docs for exported, _ in claims(doc.exports))
