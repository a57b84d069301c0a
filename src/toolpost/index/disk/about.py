"""A small file in each tree's folder that says which tree it is; its own time says when it was last used."""

import os
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from toolpost.atomic import replace_file

NAME = "root"


class About(Struct, frozen=True):
    key: str
    """What tells the tree from every other."""
    where: str
    """For people."""
    place: str = ""
    """The folder on this machine it is made from: once that is gone, nobody will ask again. Empty for a remote."""
    version: str = ""
    """Of toolpost, when it was first built."""


def read(folder: Path) -> About | None:
    """None where nothing is said, or nothing that can be read."""
    try:
        return msgspec.json.decode((folder / NAME).read_bytes(), type=About)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def write(folder: Path, about: About) -> None:
    """Raises OSError."""
    if read(folder) != about:
        replace_file(folder / NAME, msgspec.json.encode(about))


def touch(folder: Path) -> None:
    """It is used now. A folder that cannot be written to keeps the time it has."""
    with suppress(OSError):
        os.utime(folder / NAME)


def used_at(folder: Path) -> float:
    """When it was last used; 0 where that is not known."""
    try:
        return (folder / NAME).stat().st_mtime
    except OSError:
        return 0.0
