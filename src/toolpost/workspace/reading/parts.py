"""Parts of a text file, by bytes or by lines, with no more of it in memory than a block.

Each part says where the next begins: put together, the parts are the file. Bytes that the file's encoding
has no character for are shown as U+FFFD, and said to be.
"""

import codecs
import io
from collections.abc import Iterator
from hashlib import sha256
from typing import BinaryIO

from msgspec import Struct

from toolpost.limits import BLOCK_BYTES, LINE_CHARS, READ_DEFAULT, READ_LINES, SNIFF_BYTES
from toolpost.workspace.reading.text import (
    Coding,
    LineEnding,
    cut,
    decode,
    digest,
    line_ending,
    showable,
    sniff,
)

_WIDTHS = {"utf-16-le": 2, "utf-16-be": 2, "utf-32-le": 4, "utf-32-be": 4}
_LINE_HEAD = (LINE_CHARS + 2) * 4  # bytes: so many characters in any encoding, and a line ending


class Facts(Struct, frozen=True, kw_only=True, gc=False):
    """What is known of a text file before a part of it is read."""

    size_bytes: int
    coding: Coding
    line_ending: LineEnding
    total_lines: int | None = None
    digest: str = ""


class CutLine(Struct, frozen=True, gc=False):
    """A line too long to show: the rest of it begins at a byte."""

    line: int
    from_byte: int


class Lines(Struct, frozen=True, kw_only=True, gc=False):
    """Which lines: counted from 1, the last one included."""

    start: int = 1
    end: int | None = None
    """None: as many as one answer takes."""
    max_bytes: int = READ_DEFAULT
    numbered: bool = False
    """As `cat -n` does it: six wide, a tab."""


class Read(Struct, frozen=True, kw_only=True, gc=False):
    """A part of a file."""

    content: str
    truncated: bool
    """Less than was asked for."""
    start_line: int | None = None
    end_line: int | None = None
    """The last line shown; None when none was, or when bytes were asked for."""
    total_lines: int | None = None
    next_start_line: int | None = None
    from_byte: int | None = None
    next_byte: int | None = None
    cut_lines: tuple[CutLine, ...] = ()
    unreadable: int = 0
    """Characters shown as U+FFFD because they are none."""


def facts_of(data: bytes, name: str = "") -> Facts:
    """Of a whole file. Raises NotText."""
    decoded = decode(data, name)
    ends = decoded.text.count(_separator(decoded.line_ending))
    return Facts(
        size_bytes=len(data),
        coding=decoded.coding,
        line_ending=decoded.line_ending,
        total_lines=ends + (decoded.text != "" and not decoded.ends_with_newline),
        digest=digest(data),
    )


def facts_by_head(stream: BinaryIO, size_bytes: int, name: str = "", *, hashed: bool = False) -> Facts:
    """Of a file too large to hold, judged by how it begins. Raises NotText."""
    stream.seek(0)
    head = stream.read(SNIFF_BYTES)
    coding = sniff(head, name=name, size_bytes=size_bytes)
    text = _text(head[len(coding.mark) :], coding, final=False)
    return Facts(
        size_bytes=size_bytes,
        coding=coding,
        line_ending=line_ending(text),
        digest=_streamed_digest(stream) if hashed else "",
    )


def read_bytes(stream: BinaryIO, facts: Facts, *, from_byte: int = 0, max_bytes: int = READ_DEFAULT) -> Read:
    """So many bytes of text from a place on; a place within a character is moved to where that begins."""
    coding = facts.coding
    start = _character_start(stream, facts, from_byte)
    stream.seek(start)
    wanted = max_bytes * _WIDTHS.get(coding.encoding, 1) + 4
    data = stream.read(wanted)
    is_last = len(data) < wanted or start + len(data) >= facts.size_bytes
    text = _text(data, coding, final=is_last)
    piece = cut(text, max_bytes)
    truncated = not is_last or piece != text
    shown = showable(piece)
    return Read(
        content=shown,
        truncated=truncated,
        total_lines=facts.total_lines,
        from_byte=start if start > len(coding.mark) else 0,
        next_byte=start + len(_bytes(piece, coding)) if truncated else None,
        unreadable=_unreadable(piece, shown),
    )


