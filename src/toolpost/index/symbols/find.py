"""The definitions of one file, by its syntax. A file that does not parse wholly gives what could be read."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from msgspec import Struct

from toolpost.index.extract import grammars
from toolpost.index.extract.blocks import scripts
from toolpost.index.extract.languages import language_of
from toolpost.index.limits import SIGNATURE_CHARS
from toolpost.index.symbols.docline import doc_line
from toolpost.index.symbols.queries import QUERIES

if TYPE_CHECKING:
    from tree_sitter import Node, Query

_GRAMMAR = {"csharp": "c_sharp"}
_TYPES = frozenset(
    {"class", "struct", "record", "interface", "trait", "impl", "object", "enum", "protocol", "extension"}
)
_VALUES = frozenset({"variable", "constant", "field"})
_NAME = "name"
_COMPONENTS = (".vue", ".svelte", ".astro")


class Symbol(Struct, frozen=True, gc=False, array_like=True):
    name: str
    kind: str
    line: int
    end_line: int
    """Both from 1; the last line is one of the definition's own."""
    signature: str
    doc: str = ""
    """The first line of what is said of it."""
    parent: str = ""
    """What it is defined within, outermost first, joined by dots."""


class Outline(Struct, frozen=True, gc=False):
    """What a file defines, in its order."""

    symbols: tuple[Symbol, ...]
    whole: bool
    """False for a file that does not parse to its end, or not without errors: there may be more."""


def outline(path: str, text: bytes) -> Outline | None:
    """None for a language without a grammar here."""
    if path.endswith(_COMPONENTS):
        return _of_scripts(path, text)
    grammar = grammar_of(path, text)
    if grammar is None:
        return None
    parsed = grammars.parse(grammar, text)
    found = sorted(_captured(grammar, parsed.root), key=_place)
    return Outline(tuple(_nested(found, text)), parsed.whole)


def _of_scripts(path: str, text: bytes) -> Outline:
    """A component's file: what its scripts define, on the lines of the file."""
    parts = [outline(f"script.{script.language}", script.text) for script in scripts(path, text)]
    found = [part for part in parts if part is not None]
    every = sorted((symbol for part in found for symbol in part.symbols), key=_line)
    return Outline(tuple(every), all(part.whole for part in found))


def _line(symbol: Symbol) -> int:
    return symbol.line


def symbols(path: str, text: bytes) -> tuple[Symbol, ...] | None:
    """In the order of the file. None for a language without a grammar here."""
    found = outline(path, text)
    return None if found is None else found.symbols


def grammar_of(path: str, text: bytes) -> str | None:
    """The grammar a file is read by: JSX needs one of its own."""
    if path.endswith(_COMPONENTS):
        return "tsx"
    language = language_of(path, text)
    name = "tsx" if language == "typescript" and path.endswith("x") else _GRAMMAR.get(language, language)
    return name if name in QUERIES else None


@cache
def _query(grammar: str) -> Query:
    made: Query = import_module("tree_sitter").Query(grammars.language(grammar), QUERIES[grammar])
    return made


class _Definition(Struct, frozen=True, gc=False):
    kind: str
    begin: int
    end: int
    first: int
    last: int
    """Rows, from 0."""
    name: tuple[int, int]
    head: int
    """Where its body begins, or where it ends without one."""


def _captured(grammar: str, root: Node) -> list[_Definition]:
    cursor = import_module("tree_sitter").QueryCursor(_query(grammar))
    seen: dict[int, _Definition] = {}
    for _, captures in cursor.matches(root):
        name = captures[_NAME][0]
        kind = next(capture for capture in captures if capture != _NAME)
        seen.setdefault(name.start_byte, _definition(kind, captures[kind][0], name))
    return list(seen.values())


def _definition(kind: str, node: Node, name: Node) -> _Definition:
    body = node.child_by_field_name("body") or _body(node)
    head = body.start_byte if body is not None and body.start_byte > name.end_byte else node.end_byte
    said = node.child_by_field_name("declaration_kind")  # Swift: a class may be a struct, an extension ...
    if said is not None and said.text is not None:
        kind = _decoded(said.text)
    begin, end = node.start_point.row, node.end_point.row
    is_past = node.end_point.column == 0 and end > begin
    return _Definition(
        kind, node.start_byte, node.end_byte, begin, end - is_past, (name.start_byte, name.end_byte), head
    )


def _body(node: Node) -> Node | None:
    """Where a grammar has no field for it."""
    last = node.children[-1] if node.children else None
    return last if last is not None and last.type.endswith("body") else None


def _place(found: _Definition) -> tuple[int, int]:
    return found.begin, -found.end


def _nested(found: list[_Definition], text: bytes) -> list[Symbol]:
    """Each with the names of what it stands within."""
    told: list[Symbol] = []
    around: list[tuple[int, str, str]] = []
    for one in found:
        while around and around[-1][0] <= one.begin:
            around.pop()
        name = _decoded(text[slice(*one.name)])
        is_method = one.kind == "function" and bool(around) and around[-1][1] in _TYPES
        told.append(
            Symbol(
                name=name,
                kind="method" if is_method else one.kind,
                line=one.first + 1,
                end_line=one.last + 1,
                signature=_signature(text, one),
                doc=doc_line(text, one.begin, one.head),
                parent=".".join(outer for _, _, outer in around),
            )
        )
        around.append((one.end, one.kind, name))
    return told


def _signature(text: bytes, one: _Definition) -> str:
    """On one line, up to the body."""
    head = text[one.begin : min(one.head, one.begin + 4 * SIGNATURE_CHARS)]
    if one.kind in _VALUES:
        head = head.split(b"\n", 1)[0]
    line = " ".join(_decoded(head).split()).rstrip("{:=; ")
    return line if len(line) <= SIGNATURE_CHARS else f"{line[: SIGNATURE_CHARS - 1]}…"


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")
