"""What tells of changes in folders, whichever way a system does it."""

from collections.abc import Iterable
from typing import Protocol

from toolpost.index.fresh.happened import Happened


class NoRoom(Exception):
    """The system watches no more folders for this user, or cannot watch at all: look at every file instead."""


class Watcher(Protocol):
    """Not for several threads at once."""

    @property
    def is_prompt(self) -> bool:
        """Whether a change that was finished before a drain is in it, always."""

    def add(self, top: int, folders: Iterable[bytes]) -> None:
        """Raises NoRoom."""

    def enter(self, descriptor: int, folder: bytes) -> None:
        """One more, before it is listed. Raises NoRoom."""

    def leave(self, folders: Iterable[bytes]) -> None: ...

    def drain(self) -> Happened | None:
        """What happened since the last time; None for nothing."""

    def close(self) -> None: ...
