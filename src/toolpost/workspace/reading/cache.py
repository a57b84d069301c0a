"""Files read before, kept while they stay as they were. What a caller asks to see of one plays no part."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from msgspec import Struct

from toolpost.limits import CACHE_BYTES, CACHE_ENTRY_BYTES
from toolpost.workspace.reading.parts import Facts
from toolpost.workspace.root import Root, Source


class Kept(Struct, frozen=True, gc=False):
    """A whole file."""

    data: bytes
    facts: Facts


class ReadCache:
    """The files used last, up to so many bytes in all. Safe to use from several threads."""

    def __init__(self, max_bytes: int = CACHE_BYTES, state: Callable[[Root], str] | None = None) -> None:
        """`state` names the state a tree is in, as contract 001's repo_hash does; else its key is all there is."""
        self.max_bytes = max_bytes
        self._state = state
        self.hits = 0
        self.misses = 0
        self._bytes = 0
        self._kept: OrderedDict[tuple[str, str], tuple[object, Kept]] = OrderedDict()
        self._lock = Lock()

    @property
    def size_bytes(self) -> int:
        return self._bytes

    def key(self, root: Root) -> str:
        """What `find` and `keep` know a tree by."""
        return self._state(root) if self._state else root.key

    def find(self, root_key: str, path: str, source: Source) -> Kept | None:
        """The file, if it is the one that is open now. One changed a moment ago is never sure to be."""
        with self._lock:
            stamp, kept = self._kept.get((root_key, path), (None, None))
            if kept is None or source.is_racy or stamp != source.stamp:
                self.misses += 1
                return None
            self.hits += 1
            self._kept.move_to_end((root_key, path))
            return kept

    def keep(self, root_key: str, path: str, source: Source, kept: Kept) -> None:
        size = _weight(kept)
        if source.is_racy or size > self.max_bytes:
            return
        with self._lock:
            self._drop((root_key, path))
            self._kept[root_key, path] = (source.stamp, kept)
            self._bytes += size
            while self._bytes > self.max_bytes:
                self._drop(next(iter(self._kept)))

    def forget(self, root_key: str, path: str) -> None:
        with self._lock:
            self._drop((root_key, path))

    def _drop(self, key: tuple[str, str]) -> None:
        _, kept = self._kept.pop(key, (None, None))
        if kept is not None:
            self._bytes -= _weight(kept)


def _weight(kept: Kept) -> int:
    return len(kept.data) + CACHE_ENTRY_BYTES
