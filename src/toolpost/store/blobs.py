"""Contents kept by what they are: a file for each, named by the sha256 of its bytes, never written twice."""

import os
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from toolpost.atomic import replace_file
from toolpost.errors import IoFailed, NotFound
from toolpost.store import private
from toolpost.store.growing import Growing

_DIGEST = re.compile(r"[0-9a-f]{64}")


class Blobs:
    """Several processes may share a folder. Nothing is made on the disk before the first `put`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, data: bytes) -> str:
        """On the disk when it returns, and newly dated, so that no sweep takes it for old."""
        digest = sha256(data).hexdigest()
        path = self._path(digest)
        try:
            private.make(path.parent)
            if not _refreshed(path, data):
                replace_file(path, data)
                _sync(self._folder)
        except OSError as error:
            raise IoFailed(f"{self._folder} cannot keep {len(data):,} bytes: {error.strerror}.") from None
        return digest

    def begin(self) -> Growing:
        """A content that is too large to hold at once: written piece by piece. Raises OSError."""
        return Growing(self._folder / "00", self._path)

    def get(self, digest: str) -> bytes:
        try:
            with self.open(digest) as file:
                data = file.read()
        except OSError as error:
            raise IoFailed(f"A kept content cannot be read: {error.strerror}.", digest=digest) from None
        if sha256(data).hexdigest() != digest:
            raise IoFailed("A kept content is damaged: it is not what was kept.", digest=digest)
        return data

    def open(self, digest: str) -> BinaryIO:
        """For a range of it; only `get` sees whether the whole is still what was kept."""
        try:
            return self._path(digest).open("rb")
        except FileNotFoundError:
            raise NotFound("This content is not kept, or not any more.", digest=digest) from None
        except OSError as error:
            raise IoFailed(f"A kept content cannot be read: {error.strerror}.", digest=digest) from None

    def has(self, digest: str) -> bool:
        return self.size(digest) is not None

    def size(self, digest: str) -> int | None:
        """None for what is not kept."""
        try:
            return self._path(digest).stat().st_size
        except OSError:
            return None

    def sweep(self, keep: AbstractSet[str], older_than: datetime) -> int:
        """Remove what nobody keeps and was last put before that moment; how many bytes that freed."""
        freed = 0
        for item in self._every():
            with suppress(FileNotFoundError):  # another process sweeps too
                status = item.stat(follow_symlinks=False)
                if item.name not in keep and status.st_mtime < older_than.timestamp():
                    Path(item.path).unlink()
                    freed += status.st_size
        return freed

    def _every(self) -> Iterator[os.DirEntry[str]]:
        """Also what a killed write left behind under another name."""
        for fan in self._folder.glob("[0-9a-f][0-9a-f]"):
            with os.scandir(fan) as found:
                yield from found

    def _path(self, digest: str) -> Path:
        if not _DIGEST.fullmatch(digest):
            raise NotFound("A content is named by 64 hex digits.", digest=digest[:64])
        return self._folder / digest[:2] / digest


def _refreshed(path: Path, data: bytes) -> bool:
    """Whether the very content is there already; a damaged one is written anew."""
    try:
        os.utime(path)
        return path.read_bytes() == data
    except FileNotFoundError:
        return False


def _sync(folder: Path) -> None:
    """A new folder within it is on the disk too."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
