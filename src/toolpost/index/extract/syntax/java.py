"""Java: public types; in a file without one, those its package sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolpost.index.extract.syntax.walk import (
    OPEN,
    QUIET,
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

_KINDS = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation",
}
_MAIN = b"static void main("


def _type(node: Node, found: Found) -> None:
    reach = QUIET
    for modifiers in of_type(node, "modifiers"):
        if "public" in tokens(modifiers):
            reach = OPEN
        for noted in of_type(modifiers, "marker_annotation", "annotation"):
            found.marks.add(f"decorator:{field(noted, 'name')}")
    found.add(Export(field(node, "name"), _KINDS[node.type], line=line_of(node)), reach)
    if _MAIN in (node.text or b""):
        found.marks.add("main")


def _import(node: Node, found: Found) -> None:
    path = text_of(node).rstrip(";").removeprefix("import").strip().removeprefix("static ")
    found.imports["".join(path.split())] = None


JAVA = Language("java", frozenset(), {**dict.fromkeys(_KINDS, _type), "import_declaration": _import})
