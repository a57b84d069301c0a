"""What the doctor says about one thing."""

import os
from pathlib import Path

from msgspec import Struct


class Check(Struct, frozen=True):
    state: str
    """`ok`, `warn` or `fail`."""
    what: str
    found: str
    next_step: str = ""


def can_hold(folder: Path) -> bool:
    """Whether a folder can be written to, or could be made; nothing is made."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)
