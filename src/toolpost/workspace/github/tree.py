"""A commit's tree as GitHub lists it: all at once where it fits into one answer, else folder by folder when asked."""

from collections.abc import Callable, Mapping
from hashlib import sha1, sha256
from threading import Lock
from typing import Annotated

from msgspec import Meta, Struct

from toolpost.errors import RemoteFailed
from toolpost.limits import WALK_ENTRIES
from toolpost.workspace.follow import Node
from toolpost.workspace.root import Kind

Sha = Annotated[str, Meta(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})\Z")]
"""It goes into URLs, so it is checked where it comes in."""
_KINDS = {"040000": Kind.DIRECTORY, "120000": Kind.LINK, "160000": Kind.OTHER}


class Item(Struct, frozen=True, gc=False):
    """One line of a listing; its path is relative to the folder listed."""

    path: str
    mode: str
    sha: Sha
    size: Annotated[int, Meta(ge=0)] = 0

    def node(self) -> Node:
        kind = _KINDS.get(self.mode, Kind.FILE if self.mode.startswith("100") else Kind.OTHER)
        return Node(kind, self.sha, self.size)


class Listing(Struct, frozen=True):
    tree: list[Item]
    truncated: bool = False


class GitHubTree:
    """Safe to use from several threads: one loads, the others wait and share what it loaded."""

    def __init__(self, list_deep: Callable[[str], Listing], list_flat: Callable[[str], Listing]) -> None:
        """Both take a tree's hash. A deep listing holds all below it, unless it is truncated."""
        self._list_deep = list_deep
        self._list_flat = list_flat
        self._folders: dict[str, dict[str, Node]] = {}
        self._entries = 0
        self._is_whole = False
        self._lock = Lock()

    def folder(self, path: str, node: Node) -> Mapping[str, Node]:
        """What a folder holds, by name."""
        held = self._folders.get(path)
        return self._load(path, node) if held is None else held

    def child(self, path: str, name: str, folder: Node) -> Node | None:
        return self.folder(path, folder).get(name)

    def file_sizes(self) -> dict[str, int] | None:
        """The hash and size of every file; None while some are not known."""
        if not self._is_whole:
            return None
        nodes = (node for folder in self._folders.values() for node in folder.values())
        return {node.sha: node.size_bytes for node in nodes if node.kind is Kind.FILE}

    def _load(self, path: str, node: Node) -> Mapping[str, Node]:
        with self._lock:
            if path not in self._folders:
                self._fetch(path, node.sha)
            return self._folders[path]

    def _fetch(self, path: str, sha: str) -> None:
        """Deep first, also below a folder that was too much at once: whole subtrees spare requests."""
        listing = self._list_deep(sha)
        is_deep = not listing.truncated
        if not is_deep:
            listing = self._list_flat(sha)
        if listing.truncated or self._entries + len(listing.tree) > WALK_ENTRIES:
            raise RemoteFailed(
                f"The folder {path or '/'} holds more entries than GitHub lists at once, or than are kept"
                f" ({WALK_ENTRIES:,}); clone the repository and open it as a local folder."
            )
        self._entries += len(listing.tree)
        self._folders.update(_folders(path, listing.tree, is_deep=is_deep))
        self._is_whole = self._is_whole or (is_deep and not path)


def blob_sha(data: bytes, like: str) -> str:
    """Git's name for content, as long as another one: a hash of the kind and the size, then the bytes."""
    kind = sha1(usedforsecurity=False) if len(like) == 40 else sha256()
    kind.update(b"blob %d\0" % len(data))
    kind.update(data)
    return kind.hexdigest()


def _folders(top: str, items: list[Item], *, is_deep: bool) -> dict[str, dict[str, Node]]:
    """Every folder a listing tells all about. A flat one tells only that there are others."""
    folders: dict[str, dict[str, Node]] = {top: {}}
    for item in items:
        path = f"{top}/{item.path}" if top else item.path
        parent, _, name = path.rpartition("/")
        node = item.node()
        folders.setdefault(parent, {})[name] = node
        if is_deep and node.kind is Kind.DIRECTORY:
            folders.setdefault(path, {})
    return folders
