"""The doctor's look at the indexes: where they lie, and whether changes are told here."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from toolpost.cli import indexing
from toolpost.cli.check import Check, can_hold
from toolpost.config.load import Settings
from toolpost.index.fresh.inotify import Inotify
from toolpost.index.limits import WATCHES_ENOUGH

_PROC = Path("/proc")
_MOST = Path("sys/fs/inotify/max_user_watches")
_MOST_STEP = "sudo sysctl fs.inotify.max_user_watches=524288"


def index(settled: Settings, proc: Path = _PROC) -> Check:
    shelf = indexing.shelf(settled)
    if not can_hold(shelf.cache):
        step = "Make it writable, or: toolpost config set index.folder FOLDER"
        return Check("warn", "index", f"{shelf.cache} cannot be written", step)
    kept = shelf.all()
    size = sum(listed.size_bytes for listed in kept)
    told, is_well, step = _watching(proc)
    found = f"{shelf.cache}: {len(kept):,} trees, {size:,} bytes; {told}"
    next_step = step or ("toolpost index status --all" if kept else "toolpost index build")
    return Check("ok" if is_well else "warn", "index", found, next_step)


def _watching(proc: Path) -> tuple[str, bool, str]:
    """What there is to tell, whether all is well, and else what to do."""
    if sys.platform != "linux":
        return "changes are told by the system, a little late", True, ""
    try:
        Inotify().close()
        most = int((proc / _MOST).read_text())
    except (OSError, ValueError) as error:
        return f"inotify does not work here ({error}): files are looked at instead", False, _MOST_STEP
    left = max(most - sum(_used(proc)), 0)
    is_well = left >= min(WATCHES_ENOUGH, most)
    return f"inotify works, {left:,} of {most:,} watches are left", is_well, "" if is_well else _MOST_STEP


def _used(proc: Path) -> Iterator[int]:
    """Watches of each process of this user: nobody else's can be seen, nor do they count."""
    user = os.getuid()
    for process in proc.iterdir():
        with suppress(OSError):
            if process.name.isdecimal() and process.stat().st_uid == user:
                yield sum(_watches(process))


def _watches(process: Path) -> Iterator[int]:
    for descriptor in (process / "fd").iterdir():
        with suppress(OSError):
            if str(descriptor.readlink()) == "anon_inode:inotify":
                told = (process / "fdinfo" / descriptor.name).read_text()
                yield sum(line.startswith("inotify") for line in told.splitlines())
