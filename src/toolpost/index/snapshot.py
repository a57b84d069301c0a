"""One state of a tree, to answer one question from: a base on disk and what has changed since."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cached_property

from msgspec import Struct

from toolpost.index.disk.mapped import Base
from toolpost.index.model import Doc


class Snapshot(Struct, frozen=True, dict=True):
    base: Base
    gone: frozenset[int] = frozenset()
    """Files of the base that are no more, or stand in `docs` as they are now."""
    docs: tuple[Doc, ...] = ()
    """What is new or changed, sorted by the bytes of its paths; what it says and exports only `settled` tells."""
    repo_hash: str = ""
    freshness: str = "built"
    """How it is known to be fresh: `watched`, `checked` (every file's stamp), or `built` (as of the build)."""
    settle: Callable[["Snapshot"], "Snapshot"] | None = None
    """Makes `settled`; none where `docs` are whole."""

    @property
    def count(self) -> int:
        return self.base.count - len(self.gone) + len(self.docs)

    @property
    def settled(self) -> "Snapshot":
        """The same state for who asks what files say: texts are looked through and exports resolved, once.

        Files whose exports are others because of what changed lie over the base here, too. Raises Damaged.
        """
        if self.settle is None:
            return self
        # By hand: in Python 3.11 a cached property of one tree waits for that of another.
        found: Snapshot | None = self.__dict__.get("settled")
        if found is None:
            found = self.__dict__["settled"] = self.settle(self)
        return found

    @cached_property
    def keys(self) -> list[bytes]:
        """Of each doc its path."""
        return [doc.path.encode("utf-8", "surrogateescape") for doc in self.docs]

    def doc(self, path: bytes) -> Doc | None:
        """A changed file; None for what is as the base has it, or is not there."""
        at = bisect_left(self.keys, path)
        return self.docs[at] if at < len(self.docs) and self.keys[at] == path else None

    def find(self, path: bytes) -> int:
        """Its number in the base; -1 for what is not there, or is not there any more."""
        number = self.base.find(path)
        return -1 if number in self.gone else number

    def below(self, prefix: bytes) -> Iterator[Doc]:
        """Changed files whose paths begin so, in order."""
        keys = self.keys
        at = bisect_left(keys, prefix)
        while at < len(keys) and keys[at].startswith(prefix):
            yield self.docs[at]
            at += 1


def key(doc: Doc) -> bytes:
    """What files are sorted by."""
    return doc.path.encode("utf-8", "surrogateescape")
