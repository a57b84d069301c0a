"""What was read of some files: without their texts, which lie in a spool, and small enough to be handed over."""

from msgspec import Struct

from toolpost.index.build.spool import Spool
from toolpost.index.model import Doc, Extract, Stamp

NO_TEXT = -1


class Packed(Struct, frozen=True, gc=False, array_like=True):
    """A Doc without its path, which is known to who asked for it, and with the length of its text."""

    stamp: Stamp
    blob_id: bytes
    passed: str
    extract: Extract
    tags: tuple[str, ...]
    text_bytes: int

    def doc(self, path: str) -> Doc:
        return Doc(path, self.stamp, self.blob_id, None, self.passed, self.extract, (), self.tags)


class Part(Struct, frozen=True, array_like=True):
    """Files that follow each other; their texts follow each other in the spool, from `begin` on."""

    begin: int
    files: list[Packed | None]
    """None for what is no file any more."""


def pack(doc: Doc, spool: Spool) -> Packed:
    """Raises IoFailed."""
    return Packed(doc.stamp, doc.blob_id, doc.passed, doc.extract, doc.tags, put(doc, spool))


def put(doc: Doc, spool: Spool) -> int:
    """Its text away, and how long that is. Raises IoFailed."""
    if doc.text is None:
        return NO_TEXT
    spool.append(doc.text)
    return len(doc.text)


def bare(doc: Doc) -> Doc:
    """Without its text."""
    return Doc(doc.path, doc.stamp, doc.blob_id, None, doc.passed, doc.extract, (), doc.tags)
