"""A content that is not whole yet: written piece by piece, kept under its digest in the end."""

import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp

from toolpost.store import private


class Growing:
    """A private file among the contents: what a killed process leaves of it is swept like an old one.

    Every method may raise OSError.
    """

    def __init__(self, folder: Path, place: Callable[[str], Path]) -> None:
        """`folder` is where it grows, `place` where a content with a digest belongs."""
        private.make(folder)
        self._place = place
        self._handle, name = mkstemp(dir=folder, prefix=".growing.")
        self._path = Path(name)
        self._digest = sha256()
        self.size_bytes = 0

    def write(self, data: bytes | bytearray) -> None:
        rest = memoryview(data)
        while rest:
            written = os.write(self._handle, rest)
            self._digest.update(rest[:written])
            self.size_bytes += written
            rest = rest[written:]

    def read(self, start: int, count: int) -> bytes:
        return os.pread(self._handle, count, start)

    def keep(self) -> str:
        """The digest under which all of it can be had from now on."""
        digest = self._digest.hexdigest()
        path = self._place(digest)
        private.make(path.parent)
        os.fsync(self._handle)
        self._path.replace(path)
        self._close()
        return digest

    def drop(self) -> None:
        """Nothing is kept."""
        self._close()
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _close(self) -> None:
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)
