"""The text of a file as a search goes through it: what reading shows, in UTF-8 and without a byte order mark."""

from toolpost.errors import NotText
from toolpost.limits import BINARY_BYTES, READ_MAX, SNIFF_BYTES
from toolpost.workspace.reading.text import Coding, showable, sniff

_MARK = b"\xef\xbb\xbf"


def is_binary(head: bytes, size_bytes: int) -> bool:
    """By how a file begins: a NUL is binary, unless it is half of a UTF-16 character."""
    return b"\0" in head[:BINARY_BYTES] and _coding(head, size_bytes) is None


def plain(data: bytes) -> bytes | None:
    """None for what turns out to be no text. Most files are UTF-8 and stay as they are."""
    is_wide = b"\0" in data[:BINARY_BYTES]
    if not is_wide and _is_utf8(data):
        return data.removeprefix(_MARK)
    head = data if len(data) <= READ_MAX else data[:SNIFF_BYTES]  # so much is looked at to read it, too
    coding = _coding(head, len(data))
    if coding is None:
        return None
    text = data[len(coding.mark) :].decode(coding.encoding, "replace")
    return showable(text).encode()


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _coding(head: bytes, size_bytes: int) -> Coding | None:
    try:
        return sniff(head, size_bytes=size_bytes)
    except NotText:
        return None
