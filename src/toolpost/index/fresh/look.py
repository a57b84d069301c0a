"""One look at a tree: from names something happened to, to files that have to be read and files that are gone."""

import os
import time

from toolpost.index.disk.records import STAMP
from toolpost.index.fresh.ground import EXCLUDE, Ground, Level, is_file, is_folder, is_telling
from toolpost.index.fresh.happened import Happened, is_within, parent, topmost, upward
from toolpost.index.fresh.known import Known
from toolpost.index.fresh.ladder import Ladder
from toolpost.index.fresh.stamps import NONE, differing, folder_list, stamp_of, stat_list
from toolpost.index.fresh.watcher import Watcher
from toolpost.index.model import Stamp
from toolpost.limits import RACY_NS

_GIT_INFO = parent(EXCLUDE)
_GIT = b".git"


class Look:
    """What it finds is in `read` and `gone`; folders it meets are known, and watched, from then on."""

    def __init__(self, ground: Ground, known: Known, watcher: Watcher | None) -> None:
        self.read: dict[bytes, Stamp] = {}
        """Files that are new or not as they were, with the stamps they bear now."""
        self.gone: set[bytes] = set()
        self._seen: set[bytes] = set()
        """Files among `read` of which it is known whether they have other names."""
        self._shared: set[int] = set()
        """The inodes of those that have."""
        self._listed_anew: set[bytes] = set()
        """Folders of which all that is to be known is known."""
        self._ground = ground
        self._known = known
        self._watcher = watcher

    def at(self, happened: Happened) -> None:
        """Raises NoRoom, LimitExceeded."""
        if happened.is_lost:
            self._at_all()
        names = {path for path in happened.files | happened.folders if is_telling(path)}
        folders = {folder for folder in happened.folders if not _is_gits(folder)}
        files = {path for path in happened.files if not _is_gits(path)}
        if names or folders:
            self._ground.forget_rules()
        self._relist(folders | {_ruled(path) for path in names})
        self._at_files(files)
        self._at_files(self._twins())

    def _at_files(self, files: set[bytes]) -> None:
        """A file in a folder nobody knew of makes that folder, or the one above it that is new, be listed."""
        new: set[bytes] = set()
        with Ladder(self._ground.top) as ladder:
            for path in sorted(files):
                if self._listed_anew and is_within(path, self._listed_anew):
                    continue
                new.update(self._at_file(ladder, path))
        if new:
            self._relist(new)

    def _at_file(self, ladder: Ladder, path: bytes) -> list[bytes]:
        """Folders to list instead."""
        status = self._ground.status(ladder, path)
        known = self._known.stamp(path)
        if status is None or not is_file(status):
            if known is not None:
                self.gone.add(path)
            return [self._edge(path)] if is_folder(status) and path not in self._known.folders else []
        if parent(path) not in self._known.folders:
            return [self._edge(parent(path))]
        stamp = stamp_of(status)
        if known != stamp and (known is not None or self._ground.keeps(path, is_dir=False)):
            self.read[path] = stamp
            self._note_names(path, status)
        return []

    def _note_names(self, path: bytes, status: os.stat_result) -> None:
        self._seen.add(path)
        if status.st_nlink > 1:
            self._shared.add(status.st_ino)

    def _twins(self) -> set[bytes]:
        """Files that may be others by another name: who writes to one of two hard links tells only of that one."""
        with Ladder(self._ground.top) as ladder:
            for path in sorted(self.read.keys() - self._seen):
                status = self._ground.status(ladder, path)
                if status is not None:
                    self._note_names(path, status)
        return self._known.of_inodes(self._shared).difference(self.read) if self._shared else set()

    def _edge(self, folder: bytes) -> bytes:
        """The topmost folder on the way to one that is not known."""
        unknown = [above for above in upward(folder) if above not in self._known.folders]
        return unknown[-1] if unknown else folder

    def _relist(self, folders: set[bytes]) -> None:
        """Folders and all below, as if nothing were known of them but files' stamps."""
        tops = topmost(folders)
        if not tops:
            return
        within = set(tops)
        self._listed_anew |= within
        dropped = self._known.drop(within)
        if self._watcher:
            self._watcher.leave(dropped)
        # What was found there before may be left out by now.
        self.read = {path: stamp for path, stamp in self.read.items() if not is_within(path, within)}
        with Ladder(self._ground.top) as ladder:
            for top in tops:
                self._compare_all(sorted(self._listed(ladder, top)), self._known.stamps_below(top))
                if top:
                    self._at_file(ladder, top)  # it may be a file by now, or have been one
        if tops == [b""]:
            self._watch_git()

    def _listed(self, ladder: Ladder, top: bytes) -> set[bytes]:
        """The files below, their folders entered; none for a folder that is left out or is none."""
        if top and (parent(top) not in self._known.folders or not self._ground.keeps(top, is_dir=True)):
            return set()
        if top and not is_folder(self._ground.status(ladder, top)):
            return set()
        listed: set[bytes] = set()
        for level in self._ground.below(top, self._enter):
            self._known.folders.add(level.folder)
            listed.update(level.files)
        return listed

    def _compare_all(self, paths: list[bytes], known: dict[bytes, bytes]) -> None:
        """What is there of some folders with all that is known of them."""
        numbers = stat_list(self._ground.top, paths)
        stamps = numbers.tobytes()
        for at, path in enumerate(paths):
            stamp = stamps[at * STAMP.size : (at + 1) * STAMP.size]
            if stamp == NONE:
                continue  # it went just now
            if known.pop(path, None) != stamp:
                self.read[path] = Stamp(*STAMP.unpack(stamp))
        self.gone.update(known)

    def _enter(self, descriptor: int, folder: bytes) -> None:
        if self._watcher:
            self._watcher.enter(descriptor, folder)

    def watch_all(self) -> None:
        """Every folder that is known. Raises NoRoom."""
        if self._watcher:
            self._watcher.add(self._ground.top, sorted(self._known.folders))
        self._watch_git()

    def _watch_git(self) -> None:
        """The one folder of git's own that holds a file of rules."""
        if self._watcher:
            self._watcher.leave([_GIT_INFO])
            self._watcher.add(self._ground.top, [_GIT_INFO])

    def _at_all(self) -> None:
        """Every stamp: what a watcher would have told."""
        known, ground = self._known, self._ground
        ground.forget_rules()
        base = known.snapshot.base
        numbers = stat_list(ground.top, base.paths())
        files = {base.path(number) for number in differing(base, numbers)}
        files.update(known.changed())
        began_ns = time.time_ns()
        new: set[bytes] = set()
        for level in self._at_folders():
            new.update(folder for folder in level.folders if folder not in known.folders)
            files.update(level.files)
        self._at_files(files)
        new |= {_ruled(path) for path in (*self.read, *self.gone) if is_telling(path)}
        self._relist(new | ({b""} if self._is_ruled_anew() else set()))
        known.checked_ns = began_ns

    def _at_folders(self) -> list[Level]:
        """Those in which something came or went; those that are gone are forgotten."""
        known, ground = self._known, self._ground
        found = folder_list(ground.top, sorted(known.folders), known.checked_ns)
        dropped = known.drop(set(found.gone))
        if self._watcher:
            self._watcher.leave(dropped)
        with Ladder(ground.top) as ladder:
            levels = [ground.level(ladder, folder, self._enter) for folder in found.stale]
        return [level for level in levels if level is not None]

    def _is_ruled_anew(self) -> bool:
        """Whether git's own file of rules changed since the tree was last looked at."""
        with Ladder(self._ground.top) as ladder:
            status = self._ground.status(ladder, EXCLUDE)
        return status is not None and status.st_ctime_ns >= self._known.checked_ns - RACY_NS


def _ruled(path: bytes) -> bytes:
    """The folder whose listing a file of rules decides."""
    return b"" if path == EXCLUDE else parent(path)


def _is_gits(path: bytes) -> bool:
    return path.rpartition(b"/")[2] == _GIT or parent(path) == _GIT_INFO