def read_lines(stream: BinaryIO, facts: Facts, wanted: Lines) -> Read:
    """Whole lines, as many as there is room for. One longer than LINE_CHARS is cut, and said to be."""
    at, passed = _skip(stream, facts, wanted.start - 1)
    if at >= facts.size_bytes:
        return Read(content="", truncated=False, start_line=wanted.start, total_lines=passed)
    last = wanted.end if wanted.end is not None else wanted.start + READ_LINES - 1
    page = _Page(wanted, facts.coding)
    for line in _each_line(stream, at, facts):
        if not page.take(line):
            break
        at = line.end
        if page.last_line >= last:
            break
    has_more = at < facts.size_bytes
    is_short = has_more and (wanted.end is None or page.last_line < wanted.end)
    shown = showable(page.text)
    return Read(
        content=shown,
        truncated=is_short or bool(page.cut_lines),
        start_line=wanted.start,
        end_line=page.last_line,
        total_lines=facts.total_lines if has_more else page.last_line,
        next_start_line=page.last_line + 1 if has_more else None,
        cut_lines=tuple(page.cut_lines),
        unreadable=_unreadable(page.text, shown),
    )


def read_head(stream: BinaryIO, facts: Facts, max_bytes: int) -> str:
    """The beginning, for a look at it."""
    return read_bytes(stream, facts, max_bytes=max_bytes).content


def stream_of(data: bytes) -> BinaryIO:
    return io.BytesIO(data)


class _Line(Struct, frozen=True, gc=False):
    start: int
    end: int
    head: bytes
    """The line with what ends it, or as much as may be shown of it."""

    @property
    def is_whole(self) -> bool:
        return self.end - self.start == len(self.head)


class _Page:
    """Lines put one after another until there is no more room."""

    def __init__(self, wanted: Lines, coding: Coding) -> None:
        self._coding = coding
        self._numbered = wanted.numbered
        self._room = wanted.max_bytes
        self._parts: list[str] = []
        self.last_line = wanted.start - 1
        self.cut_lines: list[CutLine] = []

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def take(self, line: _Line) -> bool:
        """Whether there was room. The first line always has some: what is too much of it is cut."""
        number = self.last_line + 1
        prefix = f"{number:>6}\t" if self._numbered else ""
        full = _text(line.head, self._coding, final=line.is_whole)
        shown = _shortened(full, is_whole=line.is_whole)
        size = len((prefix + shown).encode("utf-8", "surrogatepass"))
        if size > self._room and self._parts:
            return False
        if size > self._room:
            shown = cut(shown, max(self._room - len(prefix), 0))
        if shown != full or not line.is_whole:
            self.cut_lines.append(CutLine(number, line.start + len(_bytes(shown, self._coding))))
            shown += "\n"
        self._parts.append(prefix + shown)
        self._room -= size
        self.last_line = number
        return True


def _shortened(line: str, *, is_whole: bool) -> str:
    body = line.rstrip("\r\n") if is_whole else line
    return line if is_whole and len(body) <= LINE_CHARS else body[:LINE_CHARS]


def _skip(stream: BinaryIO, facts: Facts, count: int) -> tuple[int, int]:
    """Where the line after so many others begins, and how many there were; at the end there may be fewer."""
    at = len(facts.coding.mark)
    stream.seek(at)
    passed = 0
    is_open = False
    ending = _separator(facts.line_ending)
    while passed < count:
        block = stream.read(BLOCK_BYTES)
        if not block:
            return at, passed + is_open
        text = _countable(block, facts.coding)
        found = text.count(ending)
        if passed + found >= count:
            return at + _size(text[: _after(text, ending, count - passed)], facts.coding), count
        is_open = not text.endswith(ending)
        passed += found
        at += len(block)
    return at, passed


