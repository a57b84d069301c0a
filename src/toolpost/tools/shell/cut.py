"""The beginning and the end of an output, in the bytes and lines an answer has room for.

A cut falls between lines, or between characters where a line is longer than there is room.
"""

from msgspec import Struct

from toolpost.limits import EXEC_OUTPUT_BYTES
from toolpost.sandbox.output import Log


class Want(Struct, frozen=True, kw_only=True):
    """With neither, beginning and end share the bytes; with one, only that is wanted."""

    head_lines: int | None = None
    tail_lines: int | None = None
    max_bytes: int = EXEC_OUTPUT_BYTES

    @property
    def head_bytes(self) -> int:
        if self.head_lines is None and self.tail_lines is not None:
            return 0
        return (
            self.max_bytes if self.tail_lines is None and self.head_lines is not None else self.max_bytes // 2
        )

    @property
    def tail_bytes(self) -> int:
        return self.max_bytes - self.head_bytes


class Cut(Struct, frozen=True):
    head: bytes
    tail: bytes = b""
    left_out_bytes: int = 0
    left_out_lines: int = 0

    def text(self, mark: str) -> str:
        """Both parts, with a line between them that says what is missing."""
        head, tail = (part.decode(errors="replace") for part in (self.head, self.tail))
        if not self.left_out_bytes:
            return head
        break_before = "" if not head or head.endswith("\n") else "\n"
        return f"{head}{break_before}[{mark}]\n{tail}"


def cut(log: Log, want: Want) -> Cut:
    size = log.size_bytes
    if want.head_lines is None and want.tail_lines is None and size <= want.max_bytes:
        return Cut(log.head(size))
    head = first_lines(log.head(want.head_bytes), want.head_lines, is_all=size <= want.head_bytes)
    tail = last_lines(log.tail(want.tail_bytes), want.tail_lines, is_all=size <= want.tail_bytes)
    left_out = size - len(head) - len(tail)
    if left_out <= 0:
        return Cut(head + tail[-left_out:] if left_out else head + tail)
    lines = log.lines - head.count(b"\n") - tail.count(b"\n")
    return Cut(head, tail, left_out, lines)


def first_lines(data: bytes, lines: int | None, *, is_all: bool) -> bytes:
    """`is_all`: nothing follows the data, so its last line is whole."""
    end = len(data) if lines is None else _after_lines(data, lines)
    if end < len(data) or is_all:
        return data[:end]
    last = data.rfind(b"\n") + 1
    return data[:last] if last > len(data) // 2 else whole_characters(data)


def last_lines(data: bytes, lines: int | None, *, is_all: bool) -> bytes:
    start = 0 if lines is None else _before_lines(data, lines)
    if start > 0 or is_all:
        return data[start:]
    second = data.find(b"\n") + 1
    if 0 < second <= len(data) // 2:
        return data[second:]
    while start < min(len(data), 3) and data[start] & 0xC0 == 0x80:
        start += 1
    return data[start:]


def whole_characters(data: bytes) -> bytes:
    """Without a character of UTF-8 that only begins at the end."""
    for back in range(1, min(len(data), 3) + 1):
        byte = data[-back]
        if byte & 0xC0 == 0x80:
            continue
        length = 1 if byte < 0xC0 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
        return data[:-back] if length > back else data
    return data


def _after_lines(data: bytes, lines: int) -> int:
    at = 0
    for _ in range(lines):
        found = data.find(b"\n", at)
        if found < 0:
            return len(data)
        at = found + 1
    return at


def _before_lines(data: bytes, lines: int) -> int:
    if not lines:
        return len(data)
    at = len(data) - data.endswith(b"\n")
    for _ in range(lines):
        at = data.rfind(b"\n", 0, at)
        if at < 0:
            return 0
    return at + 1
