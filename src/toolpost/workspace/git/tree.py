"""A commit's tree as git lists it: all at once where that is not too much, else folder by folder when asked."""

import os
from collections.abc import Mapping
from threading import Lock

from toolpost.errors import GitFailed
from toolpost.limits import GIT_OUTPUT_BYTES, GIT_TREE_BYTES
from toolpost.workspace.follow import Node
from toolpost.workspace.git.command import Git
from toolpost.workspace.root import Kind

_KINDS = {b"040000": Kind.DIRECTORY, b"120000": Kind.LINK, b"160000": Kind.OTHER}
_NO_NAMES = frozenset({"", ".", ".."})
"""A damaged tree, or one made to deceive, may hold them; a path cannot."""

Folders = dict[str, dict[str, Node]]


class GitTree:
    """Safe to use from several threads: one loads, the others wait and share what it loaded."""

    def __init__(self, git: Git, tree: str, *, max_bytes: int = GIT_TREE_BYTES) -> None:
        self._git = git
        self._tree = tree
        self._max_bytes = max_bytes
        self._folders: Folders = {}
        self._is_whole: bool | None = None
        self._lock = Lock()

    def folder(self, path: str, node: Node) -> Mapping[str, Node]:
        """What a folder holds, by name."""
        held = self._folders.get(path)
        return self._load(path, node) if held is None else held

    def child(self, path: str, name: str, folder: Node) -> Node | None:
        return self.folder(path, folder).get(name)

    def _load(self, path: str, node: Node) -> Mapping[str, Node]:
        with self._lock:
            if self._is_whole is None:
                self._load_all()
            if path not in self._folders:
                output = self._git.ask(
                    "ls-tree", "-z", "-l", "--full-tree", node.sha, max_bytes=GIT_OUTPUT_BYTES
                )
                if output.truncated:
                    raise GitFailed(
                        f"The folder {path or '/'} holds more entries than can be listed.", parameter="path"
                    )
                self._folders[path] = parse(output.stdout)[""]
            return self._folders[path]

    def _load_all(self) -> None:
        output = self._git.ask(
            "ls-tree", "-r", "-t", "-z", "-l", "--full-tree", self._tree, max_bytes=self._max_bytes
        )
        self._is_whole = not output.truncated
        if self._is_whole:
            self._folders = parse(output.stdout)


def parse(listing: bytes) -> Folders:
    """Every folder of a listing `MODE TYPE HASH SIZE<tab>PATH`, each line ended by NUL."""
    folders: Folders = {"": {}}
    for line in listing.split(b"\0")[:-1]:
        facts, _, raw = line.partition(b"\t")
        mode, _, sha, size = facts.split()
        path = os.fsdecode(raw)
        parent, _, name = path.rpartition("/")
        kind = _KINDS.get(mode, Kind.FILE)
        if name in _NO_NAMES:
            continue
        size_bytes = int(size) if kind is not Kind.DIRECTORY and size.isdigit() else 0
        folders.setdefault(parent, {})[name] = Node(kind, sha.decode(), size_bytes)
        if kind is Kind.DIRECTORY:
            folders.setdefault(path, {})
    return folders
