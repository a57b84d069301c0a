"""A patch as data: what it does to each file, hunk by hunk."""

from enum import StrEnum
from typing import Literal

from msgspec import Struct


class PatchKind(StrEnum):
    ADD = "add"
    UPDATE = "update"
    DELETE = "delete"
    MOVE = "move"


class Line(Struct, frozen=True, gc=False):
    """One line of a hunk: kept, taken away or added. Its text has its line ending, or none."""

    sign: Literal[" ", "-", "+"]
    text: str


class Hunk(Struct, frozen=True):
    lines: tuple[Line, ...]
    start: int | None = None
    """The line of the old file it says it begins at, counted from 1; None where it says none."""
    anchors: tuple[str, ...] = ()
    """Lines that stand before it, one after the other: what follows `@@` in the Codex grammar."""
    at_end: bool = False
    """It ends where the file ends: `*** End of File`."""

    @property
    def old(self) -> list[str]:
        return [line.text for line in self.lines if line.sign != "+"]

    @property
    def new(self) -> list[str]:
        return [line.text for line in self.lines if line.sign != "-"]


class FilePatch(Struct, frozen=True):
    """What a patch does to one file."""

    path: str
    """Empty where the patch names no file and has hunks only."""
    kind: PatchKind = PatchKind.UPDATE
    new_path: str | None = None
    """Where a moved file goes."""
    hunks: tuple[Hunk, ...] = ()
    is_executable: bool | None = None
    """What git's modes 100755 and 100644 say; None where nothing is said."""
