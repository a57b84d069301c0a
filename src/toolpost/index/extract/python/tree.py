"""Top-level statements of a Python module as tree-sitter has them: what they bind."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from toolpost.index.extract.python.findings import Findings
from toolpost.index.extract.python.imports import read_import
from toolpost.index.extract.python.listing import listed, string_value, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_BLOCKS = frozenset({
    "if_statement", "elif_clause", "else_clause", "try_statement", "except_clause", "except_group_clause",
    "finally_clause", "with_statement", "for_statement", "while_statement", "match_statement", "case_clause",
    "block", "ERROR",
})  # fmt: skip
_PATTERNS = frozenset({
    "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "expression_list", "tuple", "list",
    "list_splat", "parenthesized_expression", "as_pattern_target",
})  # fmt: skip
_SCOPES = frozenset({"function_definition", "class_definition", "lambda"})
_PYTHON_2 = frozenset({"print_statement", "exec_statement"})


class Reader:
    """Reads statements into findings; `line` is that of the piece's first."""

    def __init__(self, findings: Findings, text: bytes, line: int) -> None:
        self.findings = findings
        self.line = line
        self._has_walrus = b":=" in text
        self._by_type: dict[str, Callable[[Node], None]] = {
            "expression_statement": self._expression,
            "function_definition": self._function,
            "class_definition": self._class,
            "decorated_definition": self._decorated,
            "import_statement": self._import,
            "import_from_statement": self._import,
            "future_import_statement": self._import,
            "type_alias_statement": self._alias,
            "delete_statement": self._delete,
        }
        self._nested = False

    def read(self, root: Node) -> None:
        waiting = [(child, False) for child in reversed(root.named_children)]
        while waiting:
            node, self._nested = waiting.pop()
            read = self._by_type.get(node.type)
            if read is not None:
                read(node)
            elif node.type in _BLOCKS:
                self._opening(node)
                waiting += [(part, True) for part in reversed(self._body(node))]
            else:
                self._other(node)

    def _other(self, node: Node) -> None:
        if node.type in _PYTHON_2:
            self.findings.whole = False
        self._walrus(node)

    def _at(self, node: Node) -> int:
        return self.line + node.start_point.row

    # Blocks

    def _body(self, node: Node) -> list[Node]:
        """The statements of a block that run when a module is imported."""
        children = [part for part in node.named_children if part.type not in {"comment", "with_clause"}]
        if node.type != "if_statement" or not _is_main(node):
            return children
        self.findings.marks.add("main")
        skipped = node.child_by_field_name("consequence")
        return [part for part in children if part != skipped]

    def _opening(self, node: Node) -> None:
        """Names a block's first line binds."""
        if node.type == "for_statement":
            self._bind(node.child_by_field_name("left"), node)
        elif node.type == "with_statement":
            self._each(node, "as_pattern_target", self._bind)
        elif node.type == "case_clause":
            self._each(node, "case_pattern", self._capture)

    def _each(self, node: Node, kind: str, then: Callable[[Node, Node], None]) -> None:
        waiting = [part for part in reversed(node.named_children) if part.type != "block"]
        while waiting:
            part = waiting.pop()
            if part.type == kind:
                then(part, part)
            else:
                waiting += reversed(part.named_children)

    def _capture(self, pattern: Node, _at: Node) -> None:
        waiting = [pattern]
        while waiting:
            part = waiting.pop()
            if part.type == "as_pattern":
                self._name(part.named_children[-1], part)
            if part.type in {"dotted_name", "splat_pattern"} and "." not in text_of(part):
                self._name(part, part)
            elif part.type == "class_pattern":
                waiting += part.named_children[1:]
            else:
                keyed = part.type == "keyword_pattern"
                waiting += part.named_children[1:] if keyed else part.named_children

    # Statements

    def _expression(self, node: Node) -> None:
        for part in node.named_children:
            if part.type == "assignment":
                self._assignment(part)
            elif part.type == "augmented_assignment":
                self._grow(part)
            elif part.type == "call":
                self._call(part)
        self._walrus(node)

    def _assignment(self, node: Node) -> None:
        value: Node | None = node
        while value is not None and value.type == "assignment":
            target = value.child_by_field_name("left")
            noted = text_of(value.child_by_field_name("type"))
            value = value.child_by_field_name("right")
            if text_of(target) == "__all__":
                final = _final(value)
                self.findings.list_names(listed(final), self._at(node), more=self._nested)
            kind = "type" if noted.rpartition(".")[2] == "TypeAlias" else ""
            self._bind(target, node, kind)

    def _grow(self, node: Node) -> None:
        if text_of(node.child_by_field_name("left")) == "__all__":
            self.findings.list_names(listed(node.child_by_field_name("right")), self._at(node), more=True)

    def _call(self, node: Node) -> None:
        arguments = node.child_by_field_name("arguments")
        name = text_of(node.child_by_field_name("function"))
        if arguments is None or not arguments.named_children or not name.startswith("__all__."):
            return
        first = arguments.named_children[0]
        if name == "__all__.extend" or (name == "__all__.append" and first.type == "string"):
            self.findings.list_names(listed(first), self._at(node), more=True)
        elif name == "__all__.remove" and first.type == "string":
            self.findings.unlist(string_value(first))

    def _function(self, node: Node) -> None:
        self._define(node, "function")

    def _class(self, node: Node) -> None:
        name = self._define(node, "class")
        if name.startswith("Test") or "TestCase" in text_of(node.child_by_field_name("superclasses")):
            self.findings.marks.add("tests")

    def _define(self, node: Node, kind: str) -> str:
        name = text_of(node.child_by_field_name("name"))
        self.findings.bind(name, kind, self._at(node))
        if name.startswith("test_") and kind == "function":
            self.findings.marks.add("tests")
        return name

    def _decorated(self, node: Node) -> None:
        for part in node.named_children:
            if part.type == "decorator":
                called = part.named_children[0]
                called = called.child_by_field_name("function") or called
                self.findings.marks.add(f"decorator:{text_of(called)}")
        defined = node.child_by_field_name("definition")
        if defined is not None:
            self._by_type[defined.type](defined)

    def _import(self, node: Node) -> None:
        read_import(node.text or b"", 0, self._at(node), self.findings, binds=True)

    def _alias(self, node: Node) -> None:
        left = node.child_by_field_name("left")
        while left is not None and left.type != "identifier":
            left = left.named_children[0] if left.named_children else None
        self._name(left, node, "type")

    def _delete(self, node: Node) -> None:
        for name in text_of(node).removeprefix("del").strip(" ()\t").split(","):
            self.findings.unbind(name.strip())

    def _walrus(self, node: Node) -> None:
        waiting = [node] if self._has_walrus else []
        while waiting:
            part = waiting.pop()
            if part.type == "named_expression":
                self._name(part.child_by_field_name("name"), part)
            if part.type not in _SCOPES:
                waiting += reversed(part.named_children)

    # Names

    def _bind(self, target: Node | None, at: Node, kind: str = "") -> None:
        waiting = [target] if target is not None else []
        while waiting:
            part = waiting.pop()
            if part.type == "identifier":
                self._name(part, at, kind)
            elif part.type in _PATTERNS:
                waiting += reversed(part.named_children)

    def _name(self, node: Node | None, at: Node, kind: str = "") -> None:
        name = text_of(node).lstrip("*")
        if name.isidentifier() and name != "_":
            self.findings.bind(name, kind or value_kind(name), self._at(at))


def value_kind(name: str) -> str:
    return "const" if name.isupper() else "variable"


def _final(value: Node | None) -> Node | None:
    while value is not None and value.type == "assignment":
        value = value.child_by_field_name("right")
    return value


def _is_main(node: Node) -> bool:
    condition = text_of(node.child_by_field_name("condition"))
    return "__name__" in condition and "__main__" in condition
