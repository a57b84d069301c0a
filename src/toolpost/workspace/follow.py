"""A path through a tree that is not on disk, its links followed inside the tree as a kernel would."""

from collections import deque
from collections.abc import Callable
from typing import NoReturn

from msgspec import Struct

from toolpost.errors import DirectoryNotFound, FileNotFound, InvalidDirectory, InvalidPath
from toolpost.limits import LINKS_FOLLOWED
from toolpost.workspace.root import Kind


class Node(Struct, frozen=True, gc=False):
    """One thing in a git tree: what it is, the hash of its content, and how large that is."""

    kind: Kind
    sha: str
    size_bytes: int = 0


class Found(Struct, frozen=True):
    path: str
    """Where it really is, no link in it: what a guard judges."""
    node: Node


class Errors(Struct, frozen=True):
    """How to say that nothing is there, and that a link leaves the tree."""

    missing: type[FileNotFound | DirectoryNotFound]
    leaves: type[InvalidPath]


FOR_FILES = Errors(FileNotFound, InvalidPath)
FOR_FOLDERS = Errors(DirectoryNotFound, InvalidDirectory)


class Follower(Struct, frozen=True):
    """How to walk one tree. Both functions may wait for a network."""

    top: Node
    child: Callable[[str, str, Node], Node | None]
    """What a folder (its path, and itself) holds under a name; asked as (path, name, folder)."""
    target: Callable[[Node], str]
    """What a link says."""

    def find(self, path: str, errors: Errors = FOR_FILES) -> Found:
        trail: list[tuple[str, Node]] = []
        waiting = deque(path.split("/"))
        links = 0
        while waiting:
            name = waiting.popleft()
            here = trail[-1][1] if trail else self.top
            if here.kind is not Kind.DIRECTORY:
                _miss(path, errors)
            if name in {"", "."}:
                continue
            if name == "..":
                if not trail:
                    _leave(path, errors)
                trail.pop()
                continue
            node = self.child("/".join(step for step, _ in trail), name, here)
            if node is None:
                _miss(path, errors)
            if node.kind is not Kind.LINK:
                trail.append((name, node))
                continue
            links += 1
            target = self.target(node) if links <= LINKS_FOLLOWED else "/"
            if target.startswith("/"):
                _leave(path, errors)
            waiting.extendleft(reversed(target.split("/")))
        return Found("/".join(step for step, _ in trail), trail[-1][1] if trail else self.top)


def _miss(path: str, errors: Errors) -> NoReturn:
    kind = "file" if errors is FOR_FILES else "directory"
    raise errors.missing(f"There is no {kind} {path}.", parameter="path")


def _leave(path: str, errors: Errors) -> NoReturn:
    raise errors.leaves(
        f"{path} leads out of the repository through a link, or through links without end.",
        parameter="path",
        rule="outside",
    )
