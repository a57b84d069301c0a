r"""Bytes as text and back: nothing is lost on the way, and what is not text is said to be none.

A text keeps its line endings as they stand in the file. Lines end at `\n`, or at `\r` in a file that has
only those; no other character ends one.
"""

import codecs
import re
from hashlib import sha256
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from toolpost.errors import InvalidArgument, NotText
from toolpost.limits import TEXT_CONTROL_PERCENT
from toolpost.workspace.reading.mime import UNKNOWN, mime_of

LineEnding = Literal["\n", "\r\n", "\r", "mixed"]

_BOMS = (  # UTF-32 first: its mark begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MARK_BYTES = {encoding: mark for mark, encoding in _BOMS}
_CONTROLS = bytes(sorted({*range(32), 127} - set(b"\a\b\t\n\v\f\r\x1b")))
_LONE_LF = re.compile(r"(?<!\r)\n")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Coding(Struct, frozen=True, gc=False):
    """How a text stands in its bytes."""

    encoding: str = "utf-8"
    """A Python codec that writes no byte order mark of its own."""
    bom: bool = False

    @property
    def mark(self) -> bytes:
        return _MARK_BYTES[self.encoding] if self.bom else b""


class Decoded(Struct, frozen=True, gc=False):
    """A whole text and how it was written, so that a change can be written alike."""

    text: str
    encoding: str = "utf-8"
    bom: bool = False
    line_ending: LineEnding = "\n"
    ends_with_newline: bool = False

    @property
    def coding(self) -> Coding:
        return Coding(self.encoding, self.bom)


def decode(data: bytes, name: str = "") -> Decoded:
    """The text of a whole file. Raises NotText; `name` only helps to say what it is then."""
    coding = sniff(data, name=name)
    text = data[len(coding.mark) :].decode(coding.encoding, _pass(coding.encoding))
    ending = line_ending(text)
    return Decoded(
        text=text,
        encoding=coding.encoding,
        bom=coding.bom,
        line_ending=ending,
        ends_with_newline=text.endswith(("\n", "\r") if ending == "\r" else "\n"),
    )


def encode(like: Decoded, text: str) -> bytes:
    """Bytes as the file has them: its encoding, its byte order mark, its line ending.

    InvalidArgument names the first character the encoding has no place for.
    """
    try:
        body = with_endings(like, text).encode(like.encoding, _pass(like.encoding))
    except UnicodeEncodeError as error:
        raise _no_room(like.encoding, error) from None
    return like.coding.mark + body


def as_it_is(like: Decoded) -> Decoded:
    """The same for a text whose line endings are to be written as they are."""
    return replace(like, line_ending="mixed")


def with_endings(like: Decoded, text: str) -> str:
    r"""The text as `encode` writes it: in a file of only `\r\n` or only `\r`, a bare `\n` becomes that."""
    if like.line_ending == "\r\n":
        return _LONE_LF.sub("\r\n", text)
    return _LONE_LF.sub("\r", text) if like.line_ending == "\r" else text


def sniff(head: bytes, *, name: str = "", size_bytes: int | None = None) -> Coding:
    """How a file is written, judged by its beginning; NotText when it is none.

    With `size_bytes` the head may be less than the file, and end within a character.
    """
    size = len(head) if size_bytes is None else size_bytes
    is_whole = size <= len(head)
    for mark, encoding in _BOMS:
        if head.startswith(mark) and _reads(head[len(mark) :], encoding, whole=is_whole):
            return Coding(encoding, bom=True)
    guess = _two_bytes if b"\x00" in head else _one_byte
    encoding = guess(head, whole=is_whole)
    if not encoding:
        raise not_text(head, name=name, size_bytes=size)
    return Coding(encoding)


def not_text(head: bytes, *, name: str, size_bytes: int) -> NotText:
    mime = mime_of(head, name)
    what = f"{name} is" if name else "This is"
    return NotText(
        f"{what} not text but {mime}, {size_bytes} bytes.", parameter="path", mime=mime, size_bytes=size_bytes
    )


def line_ending(text: str) -> LineEnding:
    r"""What ends the lines; a text without any counts as `\n`."""
    if "\r" not in text:
        return "\n"
    both = text.count("\r\n")
    feeds = text.count("\n") - both
    returns = text.count("\r") - both
    if both and not feeds and not returns:
        return "\r\n"
    return "\r" if returns and not feeds and not both else "mixed"


def lines(text: str) -> list[str]:
    """The lines, each with what ends it; together they are the text."""
    parts = text.split(_end(text))
    ended = [part + _end(text) for part in parts[:-1]]
    return [*ended, parts[-1]] if parts[-1] else ended


def digest(data: bytes) -> str:
    """The hash by which a caller says which content it knows: `sha256:` and 64 hex digits."""
    return f"sha256:{sha256(data).hexdigest()}"


def cut(text: str, max_bytes: int) -> str:
    """As much of the text as has room in so many bytes of UTF-8, whole characters only."""
    if len(text) <= max_bytes // 4:
        return text
    data = text.encode("utf-8", "surrogatepass")
    return cut_bytes(data, max_bytes).decode("utf-8", "surrogatepass") if len(data) > max_bytes else text


def cut_bytes(data: bytes, max_bytes: int) -> bytes:
    """The same for text that is UTF-8 already."""
    if len(data) <= max_bytes:
        return data
    end = max(max_bytes, 0)
    while end and data[end] & 0xC0 == 0x80:
        end -= 1
    return data[:end]


def showable(text: str) -> str:
    """The text with lone surrogates, which UTF-8 has no form for, replaced."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _end(text: str) -> str:
    return "\r" if "\r" in text and "\n" not in text else "\n"


def _pass(encoding: str) -> str:
    """UTF-16 as Windows writes it may hold half a pair: kept as it is, in both directions."""
    return "surrogatepass" if encoding.startswith(("utf-16", "utf-32")) else "strict"


def _reads(data: bytes, encoding: str, *, whole: bool) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)(_pass(encoding))
    try:
        decoder.decode(data, final=whole)
    except UnicodeDecodeError:
        return False
    return True


def _one_byte(head: bytes, *, whole: bool) -> str:
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if controls * 100 > len(head) * TEXT_CONTROL_PERCENT:
        return ""
    if _reads(head, "utf-8", whole=whole):
        return "utf-8"
    if mime_of(head) != UNKNOWN:
        return ""
    return "cp1252" if _reads(head, "cp1252", whole=whole) else "latin-1"


def _two_bytes(head: bytes, *, whole: bool) -> str:
    """UTF-16 without a mark: mostly one byte of each pair is NUL, and always the same one."""
    pairs = len(head) // 2
    nuls = {"utf-16-be": head[::2].count(0), "utf-16-le": head[1::2].count(0)}
    encoding, most = max(nuls.items(), key=lambda item: item[1])
    if most * 2 < pairs or min(nuls.values()) * 20 > pairs or not _reads(head, encoding, whole=whole):
        return ""
    text = head[: pairs * 2].decode(encoding, "surrogatepass")
    controls = sum(text.count(chr(code)) for code in _CONTROLS)
    return "" if controls * 100 > pairs * TEXT_CONTROL_PERCENT else encoding


def _no_room(encoding: str, error: UnicodeEncodeError) -> InvalidArgument:
    line = len(lines(error.object[: error.start + 1]))
    char = f"U+{ord(error.object[error.start]):04X}"
    return InvalidArgument(
        f"The file is {encoding}, which has no {char} (line {line} of the new text): use characters it has.",
        parameter="content",
        encoding=encoding,
        character=char,
        line=line,
    )
