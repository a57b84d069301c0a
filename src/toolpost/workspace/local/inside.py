"""Where descriptors really are, and whether one lies inside another."""

import fcntl
import os
from errno import EXDEV
from pathlib import Path

from toolpost.limits import PATH_BYTES

_GONE = " (deleted)"
_readlink = os.readlink  # Path.readlink takes four times as long, and every open asks twice

_GETPATH = getattr(fcntl, "F_GETPATH", None)  # macOS has it, and no /proc


def real_path(descriptor: int) -> str:
    """The path the system knows a descriptor by, now; a removed file keeps its last one.

    Raises OSError where the system does not say, as a Linux without /proc.
    """
    if _GETPATH is None:
        path = _readlink(f"/proc/self/fd/{descriptor}")
    else:
        path = os.fsdecode(fcntl.fcntl(descriptor, _GETPATH, bytes(PATH_BYTES)).rstrip(b"\0"))
    if path.endswith(_GONE) and os.fstat(descriptor).st_nlink == 0:
        return path.removesuffix(_GONE)
    return path


def below(path: str, folder: str) -> str | None:
    """The rest of an absolute path below a folder; `/srv/app2` is not below `/srv/app`."""
    if path == folder:
        return ""
    start = folder if folder.endswith("/") else f"{folder}/"
    return path[len(start) :] if path.startswith(start) else None


def resolved(path: str) -> str:
    """An absolute path by what its links say now; a loop of links stays as it is."""
    return os.path.realpath(path)  # Path.resolve raises RuntimeError at a loop


def inside(root: int, path: str) -> str:
    """A path relative to the root, its links resolved by their text: EXDEV when it leaves.

    What it returns was true a moment ago and may not be now, so it is opened following no link.
    """
    try:
        folder = real_path(root)
        rest = below(resolved(str(Path(folder, path))), folder)
    except OSError:  # no /proc: nobody can say
        rest = None
    if rest is None:
        raise OSError(EXDEV, os.strerror(EXDEV), path)
    return rest
