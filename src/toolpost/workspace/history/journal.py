"""What was there before each change, so that it can be put back: on the disk before anything is changed.

A folder of its own holds one JSON file for each change and the contents they name. What is too old
goes, and the oldest go first when there are too many or they take too much room.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from toolpost import codec
from toolpost.atomic import replace_file
from toolpost.clock import Clock
from toolpost.errors import InvalidArgument, IoFailed, NotFound
from toolpost.limits import ECHO_CHARS, UNDO_BYTES, UNDO_DAYS, UNDO_ENTRIES, UNDO_LISTED, UNDO_SWEEP_S
from toolpost.store import private
from toolpost.store.blobs import Blobs

FOLDER = "undo"  # within the folder for state


class Act(StrEnum):
    WRITE = "write"
    DELETE = "delete"
    MOVE = "move"


class Step(Struct, frozen=True, kw_only=True):
    """One file of a change: what was there, and what the change leaves."""

    path: str
    act: Act
    before: str | None = None
    """The kept content; None: nothing was there, or it moved and lost nothing."""
    before_mode: int | None = None
    after: str | None = None
    """The digest the change leaves there, or at `moved_to`; None: nothing, or nothing that has one."""
    moved_to: str = ""
    made: tuple[str, ...] = ()
    """Folders that were made for it, outermost first."""
    is_kept: bool = True
    """False for what can be deleted but not kept: a folder, a link, a file that is too large."""


class Entry(Struct, frozen=True, kw_only=True):
    request_id: str
    time: datetime
    session: str
    tool: str
    root_key: str
    where: str
    """For people, and for opening a local root again."""
    steps: tuple[Step, ...]
    undoes: str = ""
    """The id of the change this one took back, if it is an undo."""


class Journal:
    def __init__(self, folder: Path, clock: Clock | None = None, *, days: int = UNDO_DAYS) -> None:
        self.blobs = Blobs(folder / "blobs")
        self._folder = folder / "changes"
        self._swept = folder / "swept"
        self._clock = clock or Clock()
        self._days = days
        self._added_bytes = 0

    def now(self) -> datetime:
        return self._clock.now()

    def new_id(self) -> str:
        return self._clock.request_id()

    def add(self, entry: Entry) -> None:
        """On the disk when it returns."""
        try:
            private.make(self._folder)
            replace_file(self._path(entry), codec.encode(entry))
        except OSError as error:
            raise IoFailed(
                f"Nothing was changed, because what was there before cannot be kept: {error.strerror}."
            ) from None
        self._sweep_when_due(entry)

    def remove(self, entry: Entry) -> None:
        """For a change that did not happen. One that stays is harmless: it has nothing to undo."""
        with suppress(OSError):
            self._path(entry).unlink()

    def entries(self, session: str | None = None) -> Iterator[Entry]:
        """Newest first; those of one session, or of all."""
        try:
            yield from self._entries(session)
        except OSError as error:
            raise IoFailed(f"What can be undone cannot be read: {error.strerror}.") from None

    def _entries(self, session: str | None) -> Iterator[Entry]:
        for path in self._files():
            entry = _read(path)
            if entry and entry.time > self._oldest() and session in {None, entry.session}:
                yield entry

    def find(self, request_id: str, session: str | None = None) -> Entry:
        """The newest of that id, or the only one whose id begins so."""
        alike: dict[str, Entry] = {}
        newest: list[str] = []
        for entry in self.entries(session):
            if entry.request_id == request_id:
                return entry
            newest.append(entry.request_id)
            if request_id and entry.request_id.startswith(request_id):
                alike.setdefault(entry.request_id, entry)
        if len(alike) == 1:
            return next(iter(alike.values()))
        if alike:
            raise _ambiguous(request_id, list(alike))
        raise _unknown(request_id, newest)

    def sweep(self) -> None:
        """Remove what is too old or too much. Raises OSError."""
        keep: set[str] = set()
        size = 0
        for place, path in enumerate(self._files()):
            entry = _read(path)
            fresh = {step.before for step in entry.steps if step.before} - keep if entry else set()
            size += sum(self.blobs.size(digest) or 0 for digest in fresh)
            is_old = _time_of(path) <= f"{self._oldest():{_STAMP}}"
            if is_old or place >= UNDO_ENTRIES or (size > UNDO_BYTES and place):
                path.unlink(missing_ok=True)
            else:
                keep |= fresh
        older = self.now() - timedelta(seconds=UNDO_SWEEP_S)
        self.blobs.sweep(keep, older)
        for path in self._folder.glob(".*"):  # what a killed write left
            if path.stat().st_mtime < older.timestamp():
                path.unlink()

    def _sweep_when_due(self, entry: Entry) -> None:
        """At most once in a while, for all processes together; it may fail, the change may not fail for it."""
        self._added_bytes += sum(self.blobs.size(step.before) or 0 for step in entry.steps if step.before)
        if self._added_bytes < UNDO_BYTES // 8 and self._is_swept():
            return
        self._added_bytes = 0
        with suppress(OSError):
            self._swept.touch(mode=0o600)
            os.utime(self._swept, times=(self.now().timestamp(),) * 2)
            self.sweep()

    def _is_swept(self) -> bool:
        try:
            age_s = self.now().timestamp() - self._swept.stat().st_mtime
        except OSError:
            return False
        return 0 <= age_s < UNDO_SWEEP_S

    def _oldest(self) -> datetime:
        return self.now() - timedelta(days=self._days)

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("*.json"), reverse=True) if self._folder.is_dir() else []

    def _path(self, entry: Entry) -> Path:
        """By time, so that a listing is in order; the id may be any text, so its hash stands for it."""
        mark = sha256(entry.request_id.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return self._folder / f"{entry.time:{_STAMP}}-{mark}.json"


def in_effect(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Of changes, newest first, those that were not taken back; an undo itself is none of them."""
    taken_back: list[str] = []
    for entry in entries:
        if entry.request_id in taken_back:  # an undo that was undone took nothing back
            taken_back.remove(entry.request_id)
        elif entry.undoes:
            taken_back.append(entry.undoes)
        else:
            yield entry


_STAMP = "%Y%m%dT%H%M%S.%f"


def _time_of(path: Path) -> str:
    return path.name.partition("-")[0]


def _read(path: Path) -> Entry | None:
    """None for a file that went meanwhile, or is none of ours. Raises OSError: unread is not the same as empty."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Entry)
    except (FileNotFoundError, IsADirectoryError, msgspec.DecodeError):
        return None


def _ambiguous(request_id: str, alike: list[str]) -> InvalidArgument:
    named = ", ".join(alike[:UNDO_LISTED])
    return InvalidArgument(
        f"{len(alike)} changes have an id that begins with {request_id[:ECHO_CHARS]!r}: {named}. Give more of it.",
        parameter="request_id",
        alike=alike[:UNDO_LISTED],
    )


def _unknown(request_id: str, newest: list[str]) -> NotFound:
    known = newest[:UNDO_LISTED]
    said = f"The newest that can be undone: {', '.join(known)}." if known else "There is none to undo."
    return NotFound(
        f"No change has the id {request_id[:ECHO_CHARS]!r}. {said}", parameter="request_id", newest=known
    )
