"""What in a repository names programs to run, and whether one that a command made names none."""

import os
import re
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from toolpost.limits import SNAPSHOT_FILE_BYTES
from toolpost.sandbox.there import top_names

_SECTION = re.compile(r'\[\s*(?P<section>[A-Za-z0-9.-]+)(?:\s+"(?P<name>[^"\\\n]*)")?\s*\]')
_VALUE = re.compile(r"(?P<key>[A-Za-z][A-Za-z0-9-]*)\s*(?:=(?P<value>[^\\\n]*))?")
_PLAIN = frozenset(
    {
        *("core.repositoryformatversion", "core.filemode", "core.bare", "core.logallrefupdates"),
        *("core.ignorecase", "core.precomposeunicode", "core.symlinks", "extensions.objectformat"),
        *("user.name", "user.email", "remote.url", "remote.fetch", "branch.remote", "branch.merge"),
    }
)
"""Without the name of the remote or branch. No value of these is a program."""
_ODD_URL = "::"  # `ext::` runs a program
_NONE = ("config.worktree", "commondir", "info/attributes", "objects/info/alternates")
_SAMPLE = ".sample"


_SHELVES = ("modules", "worktrees")
_NAMING = frozenset({"config", "config.worktree", "commondir", "gitdir", "hooks", "attributes", "alternates"})
_MANY = frozenset({"refs", "logs", "lfs", "pack"})
"""Folders that hold none of these, and much else."""
_LOOSE = 2  # characters of a folder of objects


def inside(folder: str, most: int) -> tuple[str, ...]:
    """What names programs in a `.git`'s submodules and worktrees; at most so many folders are looked at."""
    found: list[str] = []
    for shelf in _SHELVES:
        for place, folders, files in os.walk(f"{folder}/{shelf}"):
            found.extend(f"{place}/{name}" for name in (*folders, *files) if name in _NAMING)
            is_store = place.endswith("/objects")
            folders[:] = [
                name
                for name in folders
                if name not in _NAMING | _MANY and not (is_store and len(name) == _LOOSE)
            ]
            most -= 1
            if most <= 0:
                return tuple(found)
    return tuple(found)


def is_harmless(folder: str) -> bool:
    """Whether a `.git` is as `git init` or `git clone` leave it. What is not plainly so is not."""
    try:
        return (
            S_ISDIR(os.lstat(folder).st_mode)
            and not any(os.path.lexists(f"{folder}/{name}") for name in _NONE)
            and not any(_holds(folder, name) for name in _SHELVES)
            and all(name.endswith(_SAMPLE) for name in _holds(folder, "hooks"))
            and _is_plain(_text(f"{folder}/config"))
        )
    except (OSError, ValueError):
        return False


def _holds(folder: str, name: str) -> tuple[str, ...]:
    place = f"{folder}/{name}"
    if not os.path.lexists(place):
        return ()
    if not S_ISDIR(os.lstat(place).st_mode):  # a link may lead anywhere
        raise ValueError(place)
    return tuple(top_names(place))


def _text(path: str) -> str:
    state = os.lstat(path)
    if not S_ISREG(state.st_mode) or state.st_size > SNAPSHOT_FILE_BYTES:
        raise ValueError(path)
    return Path(path).read_text("utf-8")


def _is_plain(config: str) -> bool:
    section = ""
    for line in (line.strip() for line in config.split("\n")):
        if not line or line.startswith(("#", ";")):
            continue
        opened = _SECTION.fullmatch(line)
        value = _VALUE.fullmatch(line)
        if opened is not None:
            section = opened["section"].lower()
        elif value is None or _ODD_URL in line or f"{section}.{value['key'].lower()}" not in _PLAIN:
            return False
    return True
