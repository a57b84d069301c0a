r"""Names for new files and folders: such as every system takes, and each only once in a folder.

A tree travels. `CON`, `a.` and `a\b` cannot be checked out on Windows, and of `Readme` and `README` only one
lives on most Macs. What is there under such a name stays usable: only making it anew is refused.
"""

import os
import re
from contextlib import suppress
from itertools import islice
from unicodedata import normalize

from toolpost.errors import FileExists, InvalidPath
from toolpost.limits import TWIN_NAMES

_DEVICES = frozenset(
    ("CON", "PRN", "AUX", "NUL", *(f"{port}{number}" for port in ("COM", "LPT") for number in range(1, 10)))
)
_STREAM = re.compile(r"[^:]+\.[^:]+:.")
"""`notes.txt:hidden`, a second content of a file on Windows. `a:b` and `10:30.log` are names people give."""


def refuse_foreign(path: str, rest: str = "") -> None:
    """For the last name of a path. `rest` follows it where that is a folder to be made for something else."""
    folder, slash, name = path.rpartition("/")
    wrong = _wrong(name)
    if wrong:
        safe = _safe(name)
        raise InvalidPath(
            f"{path} cannot be made, because it could not live on every system: the name {wrong}.",
            parameter="path",
            suggested=f"{folder}{slash}{safe}{rest}" if safe else None,
            rule="windows",
        )


def refuse_twin(descriptor: int, path: str, rest: str = "", *, but: str = "") -> None:
    """In an open folder; `but` is the name that goes when this one comes."""
    folder, slash, name = path.rpartition("/")
    twin = _twin(descriptor, name, but)
    if twin is not None:
        there = f"{folder}{slash}{twin}"
        raise FileExists(
            f"{path} cannot be made beside {there}: on many systems the two are one name. Use {there}, or choose "
            "another name.",
            parameter="path",
            suggested=f"{there}{rest}",
            twin=there,
        )


def _wrong(name: str) -> str:
    if name.upper() in _DEVICES:
        return "is that of a device on Windows"
    if name.endswith((".", " ")):
        return "ends with a dot or a blank"
    if "\\" in name:
        return "holds a backslash, and folders are parted by `/`"
    return "is that of a second stream of a file on Windows" if _STREAM.match(name) else ""


def _safe(name: str) -> str:
    """The nearest name that is taken; empty where there is none."""
    near = name.rstrip(". ")
    if _STREAM.match(near):
        near = near.replace(":", "-")
    near = "/".join(f"{part}_" if part.upper() in _DEVICES else part for part in near.split("\\"))
    parts = near.split("/")
    return "" if any(part in {"", ".", ".."} or _wrong(part) for part in parts) else near


def _twin(descriptor: int, name: str, but: str) -> str | None:
    wanted = _folded(name)
    with suppress(OSError), os.scandir(descriptor) as found:  # a folder may be entered that may not be read
        for item in islice(found, TWIN_NAMES):
            if item.name not in {name, but} and _folded(item.name) == wanted and _is_utf8(item.name):
                return item.name
    return None


def _folded(name: str) -> str:
    """Without what tells case and spellings of one letter apart, as Unicode's canonical caseless match has it."""
    if name.isascii():
        return name.lower()
    return normalize("NFD", normalize("NFD", name).casefold())


def _is_utf8(name: str) -> bool:
    return not any("\udc80" <= char <= "\udcff" for char in name)
