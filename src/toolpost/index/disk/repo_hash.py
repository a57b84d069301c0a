"""One number for what a tree holds: the same for equal trees, and mended by two hashes when a file changes."""

from hashlib import blake2b

from toolpost.index.model import Doc, Stamp

_BYTES = 16
ALL = 1 << 8 * _BYTES


def of(doc: Doc) -> int:
    """A file's part in it: its path and content; of one that was never read, its size for content.

    Its time says nothing of what it holds, and every clone has another.
    """
    return part(doc.path.encode("utf-8", "surrogateescape"), doc.blob_id, doc.stamp)


def part(path: bytes, blob_id: bytes, stamp: Stamp) -> int:
    """The same, of a file that is not at hand as a doc."""
    told = blob_id or b"%d" % stamp.size_bytes
    return int.from_bytes(blake2b(path + b"\0" + told, digest_size=_BYTES).digest(), "big")


def add(total: int, doc: Doc) -> int:
    return (total + of(doc)) % ALL


def remove(total: int, doc: Doc) -> int:
    return (total - of(doc)) % ALL


def shown(total: int) -> str:
    return f"{total:032x}"


def read(shown: str) -> int:
    """The number `shown` was made of."""
    return int(shown, 16)
