"""What git remembers of tracked files: the size and the time by which it takes one for unchanged, unread.

Where a file is as old as the index, git reads it again to be sure. Such an index is written anew first, from outside
the sandbox, as `git status` of the user would.
"""

import os
import re
import time
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from toolpost.errors import ToolError
from toolpost.limits import SANDBOX_INDEXES_KEPT, SANDBOX_TRACKED_PATHS
from toolpost.sandbox.toolchains import beneath
from toolpost.workspace.git.command import Git
from toolpost.workspace.git.home import Home, find

_ENTRY = re.compile(
    rb"([^\0]+)\0  ctime: \d+:\d+\n  mtime: (\d+):(\d+)\n  dev: \d+\tino: \d+\n  uid: \d+\tgid: \d+\n"
    rb"  size: (\d+)\tflags: [0-9a-f]+\n"
)
_TICK_S = 0.02
"""A file's time comes from a clock that lags behind."""
_Stamp = tuple[int, ...]


class Mark(Struct, frozen=True):
    size: int
    mtime_ns: int


def marks(paths: Iterable[str], roots: Iterable[str]) -> dict[str, Mark]:
    """Of tracked files among these paths and below them; none where git cannot be asked."""
    roots = tuple(roots)
    found: dict[str, Mark] = {}
    by_home: dict[Home, list[str]] = defaultdict(list)
    for path in paths:
        home = _home(path, roots)
        if home is not None and len(by_home[home]) < SANDBOX_TRACKED_PATHS:
            by_home[home].append(path)
    for home, within in by_home.items():
        try:
            found.update(_settled(home, tuple(within)))
        except ToolError:  # a repository our git does not touch
            continue
    return found


def _home(path: str, roots: tuple[str, ...]) -> Home | None:
    root = next((root for root in roots if beneath(path, root) and path != root), None)
    if root is None:
        return None
    try:
        home = find(Path(path).parent, Path(root))
    except ToolError:
        return None
    return home if home.top is not None and beneath(path, str(home.top)) else None


def _settled(home: Home, paths: tuple[str, ...]) -> dict[str, Mark]:
    stamp = _stamp(home)
    found = _read(home, paths, stamp)
    if not stamp or not any(_is_racy(mark, stamp) for mark in found.values()):
        return found
    _wait_past(max(mark.mtime_ns for mark in found.values() if _is_racy(mark, stamp)))
    Git(home.cwd, root=home.root).run("update-index", "-q", "--refresh", "--force-write-index")
    return _read(home, paths, _stamp(home))


def _is_racy(mark: Mark, stamp: _Stamp) -> bool:
    """As git sees it: most are built to compare whole seconds."""
    return mark.mtime_ns // 10**9 >= stamp[0] // 10**9


def _wait_past(mtime_ns: int) -> None:
    """Within the second of a commit a new index would be as old as the old one."""
    left = mtime_ns // 10**9 + 1 + _TICK_S - time.time()
    if 0 < left <= 1 + _TICK_S:
        time.sleep(left)


def _stamp(home: Home) -> _Stamp:
    try:
        state = os.lstat(home.folder / "index")
    except OSError:
        return ()
    return (state.st_mtime_ns, state.st_size, state.st_ino)


@lru_cache(maxsize=SANDBOX_INDEXES_KEPT)
def _read(home: Home, paths: tuple[str, ...], stamp: _Stamp) -> dict[str, Mark]:
    if not stamp:
        return {}
    named = (os.path.relpath(path, home.cwd) for path in paths)
    output = Git(home.cwd, root=home.root).ask("ls-files", "--debug", "-z", "--", *named)
    return {
        f"{home.cwd}/{os.fsdecode(entry[1])}": Mark(int(entry[4]), int(entry[2]) * 10**9 + int(entry[3]))
        for entry in _ENTRY.finditer(output.stdout)
    }
