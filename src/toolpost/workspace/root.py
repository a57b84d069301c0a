"""A root: one tree of files, wherever it lives. A local folder, a git revision and a GitHub repository are alike.

Paths given to a root are relative to it, in POSIX form, cleaned by `paths.clean`; "" is the root itself.
Everything here may wait for a disk or a network, so it is called in a thread.
"""

from collections.abc import Hashable, Iterator
from enum import StrEnum
from typing import BinaryIO, Protocol, Self

from msgspec import Struct


class Kind(StrEnum):
    FILE = "file"
    DIRECTORY = "directory"
    LINK = "link"
    """A symbolic link, as listed: it is shown and not followed."""
    OTHER = "other"
    """A FIFO, a socket, a device, a submodule."""


class Entry(Struct, frozen=True, gc=False):
    """One thing in a tree, as a listing shows it."""

    path: str
    kind: Kind
    size_bytes: int = 0
    modified_ns: int | None = None
    """None where a tree keeps no times, as a git revision does."""

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def is_dir(self) -> bool:
        return self.kind is Kind.DIRECTORY


class Source(Struct):
    """A regular file, open. Close it: `with root.open(path) as source`."""

    entry: Entry
    stream: BinaryIO
    stamp: Hashable
    """Changes when the content changes: two reads under one stamp give the same bytes."""
    links: int = 1
    """Names this file has; above 1 another may lie outside the root, which cannot be told."""
    is_racy: bool = False
    """Changed so lately that a second change could carry the same stamp."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stream.close()


class Root(Protocol):
    """What every tree can do."""

    @property
    def key(self) -> str:
        """What tells this tree from every other: the same for the same tree in a later process."""

    @property
    def where(self) -> str:
        """For people: the folder, `repository@revision`, or `owner/name@ref`."""

    @property
    def location(self) -> str:
        """An absolute path without a slash at its end, or a URL: what contract 002 calls the directory."""

    def stat(self, path: str) -> Entry:
        """Links within the root are followed. Raises FileNotFound, InvalidPath."""

    def open(self, path: str) -> Source:
        """Raises FileNotFound, InvalidPath, NotAFile; never waits for a FIFO or a device."""

    def scan(self, path: str) -> Iterator[Entry]:
        """What one folder holds, in no order, links not followed. Raises DirectoryNotFound, InvalidDirectory."""

    def close(self) -> None: ...


class Written(Struct, frozen=True):
    """What a write left behind."""

    entry: Entry
    stamp: Hashable


class WritableRoot(Root, Protocol):
    """A tree that can be changed. Every change is whole or did not happen, and refuses a link as its target."""

    def write(self, path: str, data: bytes, *, create_dirs: bool = False, mode: int | None = None) -> Written:
        """Replace or create a file; owner and mode are kept, unless a mode is given.

        IoFailed leaves what was there, unless its context says `changed`.
        """

    def delete(self, path: str) -> None:
        """A file, a link, or an empty folder."""

    def move(self, source: str, target: str, *, create_dirs: bool = False) -> None:
        """Never onto something that is there: FileExists."""
