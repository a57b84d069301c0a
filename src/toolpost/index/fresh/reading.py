"""Files that are not as they were, read again: folder by folder, each only as far as it differs."""

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

import msgspec

from toolpost.index.build.listing import Run
from toolpost.index.build.read import SAME
from toolpost.index.disk.docs import doc_of
from toolpost.index.fresh.happened import parent
from toolpost.index.fresh.known import Known
from toolpost.index.model import Doc, Stamp

Read = Callable[[Run], Iterable[Doc | None]]
"""For each name of a run what it holds, SAME as a reason where that is what the run tells; None for no file."""


def read_again(known: Known, paths: Iterable[bytes], read: Read) -> Iterator[tuple[bytes, Doc | None]]:
    """What each holds now. What was read before with the same content is not looked through again."""
    for folder, group in groupby(sorted(paths, key=_place), key=parent):
        held = list(group)
        names = [os.fsdecode(path.rpartition(b"/")[2]) for path in held]
        run = Run(os.fsdecode(folder), names, blob_ids=[known.blob_id(path) for path in held])
        for path, doc in zip(held, read(run), strict=True):
            yield path, _recalled(known, path, doc.stamp) if doc and doc.passed == SAME else doc


def _place(path: bytes) -> tuple[bytes, bytes]:
    return parent(path), path


def _recalled(known: Known, path: bytes, stamp: Stamp) -> Doc | None:
    """A file whose content is known, under the stamp it bears now."""
    doc = known.snapshot.doc(path)
    if doc is None:
        number = known.number(path)
        doc = None if number < 0 else doc_of(known.snapshot.base, number)
    return doc and msgspec.structs.replace(doc, stamp=stamp)
