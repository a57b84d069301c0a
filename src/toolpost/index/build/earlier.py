"""What a generation built before already knows, so that it is not found out again.

A file of the same path and stamp is as it was. One of the same path and blob id is too: it was only touched. Of one
that has the content of another, in a revision, only the text is taken: what it exports may depend on its name.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct

from toolpost.index.build.listing import Run
from toolpost.index.disk.docs import doc_of, reason_of, text_of
from toolpost.index.disk.generations import Folder
from toolpost.index.disk.mapped import Base
from toolpost.index.limits import INDEX_FETCH_BYTES, INDEX_PART_FILES
from toolpost.index.model import Doc, File, Stamp

NEW = -1


class Matched(Struct, frozen=True, gc=False):
    """A run, and which file of the base has the same path, or NEW, for each name."""

    run: Run
    numbers: list[int]


def match(base: Base | None, runs: Iterable[Run]) -> Iterator[Matched]:
    """Both are in the order of paths, so one pass over both finds all."""
    paths = iter(enumerate(base.paths())) if base is not None else iter(())
    number, known = next(paths, (NEW, b"\xff"))
    for run in runs:
        start = f"{run.folder}/".encode() if run.folder else b""
        numbers = []
        for name in run.names:
            path = start + name.encode("utf-8", "surrogateescape")
            while known < path and number != NEW:
                number, known = next(paths, (NEW, b"\xff"))
            numbers.append(number if known == path else NEW)
        yield Matched(run, numbers)


def is_same(base: Base, number: int, stamp: Stamp) -> bool:
    """Whether a file is as it was, by its stamp alone. One without an inode was too new to tell."""
    return stamp.inode != 0 and base.stamp(number) == stamp


class Earlier:
    """A base, read from its first file to its last."""

    def __init__(self, base: Base, folder: Folder) -> None:
        """`folder` is where it lies, unless it is of another tree."""
        self.base = base
        self._folder = folder
        self._files: list[File] = []
        self._begin = 0
        self._mapped: Base | None = None
        self._copied = 0

    def doc(self, number: int, stamp: Stamp) -> Doc:
        """All that is known, but for its text and what other files make of its exports."""
        base = self.base
        return Doc(
            path=base.path(number).decode("utf-8", "surrogateescape"),
            stamp=stamp,
            blob_id=base.blob_id(number),
            text=None,
            passed=reason_of(base, number),
            extract=base.extract(number),
            exports=(),
            tags=tuple(self._file(number).tags),
        )

    def text(self, number: int) -> bytes:
        """Through a map that is soon let go of: what stays mapped counts as memory in use."""
        if self._mapped is None or self._copied > INDEX_FETCH_BYTES:
            self.close()
            self._mapped = self._again()
        text = text_of(self._mapped or self.base, number)
        self._copied += len(text)
        return text

    def close(self) -> None:
        mapped, self._mapped, self._copied = self._mapped, None, 0
        if mapped is not None:
            mapped.close()

    def _file(self, number: int) -> File:
        """Records are cheap to read many at once: a third of one by one."""
        if not 0 <= number - self._begin < len(self._files):
            self._begin = number
            self._files = self.base.files(range(number, min(number + INDEX_PART_FILES, self.base.count)))
        return self._files[number - self._begin]

    def _again(self) -> Base | None:
        """None for a base that is not the newest here."""
        return Base.open(self._folder, self.base.told) if self._folder.current() == self.base.told else None


class Blobs:
    """Contents that are at hand, by their ids."""

    def __init__(self, bases: Sequence[Base], maker: str) -> None:
        """Of bases that `maker` made, files of the same path are taken whole."""
        self._maker = maker
        self._known: dict[bytes, tuple[Base, int]] = {}
        for base in reversed(bases):
            self._known |= {base.blob_id(number): (base, number) for number in range(base.count)}
        self._known.pop(b"", None)

    def __contains__(self, blob_id: bytes) -> bool:
        return blob_id in self._known

    def doc(self, path: str, stamp: Stamp, blob_id: bytes) -> Doc | None:
        """A file of the same path and content; None where there is none built by the same rules."""
        base, number = self._known[blob_id]
        if base.maker != self._maker or base.path(number) != path.encode():
            return None
        return msgspec.structs.replace(doc_of(base, number), stamp=stamp)

    def text(self, blob_id: bytes) -> bytes | None:
        """None for content that is no text."""
        base, number = self._known[blob_id]
        return None if reason_of(base, number) else text_of(base, number)
