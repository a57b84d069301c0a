"""Bytes used lately, kept within so many bytes: what was not used for longest goes first."""

from collections import OrderedDict
from threading import Lock


class Recent:
    """Safe to use from several threads."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._held: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: str) -> bytes | None:
        with self._lock:
            data = self._held.get(key)
            if data is not None:
                self._held.move_to_end(key)
            return data

    def keep(self, key: str, data: bytes) -> None:
        """What alone is larger than all room is not kept."""
        with self._lock:
            if key in self._held or len(data) > self._max_bytes:
                return
            self._held[key] = data
            self._bytes += len(data)
            while self._bytes > self._max_bytes:
                self._bytes -= len(self._held.popitem(last=False)[1])

    def clear(self) -> None:
        with self._lock:
            self._held.clear()
            self._bytes = 0
