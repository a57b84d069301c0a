"""One generation of a tree's index, mapped: opened in a fraction of a millisecond, read only where it is asked.

Whatever is read was checked against its checksum before; what is not as it was written raises Damaged.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Self

import msgspec
from msgspec import Struct

from toolpost.index.disk import about
from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.generations import META, SYMBOLS, TEXT, TRIGRAMS, Folder, Generation, is_same
from toolpost.index.disk.packed import Packed
from toolpost.index.disk.records import (
    BLOB_BYTES,
    NO_BLOB,
    STAMP,
    decode_exports,
    decode_extract,
    decode_files,
)
from toolpost.index.disk.sections import Pages, Sections
from toolpost.index.disk.tables import Table
from toolpost.index.model import Export, Extract, File, Stamp, Statistics


class Facts(Struct, frozen=True):
    """What is told of a generation as a whole."""

    count: int
    repo_hash: str
    generated_at: str
    maker: str
    """What built it, so that a later version knows whether it would build the same."""
    statistics: Statistics
    passed: dict[str, tuple[int, int]]
    """For every reason to pass a file over, where its ids begin and end."""


_facts = msgspec.json.Decoder(Facts)


class Base:
    """Files are numbered in the order of their paths' bytes."""

    def __init__(self, generation: Generation, opened: dict[str, Sections]) -> None:
        self.told = generation
        self.generation = generation.number
        self.sections = opened[META]
        self.trigrams = opened.get(TRIGRAMS)
        """None while they are not built."""
        self.symbols = opened.get(SYMBOLS)
        self.text: Pages = opened[TEXT].pages("text")
        self.opened = opened
        facts = _read_facts(self.sections)
        self.count = facts.count
        self.repo_hash = facts.repo_hash
        self.generated_at = facts.generated_at
        self.maker = facts.maker
        self.statistics = facts.statistics
        self._facts = facts

    @classmethod
    def open(cls, folder: Folder, generation: Generation) -> Self:
        """Raises Damaged; also when the generation was superseded and is gone: see `latest`."""
        if not {META, TEXT} <= generation.files.keys():
            raise Damaged(f"Generation {generation.number} in {folder.path} has no files to read.")
        files = generation.files.items()
        return cls(
            generation, {kind: Sections.open(folder.file(generation, kind), mark) for kind, mark in files}
        )

    def path(self, number: int) -> bytes:
        return self._paths.piece(number)[:-1]

    def paths(self, begin: int = 0, end: int | None = None) -> list[bytes]:
        """Those of a range of files, at once."""
        return self._paths.pieces(begin, self.count if end is None else end).split(b"\0")[:-1]

    def find(self, path: bytes) -> int:
        """The file of that path; -1 where there is none."""
        number = self._at_or_after(path)
        return number if number < self.count and self.path(number) == path else -1

    def span(self, prefix: bytes) -> tuple[int, int]:
        """The files whose paths begin so: the first, and the one after the last."""
        begin = self._at_or_after(prefix)
        after = _after_all(prefix)
        return begin, self.count if after is None else self._at_or_after(after, begin)

    def _at_or_after(self, path: bytes, low: int = 0) -> int:
        sought = path + b"\0"  # as paths are stored; a NUL comes before all else, so the order is the same
        piece = self._paths.piece
        high = self.count
        while low < high:
            middle = (low + high) // 2
            if piece(middle) < sought:
                low = middle + 1
            else:
                high = middle
        return low

    def stamp(self, number: int) -> Stamp:
        pages, at = self._stamps, number * STAMP.size
        pages.check(at, at + STAMP.size)
        return Stamp(*STAMP.unpack_from(pages.view, at))

    @cached_property
    def stamps(self) -> memoryview:
        """Four numbers for every file, as `Stamp` has them, in 64 bits each; times before 1970 wrap around."""
        return self.sections.array("stamps", "Q")

    def blob_id(self, number: int) -> bytes:
        """Empty for a file that was not read."""
        found = self._blobs.read(number * BLOB_BYTES, (number + 1) * BLOB_BYTES)
        return b"" if found == NO_BLOB else found

    def extract(self, number: int) -> Extract:
        return decode_extract(self._extracts.piece(number))

    def exports(self, number: int) -> tuple[Export, ...]:
        """Resolved."""
        found = self._exports.piece(number)
        return decode_exports(found) if found else self.extract(number).exports

    def file(self, number: int) -> File:
        return self.files([number])[0]

    def files(self, ids: Sequence[int]) -> list[File]:
        """In the order of the ids."""
        return decode_files(b"[" + self.encoded(ids) + b"]") if ids else []

    def encoded(self, ids: Sequence[int]) -> bytes:
        """Their records in JSON, with commas between them."""
        if not ids:
            return b""
        first, after = ids[0], ids[0] + len(ids)
        if ids[-1] == after - 1 and (isinstance(ids, range) or list(ids) == list(range(first, after))):
            return self._records.pieces(first, after)[:-1]
        return b"".join(map(self._records.piece, ids))[:-1]

    @cached_property
    def starts(self) -> memoryview:
        """Where every file's text begins, and at the end where the last one's ends."""
        return self.sections.array("starts", "Q")

    @cached_property
    def wide(self) -> memoryview:
        """Files whose text is not all ASCII."""
        return self.sections.array("wide", "I")

    @cached_property
    def no_newline(self) -> memoryview:
        """Files whose last line has no end; in `text` it has one."""
        return self.sections.array("no_newline", "I")

    @cached_property
    def passed(self) -> dict[str, memoryview]:
        """Files without text, by the reason."""
        ids = self.sections.array("passed", "I")
        return {reason: ids[begin:end] for reason, (begin, end) in self._facts.passed.items()}

    @cached_property
    def folders(self) -> list[bytes]:
        """Every folder that holds a file, "" first, in the order of their bytes."""
        return bytes(self.sections.array("folders")).split(b"\0")[:-1]

    @cached_property
    def _stamps(self) -> Pages:
        return self.sections.pages("stamps")

    @cached_property
    def _blobs(self) -> Pages:
        return self.sections.pages("blobs")

    @cached_property
    def _paths(self) -> Table:
        return Table(self.sections, "paths")

    @cached_property
    def _records(self) -> Table:
        return Table(self.sections, "records")

    @cached_property
    def _extracts(self) -> Packed:
        return Packed(self.sections, "extracts")

    @cached_property
    def _exports(self) -> Packed:
        return Packed(self.sections, "exports")

    def close(self) -> None:
        """When nobody reads any more. What somebody still views stays mapped until it is let go of."""
        for cached in _CACHED:
            self.__dict__.pop(cached, None)
        for opened in self.opened.values():
            opened.close()


