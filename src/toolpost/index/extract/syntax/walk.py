"""A walk over the declarations at the top of a file, steered by what a language says of its nodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from toolpost.index.extract.grammars import Parsed, parse
from toolpost.index.extract.syntax.fold import fold
from toolpost.index.model import Export, Extract

if TYPE_CHECKING:
    from tree_sitter import Node

HIDDEN, QUIET, OPEN = 0, 1, 2
"""How far a name can be seen: in its file; where only names of its own package count; everywhere."""


class Found:
    """What was met; a name counts once, where it stands first."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.imports: dict[str, None] = {}
        self.marks: set[str] = set()
        self.noted: set[str] = set()
        """What a reader leaves for one that comes later."""
        self._exports: dict[str, Export] = {}
        self._quiet: dict[str, Export] = {}

    def add(self, export: Export, reach: int = OPEN) -> None:
        if export.name and reach != HIDDEN:
            kept = self._exports if reach == OPEN else self._quiet
            kept.setdefault(export.name if export.name != "*" else f"* {export.source}", export)

    def extract(self, *, whole: bool) -> Extract:
        """What can be seen everywhere; in a file with none of it, what its package sees."""
        exports = self._exports or self._quiet
        return Extract(tuple(exports.values()), tuple(self.imports), tuple(sorted(self.marks)), whole)


Read = Callable[["Node", Found], None]


class Language(Struct, frozen=True):
    grammar: str
    opened: frozenset[str]
    """Nodes that are looked into: their children count as if they stood at the top."""
    readers: Mapping[str, Read]
    is_shut: Callable[[Node], bool] = lambda _node: False
    """Whether this one of them is not."""
    head: re.Pattern[bytes] | None = None
    """What a body follows that is not looked into, to the end of its line."""


def read(language: Language, path: str, text: bytes) -> Extract:
    parsed = _parsed(language, text)
    found = Found(path)
    opened = language.opened | {"ERROR", parsed.root.type}
    waiting = [parsed.root]
    while waiting:
        node = waiting.pop()
        reader = language.readers.get(node.type)
        if reader is not None:
            reader(node, found)
        if node.type in opened and not language.is_shut(node):
            waiting += reversed(node.named_children)
    return found.extract(whole=parsed.whole)


def _parsed(language: Language, text: bytes) -> Parsed:
    if language.head is not None:
        folded = fold(language.head, text)
        parsed = parse(language.grammar, folded)
        if parsed.whole or len(folded) == len(text):
            return parsed
    return parse(language.grammar, text)


def words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


def text_of(node: Node | None) -> str:
    return "" if node is None or node.text is None else node.text.decode(errors="replace")


def field(node: Node, name: str) -> str:
    return text_of(node.child_by_field_name(name))


def line_of(node: Node) -> int:
    return node.start_point.row + 1


def of_type(node: Node, *types: str) -> list[Node]:
    return [child for child in node.named_children if child.type in types]


def tokens(node: Node) -> set[str]:
    """Types of all its children, keywords among them."""
    return {child.type for child in node.children}


def unquoted(node: Node | None) -> str:
    return text_of(node).strip("\"'`<>")
