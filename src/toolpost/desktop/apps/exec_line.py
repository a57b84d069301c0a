"""The Exec line of a desktop entry: quoting of its own, and codes such as %U for what is opened. No shell reads it."""

import re
from collections.abc import Iterator

from msgspec import Struct

_MANY = frozenset({"%F", "%U"})
_ONE = frozenset("fu")
_ADDRESSES = frozenset("uU")
_GONE = frozenset("dDnNvm")
"""Codes of older versions of the format: taken out, as it says."""
_KNOWN = frozenset("fFuUick%") | _GONE
_CODE = re.compile("%(.?)", re.DOTALL)
_WORD = re.compile(r'(?:"(?:[^"\\]|\\.)*"|\\.|[^\s"\\])+', re.DOTALL)
_PIECE = re.compile(r'"((?:[^"\\]|\\.)*)"|\\(.)|([^"\\]+)', re.DOTALL)
_ESCAPED = re.compile(r'\\(["`$\\])')


class Asked(Struct, frozen=True, kw_only=True):
    """What the codes stand for."""

    name: str
    icon: str = ""
    entry: str = ""
    files: tuple[str, ...] = ()


class Takes(Struct, frozen=True):
    """What an application may be given to open."""

    most: int | None = 0
    """None: any number."""
    addresses: bool = False


def words(line: str) -> tuple[str, ...]:
    """The words of a line whose escapes are resolved. Raises ValueError for a quote that is not closed."""
    found = tuple(_unquoted(word) for word in _WORD.findall(line))
    if _WORD.sub("", line).strip():
        raise ValueError(line)
    for word in found:
        if any(code not in _KNOWN for code in _CODE.findall(word)):
            raise ValueError(word)
    return found


def _unquoted(word: str) -> str:
    return "".join(
        _ESCAPED.sub(r"\1", quoted) + escaped + bare for quoted, escaped, bare in _PIECE.findall(word)
    )


def literal(word: str) -> str:
    """A word in which no code stands, whatever it holds."""
    return word.replace("%", "%%")


def plain(word: str) -> str:
    return word.replace("%%", "%")


def takes(words: tuple[str, ...]) -> Takes:
    codes = {code for word in words[1:] for code in _CODE.findall(word)}
    addresses = bool(codes & _ADDRESSES)
    if _MANY & set(words[1:]):
        return Takes(None, addresses)
    return Takes(1, addresses) if codes & _ONE else Takes()


def expanded(words: tuple[str, ...], asked: Asked) -> tuple[str, ...]:
    """The program and its arguments, as they are started."""
    return tuple(argument for word in words for argument in _arguments(word, asked))


def _arguments(word: str, asked: Asked) -> Iterator[str]:
    if word in _MANY:
        yield from asked.files
    elif word == "%i":
        yield from ("--icon", asked.icon) if asked.icon else ()
    else:
        made = _CODE.sub(lambda code: _value(code[1], asked), word)
        if made or not _CODE.search(word):  # a code that stands for nothing leaves no empty argument
            yield made


def _value(code: str, asked: Asked) -> str:
    if code in _ONE:
        return asked.files[0] if asked.files else ""
    return {"%": "%", "c": asked.name, "k": asked.entry}.get(code, "")
