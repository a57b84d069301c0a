"""Empty folders in the place of protected files that are absent, so that a mount can lie over them while a command runs.

Folders, because git and its like pass over an empty one: a file or a device would be an untracked change. Inside `.git`
nothing is tracked, and some of its files must be files, with a text that means the same as none.

Each carries a mark (its mode), so that one left by a server that was killed is known and removed by the next command.
Whoever uses them holds a shared lock on the root, also in other processes; the last to leave removes them.
"""

import fcntl
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISREG

from toolpost.sandbox.there import top_names
from toolpost.sandbox.toolchains import beneath

FILES = {".git/commondir": b".\n", ".git/info/attributes": b"", ".git/objects/info/alternates": b""}
"""What is held by a file, by how its path ends, and the text."""
_FILE_MARK = 0o1444
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
                    with suppress(OSError):
                        _remove(path)
        os.close(self._lock)


def is_placeholder(path: str) -> bool:
    try:
        state = os.lstat(path)
    except OSError:
        return False
    if S_ISDIR(state.st_mode):  # one that is no longer empty is no longer ours
        return S_IMODE(state.st_mode) == _MARK and not top_names(path)
    text = _text(path)
    return S_ISREG(state.st_mode) and S_IMODE(state.st_mode) == _FILE_MARK and _reads(path, text)


def _text(path: str) -> bytes | None:
    return next((text for end, text in FILES.items() if path.endswith(f"/{end}")), None)


def _reads(path: str, text: bytes | None) -> bool:
    return text is not None and Path(path).read_bytes() == text


def _remove(path: str) -> None:
    if _text(path) is None:
        Path(path).rmdir()
    else:
        Path(path).unlink()


def _make(path: str) -> bool:
    """Whether it stands there now: where we may not write, the command may not either."""
    text = _text(path)
    try:
        if text is None:
            _make_folder(path)
        else:
            _make_file(path, text)
    except OSError:
        return is_placeholder(path)
    return True


def _make_folder(path: str) -> None:
    place = Path(path)
    place.mkdir(0o500)
    place.chmod(_MARK)


def _make_file(path: str, text: bytes) -> None:
    """With its text at once: a git that runs meanwhile dies of an empty `commondir`."""
    handle = os.open(path.rpartition("/")[0], os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o400)
    try:
        os.write(handle, text)
        os.fchmod(handle, _FILE_MARK)
        # Only with a descriptor does Python call linkat, which follows the link that /proc shows.
        os.link(f"/proc/self/fd/{handle}", path, src_dir_fd=handle, follow_symlinks=True)
    finally:
        os.close(handle)


def _locked(handle: int, how: int) -> bool:
    try:
        fcntl.flock(handle, how)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
