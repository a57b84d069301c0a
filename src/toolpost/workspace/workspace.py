"""The workspace: one root or several, and the way from a caller's path to a place in one of them.

With one root a path is relative to it. With several the first segment names the root, as a listing of the
workspace shows. An absolute path is taken when it lies below a local root.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from toolpost.errors import InvalidPath, NoConnection
from toolpost.workspace.opening import Opener
from toolpost.workspace.paths import clean
from toolpost.workspace.root import Entry, Kind, Root

NO_CONNECTION = "No active GitHub connection found"


class Place(Struct, frozen=True):
    """A path in a root, and how the caller sees it."""

    root: Root
    path: str
    shown: str


class Workspace:
    def __init__(self, roots: Mapping[str, Root]) -> None:
        """Roots by name. None at all is a workspace nothing is connected to yet (contract 000)."""
        self.roots = MappingProxyType(dict(roots))

    @classmethod
    def open(cls, *specs: str) -> "Workspace":
        """`Workspace.open(".")`, or any of `git:PATH@REVISION` and `github:OWNER/NAME@REF`, or several."""
        return cls(Opener(folder=Path(), environment=os.environ).open(specs))

    def place(self, path: str, *, error: type[InvalidPath] = InvalidPath) -> Place:
        """Where a path leads; nothing is opened yet, and nothing is promised to be there."""
        if not self.roots:
            raise NoConnection(NO_CONNECTION)
        if path.startswith("/"):
            return self._absolute(path, error)
        cleaned = clean(path, error=error)
        if len(self.roots) == 1:
            (root,) = self.roots.values()
            return Place(root, cleaned, cleaned)
        name, _, rest = cleaned.partition("/")
        if name not in self.roots:
            known = ", ".join(self.roots)
            raise error(f"The path must begin with the name of a root: {known}.", parameter="path")
        return Place(self.roots[name], rest, cleaned)

    def names_roots(self, path: str) -> bool:
        """Whether a path means the workspace itself while it has several roots: a folder made of them."""
        return len(self.roots) > 1 and path in {"", ".", "./"}

    def root_entries(self) -> Iterator[Entry]:
        return (Entry(name, Kind.DIRECTORY) for name in self.roots)

    def shown(self, place: Place, path: str) -> str:
        """A path of the same root as `place`, as the caller sees it."""
        if len(self.roots) == 1:
            return path
        name = place.shown.partition("/")[0]
        return f"{name}/{path}" if path else name

    def close(self) -> None:
        for root in self.roots.values():
            root.close()

    def _absolute(self, path: str, error: type[InvalidPath]) -> Place:
        for name, root in self.roots.items():
            inside = _below(path, root.location)
            if inside is not None:
                cleaned = clean(inside, error=error)
                shown = cleaned if len(self.roots) == 1 else f"{name}/{cleaned}".rstrip("/")
                return Place(root, cleaned, shown)
        raise error("The path is absolute and lies below no root of the workspace.", parameter="path")


def _below(path: str, location: str) -> str | None:
    """The rest of a path below a location; `/srv/app2` is not below `/srv/app`."""
    if path.rstrip("/") == location:
        return ""
    return path.removeprefix(f"{location}/") if path.startswith(f"{location}/") else None
