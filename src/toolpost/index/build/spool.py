"""Texts of the files that were read, until all of them are and the index can be written.

What a file exports may depend on any other, so nothing is written of the first before the last is read; and so many
texts are not held in memory. A spool is a file without a name: whoever dies leaves nothing behind.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Self

from toolpost.errors import IoFailed
from toolpost.index.limits import INDEX_PIECE_BYTES


class Spool:
    """Written to at its end by one process, read by another that has the descriptor too. Raises IoFailed."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.size = 0
        self._held = bytearray()
        self._window = b""
        self._window_at = 0

    @classmethod
    def make(cls, folder: Path) -> Self:
        """On the disk the index will be on: where there is no room for one there is none for the other."""
        with _refusals():
            descriptor, name = mkstemp(dir=folder, prefix=".spool-")
            Path(name).unlink()
        return cls(descriptor)

    def append(self, text: bytes) -> None:
        self._held += text
        self.size += len(text)
        if len(self._held) >= INDEX_PIECE_BYTES:
            self.flush()

    def flush(self) -> None:
        left = memoryview(self._held)
        with _refusals():
            while left:
                left = left[os.write(self.descriptor, left) :]
        self._held = bytearray()

    def read(self, begin: int, size: int) -> bytes:
        """Cheap for one piece after another: they come from the disk many at once."""
        if self._held:
            self.flush()
        at = begin - self._window_at
        if at < 0 or at + size > len(self._window):
            with _refusals():
                self._window = os.pread(self.descriptor, max(size, INDEX_PIECE_BYTES), begin)
            self._window_at, at = begin, 0
        return self._window[at : at + size]

    def close(self) -> None:
        """Whatever the system says of it: nobody needs it any more."""
        with suppress(OSError):
            os.close(self.descriptor)


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except OSError as failed:
        said = f"What is read for the index cannot be kept: {failed.strerror}. Make room, then build again."
        raise IoFailed(said) from None
