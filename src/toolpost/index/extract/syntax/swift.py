"""Swift: what is public or open; in a file without it, as in an app, what its module sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolpost.index.extract.syntax.walk import (
    HIDDEN,
    OPEN,
    QUIET,
    Found,
    Language,
    field,
    line_of,
    of_type,
    text_of,
)
from toolpost.index.model import Export

if TYPE_CHECKING:
    from tree_sitter import Node

_REACH = {"public": OPEN, "open": OPEN, "private": HIDDEN, "fileprivate": HIDDEN}
_KINDS = {
    "protocol_declaration": "protocol",
    "function_declaration": "function",
    "typealias_declaration": "type",
}


def _reach(node: Node, found: Found) -> int:
    reach = QUIET
    for modifiers in of_type(node, "modifiers"):
        for part in modifiers.named_children:
            said = text_of(part)
            if part.type == "attribute":
                name = said.lstrip("@").partition("(")[0]
                found.marks.add("main" if name in {"main", "UIApplicationMain"} else f"decorator:{name}")
            reach = _REACH.get(said, reach)
    return reach


def _item(node: Node, found: Found) -> None:
    name = field(node, "name")
    found.add(Export(name, _KINDS[node.type], line=line_of(node)), _reach(node, found))


def _type(node: Node, found: Found) -> None:
    kind = field(node, "declaration_kind")
    reach = _reach(node, found)
    if kind != "extension":
        found.add(Export(field(node, "name"), kind, line=line_of(node)), reach)
    if any(text_of(part).endswith("XCTestCase") for part in of_type(node, "inheritance_specifier")):
        found.marks.add("tests")


def _property(node: Node, found: Found) -> None:
    reach = _reach(node, found)
    kind = (
        "const" if any(text_of(part) == "let" for part in of_type(node, "value_binding_pattern")) else "var"
    )
    waiting = list(reversed(of_type(node, "pattern")))
    while waiting:
        part = waiting.pop()
        if part.type == "simple_identifier":
            found.add(Export(text_of(part), kind, line=line_of(node)), reach)
        else:
            waiting += reversed(of_type(part, "pattern", "simple_identifier"))


def _macro(node: Node, found: Found) -> None:
    for name in of_type(node, "simple_identifier")[:1]:
        found.add(Export(text_of(name), "macro", line=line_of(node)), _reach(node, found))


def _import(node: Node, found: Found) -> None:
    for name in of_type(node, "identifier"):
        found.imports[text_of(name)] = None


SWIFT = Language(
    "swift",
    frozenset(),
    {
        **dict.fromkeys(_KINDS, _item),
        "class_declaration": _type,
        "property_declaration": _property,
        "macro_declaration": _macro,
        "import_declaration": _import,
    },
)
