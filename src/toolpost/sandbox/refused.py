"""Where what a command must not make is taken to: a private folder of the system's, and never lost.

A person may have made it meanwhile; and in the workspace it would be litter.
"""

import os
import shutil
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp

ASIDE = ".refused-"
"""How a name goes on that could not be taken away: nothing executes it."""


class Refused:
    """Of one command."""

    def __init__(self) -> None:
        self.places: list[str] = []
        """Where things are now, in the order in which they were taken."""
        self._folder = ""

    def take(self, name: str, folder: int) -> None:
        """Whatever has the name in the open folder, if anything has. No link is followed."""
        try:
            os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return
        self.places.append(self._moved(name, folder))

    def _moved(self, name: str, folder: int) -> str:
        here = f"/proc/self/fd/{folder}"
        try:
            place = self._place(name)
            shutil.move(f"{here}/{name}", place)
        except OSError:  # no room, or another disk and something that cannot be copied to it
            aside = f"{name}{ASIDE}{token_hex(4)}"
            os.rename(name, aside, src_dir_fd=folder, dst_dir_fd=folder)
            return str(Path(here).readlink() / aside)
        return place

    def _place(self, name: str) -> str:
        self._folder = self._folder or mkdtemp(prefix="toolpost-refused-")
        place = f"{self._folder}/{name}"
        return f"{place}-{token_hex(4)}" if os.path.lexists(place) else place