def _countable(block: bytes, coding: Coding) -> str:
    """A block as text in which line endings can be counted: a letter a byte, where a byte is never half a letter."""
    if coding.encoding in _WIDTHS:
        return block.decode(coding.encoding, "surrogatepass")
    return block.decode("latin-1")


def _size(countable: str, coding: Coding) -> int:
    if coding.encoding in _WIDTHS:
        return len(countable.encode(coding.encoding, "surrogatepass"))
    return len(countable)


def _after(text: str, ending: str, count: int) -> int:
    """The place after so many line endings, found by halving: a block may be nothing but line endings."""
    low, high = 0, len(text)
    while high - low > 1:
        middle = (low + high) // 2
        found = text.count(ending, low, middle)
        if found >= count:
            high = middle
        else:
            low, count = middle, count - found
    return high


def _each_line(stream: BinaryIO, at: int, facts: Facts) -> Iterator[_Line]:
    """Lines from a place on. Of a long one only the head is kept while the rest passes by."""
    ending = _separator(facts.line_ending).encode(facts.coding.encoding)
    start, length, head = at, 0, b""
    stream.seek(at)
    while block := stream.read(BLOCK_BYTES):
        done = 0
        while (end := _line_end(block, done, ending)) >= 0:
            length += end - done
            yield _Line(start, start + length, (head + block[done:end])[:_LINE_HEAD])
            start, length, head, done = start + length, 0, b"", end
        head = (head + block[done : done + _LINE_HEAD])[:_LINE_HEAD]
        length += len(block) - done
    if length:
        yield _Line(start, start + length, head)


def _line_end(block: bytes, start: int, ending: bytes) -> int:
    """The place after the next line ending; -1 when there is none."""
    at = block.find(ending, start)
    while at >= 0 and at % len(ending):  # half of one character and half of the next
        at = block.find(ending, at + 1)
    return at if at < 0 else at + len(ending)


def _separator(ending: LineEnding) -> str:
    return "\r" if ending == "\r" else "\n"


def _text(data: bytes, coding: Coding, *, final: bool) -> str:
    """Text that `_bytes` turns back into the same bytes; half a character at the end is left out."""
    if final:
        return data.decode(coding.encoding, _errors(coding))
    return codecs.getincrementaldecoder(coding.encoding)(_errors(coding)).decode(data)


def _bytes(text: str, coding: Coding) -> bytes:
    return text.encode(coding.encoding, _errors(coding))


def _errors(coding: Coding) -> str:
    return "surrogatepass" if coding.encoding in _WIDTHS else "surrogateescape"


def _character_start(stream: BinaryIO, facts: Facts, at: int) -> int:
    """The same place, or where the character begins that it lies within."""
    first = len(facts.coding.mark)
    width = _WIDTHS.get(facts.coding.encoding, 1)
    at = min(max(at, first), facts.size_bytes)
    at -= at % width
    begin = max(at - 4, first)
    stream.seek(begin)
    around = stream.read(at - begin + 4)
    for back in range(width, min(at - begin, 3) + 1, width):
        for size in range(back + width, 5, width):
            if _is_one(around[at - begin - back :][:size], size, facts.coding.encoding):
                return at - back
    return at


def _is_one(data: bytes, size: int, encoding: str) -> bool:
    try:
        return len(data) == size and len(data.decode(encoding)) == 1
    except UnicodeDecodeError:
        return False


def _streamed_digest(stream: BinaryIO) -> str:
    stream.seek(0)
    whole = sha256()
    while block := stream.read(BLOCK_BYTES):
        whole.update(block)
    return f"sha256:{whole.hexdigest()}"


def _unreadable(text: str, shown: str) -> int:
    return shown.count("\ufffd") - text.count("\ufffd")
