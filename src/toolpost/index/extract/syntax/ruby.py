"""Ruby: classes, modules, methods and constants at the top."""

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

_KINDS = {"class": "class", "module": "module", "method": "function"}
_IMPORTS = frozenset({"require", "require_relative", "load", "autoload", "import"})
_TESTS = frozenset({"describe", "context", "shared_examples", "feature"})


def _item(node: Node, found: Found) -> None:
    found.add(Export(field(node, "name").removeprefix("::"), _KINDS[node.type], line=line_of(node)))
    if field(node, "superclass").endswith(("TestCase", "Minitest::Test")):
        found.marks.add("tests")


def _assignment(node: Node, found: Found) -> None:
    left = node.child_by_field_name("left")
    if left is None:
        return
    targets = left.named_children if left.type == "left_assignment_list" else [left]
    for target in targets:
        if target.type in {"constant", "scope_resolution"}:
            found.add(Export(text_of(target).removeprefix("::"), "const", line=line_of(node)))


def _call(node: Node, found: Found) -> None:
    called = field(node, "method")
    if called in _TESTS and field(node, "receiver") in {"", "RSpec"}:
        found.marks.update(("tests", f"calls:{called}"))
    arguments = node.child_by_field_name("arguments")
    strings = of_type(arguments, "string") if arguments is not None and called in _IMPORTS else []
    if strings:
        path = unquoted(strings[-1])
        near = called == "require_relative" and not path.startswith(".")
        found.imports[f"./{path}" if near else path] = None


RUBY = Language(
    "ruby",
    words("if unless then else elsif begin rescue ensure body_statement if_modifier unless_modifier"),
    {
        **dict.fromkeys(_KINDS, _item),
        "assignment": _assignment,
        "operator_assignment": _assignment,
        "call": _call,
    },
)
