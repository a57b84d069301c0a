"""The rest of a tree at once: files asked for one after another come as one archive in the end.

A search reads every file, and a request for each would spend an hour's limit. What an archive holds is kept only
under the hash of its bytes: one that leaves files out, or changes them as git's export rules do, does no harm.
"""

import tarfile
import zlib
from collections.abc import Callable, Iterator
from http.client import IncompleteRead
from io import BytesIO
from threading import Lock

from toolpost.errors import NoConnection, RemoteFailed
from toolpost.limits import REMOTE_AHEAD_AFTER, REMOTE_AHEAD_BYTES
from toolpost.workspace.github.dial import inflate
from toolpost.workspace.github.recent import Recent
from toolpost.workspace.github.tree import GitHubTree, blob_sha

_UNREADABLE = (
    tarfile.TarError,
    zlib.error,
    IncompleteRead,
    ValueError,
    EOFError,
    OverflowError,
    RecursionError,
)
"""What a broken archive makes its readers raise."""


class Ahead:
    """For one commit. It tries once: where it fails, files come one by one as before, and tell why."""

    def __init__(self, tree: GitHubTree, archive: Callable[[], bytes], kept: Recent) -> None:
        self._tree = tree
        self._archive = archive
        self._kept = kept
        self._misses = 0
        self._lock = Lock()

    def missed(self) -> None:
        """A file was opened that is not kept."""
        with self._lock:
            self._misses += 1
            is_time = self._misses == REMOTE_AHEAD_AFTER
        if is_time:
            self._fetch()

    def _fetch(self) -> None:
        sizes = self._tree.file_sizes()
        if not sizes or sum(sizes.values()) > REMOTE_AHEAD_BYTES:
            return
        like = next(iter(sizes))
        try:
            for data in _files(self._archive(), frozenset(sizes.values())):
                sha = blob_sha(data, like)
                if sha in sizes:
                    self._kept.keep(sha, data)
        except (RemoteFailed, NoConnection, *_UNREADABLE):
            return


def _files(archive: bytes, sizes: frozenset[int]) -> Iterator[bytes]:
    """Those of the sizes wanted. A sparse file is none of git's, and could unfold to anything."""
    whole = inflate(archive, 2 * REMOTE_AHEAD_BYTES)
    with tarfile.open(fileobj=BytesIO(whole), mode="r:") as members:
        for member in members:
            is_plain = member.isreg() and not member.issparse()
            held = members.extractfile(member) if is_plain and member.size in sizes else None
            if held is not None:
                yield held.read()
