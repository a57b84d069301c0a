"""Kotlin: everything at the top that is not private."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolpost.index.extract.syntax.walk import (
    HIDDEN,
    OPEN,
    Found,
    Language,
    field,
    line_of,
    of_type,
    text_of,
    tokens,
)
from toolpost.index.model import Export

if TYPE_CHECKING:
    from tree_sitter import Node

_CLASSES = ("enum", "annotation")


def _reach(node: Node, found: Found) -> int:
    reach = OPEN
    for modifiers in of_type(node, "modifiers"):
        for part in modifiers.named_children:
            if part.type == "annotation":
                found.marks.add(f"decorator:{text_of(part).lstrip('@').partition('(')[0]}")
            elif text_of(part) == "private":
                reach = HIDDEN
    return reach


def _class(node: Node, found: Found) -> None:
    said = {text_of(part) for modifiers in of_type(node, "modifiers") for part in modifiers.named_children}
    kind = next((kind for kind in _CLASSES if kind in said), "class")
    if "interface" in tokens(node):
        kind = "interface"
    found.add(Export(field(node, "name"), kind, line=line_of(node)), _reach(node, found))


def _object(node: Node, found: Found) -> None:
    found.add(Export(field(node, "name"), "object", line=line_of(node)), _reach(node, found))


def _function(node: Node, found: Found) -> None:
    name = field(node, "name")
    found.add(Export(name, "function", line=line_of(node)), _reach(node, found))
    if name == "main":
        found.marks.add("main")


def _property(node: Node, found: Found) -> None:
    reach = _reach(node, found)
    kind = "var" if "var" in tokens(node) else "const"
    several = [one for group in of_type(node, "multi_variable_declaration") for one in group.named_children]
    for declared in [*of_type(node, "variable_declaration"), *several]:
        for name in of_type(declared, "identifier")[:1]:
            found.add(Export(text_of(name), kind, line=line_of(node)), reach)


def _alias(node: Node, found: Found) -> None:
    found.add(Export(field(node, "type"), "type", line=line_of(node)), _reach(node, found))


def _import(node: Node, found: Found) -> None:
    path = text_of(node).removeprefix("import").partition(" as ")[0]
    found.imports["".join(path.split()).rstrip(";")] = None


KOTLIN = Language(
    "kotlin",
    frozenset(),
    {
        "class_declaration": _class,
        "object_declaration": _object,
        "function_declaration": _function,
        "property_declaration": _property,
        "type_alias": _alias,
        "import": _import,
    },
)