_CACHED = [name for name, value in vars(Base).items() if isinstance(value, cached_property)]


def latest(folder: Folder) -> Base | None:
    """The newest generation, open; None where there is none. Raises Damaged."""
    while True:
        seen = folder.stamp()
        generation = folder.current()
        if generation is None:
            return None
        try:
            base = Base.open(folder, generation)
        except Damaged:
            if folder.stamp() == seen:
                raise  # else it was superseded just then, and unlinked
        else:
            about.touch(folder.path)
            return base


def grown(base: Base, folder: Folder, generation: Generation) -> Base:
    """The same state with the files that came later: what was checked stays checked. Do not close the old one.

    Another generation is opened anew. Raises Damaged.
    """
    if not is_same(base.told, generation):
        return Base.open(folder, generation)
    kept = {kind: open_ for kind, open_ in base.opened.items() if generation.files.get(kind) == open_.mark}
    for kind, mark in generation.files.items():
        if kind not in kept:
            kept[kind] = Sections.open(folder.file(generation, kind), mark)
    return Base(generation, kept)


def _read_facts(sections: Sections) -> Facts:
    try:
        return _facts.decode(sections.array("facts"))
    except msgspec.MsgspecError:
        raise Damaged(f"The facts in {sections.path} cannot be read.") from None


def _after_all(prefix: bytes) -> bytes | None:
    """The least bytes that come after everything that begins so; None where nothing does."""
    kept = prefix.rstrip(b"\xff")
    return kept[:-1] + bytes([kept[-1] + 1]) if kept else None
