"""Files and folders as they were before a command ran, and the way back to that.

For where no mount can hold a command back. Nothing here follows a link: the command may have laid one.
"""

import os
from collections.abc import Iterable
from stat import S_IMODE, S_ISDIR, S_ISLNK, S_ISREG

from msgspec import Struct
from msgspec.structs import replace

from toolpost.limits import (
    SNAPSHOT_BYTES,
    SNAPSHOT_DEPTH,
    SNAPSHOT_ENTRIES,
    SNAPSHOT_FILE_BYTES,
    SNAPSHOTS_KEPT,
)
from toolpost.sandbox.placeholders import is_placeholder
from toolpost.sandbox.refused import Refused
from toolpost.sandbox.there import top_names
from toolpost.sandbox.toolchains import beneath


class Entry(Struct, frozen=True):
    """What stood at a path. A file too large to keep has a stamp and no text."""

    kind: str
    mode: int = 0
    stamp: tuple[int, ...] = ()
    text: bytes | None = None
    names: tuple[str, ...] = ()


_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_ABSENT = Entry("absent")
_OTHER = Entry("other")
_kept = dict[tuple[int, ...], bytes]()
"""Texts by stamp, for the next command: no program can set a ctime."""


class Snapshot:
    """`root` holds every path; the walk to them begins there."""

    def __init__(self, root: str, paths: Iterable[str]) -> None:
        self.root = root
        self.complete = True
        self._refused = Refused()
        present = top_names(root)
        self._prefix = len(root.rstrip("/")) + 1
        self._bytes = SNAPSHOT_BYTES
        self._entries: dict[str, Entry] = {}
        self._tops: list[str] = []
        self._missing: dict[str, list[str]] = {}
        """Paths by a name that is not in the root: most of what is protected is absent."""
        for path in paths:
            first = path[self._prefix :].partition("/")[0]
            if not beneath(path, root) or not first:
                continue
            if first in present:
                self._tops.append(path)
                self._take(path, 0)
            else:
                self._missing.setdefault(first, []).append(path)

    def _take(self, path: str, depth: int) -> None:
        if len(self._entries) >= SNAPSHOT_ENTRIES or depth > SNAPSHOT_DEPTH:
            self.complete = False
            return
        entry = self._entries[path] = _ABSENT if is_placeholder(path) else self._look(path)
        for name in entry.names:
            self._take(f"{path}/{name}", depth + 1)

    def _look(self, path: str) -> Entry:
        folder = _parent(self.root, path)
        if folder is None:
            return _ABSENT
        try:
            return self._entry(path.rpartition("/")[2], folder)
        except FileNotFoundError:
            return _ABSENT
        except OSError:  # unreadable for us, and so for the command
            return _OTHER
        finally:
            os.close(folder)

    def _entry(self, name: str, folder: int) -> Entry:
        state = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if S_ISLNK(state.st_mode):
            return Entry("link", text=os.fsencode(os.readlink(name, dir_fd=folder)))
        if S_ISDIR(state.st_mode):
            return Entry("folder", S_IMODE(state.st_mode), names=_names(name, folder))
        if S_ISREG(state.st_mode):
            return Entry("file", S_IMODE(state.st_mode), _stamp(state), self._text(name, folder, state))
        return _OTHER

    def _text(self, name: str, folder: int, state: os.stat_result) -> bytes | None:
        self._bytes -= state.st_size
        if state.st_size > SNAPSHOT_FILE_BYTES or self._bytes < 0:
            self.complete = False
            return None
        stamp = _stamp(state)
        if stamp not in _kept:
            while len(_kept) >= SNAPSHOTS_KEPT:
                _kept.pop(next(iter(_kept)))
            _kept[stamp] = _read(name, folder)
        return _kept[stamp]

    def revert(self) -> tuple[str, ...]:
        """Put everything back; returns what had been changed, and what could not be mended.

        What stood in the way is kept elsewhere, and told where.
        """
        changed: list[str] = []
        for path in self._tops:
            changed.extend(self._mend(path, self._entries.get(path, _OTHER)))
        for name in sorted(self._missing.keys() & top_names(self.root)):
            for path in self._missing[name]:
                changed.extend(self._mend(path, _ABSENT))
        return tuple(dict.fromkeys(changed))

    def _mend(self, path: str, was: Entry) -> list[str]:
        now = self._peek(path)
        if was.kind == "folder" and now.kind == "folder":
            return self._mend_inside(path, was, now)
        if _same(was, now) or (was.kind == now.kind == "file" and self._look(path) == _with_stamp(was, now)):
            return []
        if was.kind == "absent" and is_placeholder(path):
            return []
        if was.kind == "other" or (was.kind == "file" and was.text is None):
            return [f"{path} (changed, and not put back)"]
        return [self._told(path, was)]

    def _told(self, path: str, was: Entry) -> str:
        taken = len(self._refused.places)
        try:
            self._put_back(path, was)
        except OSError as failed:
            return f"{path} (changed, and not put back: {failed.strerror})"
        return told(path, self._refused.places[taken:])

    def _mend_inside(self, path: str, was: Entry, now: Entry) -> list[str]:
        changed = []
        for name in sorted({*was.names, *now.names}):
            inner = f"{path}/{name}"
            changed += self._mend(
                inner, self._entries.get(inner, _ABSENT if name not in was.names else _OTHER)
            )
        return changed

    def _peek(self, path: str) -> Entry:
        """As `_look`, but a file's text is not read: its stamp tells."""
        folder = _parent(self.root, path)
        if folder is None:
            return _ABSENT
        name = path.rpartition("/")[2]
        try:
            state = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if S_ISREG(state.st_mode):
                return Entry("file", S_IMODE(state.st_mode), _stamp(state))
            return self._entry(name, folder)
        except FileNotFoundError:
            return _ABSENT
        except OSError:
            return _OTHER
        finally:
            os.close(folder)

    def _put_back(self, path: str, was: Entry) -> None:
        folder = _made_parent(self.root, path, self._refused)
        try:
            _place(path.rpartition("/")[2], folder, was, self._refused)
        finally:
            os.close(folder)
        for name in was.names:
            inner = f"{path}/{name}"
            self._put_back(inner, self._entries.get(inner, _ABSENT))


