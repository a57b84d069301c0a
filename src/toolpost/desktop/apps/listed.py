"""Files of one kind in a folder, sorted by name; what cannot be looked at holds none."""

import os
from collections.abc import Iterator


def files_ending(folder: str, ending: str, deep: int) -> Iterator[str]:
    """Also those so many folders below. A folder that ends so is one of them, and is not looked into."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.endswith(ending):
            yield entry.path
        elif deep and entry.is_dir():
            yield from files_ending(entry.path, ending, deep - 1)
