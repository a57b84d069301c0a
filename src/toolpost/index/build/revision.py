"""The files of a git revision: their ids are in its tree, and only contents nobody has seen yet are read, many at once.

A tree is listed as a checkout of it would be: a folder whose name is not UTF-8 is passed over.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeGuard

from msgspec import Struct

from toolpost.errors import GitFailed
from toolpost.index.build.earlier import Blobs
from toolpost.index.build.hidden import hidden
from toolpost.index.build.listing import Run, is_utf8
from toolpost.index.build.read import NOT_UTF8, of_data, of_text, unread
from toolpost.index.limits import INDEX_FETCH_BYTES, INDEX_FETCH_FILES
from toolpost.index.model import Doc, Stamp
from toolpost.index.tags.rules import Rules
from toolpost.limits import SEARCH_FILE_BYTES, WALK_DEPTH
from toolpost.workspace.follow import Node
from toolpost.workspace.git.command import Git
from toolpost.workspace.git.root import GitRoot
from toolpost.workspace.git.tree import GitTree
from toolpost.workspace.root import Kind, Root
from toolpost.workspace.walking.ignore import GIT

_LINE = 128  # bytes git says before an object, and one after it
_SHA1_CHARS = 40


def tells_ids(root: Root) -> TypeGuard[GitRoot]:
    """Whether a tree tells what its files hold. Not one that names contents by SHA-256: it is read like any other."""
    return isinstance(root, GitRoot) and len(root.commit) == _SHA1_CHARS


def revision_runs(root: GitRoot) -> Iterator[Run]:
    """In the order of paths; every stamp has the time of the commit, as a revision keeps no other."""
    said = root.git.ask("log", "-1", "--format=%ct", root.commit).stdout
    return _Tree(root, int(said) * 1_000_000_000).runs("", Node(Kind.DIRECTORY, root.commit), 1)


class _Tree:
    def __init__(self, root: GitRoot, committed_ns: int) -> None:
        self._tree = GitTree(root.git, root.commit)
        self._committed_ns = committed_ns

    def runs(self, path: str, node: Node, depth: int) -> Iterator[Run]:
        held = self._tree.folder(path, node)
        files: dict[str, Node] = {}
        for name in sorted(held, key=lambda name: _order(name, held[name])):
            child = held[name]
            if child.kind is Kind.FILE and name != GIT:
                files[name] = child
            elif child.kind is Kind.DIRECTORY and name != GIT and is_utf8(name) and depth < WALK_DEPTH:
                yield from self._run(path, files)
                files = {}
                yield from self.runs(f"{path}/{name}" if path else name, child, depth + 1)
        yield from self._run(path, files)

    def _run(self, path: str, files: Mapping[str, Node]) -> Iterator[Run]:
        if files:
            stamps = [Stamp(node.size_bytes, self._committed_ns) for node in files.values()]
            yield Run(path, list(files), stamps, [bytes.fromhex(node.sha) for node in files.values()])


def _order(name: str, node: Node) -> bytes:
    key = name.encode("utf-8", "surrogateescape")
    return key + b"/" if node.kind is Kind.DIRECTORY else key


class Wanted(Struct, frozen=True, gc=False):
    """A file of a revision that is not taken as it was."""

    path: str
    stamp: Stamp
    blob_id: bytes
    passed: str = ""


def wanted(root: GitRoot, run: Run) -> Iterator[Wanted]:
    secret = hidden(root.guard, run.folder, run.names)
    for at, name in enumerate(run.names):
        stamp = run.stamps[at]
        passed = "too_large" if stamp.size_bytes > SEARCH_FILE_BYTES else ""
        passed = "secret" if name in secret else passed
        yield Wanted(run.path(at), stamp, b"" if passed else run.blob_ids[at], passed)


def read_revision(git: Git, files: Iterable[Wanted], blobs: Blobs, rules: Rules) -> Iterator[Doc]:
    """One for each file, in order. Raises GitFailed."""
    for batch in _batches(files, blobs):
        new = {file.blob_id for file in batch if _is_read(file, blobs)}
        contents = _contents(git, sorted(new)) if new else {}
        for file in batch:
            yield _doc(file, blobs, contents, rules)


def _doc(file: Wanted, blobs: Blobs, contents: Mapping[bytes, bytes], rules: Rules) -> Doc:
    if file.passed:
        return unread(file.path, file.stamp, b"", file.passed, rules)
    if file.blob_id in contents:
        return of_data(file.path, file.stamp, contents[file.blob_id], rules)
    if not is_utf8(file.path):
        return Doc(file.path, file.stamp, file.blob_id, None, NOT_UTF8)
    known = blobs.doc(file.path, file.stamp, file.blob_id)
    if known is not None:
        return known
    text = blobs.text(file.blob_id)
    if text is None:
        return unread(file.path, file.stamp, file.blob_id, "binary", rules)
    return of_text(file.path, file.stamp, file.blob_id, text, rules)


def _is_read(file: Wanted, blobs: Blobs) -> bool:
    return not file.passed and is_utf8(file.path) and file.blob_id not in blobs


def _batches(files: Iterable[Wanted], blobs: Blobs) -> Iterator[list[Wanted]]:
    """So many that git is started seldom, and so few that their contents can be held."""
    batch: list[Wanted] = []
    size = 0
    for file in files:
        batch.append(file)
        size += file.stamp.size_bytes + _LINE if _is_read(file, blobs) else 0
        if size >= INDEX_FETCH_BYTES or len(batch) >= INDEX_FETCH_FILES:
            yield batch
            batch, size = [], 0
    yield batch


def _contents(git: Git, blob_ids: list[bytes]) -> dict[bytes, bytes]:
    asked = "".join(f"{blob_id.hex()}\n" for blob_id in blob_ids).encode()
    most = INDEX_FETCH_BYTES + SEARCH_FILE_BYTES + INDEX_FETCH_FILES * _LINE
    output = git.ask("cat-file", "--batch", "--buffer", stdin=asked, max_bytes=most).stdout
    found: dict[bytes, bytes] = {}
    at = 0
    for blob_id in blob_ids:
        end = output.find(b"\n", at)
        said = output[at:end].split()
        if len(said) != 3 or said[0] != blob_id.hex().encode():
            raise GitFailed(
                f"The repository does not hold the object {blob_id.hex()}: a partial clone leaves some out, and nothing"
                " is fetched here. Have the user run `git fetch`.",
                reason="missing",
            )
        at = end + 1 + int(said[2])
        found[blob_id] = output[end + 1 : at]
        at += 1
    return found
