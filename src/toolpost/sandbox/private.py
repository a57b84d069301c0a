"""What of the system's settings is not for everybody: a server that runs as root could read it, its commands must not."""

import os
from functools import cache

from toolpost.limits import SANDBOX_PRIVATE_ENTRIES

_SETTINGS = "/etc"


@cache
def private_settings() -> tuple[str, ...]:
    """Outermost files and folders below /etc that others may not read; for an ordinary user there are none."""
    return () if os.geteuid() != 0 else tuple(closed_in(_SETTINGS))


def closed_in(top: str) -> list[str]:
    found: list[str] = []
    folders = [top]
    left = SANDBOX_PRIVATE_ENTRIES
    while folders and left > 0:
        folder = folders.pop()
        for entry in _entries(folder):
            left -= 1
            mode = entry.stat(follow_symlinks=False).st_mode
            if entry.is_symlink():
                continue
            needed = 0o005 if entry.is_dir(follow_symlinks=False) else 0o004
            if mode & needed != needed:
                found.append(entry.path)
            elif entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
    return sorted([*found, *folders])  # what was not looked at is not shown


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
