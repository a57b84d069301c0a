"""A folder of this machine as a root: opened once, and never left."""

import os
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import EACCES, EROFS
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from toolpost.errors import DirectoryNotFound, FileTooLarge, InvalidPath, NotAFile, ToolError
from toolpost.limits import RACY_NS, SWEPT_FOLDERS, WRITE_MAX
from toolpost.workspace.guard import Guard
from toolpost.workspace.local import failures, names, writing
from toolpost.workspace.local.beneath import Beneath, strongest
from toolpost.workspace.local.inside import below, real_path, resolved
from toolpost.workspace.local.openat2 import Openat2, open_cached
from toolpost.workspace.local.ready import in_memory
from toolpost.workspace.root import Entry, Kind, Source, Written

_PATH = getattr(os, "O_PATH", 0)
_HANDLE = _PATH | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_KINDS = {stat.S_IFREG: Kind.FILE, stat.S_IFDIR: Kind.DIRECTORY, stat.S_IFLNK: Kind.LINK}
_SPECIAL = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_NO_EXCEPTIONS = Guard()


class _Held:
    """A descriptor that is closed when nothing holds it any more, as by an iterator nobody began."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def close(self) -> None:
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            writing.close(descriptor)

    __del__ = close


class _Spot(Struct, frozen=True):
    """One name in an open folder: where a change is made."""

    folder: int
    name: str
    real: str
    """The whole path without links, relative to the root."""


class LocalRoot:
    ignores = True
    """Ignore files are honoured here; in a tree that git tracks nothing is ignored any more."""

    def __init__(
        self, folder: Path, *, guard: Guard = _NO_EXCEPTIONS, beneath: Beneath | None = None
    ) -> None:
        real = resolved(str(folder))
        self.beneath = beneath or strongest()
        try:
            self._root = os.open(real, _PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as failed:
            raise failures.of_folder(str(folder), failed) from None
        self._swept: set[tuple[int, int]] = set()
        self.where = self._real_root = real
        self.location = self.where.rstrip("/")
        self.guard = guard.at(self.location)
        self.key = f"local-{sha256(os.fsencode(real)).hexdigest()[:32]}"

    def stat(self, path: str) -> Entry:
        descriptor = self._open(path, _HANDLE)
        try:
            return _entry(path, os.fstat(descriptor))
        finally:
            os.close(descriptor)

    def open(self, path: str) -> Source:
        self.guard.refuse_read(path)
        descriptor = self._open(path, _FILE)
        try:
            status = self._judged(descriptor, path)
            return _source(path, status, os.fdopen(descriptor, "rb"))
        except (ToolError, OSError):
            os.close(descriptor)
            raise

    def open_ready(self, path: str) -> Source:
        """The same without waiting: BlockingIOError unless a small file is in memory, name and content."""
        self.guard.refuse_read(path)
        if not isinstance(self.beneath, Openat2):
            raise BlockingIOError
        descriptor = open_cached(self._root, path, _FILE)
        try:
            status = self._judged(descriptor, path)
            return _source(path, status, in_memory(descriptor, status.st_size))
        finally:
            os.close(descriptor)

    def _judged(self, descriptor: int, path: str) -> os.stat_result:
        """What was opened: a regular file, and none the guard keeps under its real name."""
        status = os.fstat(descriptor)
        _refuse_special(path, status)
        real = self._real(descriptor, path)
        if real != path:
            self.guard.refuse_read(real)
        return status

    def scan(self, path: str) -> Iterator[Entry]:
        try:
            descriptor = self.beneath.open(self._root, path, _FOLDER)
        except OSError as failed:
            raise failures.of_folder(path, failed) from None
        return _entries(_Held(descriptor), f"{path}/" if path else "")

    def write(
        self,
        path: str,
        data: bytes,
        *,
        create_dirs: bool = False,
        mode: int | None = None,
        any_name: bool = False,
    ) -> Written:
        """`any_name` is for what was there before: a new name is judged."""
        if len(data) > WRITE_MAX:
            raise FileTooLarge(
                f"{path} would have {len(data):,} bytes; at most {WRITE_MAX:,} are written.",
                parameter="content",
                size=len(data),
                limit=WRITE_MAX,
            )
        with self._changing(path, "written", create_dirs=create_dirs, any_name=any_name) as spot:
            self._sweep(spot.folder)
            old = _replaceable(spot, path)
            if old is None and not any_name:
                names.refuse_foreign(path)
                names.refuse_twin(spot.folder, path)
            status = writing.replace(spot.folder, spot.name, data, old, mode)
        return Written(_entry(path, status), stamp(status))

    def delete(self, path: str) -> None:
        with self._changing(path, "deleted") as spot:
            writing.remove(spot.folder, spot.name)

    def move(self, source: str, target: str, *, create_dirs: bool = False, any_name: bool = False) -> None:
        with self._changing(source, "moved") as old:
            is_folder = _is_folder(old, source)
            with self._changing(target, "moved", create_dirs=create_dirs, any_name=any_name) as new:
                self._judge_move(old.real, new.real, is_folder=is_folder)
                if not any_name:
                    names.refuse_foreign(target)
                    is_beside = os.path.sameopenfile(old.folder, new.folder)
                    names.refuse_twin(new.folder, target, but=old.name if is_beside else "")
                writing.move(old.folder, old.name, new.folder, new.name)

    def close(self) -> None:
        root, self._root = self._root, -1
        if root >= 0:
            os.close(root)

    def _open(self, path: str, flags: int) -> int:
        try:
            return self.beneath.open(self._root, path, flags)
        except OSError as failed:
            raise failures.of_file(path, failed) from None

    @contextmanager
    def _changing(
        self, path: str, doing: str, *, create_dirs: bool = False, any_name: bool = False
    ) -> Iterator[_Spot]:
        """The open folder and the name a path means, judged; what fails inside is said in our words."""
        parent, _, name = path.rpartition("/")
        if name in {"", ".", ".."}:
            raise InvalidPath(f"The root itself cannot be {doing}.", parameter="path", rule="root")
        self.guard.refuse_write(path)
        made = self._make(parent, None if any_name else f"/{name}") if create_dirs else []
        try:
            with closing(self._folder(parent)) as held:
                real = _join(self._real(held.descriptor, parent), name)
                self.guard.refuse_write(real)
                yield _Spot(held.descriptor, name, real)
        except ToolError:
            self._unmake(made)
            raise
        except OSError as failed:
            self._unmake(made)
            raise failures.of_change(path, failed, doing) from None

    def _folder(self, path: str) -> _Held:
        try:
            return _Held(self.beneath.open(self._root, path, _FOLDER))
        except PermissionError:  # a folder may be entered that may not be read
            return _Held(self._open(path, _HANDLE | os.O_DIRECTORY))
        except OSError as failed:
            raise failures.of_parent(path, failed) from None

    def _make(self, path: str, rest: str | None) -> list[str]:
        """Make a folder and those above it; returns which were not there before, outermost first.

        `rest` is what they are made for, None when their names are not judged.
        """
        made: list[str] = []
        with suppress(DirectoryNotFound):
            self._folder(path).close()
            return made
        try:
            for folder in accumulate(path.split("/"), _join):
                with self._changing(folder, "made") as spot:
                    if rest is not None:
                        _judge_folder(spot, folder, f"{path.removeprefix(folder)}{rest}")
                    if writing.make_folder(spot.folder, spot.name):
                        made.append(folder)
        except ToolError:
            self._unmake(made)
            raise
        return made

    def _unmake(self, folders: list[str]) -> None:
        """A change that did not happen leaves no folders behind."""
        for folder in reversed(folders):
            with suppress(ToolError):
                self.delete(folder)

    def _judge_move(self, source: str, target: str, *, is_folder: bool) -> None:
        """Under another name a secret would be none any more, and a harmless folder might be `.github`."""
        self.guard.refuse_read(source)
        if is_folder:
            self.guard.refuse_folder(source)
            self.guard.refuse_folder(target)

    def _sweep(self, folder: int) -> None:
        """Once for each folder: what a killed write left is not there twice."""
        status = os.fstat(folder)
        identity = (status.st_dev, status.st_ino)
        if identity not in self._swept:
            if len(self._swept) >= SWEPT_FOLDERS:
                self._swept.clear()
            self._swept.add(identity)
            writing.sweep(folder)

    def _real(self, descriptor: int, path: str) -> str:
        """Where a descriptor really is, relative to the root."""
        try:
            real = self._relative(real_path(descriptor))
        except OSError:  # no /proc here: what the links say now
            real = below(resolved(str(Path(self.where, path))), self.where)
        if real is None:
            raise InvalidPath(f"{path} was moved out of the root.", parameter="path", rule="outside")
        return real

    def _relative(self, real: str) -> str | None:
        """The root itself may have been renamed since it was last asked."""
        rest = below(real, self._real_root)
        if rest is None:
            self._real_root = real_path(self._root)
            rest = below(real, self._real_root)
        return rest


def _source(path: str, status: os.stat_result, stream: BinaryIO) -> Source:
    age = time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns)
    return Source(_entry(path, status), stream, stamp(status), status.st_nlink, is_racy=age < RACY_NS)


def stamp(status: os.stat_result) -> tuple[int, int, int, int, int]:
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _entries(held: _Held, start: str) -> Iterator[Entry]:
    with closing(held), os.scandir(held.descriptor) as found:
        for item in found:
            if writing.is_temporary(item.name):
                continue
            try:
                status = item.stat(follow_symlinks=False)
            except FileNotFoundError:  # it went while we looked
                continue
            yield _named(start, item.name, status)


def _named(start: str, name: str, status: os.stat_result) -> Entry:
    if name.isascii() or _is_utf8(name):
        return _entry(f"{start}{name}", status)
    # No caller can send such a name back, so it is shown and cannot be opened.
    shown = os.fsencode(name).decode(errors="replace")
    return Entry(f"{start}{shown}", Kind.OTHER, 0, status.st_mtime_ns)


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _entry(path: str, status: os.stat_result) -> Entry:
    kind = _KINDS.get(stat.S_IFMT(status.st_mode), Kind.OTHER)
    size = status.st_size if kind is Kind.FILE else 0
    return Entry(path, kind, size, status.st_mtime_ns)


def _is_folder(spot: _Spot, path: str) -> bool:
    status = os.stat(spot.name, dir_fd=spot.folder, follow_symlinks=False)
    if stat.S_ISLNK(status.st_mode):
        raise _is_link(path)
    return stat.S_ISDIR(status.st_mode)


def _judge_folder(spot: _Spot, path: str, rest: str) -> None:
    """Its name, if it is not there yet."""
    with suppress(FileNotFoundError):
        os.stat(spot.name, dir_fd=spot.folder, follow_symlinks=False)
        return
    names.refuse_foreign(path, rest)
    names.refuse_twin(spot.folder, path, rest)


def _replaceable(spot: _Spot, path: str) -> os.stat_result | None:
    """What is there now, if a file may take its place."""
    try:
        status = os.stat(spot.name, dir_fd=spot.folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(status.st_mode):
        raise _is_link(path)
    _refuse_special(path, status)
    if not os.access(spot.name, os.W_OK, dir_fd=spot.folder, effective_ids=True):
        number = EROFS if os.fstatvfs(spot.folder).f_flag & os.ST_RDONLY else EACCES
        raise OSError(number, os.strerror(number), path)
    return status


def _is_link(path: str) -> InvalidPath:
    said = f"{path} is a link; name the file it leads to, or delete the link first."
    return InvalidPath(said, parameter="path", rule="link")


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _refuse_special(path: str, status: os.stat_result) -> None:
    form = stat.S_IFMT(status.st_mode)
    if form != stat.S_IFREG:
        kind = _SPECIAL.get(form, "something else")
        raise NotAFile(
            f"{path or 'The root'} is {kind}, not a file.", parameter="path", kind=kind.split()[-1]
        )
