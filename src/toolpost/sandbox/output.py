"""What a command says: counted, its beginning and end at hand, all of it in the store.

A stream that fits twice into what is held never touches the disk. A disk that refuses costs the middle of
the output, never the command.
"""

from collections.abc import Iterator
from contextlib import suppress
from enum import IntEnum
from threading import RLock

from toolpost.errors import IoFailed, NotFound
from toolpost.limits import EXEC_CHUNK_BYTES, EXEC_LOG_BYTES, EXEC_OUTPUT_BYTES
from toolpost.store.blobs import Blobs
from toolpost.store.growing import Growing


class Stream(IntEnum):
    """By the number of its descriptor."""

    STDOUT = 1
    STDERR = 2


class Log:
    """One stream. One thread writes, others may read."""

    def __init__(self, blobs: Blobs | None, held_bytes: int) -> None:
        """So many bytes are held at each end; without a store the middle is lost."""
        self._blobs = blobs
        self._held = held_bytes
        self._lock = RLock()
        self._head = bytearray()
        self._tail = bytearray()
        self._file: Growing | None = None
        self._digest = ""
        self.size_bytes = 0
        self.lines = 0
        """Line ends so far."""

    def write(self, data: bytes) -> None:
        with self._lock:
            self.size_bytes += len(data)
            self.lines += data.count(b"\n")
            if self._file is not None:
                self._spool(data)
            room = self._held - len(self._head)
            if room > 0:
                self._head += data[:room]
                data = data[room:]
            self._tail += data
            if len(self._tail) > self._held + EXEC_CHUNK_BYTES:
                self._trim()

    def head(self, count: int) -> bytes:
        """The first bytes, as far as they are held."""
        with self._lock:
            held = bytes(self._head[:count])
            more = count - len(held)
            return held + bytes(self._tail[:more]) if more and self._is_whole else held

    def tail(self, count: int) -> bytes:
        """The last bytes, as far as they are held."""
        with self._lock:
            held = bytes(self._tail[max(len(self._tail) - count, 0) :])
            more = count - len(held)
            return bytes(self._head[max(len(self._head) - more, 0) :]) + held if self._is_whole else held

    def read(self, start: int, count: int) -> tuple[int, bytes]:
        """Bytes from a place on, and where they really begin: later where the middle is lost."""
        with self._lock:
            if start < len(self._head) or self._is_whole:
                held = self._head + self._tail if self._is_whole else self._head
                return start, bytes(held[start : start + count])
            with suppress(OSError, IoFailed, NotFound):
                return start, self._from_store(start, count)
            first = self.size_bytes - len(self._tail)
            at = max(start, first)
            return at, bytes(self._tail[at - first : at - first + count])

    def copy(self) -> "Log":
        """The same bytes in a log of its own."""
        with self._lock:
            made = Log(self._blobs, self._held)
            for part in self._parts():
                made.write(part)
            return made

    def keep(self) -> str:
        """The digest of all of it in the store; empty when it could not be kept."""
        with self._lock, suppress(OSError, IoFailed):
            if not self._digest and self._file is not None:
                self._digest, self._file = self._file.keep(), None
            elif not self._digest and self._is_whole and self._blobs is not None:
                self._digest = self._blobs.put(bytes(self._head + self._tail))
            return self._digest
        return ""

    def close(self) -> None:
        """What is not kept is gone."""
        with self._lock:
            if self._file is not None:
                self._file.drop()
                self._file = None

    @property
    def _is_whole(self) -> bool:
        return len(self._head) + len(self._tail) == self.size_bytes

    def _trim(self) -> None:
        if self._is_whole and self._blobs is not None:
            with suppress(OSError):
                self._file = self._blobs.begin()
            self._spool(self._head)
            self._spool(self._tail)
        del self._tail[: -self._held]

    def _spool(self, data: bytes | bytearray) -> None:
        if self._file is None:
            return
        try:
            self._file.write(data)
        except OSError:  # a full disk
            self.close()

    def _from_store(self, start: int, count: int) -> bytes:
        if self._file is not None:
            return self._file.read(start, count)
        if self._blobs is None or not self._digest:
            raise NotFound("This output is not kept.")
        with self._blobs.open(self._digest) as kept:
            kept.seek(start)
            return kept.read(count)

    def _parts(self) -> Iterator[bytes]:
        at = 0
        while at < self.size_bytes:
            at, part = self.read(at, EXEC_CHUNK_BYTES)
            yield part
            at += len(part)


class Output:
    """Both streams by themselves, and together in the order in which they were heard."""

    def __init__(
        self,
        blobs: Blobs | None = None,
        *,
        held_bytes: int = EXEC_OUTPUT_BYTES,
        most_bytes: int = EXEC_LOG_BYTES,
    ) -> None:
        self.stdout = Log(blobs, held_bytes)
        self.stderr = Log(blobs, held_bytes)
        self._both: Log | None = None
        self._most = most_bytes

    @property
    def both(self) -> Log:
        """As a terminal would show it; the one stream there is, while there is only one."""
        if self._both is not None:
            return self._both
        return self.stdout if self.stdout.size_bytes else self.stderr

    @property
    def size_bytes(self) -> int:
        return self.stdout.size_bytes + self.stderr.size_bytes

    @property
    def is_full(self) -> bool:
        return self.size_bytes >= self._most

    def hear(self, stream: Stream, data: bytes) -> None:
        """What is past the most that is kept is not heard any more."""
        data = data[: max(self._most - self.size_bytes, 0)]
        log, other = (self.stdout, self.stderr) if stream is Stream.STDOUT else (self.stderr, self.stdout)
        if self._both is None and data and other.size_bytes:
            self._both = other.copy()
        if self._both is not None:
            self._both.write(data)
        log.write(data)

    def close(self) -> None:
        for log in (self.stdout, self.stderr, self.both):
            log.close()