def told(path: str, places: list[str]) -> str:
    """A violation; `places` is where what was found there is now."""
    return f"{path} (what was there is now {' and '.join(places)})" if places else path


def take_away(root: str, path: str, refused: Refused) -> str:
    """What a command made and must not; returns the violation."""
    taken = len(refused.places)
    folder = _parent(root, path)
    if folder is None:  # gone, or behind a link
        return path
    try:
        refused.take(path.rpartition("/")[2], folder)
    except OSError as failed:
        return f"{path} (made, and not taken away: {failed.strerror})"
    finally:
        os.close(folder)
    return told(path, refused.places[taken:])


def _same(was: Entry, now: Entry) -> bool:
    if was.kind != now.kind:
        return False
    return was.stamp == now.stamp and (was.kind != "link" or was.text == now.text)


def _with_stamp(was: Entry, now: Entry) -> Entry:
    """What a file looks like that was written anew with the same text."""
    return replace(was, stamp=now.stamp)


def _stamp(state: os.stat_result) -> tuple[int, ...]:
    return (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)


def _names(name: str, folder: int) -> tuple[str, ...]:
    handle = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=folder)
    try:
        with os.scandir(handle) as entries:
            return tuple(sorted(entry.name for entry in entries))
    finally:
        os.close(handle)


def _read(name: str, folder: int) -> bytes:
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with os.fdopen(handle, "rb") as file:
        return file.read(SNAPSHOT_FILE_BYTES)


def _parent(root: str, path: str) -> int | None:
    """A descriptor of the folder that holds a path, reached through folders only; None: there is none."""
    here: int | None = None
    for name in (root, *_between(root, path)):
        flags = _FOLDER if here is None else _FOLDER | os.O_NOFOLLOW
        try:
            below = os.open(name, flags, dir_fd=here)
        except OSError:
            return None
        finally:
            if here is not None:
                os.close(here)
        here = below
    return here


def _between(root: str, path: str) -> list[str]:
    return path[len(root.rstrip("/")) + 1 :].split("/")[:-1]


def _made_parent(root: str, path: str, refused: Refused) -> int:
    """The same, with every folder on the way made anew where something else stands."""
    here = os.open(root, _FOLDER)
    for name in _between(root, path):
        try:
            below = _made_folder(name, here, refused)
        finally:
            os.close(here)
        here = below
    return here


def _made_folder(name: str, folder: int, refused: Refused, mode: int = 0o755) -> int:
    flags = _FOLDER | os.O_NOFOLLOW
    try:
        return os.open(name, flags, dir_fd=folder)
    except OSError:
        refused.take(name, folder)
        os.mkdir(name, mode, dir_fd=folder)
        return os.open(name, flags, dir_fd=folder)


def _place(name: str, folder: int, was: Entry, refused: Refused) -> None:
    if was.kind == "folder":
        os.close(_made_folder(name, folder, refused, was.mode))
        return
    refused.take(name, folder)
    if was.kind == "link":
        os.symlink(os.fsdecode(was.text or b""), name, dir_fd=folder)
    if was.kind == "file":
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(name, flags, 0o600, dir_fd=folder), "wb") as file:
            file.write(was.text or b"")
            os.fchmod(file.fileno(), was.mode)
