"""Tree-sitter's parsers, loaded when a file first needs one.

What is broken can take a grammar time, and what is ambiguous memory, that grow with the square of its length,
and the library has no way to stop a parser. So `parse` hands a text over piece by piece and says it has ended
once time is up, and hands over nothing of a text whose shape is known to take gigabytes.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from threading import local
from time import monotonic, thread_time
from typing import TYPE_CHECKING, NamedTuple

from toolpost.index.limits import PARSE_ANGLES, PARSE_BYTES, PARSE_PIECE_BYTES, PARSE_S, PARSE_SMALL_BYTES

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser, Point

GRAMMARS = {
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "javascript": ("tree_sitter_javascript", "language"),
    "python": ("tree_sitter_python", "language"),
    "go": ("tree_sitter_go", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "java": ("tree_sitter_java", "language"),
    "kotlin": ("tree_sitter_kotlin", "language"),
    "c_sharp": ("tree_sitter_c_sharp", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "ruby": ("tree_sitter_ruby", "language"),
    "swift": ("tree_sitter_swift", "language"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
}

_WITHOUT_TANGLES = frozenset({"typescript", "tsx", "javascript", "python"})  # measured: linear
_STATEMENT_ENDS = re.compile(rb"[;{}]")


class Parsed(NamedTuple):
    root: Node
    whole: bool
    """False for a text with errors, and for one that was not read to its end."""


class _Parsers(local):
    """A parser is no two threads' business at once."""

    def __init__(self) -> None:
        self.by_name: dict[str, Parser] = {}


_PARSERS = _Parsers()


@cache
def language(name: str) -> Language:
    module, function = GRAMMARS[name]
    made: Language = import_module("tree_sitter").Language(getattr(import_module(module), function)())
    return made


def parser(name: str) -> Parser:
    """This thread's parser; prefer `parse`, which ends in bounded time."""
    known = _PARSERS.by_name.get(name)
    if known is None:
        known = import_module("tree_sitter").Parser(language(name))
        _PARSERS.by_name[name] = known
    return known


def parse(name: str, text: bytes) -> Parsed:
    """The tree of a text, or of as much of it as can be parsed in bounded time."""
    if len(text) <= PARSE_SMALL_BYTES:
        root = parser(name).parse(text).root_node
        return Parsed(root, not root.has_error)
    reading = _Reading(b"" if _is_tangled(name, text) else _head(text))
    root = parser(name).parse(reading.piece).root_node
    reading.parsed = True
    return Parsed(root, len(reading.text) == len(text) and not reading.late and not root.has_error)


def _whole_characters(text: bytes) -> bytes:
    """Bytes that are no UTF-8, which crash tree-sitter, as question marks: every place stays where it was."""
    if text.isascii():
        return text
    try:
        text.decode()
    except UnicodeDecodeError:
        return _STRAY.sub("?", text.decode("utf-8", "surrogateescape")).encode()
    return text


_STRAY = re.compile("[\udc80-\udcff]")
_CONTINUES, _CONTINUED = 0xC0, 0x80


class _Reading:
    """A text as a parser reads it, until the parser has used up its time; later its nodes ask for theirs."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.late = False
        self.parsed = False
        self._begun = monotonic()
        self._until = 0.0

    def piece(self, begin: int, _point: Point) -> bytes:
        if not self.parsed and (self.late or (monotonic() - self._begun > PARSE_S and self._spent())):
            self.late = True
            return b""
        end = begin + PARSE_PIECE_BYTES
        while self.text[end : end + 1] and self.text[end] & _CONTINUES == _CONTINUED:
            end += 1  # half a character at the end of the last piece crashes tree-sitter
        return self.text[begin:end]

    def _spent(self) -> bool:
        """CPU time, so that a busy machine changes no answer; asked seldom, as it can cost 60 us."""
        if not self._until:
            self._until = thread_time() + PARSE_S / 2
        return thread_time() > self._until


def _head(text: bytes) -> bytes:
    """Whole lines from the start; none of a line that alone is too long, which is no code people wrote."""
    if len(text) <= PARSE_BYTES:
        return text
    return text[: text.rfind(b"\n", 0, PARSE_BYTES) + 1]


def _is_tangled(name: str, text: bytes) -> bool:
    """Whether statements hold so many `<` that a grammar with generics would take gigabytes for them."""
    if name in _WITHOUT_TANGLES or text.count(b"<") ** 2 <= PARSE_ANGLES:
        return False
    return sum(piece.count(b"<") ** 2 for piece in _STATEMENT_ENDS.split(text)) > PARSE_ANGLES
