"""One file of named sections, mapped into memory, each byte checked before it is first used.

    header      magic, version, size of the file, where the table is, checksums of the table and of the header
    sections    each at a multiple of 8
    checksums   of every section: one CRC32 for each of its pages
    table       of every section: name, offset, length, its checksums' offset and their CRC32, size of a page

The checksum of the header stands for the whole file: it covers the table's, which covers the checksums'
own, which cover the content. Opening reads only header and table. A file that somebody cuts short while it
is mapped takes the reader down (SIGBUS); nobody does: files are written once, named after, and unlinked.
"""

import os
from array import array
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from mmap import ACCESS_READ, mmap
from pathlib import Path
from stat import S_ISREG
from struct import Struct as Layout
from typing import BinaryIO, Literal, Self
from zlib import crc32

import msgspec
from msgspec import Struct

from toolpost.errors import IoFailed
from toolpost.index.disk.damage import Damaged
from toolpost.index.limits import INDEX_PAGE_BITS, INDEX_PIECE_BYTES

MAGIC = b"toolpost"
FORMAT = 1
"""Of every file of the index: counted up whenever a reader of the old would misread the new."""
HEADER = Layout("=8sIIQQI")  # in the machine's own order: one of the other order is of another version
CHECK = Layout("=I")
HEAD_BYTES = 40
ALIGNED = 8

Code = Literal["B", "H", "I", "Q"]
Content = bytes | bytearray | memoryview | Iterable[bytes]


class Mark(Struct, frozen=True):
    """What tells a file from any other: its size and the checksum of its header."""

    size_bytes: int
    check: int


class Row(Struct, frozen=True, array_like=True, gc=False):
    """A section in the table."""

    name: str
    offset: int
    length: int
    checks_at: int
    checks_crc: int
    page_bits: int


_rows = msgspec.msgpack.Decoder(list[Row])


class Pages:
    """A section of which only what is used is checked, a page at a time."""

    def __init__(self, row: Row, view: memoryview, checks: memoryview, where: str) -> None:
        self.view = view
        """The raw bytes; `check` a range before it is used."""
        self.whole = not checks
        """Every page is checked: `check` costs nothing any more."""
        self._bits = row.page_bits
        self._checks = checks
        self._count = len(checks)
        self._checked = bytearray(len(checks))
        self._where = where

    def check(self, begin: int, end: int) -> None:
        """Raises Damaged unless these bytes are as they were written."""
        if self.whole or begin >= end:
            return
        first, last = begin >> self._bits, (end - 1) >> self._bits
        checked = self._checked
        if first == last < self._count and checked[first]:  # nearly always, and twice as fast as a search
            return
        page = checked.find(0, first, last + 1)
        if page == -1:
            return
        while page != -1:
            self._check_page(page)
            page = checked.find(0, page + 1, last + 1)
        self.whole = 0 not in checked

    def read(self, begin: int, end: int) -> bytes:
        """A copy of these bytes, checked."""
        self.check(begin, end)
        return bytes(self.view[begin:end])

    def _check_page(self, page: int) -> None:
        begin = page << self._bits
        if crc32(self.view[begin : begin + (1 << self._bits)]) != self._checks[page]:
            raise Damaged(f"{self._where} is damaged near byte {begin:,}: its checksum is another.")
        self._checked[page] = 1  # two threads may both check it; both come to the same


class Sections:
    """A sections file, open. Views into it stay good for as long as somebody holds them."""

    def __init__(self, path: Path, mapped: mmap, rows: dict[str, Row], mark: Mark) -> None:
        self.path = path
        self.mark = mark
        self._map = mapped
        self._view = memoryview(mapped)
        self._rows = rows
        self._pages: dict[str, Pages] = {}
        self._arrays: dict[tuple[str, Code], memoryview] = {}

    @classmethod
    def open(cls, path: Path, mark: Mark | None = None) -> Self:
        """Raises Damaged, also when the file is not the one the mark tells of; IoFailed where the system refuses."""
        mapped, size = _mapped(path)
        rows, found = _table(path, mapped, size)
        if mark is not None and found != mark:
            raise Damaged(f"{path} is not the file that was committed.")
        return cls(path, mapped, rows, found)

    def __contains__(self, name: str) -> bool:
        return name in self._rows

    @property
    def names(self) -> list[str]:
        return list(self._rows)

    def array(self, name: str, code: Code = "B") -> memoryview:
        """A whole section as numbers, checked when it is first asked for."""
        known = self._arrays.get((name, code))
        if known is not None:
            return known
        pages = self.pages(name)
        pages.check(0, len(pages.view))
        try:
            view = pages.view.cast(code)
        except TypeError:
            raise Damaged(f"Section {name} of {self.path} does not hold whole numbers ({code}).") from None
        return self._arrays.setdefault((name, code), view)

    def pages(self, name: str) -> Pages:
        """A section to be checked a page at a time."""
        known = self._pages.get(name)
        return known if known is not None else self._pages.setdefault(name, self._open(name))

    def verify(self) -> None:
        """Check all of it, as a doctor does, or a server while nobody asks. Raises Damaged."""
        for name in self._rows:
            pages = self.pages(name)
            pages.check(0, len(pages.view))

    def close(self) -> None:
        """Let go of the file. What others still view stays mapped until they let go of it too."""
        views = [*self._arrays.values(), *(pages.view for pages in self._pages.values()), self._view]
        self._arrays.clear()
        self._pages.clear()
        with suppress(BufferError):
            for view in views:
                view.release()
            self._map.close()

    def _open(self, name: str) -> Pages:
        row = self._rows.get(name)
        if row is None:
            raise Damaged(f"{self.path} has no section {name}.")
        count = (row.length + (1 << row.page_bits) - 1) >> row.page_bits
        checks = self._view[row.checks_at : row.checks_at + count * CHECK.size]
        if crc32(checks) != row.checks_crc:
            raise Damaged(f"The checksums of section {name} of {self.path} are damaged.")
        view = self._view[row.offset : row.offset + row.length]
        return Pages(row, view, checks.cast("I"), f"Section {name} of {self.path}")


