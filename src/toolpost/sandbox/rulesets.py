"""Landlock's rules for a fence, kept for the next command where nothing they name was replaced."""

import os
from collections import OrderedDict
from functools import cache
from threading import Lock

from msgspec import Struct

from toolpost.limits import SANDBOX_RULESETS_KEPT
from toolpost.sandbox import landlock
from toolpost.sandbox.landlock import Carved
from toolpost.sandbox.model import Fence
from toolpost.sandbox.private import private_settings
from toolpost.sandbox.toolchains import beneath

Stamp = tuple[int, int, int]


class Wanted(Struct, frozen=True):
    fence: Fence
    readable: tuple[str, ...]
    own: tuple[str, ...]
    terminal: str = ""


class Rules(Struct, frozen=True):
    ruleset: int
    """A descriptor for the caller to close."""
    carved: tuple[str, ...]


_kept = OrderedDict[tuple[Wanted, tuple[Stamp, ...]], int]()
_lock = Lock()


def rules(wanted: Wanted) -> Rules:
    if any(beneath(mask, root) for mask in wanted.fence.masked for root in _places(wanted)):
        granted = _granted(wanted)  # what lies beside something masked changes with every file that is saved
        return Rules(landlock.ruleset(granted.grants), granted.folders)
    key = (wanted, _stamps((*_carved_settings(), *_places(wanted))))
    with _lock:
        if key not in _kept:
            _kept[key] = landlock.ruleset(_granted(wanted).grants)
            while len(_kept) > SANDBOX_RULESETS_KEPT:
                os.close(_kept.popitem(last=False)[1])
        _kept.move_to_end(key)
        return Rules(os.dup(_kept[key]), ())


def _granted(wanted: Wanted) -> Carved:
    return landlock.grants(wanted.fence, wanted.readable, wanted.own, private_settings(), wanted.terminal)


def _places(wanted: Wanted) -> tuple[str, ...]:
    return (*wanted.fence.roots, *wanted.fence.readable, *wanted.own)


@cache
def _carved_settings() -> tuple[str, ...]:
    """Folders of /etc that are opened name by name: one that changed may hold a file that was replaced."""
    folders = (path.rpartition("/")[0] for path in private_settings())
    return tuple(
        sorted(
            {
                "/".join(names[:count])
                for names in (folder.split("/") for folder in folders)
                for count in range(2, len(names) + 1)
            }
        )
    )


def _stamps(places: tuple[str, ...]) -> tuple[Stamp, ...]:
    settings = len(_carved_settings())
    found = []
    for number, place in enumerate(places):
        try:
            state = os.lstat(place)
        except OSError:
            found.append((0, 0, 0))
            continue
        found.append((state.st_dev, state.st_ino, state.st_mtime_ns if number < settings else 0))
    return tuple(found)
