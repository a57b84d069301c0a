"""From one state of a tree to the next: what changed lies over the base, and everything else stays as it is.

Nothing here reads or waits; a state that was given out is never touched again.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping

import msgspec

from toolpost.index.disk import repo_hash
from toolpost.index.disk.docs import reason_of
from toolpost.index.disk.mapped import Base
from toolpost.index.model import Doc
from toolpost.index.snapshot import Snapshot, key

Changes = Mapping[bytes, Doc | None]
"""What each path holds from now on; None for nothing."""
Find = Callable[[bytes], int]
"""`Base.find`, or the same from memory: one changed file is looked up several times, 10 microseconds each."""
Resolve = Callable[[Snapshot, Changes, Find], Iterable[Doc]]
"""From the state before and what changes: files, these or others, whose exports are others then, with those."""


def changed(
    snapshot: Snapshot, changes: Changes, resolve: Resolve | None = None, find: Find | None = None
) -> Snapshot:
    """The next state. A file that is again as the base has it lies over it no more."""
    find = find or snapshot.base.find
    numbers = {path: find(path) for path in changes}
    total = repo_hash.read(snapshot.repo_hash)
    for path, doc in changes.items():
        old = snapshot.doc(path) or _identity(snapshot, path, numbers[path])
        total = repo_hash.remove(total, old) if old else total
        total = repo_hash.add(total, doc) if doc else total
    after = _laid(snapshot, changes, numbers)
    if resolve:
        resolved = {key(doc): doc for doc in resolve(snapshot, changes, find)}
        numbers |= {path: find(path) for path in resolved if path not in numbers}
        after = _laid(after, resolved, numbers)
        changes = {**changes, **resolved}
    return msgspec.structs.replace(_bared(after, changes, numbers), repo_hash=repo_hash.shown(total))


def _laid(snapshot: Snapshot, changes: Changes, numbers: Mapping[bytes, int]) -> Snapshot:
    gone = snapshot.gone.union([numbers[path] for path in changes if numbers[path] >= 0])
    return msgspec.structs.replace(snapshot, gone=gone, docs=_merged(snapshot.docs, changes))


def _bared(snapshot: Snapshot, changes: Changes, numbers: Mapping[bytes, int]) -> Snapshot:
    """Without what need not lie over the base: it says the same."""
    same = [
        path
        for path, doc in changes.items()
        if doc and numbers[path] >= 0 and _is_same(snapshot.base, numbers[path], doc)
    ]
    if not same:
        return snapshot
    gone = snapshot.gone.difference([numbers[path] for path in same])
    return msgspec.structs.replace(snapshot, gone=gone, docs=_merged(snapshot.docs, dict.fromkeys(same)))


def _merged(docs: tuple[Doc, ...], changes: Changes) -> tuple[Doc, ...]:
    """In one pass over both, so that a thousand changes cost a thousand times one."""
    merged: list[Doc] = []
    done = 0
    for path, doc in sorted(changes.items(), key=_path):
        at = bisect_left(docs, path, lo=done, key=key)
        merged += docs[done:at]
        done = at + (at < len(docs) and key(docs[at]) == path)
        if doc is not None:
            merged.append(doc)
    return (*merged, *docs[done:])


def _path(change: tuple[bytes, Doc | None]) -> bytes:
    return change[0]


def _identity(snapshot: Snapshot, path: bytes, number: int) -> Doc | None:
    """As much of a file of the base as counts for the tree's hash; None where it is not there."""
    if number < 0 or number in snapshot.gone:
        return None
    base = snapshot.base
    return Doc(path.decode("utf-8", "surrogateescape"), base.stamp(number), base.blob_id(number), None)


def _is_same(base: Base, number: int, doc: Doc) -> bool:
    """In all that can be asked for. Only what tells a later change, the rest of the stamp, may differ."""
    stamp = base.stamp(number)
    return (
        base.blob_id(number) == doc.blob_id
        and (stamp.size_bytes, stamp.modified_ns) == (doc.stamp.size_bytes, doc.stamp.modified_ns)
        and reason_of(base, number) == doc.passed
        and base.exports(number) == doc.exports
        and tuple(base.file(number).tags) == doc.tags
    )
