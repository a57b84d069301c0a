"""Where an answer ended, as text its caller sends back to go on.

A cursor names a place in the order of paths and lines, not a count, so it stays right when files come and go.
It carries a mark of the question it belongs to; nothing in it is ever opened.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from hashlib import sha256
from typing import Any

from msgspec import Struct

from toolpost.errors import InvalidArgument

WHOLE = 2**62
"""The line of a cursor when the file is answered wholly."""
_MARK_BYTES = 6


class Cursor(Struct, frozen=True):
    path: bytes = b""
    """As `walk.order` gives it."""
    line: int = 0
    """The last line answered; what comes after it is next."""
    given: int = 0
    """Hits answered of this file so far."""


START = Cursor()


def pack(cursor: Cursor, question: tuple[Any, ...]) -> str:
    place = b"%d:%d:%b" % (cursor.line, cursor.given, cursor.path)
    return urlsafe_b64encode(_mark(question) + place).rstrip(b"=").decode()


def unpack(text: str, question: tuple[Any, ...], *, parameter: str = "cursor") -> Cursor:
    try:
        packed = urlsafe_b64decode(f"{text}{'=' * (-len(text) % 4)}")
        line, given, path = packed[_MARK_BYTES:].split(b":", 2)
        cursor = Cursor(path, int(line), int(given))
    except (Error, ValueError):
        raise InvalidArgument(
            "This is no cursor: send next_cursor of the answer before as it is, or leave it out.",
            parameter=parameter,
        ) from None
    if packed[:_MARK_BYTES] != _mark(question):
        raise InvalidArgument(
            "This cursor belongs to another search: repeat the same arguments with it, or leave it out to begin anew.",
            parameter=parameter,
        )
    return cursor


def _mark(question: tuple[Any, ...]) -> bytes:
    return sha256(repr(question).encode("utf-8", "backslashreplace")).digest()[:_MARK_BYTES]
