"""From a caller's path to the repository it lies in, and back from git's names to the caller's."""

import os
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from msgspec import Struct
from msgspec.structs import replace

from toolpost.errors import GitFailed, InvalidPath, ReadOnly
from toolpost.limits import GIT_REPOSITORIES
from toolpost.workspace.git.command import Git
from toolpost.workspace.git.home import Home, find
from toolpost.workspace.git.root import GitRoot
from toolpost.workspace.guard import Guard
from toolpost.workspace.local import failures
from toolpost.workspace.local.inside import below
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Root
from toolpost.workspace.workspace import Place, Workspace


class Repository(Struct, frozen=True):
    """A repository as one call sees it."""

    git: Git
    workspace: Workspace
    place: Place
    """The path the call named."""
    prefix: str = ""
    """Where the repository begins in its root."""
    at: str = "HEAD"
    """The revision meant where none is named."""

    @property
    def is_tree(self) -> bool:
        """Whether there are files to compare with; a revision or a bare repository has none."""
        return self.git.home.top is not None and not isinstance(self.place.root, GitRoot)

    @property
    def inside(self) -> str:
        """The path the call named, as git names it; "" is the whole repository."""
        return self.named(self.place)

    @property
    def shown(self) -> str:
        return self.show("") or "."

    @property
    def guard(self) -> Guard:
        found = getattr(self.place.root, "guard", None)
        return found if isinstance(found, Guard) else Guard()

    def named(self, place: Place) -> str:
        rest = place.path if not self.prefix else below(place.path, self.prefix)
        if rest is None:
            raise InvalidPath(
                f"{place.shown} does not lie in the repository {self.shown}, or passes a link on its way there.",
                parameter="path",
            )
        return rest

    def in_root(self, path: str) -> str:
        """A path of git's, relative to the root: what the guard judges."""
        if not self.prefix:
            return path
        return f"{self.prefix}/{path}" if path else self.prefix

    def show(self, path: str) -> str:
        """A path of git's, as the caller sees it."""
        return visible(self.workspace.shown(self.place, self.in_root(path)))

    def names(self, path: str) -> tuple[str, ...]:
        """A path of git's as rules may name it: here, and in the working tree a linked one was made from."""
        home = self.git.home
        here = self.in_root(path)
        first = below(str(home.common.parent), str(home.root)) if home.folder != home.common else None
        if first is None:
            return (here,)
        return (here, f"{first}/{path}" if first else path)

    def hides(self, path: str) -> bool:
        return any(map(self.guard.hides, self.names(path)))

    def refuse_read(self, path: str) -> None:
        for name in self.names(path):
            self.guard.refuse_read(name)

    def whole(self) -> "Repository":
        """The same, whatever path the call named."""
        return replace(self, place=Place(self.place.root, self.prefix, self.show("")))

    def pathspec(self) -> tuple[str, ...]:
        return ("--", self.inside) if self.inside else ("--",)

    def commit(self, revision: str, parameter: str = "ref") -> str:
        return self.git.commit(revision or self.at, parameter)


class Repositories:
    """The repositories of a workspace, remembered so that what was looked over need not be again."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = Lock()
        self._held: OrderedDict[Home, Git] = OrderedDict()

    def place(self, path: str) -> Place:
        return self._workspace.place(path)

    def at(self, path: str) -> Repository:
        place = self.place(path)
        if isinstance(place.root, GitRoot):
            return Repository(place.root.git, self._workspace, place, at=place.root.commit)
        folder = _folder(place.root)
        home = find(_nearest(folder / place.path, folder), folder)
        git = self._git(home)
        return Repository(git, self._workspace, place, below(str(home.cwd), str(home.root)) or "")

    def to_change(self, path: str) -> Repository:
        """One whose working tree may be written."""
        found = self.at(path)
        if isinstance(found.place.root, GitRoot):
            raise ReadOnly(
                f"{found.place.root.where} is a revision: it is read, and never changed.", parameter="path"
            )
        return found

    def of(self, paths: Sequence[str]) -> tuple[Repository, list[str]]:
        """The one repository all paths lie in, and the paths as git names them."""
        found = self.to_change(paths[0])
        return found, [self._named(found, path) for path in paths]

    def _named(self, repository: Repository, path: str) -> str:
        place = self.place(path)
        if place.root is not repository.place.root:
            raise InvalidPath("The paths lie in different roots; send one call for each.", parameter="paths")
        return repository.named(place)

    def _git(self, home: Home) -> Git:
        with self._lock:
            git = self._held.pop(home, None) or Git(home.cwd, root=home.root)
            self._held[home] = git
            while len(self._held) > GIT_REPOSITORIES:
                self._held.popitem(last=False)
            return git


def visible(name: str) -> str:
    r"""A name that is not UTF-8 is shown as `caf\xe9`; git is always given the name itself."""
    return name if name.isascii() else os.fsencode(name).decode(errors="backslashreplace")


def _folder(root: Root) -> Path:
    if not isinstance(root, LocalRoot):
        raise GitFailed(
            f"{root.where} is not on this machine, and git works only on a repository that is. Clone it, and open the"
            " folder as a root.",
            parameter="path",
            reason="not_local",
        )
    return Path(root.where)


def _nearest(path: Path, root: Path) -> Path:
    """The path itself if it is a folder, else the nearest above it that is there."""
    try:
        while path != root and not path.is_dir():
            path = path.parent
    except OSError as failed:  # too long, or no right to look
        raise failures.of_folder(str(path.relative_to(root)), failed) from None
    return path
