"""The syntax tree's answers, for what the fast path is not sure of."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from toolpost.index.extract import grammars
from toolpost.index.extract.ecma.ambient import exports_all, is_ambient
from toolpost.index.extract.ecma.spans import Spans
from toolpost.index.extract.ecma.statements import declared, statement

if TYPE_CHECKING:
    from tree_sitter import Query

    from toolpost.index.extract.ecma.found import Found
    from toolpost.index.extract.grammars import Parsed

_SILENT = (
    "comment",
    "html_comment",
    "string",
    "string_fragment",
    "template_string",
    "template_literal_type",
    "regex",
    "jsx_text",
    "hash_bang_line",
    "html_character_reference",
)
_CODE_AGAIN = ("template_substitution", "template_type")
"""Code within what is not."""
_GRAMMARS = {"ts": "typescript", "mts": "typescript", "cts": "typescript", "tsx": "tsx"}


class Tree:
    """A parsed text; Places, and the exports of its statements."""

    def __init__(self, path: str, text: bytes) -> None:
        self.text = text
        self._ambient = is_ambient(path)
        self._grammar, (self._root, self.whole) = _parse(path, text)
        self._spans: Spans | None = None

    def code(self, at: int) -> bool:
        if self._spans is None:
            self._spans = self._read_spans()
        return self._spans.code(at)

    def starts(self, at: int) -> bool:
        return self.code(at)

    def doubt(self) -> None:
        """A tree knows by itself what is broken."""

    def exports(self, found: Found) -> None:
        """Those of top-level statements, also of those within what did not parse."""
        waiting = list(reversed(self._root.children))
        every = self._ambient and exports_all(waiting)
        while waiting:
            node = waiting.pop()
            if node.type == "export_statement":
                statement(found, node)
            elif node.type == "ERROR":
                waiting.extend(reversed(node.children))
            elif every:
                declared(found, node)

    def _read_spans(self) -> Spans:
        """All at once: to ask the tree of a place takes as long as the place has siblings before it."""
        cursor = import_module("tree_sitter").QueryCursor(_query(self._grammar))
        captured = cursor.captures(self._root)
        return Spans(
            (node.start_byte, node.end_byte, name == "code")
            for name, nodes in captured.items()
            for node in nodes
        )


@cache
def _query(grammar: str) -> Query:
    language = grammars.language(grammar)
    known = {language.node_kind_for_id(kind) for kind in range(language.node_kind_count)}
    kinds = [(kind, "silent") for kind in _SILENT] + [(kind, "code") for kind in _CODE_AGAIN]
    patterns = [f"({kind}) @{name}" for kind, name in kinds if kind in known]
    made: Query = import_module("tree_sitter").Query(language, " ".join(patterns))
    return made


def _parse(path: str, text: bytes) -> tuple[str, Parsed]:
    """JavaScript that does not parse may be typed, as Flow's is; much of that reads as TypeScript."""
    grammar = _GRAMMARS.get(path.rsplit(".", 1)[-1], "javascript")
    parsed = grammars.parse(grammar, text)
    typed_by_flow = b"@flow" in text or b"import type" in text
    if not parsed.whole and typed_by_flow and not path.endswith(("ts", "tsx")):
        typed = grammars.parse("tsx", text)
        if typed.whole:
            return "tsx", typed
    return grammar, parsed
