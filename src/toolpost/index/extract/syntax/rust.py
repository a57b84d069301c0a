"""Rust: what is `pub` without a restriction, what `pub use` passes on, and macros that say they are exported."""

from __future__ import annotations

import re
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
    words,
)
from toolpost.index.model import STAR, Export

if TYPE_CHECKING:
    from tree_sitter import Node

_KINDS = {
    "function_item": "function",
    "function_signature_item": "function",
    "struct_item": "struct",
    "enum_item": "enum",
    "union_item": "union",
    "trait_item": "trait",
    "type_item": "type",
    "const_item": "const",
    "static_item": "static",
    "mod_item": "module",
}
_EXPORTED = "macro_export"
_HEAD = re.compile(
    rb"^(?:(?:pub(?:\([^)\n]*\))? )?(?:(?:default|const|async|unsafe|extern \"[^\"\n]*\") )*(?:fn|impl|trait|mod)\b"
    rb"[^\n]*|\)[^\n]*)?\{\n",
    re.MULTILINE,
)
"""A head over several lines ends with that of its parameters, or with a brace alone."""


def _reach(node: Node) -> int:
    said = of_type(node, "visibility_modifier")
    return OPEN if said and text_of(said[0]) == "pub" else HIDDEN


def _item(node: Node, found: Found) -> None:
    name = field(node, "name")
    found.add(Export(name, _KINDS[node.type], line=line_of(node)), _reach(node))
    if node.type == "function_item" and name == "main":
        found.marks.add("main")
    if node.type == "mod_item" and node.child_by_field_name("body") is None:
        found.imports[f"self::{name}"] = None


def _attribute(node: Node, found: Found) -> None:
    said = text_of(node)
    if said.startswith("#[cfg(test)"):
        found.marks.add("inline-tests")
    elif said == "#[test]":
        found.marks.add("tests")
    elif said.startswith(f"#[{_EXPORTED}"):
        found.noted.add(_EXPORTED)


def _macro(node: Node, found: Found) -> None:
    if _EXPORTED in found.noted:
        found.noted.discard(_EXPORTED)
        found.add(Export(field(node, "name"), "macro", line=line_of(node)))


def _crate(node: Node, found: Found) -> None:
    name, alias = field(node, "name"), field(node, "alias")
    found.imports[name] = None
    found.add(Export(alias or name, "module", "", name, line_of(node)), _reach(node))


def _use(node: Node, found: Found) -> None:
    reach = _reach(node)
    line = line_of(node)
    waiting = [("", node.child_by_field_name("argument"), "")]
    while waiting:
        path, part, alias = waiting.pop()
        if part is None:
            continue
        if part.type == "use_as_clause":
            waiting.append((path, part.child_by_field_name("path"), field(part, "alias")))
        elif part.type == "scoped_use_list":
            inner = _join(path, field(part, "path"))
            waiting.append((inner, part.child_by_field_name("list"), ""))
        elif part.type == "use_list":
            waiting += [(path, child, "") for child in reversed(part.named_children)]
        elif not part.is_extra:
            _leaf(_join(path, text_of(part)), alias, line, reach, found)


def _leaf(path: str, alias: str, line: int, reach: int, found: Found) -> None:
    source, _, name = path.removesuffix("::self").rpartition("::")
    found.imports[source if name == STAR else path.removesuffix("::self")] = None
    if name == STAR:
        found.add(Export(STAR, source=source, line=line), reach)
    elif alias != "_":
        local = name if alias and alias != name else ""
        found.add(Export(alias or name, "", local, source, line), reach)


def _join(path: str, rest: str) -> str:
    return f"{path}::{rest}" if path else rest


RUST = Language(
    "rust",
    words("foreign_mod_item declaration_list"),
    {
        **dict.fromkeys(_KINDS, _item),
        "attribute_item": _attribute,
        "macro_definition": _macro,
        "extern_crate_declaration": _crate,
        "use_declaration": _use,
    },
    head=_HEAD,
)
