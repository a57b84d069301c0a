"""The folder of one tree's index: which files are its newest state, who may write, what may go.

A generation is a number and some files that never change once named. `current` names the newest; it is
replaced whole, after everything it names is on the disk. Readers take no lock: what they have mapped stays
readable after it is unlinked. A writer holds a lock that the system takes back when the writer dies.
"""

import fcntl
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISDIR
from zlib import crc32

import msgspec
from msgspec import Struct

from toolpost.atomic import replace_file
from toolpost.errors import IoFailed
from toolpost.index.disk import about
from toolpost.index.disk.about import About
from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.sections import FORMAT, Content, Mark, write
from toolpost.index.limits import INDEX_LOCK_POLL_S, INDEX_PAGE_BITS
from toolpost.store import private

META, TEXT, TRIGRAMS, SYMBOLS = "meta", "text", "tri", "sym"
KINDS = (META, TEXT, TRIGRAMS, SYMBOLS)
CURRENT, LOCK = "current", "lock"
_NUMBERED = re.compile(r"\.?([0-9]{1,18})\.[a-z]+(\.new)?")
_TEMPORARY = re.compile(r"\.(?:current|root|spool).*", re.DOTALL)


class Busy(Exception):
    """Another writer is at work in this folder."""


class Generation(Struct, frozen=True):
    number: int
    count: int
    """Files it tells of."""
    files: dict[str, Mark]
    """By kind: `meta` and `text` from the beginning, `tri` and `sym` once they are built."""
    format: int = FORMAT


def is_same(one: Generation, other: Generation) -> bool:
    """Whether both tell of the same state; one may have files the other lacks.

    Numbers alone do not say it: they begin anew in a folder that was taken away.
    """
    return one.number == other.number and all(
        one.files.get(kind) == other.files.get(kind) for kind in (META, TEXT)
    )


class _Version(Struct):
    format: int


Stamp = tuple[int, int, int]


class Folder:
    """Nothing is made on the disk before somebody writes."""

    def __init__(self, path: Path, told: About | None = None) -> None:
        self.path = path
        self._told = told
        self._current = path / CURRENT

    def current(self) -> Generation | None:
        """The newest generation; None where none was ever committed. Raises Damaged, IoFailed."""
        try:
            told = self._current.read_bytes()
        except FileNotFoundError:
            return None
        except IsADirectoryError:
            raise Damaged(f"{self._current} is a folder, not a file.") from None
        except OSError as error:
            raise IoFailed(f"{self._current} cannot be read: {error.strerror}.") from None
        return _read_current(told, self._current)

    def stamp(self) -> Stamp:
        """Changes whenever `current` does; one look at the file system."""
        try:
            found = self._current.stat()
        except OSError:
            return (0, 0, 0)
        return (found.st_ino, found.st_mtime_ns, found.st_ctime_ns)

    def file(self, generation: Generation, kind: str) -> Path:
        return self.path / f"{generation.number}.{kind}"

    @contextmanager
    def writing(self, wait_s: float = 0.0) -> Iterator["Writing"]:
        """The right to write, for one at a time, in this process or any other. Raises Busy, IoFailed.

        It ends with the process; a child that was forked meanwhile holds it on until it ends too.
        """
        with _refusals(self.path):
            handle = self._locked(time.monotonic() + wait_s)
        try:
            if self._told is not None:
                with _refusals(self.path):
                    about.write(self.path, self._told)
            yield Writing(self)
        finally:
            with suppress(OSError):  # whatever is wrong with it, it is closed, and the lock with it
                os.close(handle)

    def gc(self) -> int:
        """Unlink what no reader will open any more; bytes freed: 0 while somebody writes. Raises IoFailed."""
        if not self.path.is_dir():
            return 0
        try:
            with self.writing() as writing:
                return writing.sweep()
        except Busy:
            return 0

    def _locked(self, until: float) -> int:
        while True:
            private.make(self.path)
            handle = self._try_lock()
            if handle is not None:
                return handle
            if time.monotonic() >= until:
                raise Busy(f"Another process is writing the index in {self.path}.")
            time.sleep(INDEX_LOCK_POLL_S)

    def _try_lock(self) -> int | None:
        """None while it is held, and when the folder was taken away just then."""
        path = self.path / LOCK
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except FileNotFoundError:
            return None
        try:
            taken = _is_ours(handle, path)
        except OSError:
            os.close(handle)
            raise
        if not taken:
            os.close(handle)
        return handle if taken else None


