"""The members of an object literal, as `module.exports = { … }` writes them."""

import re
from collections.abc import Iterator

from toolpost.index.extract.ecma.names import NAME
from toolpost.index.extract.ecma.place import TEMPLATE

_TOKEN = re.compile(
    rb"""'(?:[^'\\\n]++|\\.)*+'|"(?:[^"\\\n]++|\\.)*+"|%b|//[^\n]*|/\*(?:.*?\*/|.*+)|[(\[{]|[)\]}]|,"""
    % TEMPLATE,
    re.DOTALL,
)
_SPACE = re.compile(rb"(?:\s|//[^\n]*|/\*.*?\*/)*+", re.DOTALL)
_KEY = re.compile(rb"(?:(%b)|(['\"])([^'\"\\\n]+)\2)\s*" % NAME)
_METHOD = re.compile(rb"(?:(?:async|get|set)\s+|async\s*\*\s*|\*\s*)*(%b)\s*\(" % NAME)


def members(text: bytes, at: int) -> Iterator[tuple[bytes, int, int]]:
    """Name, place and place of its value for each member of the object that opens here.

    The value's place is -1 for a method, and that of the name for a shorthand; a spread has the name `...`.
    """
    for piece in _pieces(text, at + 1):
        space = _SPACE.match(text, piece)
        begin = space.end() if space else piece
        if text.startswith(b"...", begin):
            yield b"...", begin, begin + 3
            continue
        method = _METHOD.match(text, begin)
        if method:
            yield method[1], begin, -1
            continue
        key = _KEY.match(text, begin)
        if key:
            colon = text[key.end() : key.end() + 1] == b":"
            yield key[1] or key[3], begin, key.end() + 1 if colon else begin


def _pieces(text: bytes, at: int) -> Iterator[int]:
    """Where each member begins, up to the brace that closes the object."""
    yield at
    depth = 0
    for token in _TOKEN.finditer(text, at):
        found = token[0]
        if found in _OPENING:
            depth += 1
        elif found in _CLOSING:
            depth -= 1
            if depth < 0:
                return
        elif found == b"," and depth == 0:
            yield token.end()


def closing(text: bytes, at: int) -> int:
    """Behind the bracket that closes the one here; the end of the text where none does."""
    depth = 0
    for token in _TOKEN.finditer(text, at):
        found = token[0]
        if found in _OPENING:
            depth += 1
        elif found in _CLOSING:
            depth -= 1
            if depth <= 0:
                return token.end()
    return len(text)


_OPENING = frozenset((b"(", b"[", b"{"))
_CLOSING = frozenset((b")", b"]", b"}"))
