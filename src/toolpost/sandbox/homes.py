"""A home and a temporary folder of a command's own, where no namespace makes them: gone when it ends.

One that a command left untouched serves the next: making and removing it takes as long as starting the command.
"""

import atexit
import os
import shutil
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from msgspec import Struct

from toolpost.limits import SANDBOX_HOMES_KEPT
from toolpost.sandbox.toolchains import at_home

Stamps = tuple[tuple[int, int], ...]


class Home(Struct, frozen=True, kw_only=True):
    folder: str
    """Holds both, and is readable by nobody else."""
    home: str
    temp: str
    folders: tuple[str, ...]
    """All that it is made of."""
    stamps: Stamps
    """Theirs: no program can set the time at which a folder was last changed."""


_kept: list[Home] = []


@cache
def real_home() -> str:
    return os.path.realpath(Path("~").expanduser())


def take() -> Home:
    """One that nobody else has."""
    while True:
        try:
            home = _kept.pop()
        except IndexError:
            return _fresh()
        if _stamps(home.folders) == home.stamps:  # somebody may clean up temporary folders behind our back
            return home
        discard(home.folder)


def give_back(home: Home) -> None:
    if _stamps(home.folders) == home.stamps and len(_kept) < SANDBOX_HOMES_KEPT:
        _discard_at_exit()
        _kept.append(home)
    else:
        discard(home.folder)


@cache
def bare() -> Home:
    """One for all commands that may write nothing."""
    made = _fresh()
    atexit.register(discard, made.folder)
    return made


@cache
def _discard_at_exit() -> None:
    atexit.register(_discard_all)


def _discard_all() -> None:
    for home in _kept:
        discard(home.folder)


def _fresh() -> Home:
    """The toolchains of the real home are linked into it, so that programs find them where they look."""
    folder = os.path.realpath(mkdtemp(prefix="toolpost-"))
    home, temp = f"{folder}/home", f"{folder}/temp"
    folders = [home, temp]
    for place in folders:
        Path(place).mkdir(0o700)
    real = real_home()
    for name in at_home(real):
        holder = f"{home}/{name}".rpartition("/")[0]
        if holder not in folders:
            Path(holder).mkdir(0o700, parents=True, exist_ok=True)
            folders.append(holder)
        Path(home, name).symlink_to(f"{real}/{name}")
    return Home(folder=folder, home=home, temp=temp, folders=tuple(folders), stamps=_stamps(tuple(folders)))


def _stamps(folders: tuple[str, ...]) -> Stamps:
    found = []
    for folder in folders:
        try:
            state = os.lstat(folder)
        except OSError:
            return ()
        found.append((state.st_ino, state.st_ctime_ns))
    return tuple(found)


def discard(folder: str) -> None:
    """Whatever a command left there: folders nested beyond what Python descends, or without permissions."""
    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if Path(folder).exists():
        for argv in (("chmod", "-R", "u+rwX", folder), ("rm", "-rf", "--", folder)):
            subprocess.run(argv, check=False, capture_output=True)
