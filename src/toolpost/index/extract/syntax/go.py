"""Go: what begins with a capital is exported. Methods belong to their types."""

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
    text_of,
    unquoted,
    words,
)
from toolpost.index.model import Export

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = {"struct_type": "struct", "interface_type": "interface", "function_type": "type"}
_HEAD = re.compile(rb"^(?:func\b[^\n]*|\)[^\n]*)\{\n", re.MULTILINE)
_TESTS = ("Test", "Benchmark", "Fuzz", "Example")


def _add(name: str, kind: str, node: Node, found: Found) -> None:
    found.add(Export(name, kind, line=line_of(node)), OPEN if name[:1].isupper() else HIDDEN)


def _function(node: Node, found: Found) -> None:
    name = field(node, "name")
    _add(name, "function", node, found)
    if name == "main" and found.marks >= {"package:main"}:
        found.marks.add("main")
    if name.startswith(_TESTS) and found.path.endswith("_test.go"):
        found.marks.add("tests")


def _values(node: Node, found: Found) -> None:
    kind = "const" if node.type == "const_spec" else "var"
    for name in node.children_by_field_name("name"):
        _add(text_of(name), kind, node, found)


def _type(node: Node, found: Found) -> None:
    meant = node.child_by_field_name("type")
    _add(field(node, "name"), _TYPES.get(meant.type if meant else "", "type"), node, found)


def _import(node: Node, found: Found) -> None:
    found.imports[unquoted(node.child_by_field_name("path"))] = None


def _package(node: Node, found: Found) -> None:
    found.marks.add(f"package:{text_of(node).removeprefix('package').strip()}")


GO = Language(
    "go",
    words(
        "const_declaration var_declaration var_spec_list type_declaration import_declaration import_spec_list"
    ),
    {
        "package_clause": _package,
        "function_declaration": _function,
        "const_spec": _values,
        "var_spec": _values,
        "type_spec": _type,
        "type_alias": _type,
        "import_spec": _import,
    },
    head=_HEAD,
)
