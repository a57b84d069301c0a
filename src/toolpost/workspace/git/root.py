"""A git repository at one revision, as a root: read from its objects, without a checkout, bare or not.

The revision is looked up once, when the root is made; what a branch names later is another root. Ignore files hide
nothing here: what is committed is there on purpose. A file kept by git LFS is the small text that stands for it.
"""

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from toolpost.errors import DirectoryNotFound, FileTooLarge, InvalidPath, NotAFile
from toolpost.limits import GIT_BLOB_BYTES, PATH_BYTES
from toolpost.workspace.follow import FOR_FOLDERS, Follower, Node
from toolpost.workspace.git.command import Git
from toolpost.workspace.git.objects import Objects
from toolpost.workspace.git.tree import GitTree
from toolpost.workspace.guard import Guard
from toolpost.workspace.root import Entry, Kind, Source

_NO_EXCEPTIONS = Guard()
_NOUNS = {Kind.FILE: "a file", Kind.DIRECTORY: "a directory", Kind.OTHER: "a submodule, another repository"}


class GitRoot:
    """Read only."""

    ignores = False

    def __init__(self, repository: Path, revision: str, *, guard: Guard = _NO_EXCEPTIONS) -> None:
        """The repository's folder, and a branch, a tag or a hash. Raises GitFailed, NotFound."""
        self.git = Git(repository)
        self.revision = revision
        self.commit = self.git.commit(revision, "revision")
        top = self.git.ask("rev-parse", "--verify", f"{self.commit}^{{tree}}").stdout.decode().strip()
        self.guard = guard.at(self.location)
        self._tree = GitTree(self.git, top)
        self._objects = Objects(self.git)
        self._follower = Follower(Node(Kind.DIRECTORY, top), self._tree.child, self._target)

    @property
    def key(self) -> str:
        where = sha256(os.fsencode(self.git.home.common)).hexdigest()[:32]
        return f"git-{where}-{self._follower.top.sha}"

    @property
    def where(self) -> str:
        return f"{self.git.home.cwd}@{self.revision}"

    @property
    def location(self) -> str:
        """A URL: no absolute path means a file of a revision."""
        return f"git+file://{self.git.home.cwd}@{self.commit}"

    def stat(self, path: str) -> Entry:
        return _entry(path, self._follower.find(path).node)

    def open(self, path: str) -> Source:
        self.guard.refuse_read(path)
        found = self._follower.find(path)
        self.guard.refuse_read(found.path)
        node = found.node
        if node.kind is not Kind.FILE:
            said = f"{path or 'The root'} is {_NOUNS[node.kind]}, not a file."
            raise NotAFile(said, parameter="path", kind=node.kind.value)
        if node.size_bytes > GIT_BLOB_BYTES:
            raise FileTooLarge(
                f"{path} has {node.size_bytes:,} bytes; at most {GIT_BLOB_BYTES:,} are read from a revision.",
                parameter="path",
                size=node.size_bytes,
                limit=GIT_BLOB_BYTES,
            )
        return Source(_entry(path, node), self._objects.open(node.sha), stamp=node.sha)

    def scan(self, path: str) -> Iterator[Entry]:
        found = self._follower.find(path, FOR_FOLDERS)
        if found.node.kind is not Kind.DIRECTORY:
            raise DirectoryNotFound(
                f"{path} is {_NOUNS[found.node.kind]}, not a directory.", parameter="path"
            )
        held = self._tree.folder(found.path, found.node)
        return (_entry(f"{path}/{name}" if path else name, node) for name, node in held.items())

    def close(self) -> None:
        self._objects.close()

    def _target(self, link: Node) -> str:
        if link.size_bytes > PATH_BYTES:
            raise InvalidPath(
                "The path passes a link whose target is no path.", parameter="path", rule="too_long"
            )
        with self._objects.open(link.sha) as stream:
            return os.fsdecode(stream.read())


def _entry(path: str, node: Node) -> Entry:
    return Entry(path, node.kind, node.size_bytes if node.kind is Kind.FILE else 0)
