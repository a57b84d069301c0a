"""The whole index as contract 001 tells it: as a value, or written piece by piece for trees of any size."""

from collections import Counter
from collections.abc import Iterator
from operator import itemgetter
from typing import BinaryIO

from toolpost import codec
from toolpost.index.ask.query import shown
from toolpost.index.disk.records import decode_files, encode_file
from toolpost.index.limits import EXPORTED_AT_ONCE
from toolpost.index.model import Doc, Exported, File, Statistics, names
from toolpost.index.snapshot import Snapshot, key


def exported(snapshot: Snapshot) -> Exported:
    snapshot = snapshot.settled
    return Exported(
        repo_hash=_hash(snapshot),
        generated_at=snapshot.base.generated_at,
        files=[file for piece in _pieces(snapshot) for file in decode_files(b"[" + piece + b"]")],
        statistics=statistics(snapshot),
    )


def checked(snapshot: Snapshot) -> Snapshot:
    """The same, once all that `write_json` reads of it is known to be whole. Raises Damaged.

    As a question of its own it lets a damaged index be built anew before the first byte is written.
    """
    snapshot.base.sections.verify()
    return snapshot.settled


def write_json(snapshot: Snapshot, stream: BinaryIO) -> None:
    """The same as JSON, of which no more than some files are held at once. Ask for one that is `checked`."""
    snapshot = snapshot.settled
    head = codec.encode({"repo_hash": _hash(snapshot), "generated_at": snapshot.base.generated_at})
    stream.write(head[:-1] + b',"files":[')
    stream.writelines(b"," + piece if number else piece for number, piece in enumerate(_pieces(snapshot)))
    stream.write(b'],"statistics":' + codec.encode(statistics(snapshot)) + b"}")


def statistics(snapshot: Snapshot) -> Statistics:
    """Those of the base without what is gone and with what changed."""
    snapshot = snapshot.settled
    told = snapshot.base.statistics
    exports, tags = told.total_exports, Counter(told.by_tag)
    for file in snapshot.base.files(sorted(snapshot.gone)):
        exports -= len(file.exports)
        tags.subtract(file.tags)
    for doc in snapshot.docs:
        exports += len(names(doc.exports))
        tags.update(doc.tags)
    by_tag = {tag: count for tag, count in sorted(tags.items()) if count}
    return Statistics(snapshot.count, exports, by_tag)


def files(snapshot: Snapshot) -> Iterator[File]:
    """Every file in the order of paths, some held at once."""
    for piece in _pieces(snapshot.settled):
        yield from decode_files(b"[" + piece + b"]")


def _hash(snapshot: Snapshot) -> str:
    return snapshot.repo_hash or snapshot.base.repo_hash


def _pieces(snapshot: Snapshot) -> Iterator[bytes]:
    """Records of all files in order, some at a time, with commas between them."""
    for part in _parts(snapshot):
        if isinstance(part, Doc):
            yield encode_file(shown(part))
            continue
        for begin in range(part.start, part.stop, EXPORTED_AT_ONCE):
            yield snapshot.base.encoded(range(begin, min(begin + EXPORTED_AT_ONCE, part.stop)))


def _parts(snapshot: Snapshot) -> Iterator[Doc | range]:
    """Changed files, and between them ranges of the base without what is gone."""
    breaks: list[tuple[int, int, Doc | None]] = [(number, 1, None) for number in snapshot.gone]
    breaks.extend((snapshot.base.span(key(doc))[0], 0, doc) for doc in snapshot.docs)
    breaks.sort(key=itemgetter(0, 1))  # stable: changed files of one place stay in the order of their paths
    at = 0
    for number, _, doc in breaks:
        if at < number:
            yield range(at, number)
        at = number
        if doc is None:
            at = number + 1
        else:
            yield doc
    if at < snapshot.base.count:
        yield range(at, snapshot.base.count)
