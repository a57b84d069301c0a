"""Folders in which nothing counts as installed: an agent may write there, and what it wrote would be started."""

import os

from msgspec import Struct


class Closed(Struct, frozen=True):
    folders: tuple[str, ...] = ()

    def holds(self, path: str) -> bool:
        """Whether the path, or what it links to, lies in one of them."""
        if not self.folders or "\0" in path:
            return False
        places = (os.path.normpath(path), os.path.realpath(path))
        return any(_is_within(place, folder) for place in places for folder in self._real())

    def _real(self) -> tuple[str, ...]:
        return (*self.folders, *map(os.path.realpath, self.folders))


def _is_within(place: str, folder: str) -> bool:
    bare = folder.rstrip("/")
    return place == bare or place.startswith(f"{bare}/")


NOWHERE = Closed()
