"""What a watcher saw: names to look at again, not what became of them."""

from collections.abc import Container, Iterator

from msgspec import Struct, field


class Happened(Struct):
    """A name may be in either set, or both: what is there now is looked up, and decides."""

    files: set[bytes] = field(default_factory=set)
    folders: set[bytes] = field(default_factory=set)
    """That came, went, moved or changed their mode: they and all below are listed again."""
    is_lost: bool = False
    """Some of it is not known: every file has to be looked at."""

    def __bool__(self) -> bool:
        return self.is_lost or bool(self.files or self.folders)

    def merge(self, other: "Happened") -> None:
        self.files |= other.files
        self.folders |= other.folders
        self.is_lost |= other.is_lost


def parent(path: bytes) -> bytes:
    return path.rpartition(b"/")[0]


def upward(path: bytes) -> Iterator[bytes]:
    """A path and the folders above it, the tree's own (empty) last."""
    while path:
        yield path
        path = parent(path)
    yield path


def is_within(path: bytes, folders: Container[bytes]) -> bool:
    """Whether it is one of these, or lies below one."""
    return any(above in folders for above in upward(path))


def topmost(folders: set[bytes]) -> list[bytes]:
    """Without those that lie below another one; sorted."""
    return sorted(folder for folder in folders if not folder or not is_within(parent(folder), folders))
