"""C and C++: what other files can link to, and what a header gives to those that include it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolpost.index.extract.syntax.walk import (
    Found,
    Language,
    field,
    line_of,
    of_type,
    text_of,
    words,
)
from toolpost.index.model import Export

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = {
    "struct_specifier": "struct",
    "union_specifier": "union",
    "enum_specifier": "enum",
    "class_specifier": "class",
}
_NAMES = words("identifier type_identifier")
_WRAPPERS = words("parenthesized_declarator pointer_declarator reference_declarator init_declarator")
_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".C")


def _is_header(found: Found) -> bool:
    return not found.path.endswith(_SOURCES)


def _storage(node: Node) -> set[str]:
    return {text_of(part) for part in of_type(node, "storage_class_specifier")}


def _named(declarator: Node | None) -> tuple[str, bool]:
    """The name a declarator declares, empty for one of another scope; and whether it is a function's."""
    is_function = False
    while declarator is not None and declarator.type not in _NAMES:
        if declarator.type == "function_declarator":
            is_function = True
        elif declarator.type == "parenthesized_declarator":
            is_function = False
        inner = declarator.child_by_field_name("declarator")
        if inner is None and declarator.type in _WRAPPERS and declarator.named_children:
            inner = declarator.named_children[-1]
        declarator = inner
    return text_of(declarator), is_function


def _function(node: Node, found: Found) -> None:
    """In a header `static` is how a function is given to every file that includes it."""
    name, is_function = _named(node.child_by_field_name("declarator"))
    if is_function and (_is_header(found) or "static" not in _storage(node)):
        found.add(Export(name, "function", line=line_of(node)))
    if name == "main":
        found.marks.add("main")


def _declaration(node: Node, found: Found) -> None:
    _specified(node, found)
    header, storage = _is_header(found), _storage(node)
    if not header and storage & {"static", "extern"}:
        return
    for declarator in node.children_by_field_name("declarator"):
        name, is_function = _named(declarator)
        if header or not is_function:  # elsewhere a function without a body only says that there is one
            found.add(Export(name, "function" if is_function else "var", line=line_of(node)))


def _typedef(node: Node, found: Found) -> None:
    _specified(node, found)
    for declarator in node.children_by_field_name("declarator"):
        found.add(Export(_named(declarator)[0], "type", line=line_of(node)))


def _specified(node: Node, found: Found) -> None:
    meant = node.child_by_field_name("type")
    if meant is not None and meant.type in _TYPES:
        _type(meant, found)


def _type(node: Node, found: Found) -> None:
    name = node.child_by_field_name("name")
    if name is not None and name.type in _NAMES and node.child_by_field_name("body") is not None:
        found.add(Export(text_of(name), _TYPES[node.type], line=line_of(node)))


def _alias(node: Node, found: Found) -> None:
    found.add(Export(field(node, "name"), "type", line=line_of(node)))


def _concept(node: Node, found: Found) -> None:
    found.add(Export(field(node, "name"), "concept", line=line_of(node)))


def _macro(node: Node, found: Found) -> None:
    name = field(node, "name")
    guard = name in found.noted and node.child_by_field_name("value") is None
    if _is_header(found) and not guard:
        found.add(Export(name, "macro", line=line_of(node)))


def _condition(node: Node, found: Found) -> None:
    found.noted.add(field(node, "name"))


def _include(node: Node, found: Found) -> None:
    found.imports[field(node, "path").strip('"')] = None


def _is_shut(node: Node) -> bool:
    """A namespace without a name hides what it holds."""
    return node.type == "namespace_definition" and node.child_by_field_name("name") is None


_OPENED = words(
    "preproc_ifdef preproc_if preproc_else preproc_elif preproc_elifdef linkage_specification declaration_list"
    " template_declaration namespace_definition"
)
_READERS = {
    **dict.fromkeys(_TYPES, _type),
    "function_definition": _function,
    "declaration": _declaration,
    "type_definition": _typedef,
    "alias_declaration": _alias,
    "concept_definition": _concept,
    "preproc_def": _macro,
    "preproc_function_def": _macro,
    "preproc_ifdef": _condition,
    "preproc_include": _include,
}
C = Language("c", _OPENED, _READERS)
CPP = Language("cpp", _OPENED, _READERS, _is_shut)
