"""Whether something is there for us: a folder we may not look into is as good as absent, and no error."""

import os
from pathlib import Path
from stat import S_ISDIR


def exists(path: str) -> bool:
    return _mode(path) != 0


def is_folder(path: str) -> bool:
    return S_ISDIR(_mode(path))


def _mode(path: str) -> int:
    try:
        return Path(path).stat().st_mode
    except (OSError, ValueError):
        return 0


def top_names(folder: str) -> frozenset[str]:
    try:
        with os.scandir(folder) as entries:
            return frozenset(entry.name for entry in entries)
    except OSError:
        return frozenset()
