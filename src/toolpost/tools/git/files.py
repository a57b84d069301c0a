"""A file of a commit: whether it is there, and what it holds."""

from msgspec import Struct

from toolpost.errors import FileNotFound, FileTooLarge, NotAFile
from toolpost.limits import SEARCH_FILE_BYTES
from toolpost.tools.git.repository import Repository

_NOUNS = {b"tree": "a directory", b"commit": "a submodule, another repository"}


class Blob(Struct, frozen=True):
    kind: bytes
    """blob, tree or commit, in git's words."""
    oid: str
    size_bytes: int = 0


def blob_at(repository: Repository, commit: str, path: str) -> Blob:
    """What a commit has under a path, as git names it."""
    output = repository.git.ask("ls-tree", "-z", "-l", "--full-tree", commit, "--", path)
    if not output.stdout:
        raise FileNotFound(
            f"{repository.show(path)} is not in the commit {commit[:10]}; git.log with this path shows where it was.",
            parameter="path",
        )
    _, kind, oid, size = output.stdout.partition(b"\t")[0].split()
    return Blob(kind, oid.decode(), int(size) if size.isdigit() else 0)


def content_at(repository: Repository, commit: str, path: str) -> bytes:
    """A whole file of a commit; a secret one is refused."""
    repository.refuse_read(path)
    found = blob_at(repository, commit, path)
    if found.kind != b"blob":
        raise NotAFile(f"{repository.show(path)} is {_NOUNS[found.kind]} in that commit.", parameter="path")
    if found.size_bytes > SEARCH_FILE_BYTES:
        raise FileTooLarge(
            f"{repository.show(path)} has {found.size_bytes:,} bytes in that commit; at most {SEARCH_FILE_BYTES:,} are"
            " read from one.",
            parameter="path",
            size=found.size_bytes,
            limit=SEARCH_FILE_BYTES,
        )
    return repository.git.ask("cat-file", "blob", found.oid, max_bytes=SEARCH_FILE_BYTES).stdout
