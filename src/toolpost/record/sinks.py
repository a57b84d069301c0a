"""Where records go: a list in memory, or a file with a line each."""

import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISREG
from typing import Protocol

from toolpost import codec
from toolpost.limits import RECORDS_IN_MEMORY
from toolpost.record.entry import Entry


class Sink(Protocol):
    def write(self, entry: Entry) -> None: ...
    def close(self) -> None: ...


class MemorySink:
    """The newest records, for as long as the process lives."""

    def __init__(self, most: int = RECORDS_IN_MEMORY) -> None:
        self._entries: deque[Entry] = deque(maxlen=most)

    def write(self, entry: Entry) -> None:
        self._entries.append(entry)

    def close(self) -> None:
        """Nothing to let go of."""

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def last(self) -> Entry:
        return self._entries[-1]


class JsonlSink:
    """One JSON object a line, each appended by one write: a kill tears no line and loses none that returned.

    The file is private to its owner.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if S_ISREG(os.fstat(self._file).st_mode):
            os.fchmod(self._file, 0o600)
        self._torn = not self._ends_whole()

    def write(self, entry: Entry) -> None:
        line = codec.encode(entry) + b"\n"
        if self._torn:  # what a full disk left behind stays a line of its own
            line = b"\n" + line
        written = os.write(self._file, line)
        self._torn = written != len(line)
        if self._torn:
            message = f"{written} of {len(line)} bytes were written"
            raise OSError(message)

    def _ends_whole(self) -> bool:
        size = os.fstat(self._file).st_size
        return size == 0 or os.pread(self._file, 1, size - 1) == b"\n"

    def close(self) -> None:
        """Safe to repeat; what is written afterwards fails, and goes into no stranger's file."""
        if self._file != _CLOSED:
            os.close(self._file)
            self._file = _CLOSED


_CLOSED = -1
