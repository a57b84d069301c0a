"""What is seen of a file that must not be read: zeros, as many as it has bytes and as old as it is.

So git takes a tracked file for unchanged, and neither shows nor commits the loss of it.
"""

import atexit
import os
import shutil
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from stat import S_IFSOCK, S_ISDIR, S_ISLNK, S_ISREG
from tempfile import mkdtemp
from threading import Lock

from toolpost.limits import SANDBOX_STANDINS_FOLDER, SANDBOX_STANDINS_KEPT
from toolpost.sandbox.tracked import Mark

GAP = (
    "a masked folder holds so much that it is empty for the command: git takes its tracked files for deleted"
)
_TRUSTING = (("core.checkStat", "minimal"), ("core.trustctime", "false"))
"""Size and time are all a stand-in can share with a file."""


class _Shelf:
    """Stand-ins are shared by files that look alike; the longest unused are thrown away."""

    def __init__(self) -> None:
        self._folder = mkdtemp(prefix="toolpost-")
        atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        Path(self._folder).chmod(0o755)
        self._lock = Lock()
        self._made: OrderedDict[tuple[int, int, int], str] = OrderedDict()
        self._count = 0

    def file(self, size: int, mtime_ns: int, mode: int) -> str:
        key = (size, mtime_ns, 0o444 | mode & 0o111)
        with self._lock:
            if key not in self._made:
                self._made[key] = self._new(*key)
            self._made.move_to_end(key)
            while len(self._made) > SANDBOX_STANDINS_KEPT:
                Path(self._made.popitem(last=False)[1]).unlink(missing_ok=True)
            return self._made[key]

    def socket(self) -> str:
        """Nobody listens at it, and nobody can open it: what is no file stays none."""
        place = f"{self._folder}/socket"
        with suppress(FileExistsError):
            os.mknod(place, S_IFSOCK | 0o444)
        return place

    def _new(self, size: int, mtime_ns: int, mode: int) -> str:
        self._count += 1
        place = Path(self._folder, str(self._count))
        place.touch(0o600)
        with suppress(OSError):  # larger than a file may be where temporary ones lie
            os.truncate(place, size)
        os.utime(place, ns=(mtime_ns, mtime_ns))
        place.chmod(mode)
        return str(place)


@cache
def _shelf() -> _Shelf:
    return _Shelf()


def emptied(path: str) -> Iterator[str]:
    """How bubblewrap hides what git has no business with. A device in its place would break whoever lists the folder."""
    state = _state(path)
    if state is not None and S_ISDIR(state.st_mode):
        yield from ("--tmpfs", path, "--remount-ro", path)
    elif state is not None:
        yield from ("--ro-bind", _shelf().file(0, 0, 0), path)


def covered(path: str, marks: Mapping[str, Mark]) -> Iterator[str]:
    """How it hides what may be tracked. `marks`: what git remembers of files, where they may have changed since."""
    state = _state(path)
    if state is not None and S_ISDIR(state.st_mode):
        yield from ("--tmpfs", path)
        for inner in _listed(path) or ():
            yield from _inside(inner, marks)
        yield from ("--remount-ro", path)
    elif state is not None:
        yield from ("--ro-bind", _standin(path, state, marks), path)


def _state(path: str) -> os.stat_result | None:
    """None: nothing is to be hidden. It is a link, or gone, and a mount would make it anew."""
    try:
        state = os.lstat(path)
    except OSError:
        return None
    return None if S_ISLNK(state.st_mode) else state


def is_emptied(path: str) -> bool:
    """Whether it is a folder of which not even names are shown."""
    state = _state(path)
    return state is not None and S_ISDIR(state.st_mode) and _listed(path) is None


def trusting(env: Mapping[str, str]) -> dict[str, str]:
    """The same variables, and git is told to go by size and time. What they tell it already stays."""
    told = env.get("GIT_CONFIG_COUNT", "0") or "0"
    if not told.isdecimal():  # git refuses it, and says so
        return dict(env)
    first = int(told)
    added = {"GIT_CONFIG_COUNT": str(first + len(_TRUSTING))}
    for number, (key, value) in enumerate(_TRUSTING, first):
        added |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return {**env, **added}


def _inside(path: str, marks: Mapping[str, Mark]) -> Iterator[str]:
    try:
        state = os.lstat(path)
        if S_ISLNK(state.st_mode):
            yield from ("--symlink", str(Path(path).readlink()), path)
        elif S_ISREG(state.st_mode):
            yield from ("--ro-bind", _standin(path, state, marks), path)
    except OSError:  # gone since it was listed
        return


def _listed(folder: str) -> list[str] | None:
    """All below it that is no folder; None: too much to cover one by one."""
    found: list[str] = []
    waiting = [folder]
    for place in waiting:
        for entry in islice(_entries(place), SANDBOX_STANDINS_FOLDER + 1):
            (waiting if entry.is_dir(follow_symlinks=False) else found).append(entry.path)
        if len(found) + len(waiting) - 1 > SANDBOX_STANDINS_FOLDER:
            return None
    return found


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    """None of a folder that is closed to us, and so to the command."""
    try:
        with os.scandir(folder) as listing:
            yield from listing
    except OSError:
        return


def _standin(path: str, state: os.stat_result, marks: Mapping[str, Mark]) -> str:
    if not S_ISREG(state.st_mode):
        return _shelf().socket()
    mark = marks.get(path) or Mark(state.st_size, state.st_mtime_ns)
    return _shelf().file(mark.size, mark.mtime_ns, state.st_mode)
