"""Reading many files of one folder after another: the folder is opened once, its files by name alone.

A tenth of what `LocalRoot.open` costs, some 8 microseconds a file. It is as safe: the folder lies beneath the root
and is where its path says, no link among it; a name is opened following none. Who reads asks the guard first.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Self

from toolpost.errors import InvalidPath
from toolpost.workspace.local.root import LocalRoot

_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class Folder:
    """One folder, open. Raises OSError as the system does."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def read(self, name: str, most: int) -> tuple[os.stat_result, bytes | None] | None:
        """A file and what it holds; no bytes when there are more than `most`. None for what is no regular file."""
        descriptor = os.open(name, _FILE, dir_fd=self.descriptor)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return None
            size = status.st_size
            if size > most:
                return status, None
            data = os.read(descriptor, size + 1)  # one byte more: a short answer is the end of the file
            if len(data) != size:
                data = _rest(descriptor, data, most)
            return status, data if len(data) <= most else None
        finally:
            os.close(descriptor)

    def status(self, name: str) -> os.stat_result:
        """Without opening it; of a link, the link's own."""
        return os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)


def _rest(descriptor: int, data: bytes, most: int) -> bytes:
    """Of a file that grew or shrank meanwhile, or whose size the system does not tell."""
    parts = [data]
    size = len(data)
    while parts[-1] and size <= most:
        parts.append(os.read(descriptor, most + 1 - size))
        size += len(parts[-1])
    return b"".join(parts)


class Bulk(LocalRoot):
    """A local root once more, for one long reading of it."""

    @classmethod
    def of(cls, root: LocalRoot) -> Self:
        return cls(Path(root.where), guard=root.guard, beneath=root.beneath)

    @contextmanager
    def within(self, path: str) -> Iterator[Folder]:
        """A folder to read from. Raises DirectoryNotFound, InvalidPath, IoFailed.

        A path that has a link in it is refused: the guard judged what it says, and would not have seen where it leads.
        """
        with closing(self._folder(path)) as held:
            if self._real(held.descriptor, path) != path:
                said = f"{path} is reached through a link; name the folder it leads to."
                raise InvalidPath(said, parameter="path", rule="link")
            yield Folder(held.descriptor)
