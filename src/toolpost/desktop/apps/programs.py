"""Programs on the search path."""

import os
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from toolpost.desktop.apps.application import Application, Source
from toolpost.desktop.apps.closed import NOWHERE, Closed
from toolpost.desktop.apps.exec_line import literal
from toolpost.limits import APP_PROGRAMS

_USUAL = ("/usr/local/bin", "/usr/bin", "/bin")


def folders(environ: Mapping[str, str], closed: Closed = NOWHERE) -> tuple[str, ...]:
    """Only absolute ones: `.` would let a file of any folder pass for a program."""
    given = (entry.rstrip("/") for entry in environ.get("PATH", "").split(os.pathsep))
    listed = tuple(dict.fromkeys(entry for entry in given if entry.startswith("/"))) or _USUAL
    return tuple(entry for entry in listed if not closed.holds(entry))


def find(name: str, folders: tuple[str, ...]) -> str:
    """The file that a name, or a path, stands for; empty when there is none to run."""
    if "/" in name:
        return name if name.startswith("/") and is_program(name) else ""
    paths = (f"{folder}/{name}" for folder in folders)
    return next((path for path in paths if name and is_program(path)), "")


def is_program(path: str) -> bool:
    return Path(path).is_file() and os.access(path, os.X_OK)


def every(folders: tuple[str, ...]) -> Iterator[Application]:
    """Of several with one name the first, which is the one that runs. Whether it may run is not looked at yet."""
    seen: set[str] = set()
    for folder in folders:
        for name in sorted(_names(folder)):
            if name not in seen:
                seen.add(name)
                yield program(f"{folder}/{name}")


def program(path: str) -> Application:
    name = path.rpartition("/")[2]
    return Application(name=name, id=name, path=path, words=(literal(path),), source=Source.SEARCH_PATH)


def _names(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in islice(entries, APP_PROGRAMS) if _can_be_shown(entry.name)]
    except OSError:
        return []


def _can_be_shown(name: str) -> bool:
    return name.isprintable() and not name.startswith(".")
