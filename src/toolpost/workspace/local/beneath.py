"""Opening beneath a folder: whatever a path's links say, what is opened lies below the root's descriptor.

The kernel does it (`Openat2`); where it cannot, `Descent` walks one name at a time. Both answer alike.
"""

import os
from functools import cache
from typing import Protocol

from toolpost.workspace.local.descent import Descent
from toolpost.workspace.local.openat2 import Openat2

__all__ = ["Beneath", "Descent", "Openat2", "strongest", "works"]


class Beneath(Protocol):
    """One way to open. `Openat2` and `Descent` hold no state, so one serves every root and thread."""

    @property
    def name(self) -> str:
        """For people: which way it is."""

    def open(self, root: int, path: str, flags: int, mode: int = 0) -> int:
        """A descriptor of a path cleaned by `paths.clean`, links followed inside the root only.

        Raises OSError as `os.open` does: EXDEV when the path leaves the root, ELOOP at a magic link.
        """


@cache
def strongest() -> Beneath:
    """The kernel's own way where it works; a container's filter or an old kernel may refuse it."""
    return next(way for way in (Openat2(), Descent()) if works(way))


def works(way: Beneath) -> bool:
    top = os.open("/", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.close(way.open(top, "", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
    except OSError:
        return False
    finally:
        os.close(top)
    return True
