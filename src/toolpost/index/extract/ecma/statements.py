"""Exports told from the nodes of `export` statements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolpost.index.extract.ecma.defaults import makes_wrapper, wraps
from toolpost.index.extract.ecma.found import alias
from toolpost.index.extract.ecma.names import ALIAS, said
from toolpost.index.model import DEFAULT, STAR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from toolpost.index.extract.ecma.found import Found

_KINDS = {
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "function_signature": "function",
    "class_declaration": "class",
    "abstract_class_declaration": "class",
    "interface_declaration": "interface",
    "type_alias_declaration": "type",
    "enum_declaration": "enum",
    "internal_module": "namespace",
    "module": "namespace",
    "function_expression": "function",
    "generator_function": "function",
    "arrow_function": "function",
    "class": "class",
}
_VARIABLES = frozenset(("lexical_declaration", "variable_declaration"))
_DECLARING = _VARIABLES.union(_KINDS)
_INNER = frozenset(("function_expression", "generator_function", "class"))
_WRAPPED = frozenset(
    (
        "parenthesized_expression",
        "as_expression",
        "satisfies_expression",
        "non_null_expression",
        "type_assertion",
    )
)
_NAMES = frozenset(("identifier", "shorthand_property_identifier_pattern"))
_CONSTANTS = frozenset((b"undefined",))
_TYPES = re.compile(rb"export\s+type\b\s*[*{]")
"""By the text: the grammar knows no `export type *`, and calls the word an error."""


def statement(found: Found, node: Node) -> None:
    at = _at(node)
    tokens = [child.type for child in node.children]
    declaration = node.child_by_field_name("declaration")
    if declaration is not None:
        _declaration(found, at, declaration, is_default="default" in tokens)
    elif "default" in tokens or "=" in tokens:
        _default(found, at, node)
    elif "namespace" not in tokens:
        _passed(found, at, node, "type" if _TYPES.match(found.text, at) else "")


def declared(found: Found, node: Node) -> None:
    """A declaration that is exported without saying so."""
    if node.type == "expression_statement" and node.named_children:
        node = node.named_children[0]
    if node.type in _DECLARING or node.type == "ambient_declaration":
        _declaration(found, node.start_byte, node, is_default=False)


def _at(node: Node) -> int:
    """Where `export` stands: decorators may come before it."""
    return next((child.start_byte for child in node.children if child.type == "export"), node.start_byte)


def _text(node: Node | None) -> bytes:
    return (node.text or b"") if node is not None else b""


def _unquoted(node: Node | None) -> str:
    """A name, also one that is written as a string."""
    text = _text(node)
    return said(text[1:-1] if node is not None and node.type == "string" else text)


def _declaration(found: Found, at: int, node: Node, *, is_default: bool) -> None:
    if node.type == "ambient_declaration":
        node = next((child for child in node.named_children if child.type in _DECLARING), node)
    if node.type == "import_alias":
        _alias(found, at)
    elif node.type in _VARIABLES:
        kind = said(_text(node.children[0]))
        for bound in _declared_names(node):
            found.add(bound.start_byte, said(_text(bound)), kind)
    else:
        _named(found, at, node, is_default=is_default)


def _named(found: Found, at: int, node: Node, *, is_default: bool) -> None:
    kind = _KINDS.get(node.type, "")
    named = node.child_by_field_name("name")
    is_module = named is not None and named.type == "string"
    name = "" if is_module else said(_text(named)).split(".")[0]
    if is_default:
        found.add(at, DEFAULT, kind, name)
    elif name:
        found.add(at, name, kind)


def _alias(found: Found, at: int) -> None:
    match = ALIAS.match(found.text, at + 6)
    if match:
        alias(found, at, match)


def _declared_names(node: Node) -> Iterator[Node]:
    """Every name a declaration binds, in order, however deep its patterns."""
    waiting = [
        target
        for child in reversed(node.named_children)
        if child.type == "variable_declarator" and (target := child.child_by_field_name("name")) is not None
    ]
    while waiting:
        target = waiting.pop()
        if target.type in _NAMES:
            yield target
            continue
        value = target.child_by_field_name("value") or target.child_by_field_name("left")
        waiting.extend([value] if value is not None else reversed(target.named_children))


def _default(found: Found, at: int, node: Node) -> None:
    value = node.child_by_field_name("value")
    if value is None:
        value = next((child for child in reversed(node.named_children) if child.type != "comment"), None)
    if value is None:
        return
    value = _bare(value)
    if value.type in {"identifier", "undefined"}:
        name = _text(value)
        found.default(at, *(("value", "") if name in _CONSTANTS else ("", said(name))))
    elif value.type in _KINDS:
        found.add(at, DEFAULT, _KINDS[value.type], _unquoted(value.child_by_field_name("name")))
    else:
        found.add(at, DEFAULT, "value", _called(value))


def _bare(node: Node) -> Node:
    """Without parentheses and casts around it."""
    while node.type in _WRAPPED and node.named_children:
        node = node.named_children[-1 if node.type == "type_assertion" else 0]
    return node


def _called(node: Node) -> str:
    """The name within a call: of the function or class written there, or given to a wrapper; else empty."""
    while node.type == "call_expression":
        callee, given = _callee(node), _first(node)
        curried = callee is not None and callee.type == "call_expression"
        name = _last_name(_callee(callee) if curried and callee is not None else callee)
        if makes_wrapper(name) if curried else wraps(name):
            if given is not None and given.type == "identifier":
                return said(_text(given))
            if given is None or given.type != "call_expression":
                return _own_name(given)
            node = given
            continue
        innermost = _innermost(node)
        return "" if makes_wrapper(_last_name(_callee(innermost))) else _own_name(_first(innermost))
    return ""


def _callee(node: Node | None) -> Node | None:
    return node.child_by_field_name("function") if node is not None else None


def _first(call: Node) -> Node | None:
    """Its first argument."""
    arguments = call.child_by_field_name("arguments")
    if arguments is None:
        return None
    first = next((child for child in arguments.named_children if child.type != "comment"), None)
    return first if first is None else _bare(first)


def _innermost(call: Node) -> Node:
    """The leftmost call of a chain such as `a(b)(c).d(e)`."""
    node: Node | None = call
    while node is not None and node.type in {"call_expression", "member_expression"}:
        if node.type == "call_expression":
            call = node
        node = node.child_by_field_name("function") or node.child_by_field_name("object")
    return call


def _last_name(node: Node | None) -> str:
    if node is not None and node.type == "member_expression":
        node = node.child_by_field_name("property")
    return said(_text(node))


def _own_name(node: Node | None) -> str:
    return _unquoted(node.child_by_field_name("name")) if node is not None and node.type in _INNER else ""


def _passed(found: Found, at: int, node: Node, kind: str) -> None:
    """Lists and stars, with a source or without."""
    source = node.child_by_field_name("source")
    module = _unquoted(source)
    if source is not None:
        found.sources.append((at, module))
    listed = next(
        (child for child in node.named_children if child.type in {"export_clause", "namespace_export"}), None
    )
    if listed is None:
        if source is not None and "*" in said(_text(node)):
            found.add(at, STAR, kind, "", module)
    elif listed.type == "namespace_export":
        found.add(at, _unquoted(listed.named_children[-1]), "namespace", STAR, module)
    else:
        _members(found, at, listed, kind, module)


def _members(found: Found, at: int, listed: Node, kind: str, module: str) -> None:
    for member in listed.named_children:
        if member.type != "export_specifier":
            continue
        local = _unquoted(member.child_by_field_name("name"))
        alias_node = member.child_by_field_name("alias")
        name = _unquoted(alias_node) if alias_node is not None else local
        its = "type" if member.children and member.children[0].type == "type" else kind
        if module:
            found.add(at, name, its, local, module)
        else:
            found.listed(at, local, name, its)
