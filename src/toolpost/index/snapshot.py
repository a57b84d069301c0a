"""One state of a tree, to answer one question from: a base on disk and what has changed since."""

from bisect import bisect_left
from collections.abc import Iterator

from msgspec import Struct

from toolpost.index.disk.mapped import Base
from toolpost.index.model import Doc


class Snapshot(Struct, frozen=True):
    base: Base
    gone: frozenset[int] = frozenset()
    """Files of the base that are no more, or stand in `docs` as they are now."""
    docs: tuple[Doc, ...] = ()
    """What is new or changed, sorted by the bytes of its paths."""
    repo_hash: str = ""
    freshness: str = "built"
    """How it is known to be fresh: `watched`, `checked` (every file's stamp), or `built` (as of the build)."""

    @property
    def count(self) -> int:
        return self.base.count - len(self.gone) + len(self.docs)

    def doc(self, path: bytes) -> Doc | None:
        """A changed file; None for what is as the base has it, or is not there."""
        at = bisect_left(self.docs, path, key=key)
        return self.docs[at] if at < len(self.docs) and key(self.docs[at]) == path else None

    def find(self, path: bytes) -> int:
        """Its number in the base; -1 for what is not there, or is not there any more."""
        number = self.base.find(path)
        return -1 if number in self.gone else number

    def below(self, prefix: bytes) -> Iterator[Doc]:
        """Changed files whose paths begin so, in order."""
        at = bisect_left(self.docs, prefix, key=key)
        while at < len(self.docs) and key(self.docs[at]).startswith(prefix):
            yield self.docs[at]
            at += 1


def key(doc: Doc) -> bytes:
    """What files are sorted by."""
    return doc.path.encode("utf-8", "surrogateescape")
