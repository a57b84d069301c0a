"""A GitHub repository at one commit, as a root: listed once, its files fetched when they are opened, and kept.

The ref is looked up once; what it names later is seen after `refresh`. Content is known by its hash, so it is never
stale, and never fetched again while it is kept.
"""

from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from io import BytesIO
from threading import Lock

from msgspec import Struct
from msgspec.structs import replace

from toolpost.errors import DirectoryNotFound, FileTooLarge, InvalidPath, NotAFile
from toolpost.limits import PATH_BYTES, REMOTE_BYTES, REMOTE_CACHE_BYTES
from toolpost.workspace.follow import FOR_FOLDERS, Follower, Node
from toolpost.workspace.github.ahead import Ahead
from toolpost.workspace.github.api import GitHubApi, Tip
from toolpost.workspace.github.recent import Recent
from toolpost.workspace.github.remote import Remote
from toolpost.workspace.github.spec import GitHubSpec
from toolpost.workspace.github.tree import GitHubTree
from toolpost.workspace.guard import Guard
from toolpost.workspace.root import Entry, Kind, Source


class _Snapshot(Struct, frozen=True):
    """What the ref named when it was looked up."""

    tip: Tip
    tree: GitHubTree
    follower: Follower
    ahead: Ahead


class GitHubRoot:
    """Read only. Several roots may share one remote: its connections, its token, its rate limit."""

    ignores = False
    """What is committed is there on purpose: ignore files hide nothing."""

    def __init__(self, spec: GitHubSpec, remote: Remote | None = None, *, guard: Guard | None = None) -> None:
        """Without a remote, the spec's own host is asked without a token. Nothing is asked for yet."""
        self.guard = (guard or Guard()).at(spec.shown)
        self._spec = spec
        self._api = GitHubApi(spec, remote or Remote(spec.base_url))
        self._contents = Recent(REMOTE_CACHE_BYTES)
        self._held: _Snapshot | None = None
        self._lock = Lock()

    @property
    def key(self) -> str:
        """It names the tree by its hash, so the ref is looked up first."""
        tree = self._snapshot().follower.top.sha
        name = f"{self._api.remote.base_url}/{self._spec.owner}/{self._spec.repo}/{tree}"
        return f"github-{sha256(name.encode()).hexdigest()[:32]}"

    @property
    def where(self) -> str:
        return self._spec.shown

    @property
    def location(self) -> str:
        return self._spec.web_url

    @property
    def commit(self) -> str:
        """The commit shown; "" while the repository has none."""
        return self._snapshot().tip.commit

    def refresh(self) -> bool:
        """Look the ref up again, and say whether it names another commit. With a token, a no costs nothing."""
        with self._lock:
            before = self._held
            tip = self._api.tip(before.tip if before else None)
            if before is None or tip.commit != before.tip.commit:
                self._held = self._show(tip)
                return True
            self._held = replace(before, tip=tip)
            return False

    def stat(self, path: str) -> Entry:
        return _entry(path, self._snapshot().follower.find(path).node)

    def open(self, path: str) -> Source:
        self.guard.refuse_read(path)
        snapshot = self._snapshot()
        found = snapshot.follower.find(path)
        self.guard.refuse_read(found.path)
        node = found.node
        if node.kind is not Kind.FILE:
            kind = "directory" if node.kind is Kind.DIRECTORY else "submodule"
            raise NotAFile(f"{path or 'The root'} is a {kind}, not a file.", parameter="path", kind=kind)
        if node.size_bytes > REMOTE_BYTES:
            raise FileTooLarge(
                f"{path} has {node.size_bytes:,} bytes; at most {REMOTE_BYTES:,} are fetched from GitHub. Clone the"
                " repository and open it as a local folder.",
                parameter="path",
                size=node.size_bytes,
                limit=REMOTE_BYTES,
            )
        return Source(_entry(path, node), BytesIO(self._content(node.sha, snapshot.ahead)), stamp=node.sha)

    def scan(self, path: str) -> Iterator[Entry]:
        snapshot = self._snapshot()
        found = snapshot.follower.find(path, FOR_FOLDERS)
        if found.node.kind is not Kind.DIRECTORY:
            raise DirectoryNotFound(f"{path} is not a directory.", parameter="path")
        held = snapshot.tree.folder(found.path, found.node)
        return (_entry(f"{path}/{name}" if path else name, node) for name, node in held.items())

    def close(self) -> None:
        self._contents.clear()
        self._api.remote.close()

    def _snapshot(self) -> _Snapshot:
        held = self._held
        if held is not None:
            return held
        with self._lock:
            if self._held is None:
                self._held = self._show(self._api.tip())
            return self._held

    def _show(self, tip: Tip) -> _Snapshot:
        tree = GitHubTree(self._api.list_deep, self._api.list_flat)
        top = Node(Kind.DIRECTORY, self._api.tree_sha(tip.commit))
        ahead = Ahead(tree, partial(self._api.archive, tip.commit), self._contents)
        return _Snapshot(tip, tree, Follower(top, tree.child, self._target), ahead)

    def _content(self, sha: str, ahead: Ahead | None = None) -> bytes:
        data = self._contents.get(sha)
        if data is None and ahead is not None:
            ahead.missed()
            data = self._contents.get(sha)
        if data is None:
            data = self._api.content(sha)
            self._contents.keep(sha, data)
        return data

    def _target(self, link: Node) -> str:
        if link.size_bytes > PATH_BYTES:
            raise InvalidPath(
                "The path passes a link whose target is no path.", parameter="path", rule="too_long"
            )
        return self._content(link.sha).decode(errors="replace")


def _entry(path: str, node: Node) -> Entry:
    return Entry(path, node.kind, node.size_bytes if node.kind is Kind.FILE else 0)