def _mapped(path: Path) -> tuple[mmap, int]:
    """The file in memory, and its size, which is measured: a map longer than its file kills who reads it."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe would wait for a writer
    except FileNotFoundError:
        raise Damaged(f"{path} is not there.") from None
    except OSError as error:
        raise IoFailed(f"{path} cannot be opened: {error.strerror}.") from None
    try:
        try:
            found = os.fstat(handle)
            size = found.st_size
            if not S_ISREG(found.st_mode):
                raise Damaged(f"{path} is not a file.")
            if size < HEAD_BYTES:
                raise Damaged(f"{path} is cut short: it has {size} bytes.")
            return mmap(handle, size, access=ACCESS_READ), size
        finally:
            os.close(handle)  # which can fail, too
    except ValueError:
        raise Damaged(f"{path} was cut short just now.") from None
    except OSError as error:
        raise IoFailed(f"{path} cannot be mapped: {error.strerror}.") from None


def _table(path: Path, mapped: mmap, size: int) -> tuple[dict[str, Row], Mark]:
    head = mapped[:HEAD_BYTES]
    magic, version, length, told, at, crc = HEADER.unpack_from(head)
    if magic != MAGIC:
        raise Damaged(f"{path} is not a file of the index.")
    if version != FORMAT:
        raise Damaged(f"{path} is of another version: {version}, not {FORMAT}.")
    (check,) = CHECK.unpack_from(head, HEADER.size)
    if crc32(head[: HEADER.size]) != check:
        raise Damaged(f"The header of {path} is damaged.")
    if told != size:
        raise Damaged(f"{path} has {size:,} bytes, not the {told:,} that were written.")
    table = mapped[at : at + length]
    if len(table) != length or crc32(table) != crc:
        raise Damaged(f"The table of {path} is damaged.")
    try:
        rows = _rows.decode(table)
    except msgspec.MsgspecError:  # written by us and whole, and yet no table: a version nobody counted up
        raise Damaged(f"The table of {path} cannot be read.") from None
    return {row.name: row for row in rows}, Mark(size, check)


def write(path: Path, sections: Mapping[str, Content], *, page_bits: int = INDEX_PAGE_BITS) -> Mark:
    """On the disk when it returns; a file of that name is replaced, and a failed one taken away. Raises OSError.

    A section given in pieces is taken piece by piece, in the order of the mapping.
    """
    beside = path.with_name(f".{path.name}.new")
    try:
        with os.fdopen(
            os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "wb"
        ) as file:
            file.write(bytes(HEAD_BYTES))
            mark = _fill(file, sections, page_bits)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)  # there only if it failed, or was interrupted
    return mark


def _fill(file: BinaryIO, sections: Mapping[str, Content], page_bits: int) -> Mark:
    rows, checks = [], []
    for name, content in sections.items():
        _align(file)
        offset = file.tell()
        found = _write_pages(file, content, 1 << page_bits)
        rows.append(Row(name, offset, file.tell() - offset, 0, crc32(found), page_bits))
        checks.append(found)
    _align(file)
    placed = []
    for row, found in zip(rows, checks, strict=True):
        placed.append(msgspec.structs.replace(row, checks_at=file.tell()))
        file.write(found)
    return _finish(file, msgspec.msgpack.encode(placed))


def _finish(file: BinaryIO, table: bytes) -> Mark:
    at = file.tell()
    file.write(table)
    size = file.tell()
    head = HEADER.pack(MAGIC, FORMAT, len(table), size, at, crc32(table))
    check = crc32(head)
    file.seek(0)
    file.write(head + CHECK.pack(check))
    return Mark(size, check)


def _align(file: BinaryIO) -> None:
    file.write(bytes(-file.tell() % ALIGNED))


def _write_pages(file: BinaryIO, content: Content, page: int) -> "array[int]":
    """The checksum of every page of it."""
    checks = array("I")
    for block in _blocks(content, page):
        checks.extend(crc32(block[at : at + page]) for at in range(0, len(block), page))
        file.write(block)
    return checks


def _blocks(content: Content, page: int) -> Iterator[memoryview]:
    """The content in blocks of whole pages; the last may end within one."""
    if isinstance(content, bytes | bytearray | memoryview):
        yield memoryview(content).cast("B")
        return
    held = bytearray()
    for piece in content:
        held += piece
        if len(held) >= INDEX_PIECE_BYTES:
            whole = len(held) - len(held) % page
            with memoryview(held)[:whole] as block:
                yield block
            del held[:whole]
    yield memoryview(held)
