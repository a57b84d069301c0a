"""What stands at a path right now: content, mode and kind, as far as it can be kept."""

import io
import os

from msgspec import Struct

from toolpost.errors import Denied, DirectoryNotFound, FileNotFound, FileTooLarge, InvalidDirectory, IoFailed
from toolpost.limits import WRITE_MAX
from toolpost.workspace.reading.text import digest
from toolpost.workspace.root import Kind, Root, Source


class State(Struct, frozen=True, gc=False):
    """A file's content, or that nothing is there."""

    data: bytes | None = None
    mode: int | None = None

    @property
    def digest(self) -> str | None:
        return None if self.data is None else digest(self.data)


NOTHING = State()


def state(root: Root, path: str) -> State:
    """Raises NotAFile for a folder and its like, FileTooLarge for what could not be written back."""
    try:
        source = root.open(path)
    except FileNotFound:
        return NOTHING
    except Denied:
        if kind(root, path) is None:  # a file may be new under a name that would not be read
            return NOTHING
        raise
    try:
        with source:
            found = State(source.stream.read(WRITE_MAX + 1), _mode(source))
    except OSError as error:
        raise IoFailed(f"{path} could not be read: {error.strerror}.", parameter="path") from None
    if len(found.data or b"") > WRITE_MAX:
        raise _too_large(path, source)
    return found


def kind(root: Root, path: str) -> Kind | None:
    """What the name itself is, a link not followed; None when nothing is there."""
    try:
        return next((entry.kind for entry in root.scan(path.rpartition("/")[0]) if entry.path == path), None)
    except (DirectoryNotFound, InvalidDirectory):
        return None


def missing_folders(root: Root, path: str) -> tuple[str, ...]:
    """Which folders a file at this path would need, outermost first."""
    missing: list[str] = []
    folder = path.rpartition("/")[0]
    while folder and not _is_there(root, folder):
        missing.insert(0, folder)
        folder = folder.rpartition("/")[0]
    return tuple(missing)


def _is_there(root: Root, path: str) -> bool:
    try:
        root.stat(path)
    except FileNotFound:
        return False
    return True


def _mode(source: Source) -> int | None:
    """None where a tree keeps no modes."""
    try:
        return os.fstat(source.stream.fileno()).st_mode & 0o777
    except io.UnsupportedOperation:
        return None


def _too_large(path: str, source: Source) -> FileTooLarge:
    size = source.entry.size_bytes
    return FileTooLarge(
        f"{path} has {size:,} bytes; files of more than {WRITE_MAX:,} are not changed, because they could not "
        "be put back.",
        parameter="path",
        size_bytes=size,
        limit=WRITE_MAX,
    )
