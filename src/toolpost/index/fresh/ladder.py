"""Folders below one that is open, reached name by name: no link on the way is followed, so none can lead out."""

import os
from types import TracebackType
from typing import Self

_PATH = getattr(os, "O_PATH", 0)
_RUNG = _PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
LISTED = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
"""To open `.` with, where a folder is to be listed."""


class Ladder:
    """In the order of path bytes every folder is opened once: those above the current one stay open."""

    def __init__(self, top: int) -> None:
        """`top` stays the caller's to close."""
        self._top = top
        self._names: list[bytes] = []
        self._rungs: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._climb(0)

    def at(self, folder: bytes) -> int:
        """Its descriptor, good until the next call. Raises OSError: ENOTDIR where a name is no folder or a link."""
        names = folder.split(b"/") if folder else []
        shared = 0
        for mine, asked in zip(self._names, names, strict=False):
            if mine != asked:
                break
            shared += 1
        self._climb(shared)
        for name in names[shared:]:
            self._rungs.append(os.open(name, _RUNG, dir_fd=self._rungs[-1] if self._rungs else self._top))
            self._names.append(name)
        return self._rungs[-1] if self._rungs else self._top

    def _climb(self, height: int) -> None:
        del self._names[height:]
        while len(self._rungs) > height:
            os.close(self._rungs.pop())
