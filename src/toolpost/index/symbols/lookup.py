"""Definitions by name and by file, in one snapshot.

Until the definitions of the base are on disk, some files whose text holds the name are parsed for each question.
"""

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

import stringzilla
from msgspec import Struct

from toolpost.index.limits import SYMBOL_DOCS_KEPT, SYMBOL_FILES
from toolpost.index.model import Doc
from toolpost.index.snapshot import Snapshot, key
from toolpost.index.symbols.find import Symbol, symbols
from toolpost.index.symbols.table import Symbols


class Definition(Struct, frozen=True, gc=False):
    path: str
    symbol: Symbol


def definitions(snapshot: Snapshot, name: str) -> list[Definition]:
    """Every definition of exactly this name, in the order of paths and lines; `A.f` means an `f` within an `A`."""
    parent, _, last = name.rpartition(".")
    if not last:
        return []
    found = [
        Definition(path, symbol)
        for path, those in _files(snapshot, last)
        for symbol in those
        if symbol.name == last and (not parent or _is_within(symbol, parent))
    ]
    return sorted(found, key=lambda one: (one.path.encode("utf-8", "surrogateescape"), one.symbol.line))


def outline(snapshot: Snapshot, path: str) -> tuple[Symbol, ...] | None:
    """What one file defines; None for a file that is not there, or is written in a language without a grammar."""
    written = path.encode("utf-8", "surrogateescape")
    doc = snapshot.doc(written)
    if doc is not None:
        return _of_doc(doc)
    number = snapshot.find(written)
    return None if number < 0 else symbols(path, _text(snapshot, number))


def is_complete(snapshot: Snapshot) -> bool:
    """Whether every definition can be found by its name."""
    return snapshot.base.symbols is not None


def _is_within(symbol: Symbol, parent: str) -> bool:
    return symbol.parent == parent or symbol.parent.endswith(f".{parent}")


def _files(snapshot: Snapshot, name: str) -> Iterator[tuple[str, tuple[Symbol, ...]]]:
    """Files that may define a name, each with all its definitions."""
    for number, those in _of_base(snapshot, name):
        yield snapshot.base.path(number).decode("utf-8", "surrogateescape"), those
    word = name.encode("utf-8", "surrogatepass")
    for doc in snapshot.docs:
        if doc.text is not None and word in doc.text:
            yield doc.path, _of_doc(doc) or ()


def _of_base(snapshot: Snapshot, name: str) -> Iterator[tuple[int, tuple[Symbol, ...]]]:
    base = snapshot.base
    if base.symbols is not None:
        table = Symbols(base.symbols)
        for number in table.files(name):
            if number not in snapshot.gone:
                yield number, tuple(table.of(number))
        return
    for number in _mentioning(snapshot, name):
        path = base.path(number).decode("utf-8", "surrogateescape")
        yield number, symbols(path, _text(snapshot, number)) or ()


def _mentioning(snapshot: Snapshot, name: str) -> Iterator[int]:
    """The first files of the base whose text holds a name."""
    base, word = snapshot.base, name.encode("utf-8", "surrogatepass")
    text, starts = base.text.view, base.starts
    base.text.check(0, len(text))
    at, found = stringzilla.find(text, word), 0
    while at >= 0 and found < SYMBOL_FILES:
        number = bisect_right(starts, at) - 1
        if number not in snapshot.gone:
            found += 1
            yield number
        at = stringzilla.find(text, word, starts[number + 1])


def _text(snapshot: Snapshot, number: int) -> bytes:
    base = snapshot.base
    return base.text.read(base.starts[number], base.starts[number + 1])


@lru_cache(maxsize=SYMBOL_DOCS_KEPT)
def _parsed(path: bytes, text: bytes) -> tuple[Symbol, ...] | None:
    return symbols(path.decode("utf-8", "surrogateescape"), text)


def _of_doc(doc: Doc) -> tuple[Symbol, ...] | None:
    """Changed files are asked about again and again, so what was found is kept for a while."""
    return None if doc.text is None else _parsed(key(doc), doc.text)
