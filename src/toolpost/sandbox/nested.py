"""Protected names at any depth below the roots, however they are written: found by a bounded walk.

Before a command what is there is held; after it what is new is taken away.
"""

import os
import time
from collections import OrderedDict, deque
from collections.abc import Iterable
from threading import Lock

from msgspec import Struct
from msgspec.structs import replace

from toolpost.limits import SANDBOX_MASK_ENTRIES, SANDBOX_MASK_FOLDERS, SANDBOX_SETTLED_S
from toolpost.pathnames.sensitive import is_protected
from toolpost.sandbox.placeholders import is_placeholder
from toolpost.sandbox.protect import Plan, plan_of, protected
from toolpost.sandbox.refused import Refused
from toolpost.sandbox.repositories import inside, is_harmless
from toolpost.sandbox.snapshot import take_away

_SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages", ".hg", ".svn"})
"""What others have made, and nobody opens as a workspace. A virtual environment is no reason: anybody can mark one."""
_GIT = ".git"


class _Folder(Struct, frozen=True):
    stamp: tuple[int, ...]
    protected: tuple[str, ...]
    inner: tuple[str, ...]
    count: int


class _Walk:
    """What was seen in an unchanged folder is remembered: no program can set a ctime."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[str, _Folder] = OrderedDict()

    def find(self, root: str, most: int) -> tuple[frozenset[str], bool]:
        """The outermost protected paths, nearest first, and whether all was looked at."""
        found: list[str] = []
        waiting = deque([root.rstrip("/")])
        with self._lock:
            while waiting and most > 0:
                seen = self._look(waiting.popleft(), root)
                most -= seen.count
                found.extend(seen.protected)
                waiting.extend(seen.inner)
        return frozenset(found), not waiting

    def _look(self, folder: str, root: str) -> _Folder:
        stamp = _stamp(folder)
        known = self._known.get(folder)
        if known is not None and known.stamp == stamp:
            self._known.move_to_end(folder)
            return known
        seen = _read(folder, stamp, "" if folder == root.rstrip("/") else folder.rpartition("/")[2])
        if stamp and time.time_ns() - stamp[-1] > SANDBOX_SETTLED_S * 1e9:
            self._known[folder] = seen
            while len(self._known) > SANDBOX_MASK_FOLDERS:
                self._known.popitem(last=False)
        return seen


_walk = _Walk()


class Nested:
    """Of one root and one command. `most` entries are looked at."""

    def __init__(self, root: str, most: int = SANDBOX_MASK_ENTRIES) -> None:
        self.root = root
        self._most = most
        self._usual = frozenset(protected((root,)))
        self._before, self.complete = self._find()

    def _find(self) -> tuple[frozenset[str], bool]:
        found, is_complete = _walk.find(self.root, self._most)
        inner = {path for git in found if git.endswith(f"/{_GIT}") for path in inside(git, self._most)}
        return frozenset(path for path in found | inner if not is_placeholder(path)), is_complete

    def plan(self) -> Plan:
        """How to keep what is there, beside what is protected at the top of every root."""
        top = f"{self.root.rstrip('/')}/{_GIT}"
        planned = plan_of(path for path in self._before - self._usual if path != top)
        # A folder further up can be moved away with what is held in it, and made anew: so all is compared, too.
        return replace(planned, watched=(*planned.watched, *planned.fixed))

    def revert(self) -> tuple[str, ...]:
        """Take away what is new; returns the violations. A new repository may stay, if it names no programs."""
        found, _ = self._find()
        refused = Refused()
        return tuple(
            take_away(self.root, path, refused)
            for path in sorted(found - self._before - self._usual)
            if not _may_stay(path)
        )


def _may_stay(path: str) -> bool:
    return path.endswith(f"/{_GIT}") and is_harmless(path)


def _read(folder: str, stamp: tuple[int, ...], own: str) -> _Folder:
    """`own` is the folder's name: two names in a row may be protected."""
    try:
        with os.scandir(folder) as listing:
            entries = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in listing]
    except OSError:  # not for us, and so not for the command
        return _Folder(stamp, (), (), 1)
    names = _named(own, (name for name, _ in entries))
    inner = [name for name, is_folder in entries if is_folder and name not in names and name not in _SKIPPED]
    return _Folder(
        stamp,
        tuple(f"{folder}/{name}" for name in names),
        tuple(f"{folder}/{name}" for name in inner),
        len(entries) + 1,
    )


def _named(own: str, names: Iterable[str]) -> frozenset[str]:
    return frozenset(name for name in names if is_protected(f"{own}/{name}" if own else name))


def _stamp(folder: str) -> tuple[int, ...]:
    try:
        state = os.lstat(folder)
    except OSError:
        return ()
    return (state.st_dev, state.st_ino, state.st_mtime_ns, state.st_ctime_ns)
