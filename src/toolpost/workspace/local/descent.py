"""Opening beneath a folder name by name, where the kernel cannot do it in one step.

Each name is opened relative to the descriptor of the folder before it and never followed by the kernel; what a
link says is read and walked from where it stands, and `..` goes back to a descriptor already held.
"""

import os
import stat
from collections import deque
from errno import EINVAL, ELOOP, ENOTDIR, EXDEV
from functools import cache
from pathlib import Path
from typing import NoReturn

from toolpost.limits import LINKS_FOLLOWED, OPEN_TRIES
from toolpost.workspace.local.inside import inside

_PATH = getattr(os, "O_PATH", 0)
_FOLDER = _PATH | os.O_DIRECTORY | os.O_CLOEXEC


class Descent:
    """Several times the cost of one open, and as tight: no name is looked at before it is opened."""

    name = "descent"

    def open(self, root: int, path: str, flags: int, mode: int = 0) -> int:
        if "\0" in path:
            _fail(EINVAL, path)
        try:
            return _walk(root, path, flags, mode, links=LINKS_FOLLOWED)
        except OSError as refused:
            if refused.errno != EXDEV:
                raise
        # Perhaps an absolute link that points back inside.
        return _walk(root, inside(root, path), flags, mode, links=0)


def _walk(root: int, path: str, flags: int, mode: int, *, links: int) -> int:
    if path.startswith("/"):
        _fail(EXDEV, path)
    passed = [root]
    names = deque(path.split("/"))
    try:
        while names:
            name = names.popleft()
            if name in {"", "."}:
                continue
            if name == "..":
                _leave(passed, path)
                continue
            found = _step(passed[-1], name, flags if not names else _FOLDER, mode)
            if isinstance(found, str):
                links = _count(links, found, path)
                names.extendleft(reversed(found.split("/")))
            elif names:
                passed.append(found)
            else:
                return found
        return os.open(".", flags, mode, dir_fd=passed[-1])
    finally:
        for folder in passed[1:]:
            os.close(folder)


def _leave(passed: list[int], path: str) -> None:
    if len(passed) == 1:
        _fail(EXDEV, path)
    os.close(passed.pop())


def _count(links: int, target: str, path: str) -> int:
    if links == 0:
        _fail(ELOOP, path)
    if target.startswith("/"):
        _fail(EXDEV, path)
    return links - 1


def _step(folder: int, name: str, flags: int, mode: int) -> int | str:
    """A descriptor, or what the link of that name says."""
    if flags & os.O_NOFOLLOW:
        return os.open(name, flags, mode, dir_fd=folder)
    tries = OPEN_TRIES  # a name may be a link and no link by turns: it is being swapped
    while True:
        try:
            return _open(folder, name, flags, mode)
        except OSError as refused:
            if refused.errno not in {ELOOP, ENOTDIR}:
                raise
            target = _link(folder, name)
            if target is not None:
                return target
            tries -= 1
            if not tries:
                raise


def _open(folder: int, name: str, flags: int, mode: int) -> int:
    """ELOOP or ENOTDIR at a link, and ENOTDIR also at a file."""
    descriptor = os.open(name, flags | os.O_NOFOLLOW, mode, dir_fd=folder)
    if flags & _PATH and stat.S_ISLNK(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        _fail(ELOOP, name)
    return descriptor


def _link(folder: int, name: str) -> str | None:
    try:
        target = os.readlink(name, dir_fd=folder)
    except OSError as refused:
        if refused.errno == EINVAL:
            return None
        raise
    if os.fstat(folder).st_dev == _proc():
        _fail(ELOOP, name)  # /proc/self/root and its kin say one thing and lead to another
    return target


@cache
def _proc() -> int | None:
    proc = Path("/proc")
    return proc.stat().st_dev if proc.exists() else None


def _fail(number: int, path: str) -> NoReturn:
    raise OSError(number, os.strerror(number), path)
