"""Empty folders in the place of protected files that are absent, so that a mount can lie over them while a command runs.

Folders, because git and its like pass over an empty one: a file or a device would be an untracked change.

Each carries a mark (its mode), so that one left by a server that was killed is known and removed by the next command.
Whoever uses them holds a shared lock on the root, also in other processes; the last to leave removes them.
"""

import fcntl
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE, S_ISDIR

from toolpost.sandbox.toolchains import beneath

_MARK = 0o1500  # a sticky folder that nobody writes to: nobody makes such a one by hand


class Placeholders:
    """`paths` are absent ones below the root whose folders exist, or placeholders others have made."""

    def __init__(self, root: str, paths: Iterable[str]) -> None:
        self.paths = tuple(path for path in paths if beneath(path, root))
        self._lock = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        _locked(self._lock, fcntl.LOCK_SH)
        self.made = tuple(path for path in self.paths if _make(path))

    def remove(self) -> None:
        if _locked(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB):
            for path in self.made:
                if is_placeholder(path):
                    with suppress(OSError):  # no longer empty, so no longer ours
                        Path(path).rmdir()
        os.close(self._lock)


def is_placeholder(path: str) -> bool:
    try:
        state = os.lstat(path)
    except OSError:
        return False
    return S_ISDIR(state.st_mode) and S_IMODE(state.st_mode) == _MARK


def _make(path: str) -> bool:
    """Whether it stands there now: where we may not write, the command may not either."""
    place = Path(path)
    try:
        place.mkdir(0o500)
    except OSError:
        return is_placeholder(path)
    place.chmod(_MARK)
    return True


def _locked(handle: int, how: int) -> bool:
    try:
        fcntl.flock(handle, how)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