class Writing:
    """What may be done with the lock in hand."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    def next_number(self) -> int:
        """Never given before: not even a leftover file has it."""
        with _refusals(self.folder.path):
            taken = [_NUMBERED.fullmatch(path.name) for path in self.folder.path.iterdir()]
        return max((int(found[1]) for found in taken if found), default=0) + 1

    def write(
        self, number: int, kind: str, sections: Mapping[str, Content], page_bits: int = INDEX_PAGE_BITS
    ) -> Mark:
        """One file of a generation, on the disk when it returns, and opened by nobody before it is committed."""
        with _refusals(self.folder.path):
            return write(self.folder.path / f"{number}.{kind}", sections, page_bits=page_bits)

    def commit(self, generation: Generation) -> None:
        """From here on it is what readers open. Raises IoFailed; then the old one is, or already this one."""
        told = msgspec.json.encode(generation)
        with _refusals(self.folder.path):
            _sync(self.folder.path)  # what it names is to be found there, should the power fail after it
            _make_way(self.folder.path / CURRENT)
            replace_file(self.folder.path / CURRENT, told + b"\n%08x\n" % crc32(told))

    def add(self, generation: Generation, kind: str, sections: Mapping[str, Content]) -> Generation | None:
        """A file that comes later; None where the generation is not the newest any more."""
        now = self.folder.current()
        if now is None or not is_same(now, generation):
            return None
        mark = self.write(now.number, kind, sections)
        grown = msgspec.structs.replace(now, files={**now.files, kind: mark})
        self.commit(grown)
        return grown

    def sweep(self) -> int:
        """Unlink superseded generations and what killed writers left; bytes freed.

        Where `current` cannot be read nothing goes before the next commit: it may be a later version's.
        """
        try:
            now = self.folder.current()
        except Damaged:
            return 0
        named = set() if now is None else {self.folder.file(now, kind).name for kind in now.files}
        return self._unlink(lambda name: name not in named and _is_left_over(name))

    def clear(self) -> int:
        """Take the whole folder away, `current` first; bytes freed. Who waits to write makes it anew."""
        freed = self._unlink(lambda name: name == CURRENT) + self._unlink(lambda name: name != LOCK)
        freed += self._unlink(lambda name: name == LOCK)
        with suppress(OSError):  # somebody has begun to write there already
            self.folder.path.rmdir()
        return freed

    def _unlink(self, chosen: Callable[[str], bool]) -> int:
        """The size of what was there."""
        with _refusals(self.folder.path):
            return sum(_unlink(path) for path in self.folder.path.iterdir() if chosen(path.name))


def _is_left_over(name: str) -> bool:
    """Whether a writer leaves such a file behind; others may keep theirs in the folder."""
    return bool(_NUMBERED.fullmatch(name) or _TEMPORARY.fullmatch(name))


@contextmanager
def _refusals(folder: Path) -> Iterator[None]:
    """What the system refuses is told as such."""
    try:
        yield
    except OSError as error:
        raise IoFailed(f"The index cannot be written in {folder}: {error.strerror}.") from None


def _make_way(path: Path) -> None:
    """An empty folder where a file is to be goes; one that holds something is nothing of ours."""
    if path.is_dir() and not path.is_symlink():
        try:
            path.rmdir()
        except OSError as error:
            raise IoFailed(
                f"{path} is a folder where a file of the index is to be ({error.strerror}): remove it."
            ) from None


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _is_ours(handle: int, path: Path) -> bool:
    """Whether the lock is taken now, and still is the one others will find there.

    Raises OSError where the file system has no locks.
    """
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(handle), path.stat())
    except (BlockingIOError, FileNotFoundError):
        return False


def _unlink(path: Path) -> int:
    """Its size; 0 where there is none. A folder is nothing of ours, and stays."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return 0
    if S_ISDIR(found.st_mode):
        return 0
    path.unlink(missing_ok=True)
    return found.st_size


def _read_current(told: bytes, where: Path) -> Generation:
    body, _, check = told.partition(b"\n")
    try:
        if msgspec.json.decode(body, type=_Version).format != FORMAT:
            raise Damaged(f"{where} is of another version.")
        if check != b"%08x\n" % crc32(body):
            raise Damaged(f"{where} is damaged: its checksum is another.")
        generation = msgspec.json.decode(body, type=Generation)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Damaged(f"{where} is damaged: it is not what is written there.") from None
    return generation
