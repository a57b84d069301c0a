"""Which files and folders inside the roots a command must not read: found by a bounded walk, before it runs.

Rules about names cannot stop `grep -r`; what must not be read has to be out of sight.
"""

import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from enum import Enum

from msgspec import Struct

from toolpost.limits import SANDBOX_MASK_ENTRIES, SANDBOX_MASK_FOLDERS, SANDBOX_SETTLED_S
from toolpost.sandbox.toolchains import beneath

_SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages", ".hg", ".svn"})
"""What others have made and nobody keeps secrets in."""
_VIRTUAL = "pyvenv.cfg"


class _Kind(Enum):
    FOLDER = 0
    FILE = 1
    """Or a link."""
    SPECIAL = 2
    """A socket, a FIFO or a device: a way to whoever is at its other end, past the network's fence."""


class _Folder(Struct, frozen=True):
    stamp: tuple[int, ...]
    denied: tuple[str, ...]
    inner: tuple[str, ...]
    count: int


class Masks:
    """`is_denied` is asked of every absolute path; what it says of an unchanged folder's names is remembered."""

    def __init__(self, is_denied: Callable[[str], bool]) -> None:
        self._is_denied = is_denied
        self._known: OrderedDict[str, _Folder] = OrderedDict()

    def find(self, roots: Iterable[str], most: int = SANDBOX_MASK_ENTRIES) -> tuple[tuple[str, ...], bool]:
        """The outermost denied paths, special files among them, and whether all was looked at: at most so many entries are."""
        roots = tuple(roots)
        found: list[str] = []
        waiting = [root for root in roots if not self._is_denied(root)]
        found.extend(root for root in roots if root not in waiting)
        while waiting and most > 0:
            folder = waiting.pop()
            seen = self._look(folder)
            most -= seen.count
            found.extend(seen.denied)
            waiting.extend(seen.inner)
        masked = {real for path in found for real in _meant(path, roots)}
        return tuple(sorted(masked)), not waiting

    def _look(self, folder: str) -> _Folder:
        stamp = _stamp(folder)
        known = self._known.get(folder)
        if known is not None and known.stamp == stamp:
            self._known.move_to_end(folder)
            return known
        seen = self._read(folder, stamp)
        if stamp and time.time_ns() - stamp[-1] > SANDBOX_SETTLED_S * 1e9:
            self._known[folder] = seen
            while len(self._known) > SANDBOX_MASK_FOLDERS:
                self._known.popitem(last=False)
        return seen

    def _read(self, folder: str, stamp: tuple[int, ...]) -> _Folder:
        try:
            with os.scandir(folder) as listing:
                entries = [(entry.name, _kind(entry)) for entry in listing]
        except OSError:  # not for us, and so not for the command
            return _Folder(stamp, (), (), 1)
        if any(name == _VIRTUAL for name, _ in entries):
            return _Folder(stamp, (), (), len(entries))
        denied, inner = [], []
        for name, kind in entries:
            path = f"{folder.rstrip('/')}/{name}"
            if kind is _Kind.SPECIAL or self._is_denied(path):
                denied.append(path)
            elif kind is _Kind.FOLDER and name not in _SKIPPED and not path.endswith(".git/objects"):
                inner.append(path)
        return _Folder(stamp, tuple(denied), tuple(inner), len(entries) + 1)


def masked(
    roots: Iterable[str], is_denied: Callable[[str], bool], most: int = SANDBOX_MASK_ENTRIES
) -> tuple[tuple[str, ...], bool]:
    """As `Masks.find`, remembering nothing."""
    return Masks(is_denied).find(roots, most)


def _kind(entry: os.DirEntry[str]) -> _Kind:
    if entry.is_dir(follow_symlinks=False):
        return _Kind.FOLDER
    return _Kind.FILE if entry.is_symlink() or entry.is_file(follow_symlinks=False) else _Kind.SPECIAL


def _stamp(folder: str) -> tuple[int, ...]:
    try:
        state = os.lstat(folder)
    except OSError:
        return ()
    return (state.st_dev, state.st_ino, state.st_mtime_ns, state.st_ctime_ns)


def _meant(path: str, roots: tuple[str, ...]) -> tuple[str, ...]:
    """A link is as good as what it points to, where that lies in a root."""
    real = os.path.realpath(path)
    return (real,) if any(beneath(real, root) for root in roots) else ()
