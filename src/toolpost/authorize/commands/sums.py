"""What an arithmetic expression of a script computes with: the shell may run what its variables hold."""

import re
from typing import TYPE_CHECKING

from toolpost.authorize.commands.script import Block, Simple, Sum

if TYPE_CHECKING:
    from tree_sitter import Node

_NAME = re.compile(r"[A-Za-z_]\w*|[0-9]+")
_INDIRECT = re.compile(r"\$\{!.*(?<![@*])(?<![@*]\])\}", re.DOTALL)
_SUBSTITUTED = frozenset({"command_substitution", "process_substitution", "ERROR"})
_SETS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="})
_COMPARES = frozenset({b"-eq", b"-ne", b"-lt", b"-le", b"-gt", b"-ge"})
_CALLED = frozenset({"command", "do_group", "compound_statement"})


def sums_of(nodes: "list[Node]", *, bare: bool = True) -> list[Block]:
    """One block that says what the nodes compute with; none when that is nothing. Bare words are names, if `bare`."""
    names: list[str] = []
    made: list[str] = []
    unsure = False
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        text = (node.text or b"").decode("utf-8", "replace")
        if not node.is_named:
            continue
        if node.type in _SUBSTITUTED or (node.child_count == 0 and ("$(" in text or "`" in text)):
            unsure = True
        elif node.type in {"simple_expansion", "expansion"}:
            name = _expanded(text)
            names.extend([name] if name else [])
            unsure = unsure or name is None
        elif node.child_count == 0 and bare and _NAME.fullmatch(text) and not text[0].isdigit():
            names.append(text)
        elif node.type != "arithmetic_expansion" and node.type not in _CALLED:
            made.extend(_made(node))
            waiting.extend(node.children)
    if not names and not made and not unsure:
        return []
    return [Block((Simple(sums=Sum(tuple(names), tuple(made), unsure=unsure)),))]


def _expanded(text: str) -> str | None:
    """The variable whose text is computed with; empty when that is a number, None when it cannot be told."""
    inner = text.strip().removeprefix("$").removeprefix("{").removesuffix("}")
    if inner in {"#", "?", "$", "!"} or text.startswith("${#"):
        return ""
    inner = inner.partition("[")[0]
    return inner if _NAME.fullmatch(inner) else None


def _made(node: "Node") -> list[str]:
    """Variables that become numbers here."""
    first = node.children[0] if node.child_count > 1 else None
    if first is None or first.text is None or node.children[1].type not in _SETS:
        return []
    return [first.text.decode("utf-8", "replace")]


def test_sums(node: "Node") -> list[Block]:
    """`[[ x -eq y ]]` computes both."""
    found: list[Block] = []
    waiting = [node]
    while waiting:
        current = waiting.pop()
        children = current.children
        if len(children) == 3 and children[1].text in _COMPARES:
            found.extend(sums_of(children))
        else:
            waiting.extend(children)
    return found


def expansion_sums(node: "Node") -> list[Block]:
    """What `${x:off:len}`, `${a[i]}`, `${!x}` and `${x@P}` compute or read once more."""
    text = (node.text or b"").decode("utf-8", "replace").lstrip()
    if text.endswith("@P}"):
        return [Block((Simple(sums=Sum(unsure=True)),))]
    children = node.children
    if _INDIRECT.fullmatch(text):
        return sums_of(children)
    found: list[Block] = []
    if any(child.type in {":=", "="} for child in children):
        names = [child.text.decode() for child in children if child.type == "variable_name" and child.text]
        found.append(Block((Simple(sums=Sum(spoiled=tuple(names[:1]))),)))
    cut = next((index for index, child in enumerate(children) if child.type == ":"), len(children))
    found.extend(sums_of(children[cut + 1 :]))
    for child in children:
        if child.type == "subscript":
            found.extend(subscript_sums(child))
    return found


def subscript_sums(node: "Node") -> list[Block]:
    index = node.child_by_field_name("index")
    return [] if index is None else sums_of([index])
