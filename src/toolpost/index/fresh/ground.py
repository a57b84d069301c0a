"""A local tree as it is now, by the rules an index is built by: what ignore files leave out is not there."""

import os
import stat
from collections.abc import Callable, Iterator

from msgspec import Struct

from toolpost.errors import LimitExceeded, ToolError
from toolpost.index.fresh.ladder import LISTED, Ladder
from toolpost.limits import WALK_DEPTH, WALK_ENTRIES
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.local.writing import is_temporary
from toolpost.workspace.root import Entry, Kind
from toolpost.workspace.walking.ignore import GIT, NAMES, Ignore, telling

EXCLUDE = b".git/info/exclude"
"""The one file of git's own that rules what is listed."""
_TELLING = frozenset(os.fsencode(name) for name in (*NAMES, GIT))
_TOP = getattr(os, "O_PATH", 0) | os.O_DIRECTORY | os.O_CLOEXEC
Enter = Callable[[int, bytes], None]
"""Called with a folder's descriptor and path before it is listed: from then on changes in it are told."""


class Level(Struct, frozen=True):
    """What one folder holds of the index: paths, sorted."""

    folder: bytes
    files: list[bytes]
    folders: list[bytes]


class Ground:
    """Not for several threads at once."""

    def __init__(self, root: LocalRoot) -> None:
        self.root = root
        self.top = os.open(root.where, _TOP)
        self._rules: dict[bytes, Ignore] = {}

    def close(self) -> None:
        top, self.top = self.top, -1
        if top >= 0:
            os.close(top)

    def forget_rules(self) -> None:
        """Once an ignore file may say something else."""
        self._rules.clear()

    def status(self, ladder: Ladder, path: bytes) -> os.stat_result | None:
        """None where nothing is, or only through a link."""
        folder, _, name = path.rpartition(b"/")
        try:
            return os.stat(name or b".", dir_fd=ladder.at(folder), follow_symlinks=False)
        except OSError:
            return None

    def keeps(self, path: bytes, *, is_dir: bool) -> bool:
        """Whether the folder that holds it would list it."""
        folder, _, name = path.rpartition(b"/")
        if not name:
            return True
        if not _may_be(name, is_dir=is_dir):
            return False
        return not self.rules(folder).leaves_out(_entry(path, is_dir=is_dir))

    def rules(self, folder: bytes) -> Ignore:
        """What holds in a folder."""
        held = self._rules.get(folder)
        if held is None:
            above = self.rules(folder.rpartition(b"/")[0]) if folder else Ignore()
            held = self._rules[folder] = self._within(above, folder) if self.root.ignores else above
        return held

    def _within(self, above: Ignore, folder: bytes) -> Ignore:
        path = os.fsdecode(folder)
        try:
            return above.within(self.root, path, telling(self.root, path))
        except ToolError:  # it went while we looked
            return above

    def below(self, folder: bytes, enter: Enter) -> Iterator[Level]:
        """A folder and all below that can be listed. Raises LimitExceeded."""
        waiting = [folder]
        seen = 0
        with Ladder(self.top) as ladder:
            while waiting:
                level = self.level(ladder, waiting.pop(), enter)
                if level is None:
                    continue
                seen += len(level.files) + len(level.folders)
                _refuse_many(seen)
                waiting += reversed(level.folders)
                yield level

    def level(self, ladder: Ladder, folder: bytes, enter: Enter) -> Level | None:
        """None for a folder that cannot be listed, or lies too deep."""
        if folder.count(b"/") + bool(folder) >= WALK_DEPTH:
            return None
        try:
            descriptor = os.open(b".", LISTED, dir_fd=ladder.at(folder))
        except OSError:
            return None
        try:
            enter(descriptor, folder)
            files, folders = _scan(descriptor)
        except OSError:
            return None
        finally:
            os.close(descriptor)
        return self._kept(folder, files, folders)

    def _kept(self, folder: bytes, files: list[bytes], folders: list[bytes]) -> Level:
        start = folder + b"/" if folder else b""
        if _TELLING.isdisjoint(files) and _TELLING.isdisjoint(folders) and folder:
            rules = self._rules[folder] = self.rules(folder.rpartition(b"/")[0])
        else:
            rules = self.rules(folder)
        files = [name for name in files if _may_be(name, is_dir=False)]
        folders = [name for name in folders if _may_be(name, is_dir=True)]
        is_silent = rules.is_silent(os.fsdecode(folder), files + folders)

        def kept(names: list[bytes], *, is_dir: bool) -> list[bytes]:
            paths = [start + name for name in names]
            if is_silent:
                return paths
            return [path for path in paths if not rules.leaves_out(_entry(path, is_dir=is_dir))]

        return Level(folder, kept(sorted(files), is_dir=False), kept(sorted(folders), is_dir=True))


def is_telling(path: bytes) -> bool:
    """Whether it rules what its folder, or with EXCLUDE the whole tree, lists."""
    return path.rpartition(b"/")[2] in _TELLING or path == EXCLUDE


def is_file(status: os.stat_result | None) -> bool:
    return status is not None and stat.S_ISREG(status.st_mode)


def is_folder(status: os.stat_result | None) -> bool:
    return status is not None and stat.S_ISDIR(status.st_mode)


def _scan(descriptor: int) -> tuple[list[bytes], list[bytes]]:
    """Names of files and of folders; links and what else there is are neither."""
    files: list[bytes] = []
    folders: list[bytes] = []
    with os.scandir(descriptor) as found:
        for count, item in enumerate(found):
            _refuse_many(count)
            if item.is_file(follow_symlinks=False):
                files.append(os.fsencode(item.name))
            elif item.is_dir(follow_symlinks=False):
                folders.append(os.fsencode(item.name))
    return files, folders


def _refuse_many(count: int) -> None:
    if count > WALK_ENTRIES:
        raise LimitExceeded(
            f"There are more than {WALK_ENTRIES:,} entries below; index a folder further down.",
            parameter="path",
        )


def _may_be(name: bytes, *, is_dir: bool) -> bool:
    """Git's own, a write that is not finished, and a folder no caller could name are not of the tree."""
    if name[:1] == b"." and (name == b".git" or is_temporary(os.fsdecode(name))):
        return False
    return not is_dir or _is_utf8(name)


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


def _entry(path: bytes, *, is_dir: bool) -> Entry:
    return Entry(os.fsdecode(path), Kind.DIRECTORY if is_dir else Kind.FILE)
