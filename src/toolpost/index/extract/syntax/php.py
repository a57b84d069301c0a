"""PHP: classes, interfaces, traits, enums, functions and constants, in any namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolpost.index.extract.syntax.walk import (
    Found,
    Language,
    field,
    line_of,
    of_type,
    text_of,
    unquoted,
    words,
)
from toolpost.index.model import Export

if TYPE_CHECKING:
    from tree_sitter import Node

_KINDS = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "trait_declaration": "trait",
    "enum_declaration": "enum",
    "function_definition": "function",
}
_INCLUDES = ("require_expression", "require_once_expression", "include_expression", "include_once_expression")


def _item(node: Node, found: Found) -> None:
    found.add(Export(field(node, "name"), _KINDS[node.type], line=line_of(node)))
    attributes = node.child_by_field_name("attributes")
    for group in attributes.named_children if attributes is not None else []:
        for noted in of_type(group, "attribute"):
            found.marks.add(f"decorator:{text_of(noted).partition('(')[0]}")


def _constants(node: Node, found: Found) -> None:
    for element in of_type(node, "const_element"):
        found.add(Export(text_of(element.named_child(0)), "const", line=line_of(element)))


def _call(node: Node, found: Found) -> None:
    arguments = node.child_by_field_name("arguments")
    if field(node, "function") != "define" or arguments is None or not arguments.named_children:
        return
    name = text_of(arguments.named_children[0])
    if name[:1] in {"'", '"'}:
        found.add(Export(name.strip("\"'"), "const", line=line_of(node)))


def _use(node: Node, found: Found) -> None:
    prefix = "".join(f"{text_of(part)}\\" for part in of_type(node, "namespace_name"))
    group = node.child_by_field_name("body")
    for clause in of_type(group if group is not None else node, "namespace_use_clause"):
        names = of_type(clause, "qualified_name", "name")
        found.imports[prefix + text_of(names[0] if names else None).lstrip("\\")] = None


def _include(node: Node, found: Found) -> None:
    waiting = list(node.named_children)
    while waiting:
        part = waiting.pop()
        if part.type in {"string", "encapsed_string"}:
            found.imports[unquoted(part)] = None
        else:
            waiting += part.named_children


PHP = Language(
    "php",
    words(
        "namespace_definition compound_statement if_statement else_clause else_if_clause colon_block"
        " expression_statement"
    ),
    {
        **dict.fromkeys(_KINDS, _item),
        **dict.fromkeys(_INCLUDES, _include),
        "const_declaration": _constants,
        "function_call_expression": _call,
        "namespace_use_declaration": _use,
    },
)
