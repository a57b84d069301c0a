"""From one state of a tree to the next: what changed lies over the base, and everything else stays as it is.

Nothing here reads or waits; a state that was given out is never touched again.
"""

from bisect import bisect_left
from collections.abc import Mapping

import msgspec

from toolpost.index.disk import repo_hash
from toolpost.index.disk.docs import reason_of
from toolpost.index.disk.mapped import Base
from toolpost.index.model import Doc
from toolpost.index.places import number_of
from toolpost.index.snapshot import Snapshot

Changes = Mapping[bytes, Doc | None]
"""What each path holds from now on; None for nothing."""


def changed(snapshot: Snapshot, changes: Changes) -> Snapshot:
    """The next state. A file whose content is again what the base has lies over it no more."""
    base = snapshot.base
    total = repo_hash.read(snapshot.repo_hash)
    gone = set(snapshot.gone)
    laid: dict[bytes, Doc | None] = {}
    for path, doc in changes.items():
        number = number_of(base, path)
        total += _part(path, doc) - _part_before(snapshot, path, number)
        is_same = doc is not None and number >= 0 and _is_same(base, number, doc)
        laid[path] = None if is_same else doc
        if is_same:
            gone.discard(number)
        elif number >= 0:
            gone.add(number)
    return msgspec.structs.replace(
        snapshot,
        gone=frozenset(gone),
        docs=merged(snapshot.docs, snapshot.keys, laid),
        repo_hash=repo_hash.shown(total % repo_hash.ALL),
    )


def merged(docs: tuple[Doc, ...], keys: list[bytes], changes: Changes) -> tuple[Doc, ...]:
    """Docs of these paths once some came, went or were replaced, in one pass over both."""
    found: list[Doc] = []
    done = 0
    for path in sorted(changes):
        at = bisect_left(keys, path, lo=done)
        found += docs[done:at]
        done = at + (at < len(keys) and keys[at] == path)
        doc = changes[path]
        if doc is not None:
            found.append(doc)
    return (*found, *docs[done:])


def _part(path: bytes, doc: Doc | None) -> int:
    """Of the tree's hash."""
    return repo_hash.part(path, doc.blob_id, doc.stamp) if doc else 0


def _part_before(snapshot: Snapshot, path: bytes, number: int) -> int:
    doc = snapshot.doc(path)
    if doc is not None or number < 0 or number in snapshot.gone:
        return _part(path, doc)
    return repo_hash.part(path, snapshot.base.blob_id(number), snapshot.base.stamp(number))


def _is_same(base: Base, number: int, doc: Doc) -> bool:
    """In all that the file itself tells. Only what tells a later change, the rest of the stamp, may differ."""
    if base.blob_id(number) != doc.blob_id:
        return False
    stamp = base.stamp(number)
    is_timed_so = (stamp.size_bytes, stamp.modified_ns) == (doc.stamp.size_bytes, doc.stamp.modified_ns)
    return is_timed_so and reason_of(base, number) == doc.passed
