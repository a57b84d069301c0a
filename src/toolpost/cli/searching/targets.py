"""What is searched: each path as it was written, and the place in a root it means.

Paths are those of the shell: relative to the folder we are in. One that lies in no root of the workspace is
opened by itself, with the same guard. Without a path it is the folder we are in, or, where that lies in no root,
the whole workspace.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

from msgspec import Struct

from toolpost.cli import ground
from toolpost.cli.settings import here
from toolpost.config.load import Settings
from toolpost.errors import FileNotFound, InvalidPath, NotFound
from toolpost.workspace.local import failures
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Root
from toolpost.workspace.workspace import Place, Workspace


class Target(Struct, frozen=True, kw_only=True):
    place: Place
    is_file: bool = False
    prefix: str = ""
    """What stands before a path within it where it is shown; of a file, all of it."""
    below: str = ""
    """The folder itself, relative to what globs are about: the folder we are in, if it lies there."""

    def shown(self, relative: str) -> str:
        return f"{self.prefix}{relative}"

    def judged(self, relative: str) -> str:
        return f"{self.below}/{relative}" if self.below else relative

    def relative(self, path: str) -> str:
        """A path of the root within the target."""
        return path[len(self.place.path) :].lstrip("/")


class Targets:
    """Close it when all is read."""

    def __init__(self, settled: Settings) -> None:
        self._settled = settled
        self._here = str(here())
        self._stack = ExitStack()
        self._workspace: Workspace = self._stack.enter_context(closing(ground.workspace(settled)))

    def close(self) -> None:
        self._stack.close()

    def all(self) -> Iterator[Target]:
        """What a search without a path goes through."""
        place = self._within(self._here)
        if place is not None:
            yield Target(place=place)
            return
        for name, root in self._workspace.roots.items():
            prefix = f"{name}/" if len(self._workspace.roots) > 1 else ""
            yield Target(place=Place(root, "", ""), prefix=prefix)

    def named(self, path: str) -> Target:
        """Raises ToolError for what is not there or cannot be opened."""
        if not path:
            raise InvalidPath("An empty path names nothing; . is the folder you are in.", parameter="path")
        absolute = os.path.normpath(Path(self._here, path))
        real = os.path.realpath(absolute)  # a link that is named is followed, wherever it leads
        _refuse_foreign(path, real)
        place = self._within(real) or self._elsewhere(path) or self._alone(real)
        is_file = not place.root.stat(place.path).is_dir
        if not is_file:
            next(place.root.scan(place.path), None)  # an index would not tell that it cannot be listed
        folder = path if path.endswith("/") else f"{path}/"
        return Target(
            place=place, is_file=is_file, prefix=path if is_file else folder, below=self._below_here(absolute)
        )

    def _within(self, absolute: str) -> Place | None:
        """In the root that lies deepest."""
        found: list[Root] = [
            root
            for root in self._workspace.roots.values()
            if isinstance(root, LocalRoot) and _is_below(absolute, root.location)
        ]
        if not found:
            return None
        root = max(found, key=lambda one: len(one.location))
        return _place(root, absolute)

    def _elsewhere(self, path: str) -> Place | None:
        """In a root that is no folder, such as a git revision; there a path is one of the workspace."""
        try:
            place = self._workspace.place(path)
            if isinstance(place.root, LocalRoot):
                return None
            place.root.stat(place.path)
        except (InvalidPath, NotFound):
            return None
        return Place(place.root, place.path, place.path)

    def _alone(self, absolute: str) -> Place:
        """Of its own, whatever the workspace holds."""
        given = Path(absolute)
        try:
            is_there = given.exists()
        except OSError as failed:  # such as below a folder that may not be entered
            raise failures.of_file(absolute, failed) from None
        if not is_there:
            raise FileNotFound(f"There is no {absolute}.", parameter="path")
        folder = given if given.is_dir() else given.parent
        root = self._stack.enter_context(closing(LocalRoot(folder, guard=ground.guard(self._settled))))
        name = "" if folder == given else given.name
        return Place(root, name, name)

    def _below_here(self, absolute: str) -> str:
        return absolute[len(self._here) :].lstrip("/") if _is_below(absolute, self._here) else ""


def _refuse_foreign(path: str, real: str) -> None:
    try:
        f"{path}{real}".encode()
    except UnicodeEncodeError:
        shown = os.fsencode(path).decode("utf-8", "backslashreplace")
        said = f"{shown} cannot be opened: its name is not UTF-8."
        raise InvalidPath(said, parameter="path", rule="name") from None


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def _place(root: Root, absolute: str) -> Place:
    inside = absolute[len(root.location) :].lstrip("/")
    return Place(root, inside, inside)
