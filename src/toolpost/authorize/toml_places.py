"""Where in a TOML text its keys and strings stand. The text was read by a parser before, and is known to be good."""

import re
import tomllib
from bisect import bisect_right
from typing import NamedTuple

from msgspec import Struct

Path = tuple[str, ...]
_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}|"(?:[^"\\]|\\.)*"'
    r"|'''(?:[^']|'{1,2}(?!'))*'{3,5}|'[^']*'",
    re.DOTALL,
)
_DULL = re.compile(r"[^\"'#\[\]{}\n]+")


class Spot(NamedTuple):
    """Both count from 1."""

    line: int
    column: int


class Text(Struct, frozen=True):
    value: str
    spot: Spot
    """Of its first letter, where it is written as it is; else of its quotes."""
    is_plain: bool
    """Written as it is, on one line: its letters stand side by side in the file."""


class Statement(Struct, frozen=True):
    """A header, or a key with the strings of its value."""

    path: Path
    spot: Spot
    is_header: bool = False
    texts: tuple[Text, ...] = ()


class Places:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = [0, *(at + 1 for at, letter in enumerate(text) if letter == "\n")]
        self.statements = self._read()

    def of(self, *path: str) -> list[Statement]:
        """Every statement that sets the key or a part of it, or a table it lies in."""
        return [one for one in self.statements if _overlap(one.path, path)]

    def first(self, *path: str) -> Spot:
        """Where the key stands, or what holds it."""
        exact = [one.spot for one in self.statements if one.path[: len(path)] == path]
        return next(iter([*exact, *(one.spot for one in self.of(*path) if not one.is_header)]), Spot(1, 1))

    def _read(self) -> list[Statement]:
        found: list[Statement] = []
        table: Path = ()
        at = self._skip(0)
        while at < len(self._text):
            spot = self._spot(at)
            if self._text[at] == "[":
                table, at = self._keys(at + 1 + self._text.startswith("[[", at))
                found.append(Statement(table, spot, is_header=True))
                at = self._line_end(at)
            else:
                keys, at = self._keys(at)
                texts, at = self._value(at + 1)
                found.append(Statement(table + keys, spot, texts=texts))
            at = self._skip(at)
        return found

    def _skip(self, at: int) -> int:
        blank = _BLANK.match(self._text, at)
        return blank.end() if blank else at

    def _line_end(self, at: int) -> int:
        end = self._text.find("\n", at)
        return end if end >= 0 else len(self._text)

    def _keys(self, at: int) -> tuple[Path, int]:
        """The parts of a key, and where `=` or `]` stands."""
        keys: list[str] = []
        while at < len(self._text) and self._text[at] not in "=]":
            bare, quoted = _BARE.match(self._text, at), _STRING.match(self._text, at)
            if quoted:
                keys.append(_decoded(quoted[0]))
            elif bare:
                keys.append(bare[0])
            at = quoted.end() if quoted else bare.end() if bare else at + 1
        return tuple(keys), at

    def _value(self, at: int) -> tuple[tuple[Text, ...], int]:
        """The strings of a value, and where its last line ends."""
        texts: list[Text] = []
        depth = 0
        while at < len(self._text):
            letter = self._text[at]
            string, dull = _STRING.match(self._text, at), _DULL.match(self._text, at)
            if string:
                texts.append(self._string(string[0], at))
            elif letter == "#":
                at = self._line_end(at)
                continue
            elif letter == "\n" and depth == 0:
                break
            depth += (letter in "[{") - (letter in "]}")
            at = string.end() if string else dull.end() if dull else at + 1
        return tuple(texts), at

    def _string(self, raw: str, at: int) -> Text:
        value = _decoded(raw)
        is_plain = raw[1:-1] == value
        return Text(value, self._spot(at + is_plain), is_plain)

    def _spot(self, at: int) -> Spot:
        line = bisect_right(self._lines, at)
        return Spot(line, at - self._lines[line - 1] + 1)


def _decoded(raw: str) -> str:
    return str(tomllib.loads(f"text = {raw}")["text"])


def _overlap(one: Path, other: Path) -> bool:
    shared = min(len(one), len(other))
    return one[:shared] == other[:shared]
