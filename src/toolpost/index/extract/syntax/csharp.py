"""C#: public types of any namespace; in a file without one, those its assembly sees."""

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
    words,
)
from toolpost.index.model import Export

if TYPE_CHECKING:
    from tree_sitter import Node

_KINDS = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "struct_declaration": "struct",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "delegate_declaration": "delegate",
}


def _type(node: Node, found: Found) -> None:
    said = {text_of(modifier) for modifier in of_type(node, "modifier")}
    reach = OPEN if "public" in said else HIDDEN if said & {"file", "private"} else QUIET
    found.add(Export(field(node, "name"), _KINDS[node.type], line=line_of(node)), reach)
    for listed in of_type(node, "attribute_list"):
        for noted in of_type(listed, "attribute"):
            found.marks.add(f"decorator:{field(noted, 'name')}")
    if b"static void Main(" in (node.text or b"") or b"static async Task Main(" in (node.text or b""):
        found.marks.add("main")


def _using(node: Node, found: Found) -> None:
    alias = node.child_by_field_name("name")
    for part in node.named_children:
        if part != alias and not part.is_extra:
            found.imports[text_of(part)] = None


def _statement(_node: Node, found: Found) -> None:
    """Statements at the top are the program."""
    found.marks.add("main")


CSHARP = Language(
    "c_sharp",
    words("namespace_declaration declaration_list file_scoped_namespace_declaration preproc_if preproc_else"),
    {**dict.fromkeys(_KINDS, _type), "using_directive": _using, "global_statement": _statement},
)
