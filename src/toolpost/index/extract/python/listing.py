"""What an expression puts into `__all__`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolpost.index.model import STAR, Export

if TYPE_CHECKING:
    from tree_sitter import Node

_OPENED = frozenset({"list", "tuple", "set", "parenthesized_expression", "expression_list", "list_splat"})
_WRAPPERS = frozenset({b"list", b"tuple", b"sorted", b"set"})


def text_of(node: Node | None) -> str:
    return "" if node is None or node.text is None else node.text.decode(errors="replace")


def listed(node: Node | None) -> list[Export] | None:
    """Names, and a STAR for each `module.__all__`; None where nothing could be told."""
    found: list[Export] = []
    told = False
    waiting = [node] if node is not None else []
    while waiting:
        part = waiting.pop()
        if part.type == "string":
            found.append(Export(string_value(part)))
        elif part.type == "attribute":
            told = _module_names(part, found) or told
        else:
            told = told or part.type in _OPENED
            waiting += reversed(_parts(part))
    return found if told or found else None


def string_value(node: Node) -> str:
    return "".join(text_of(part) for part in node.named_children if part.type == "string_content")


def _module_names(node: Node, found: list[Export]) -> bool:
    if text_of(node.child_by_field_name("attribute")) != "__all__":
        return False
    found.append(Export(STAR, source=text_of(node.child_by_field_name("object"))))
    return True


def _parts(node: Node) -> list[Node]:
    if node.type in _OPENED:
        return node.named_children
    if node.type == "binary_operator":
        sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        return [side for side in sides if side is not None]
    called = node.child_by_field_name("function") if node.type == "call" else None
    if called is not None and called.text in _WRAPPERS:
        arguments = node.child_by_field_name("arguments")
        return arguments.named_children[:1] if arguments is not None else []
    return []
