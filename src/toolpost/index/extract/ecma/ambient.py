"""Declaration files: a module of only declarations exports all of them, unless it lists or assigns what it exports."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

_ENDINGS = (".d.ts", ".d.mts", ".d.cts")
_DECLARES = re.compile(
    rb"^(?:declare[ \t]+|abstract[ \t]+)*(?:function|class|interface|type|const|let|var|enum|namespace|module)\b",
    re.MULTILINE,
)


def is_ambient(path: str) -> bool:
    return path.endswith(_ENDINGS)


def may_export_all(text: bytes) -> bool:
    """That a line declares something without `export`, which only matters in a module."""
    return (b"import" in text or b"export" in text) and _DECLARES.search(text) is not None


def exports_all(statements: Iterable[Node]) -> bool:
    """As TypeScript has it; a file without an import or an export is no module, and exports nothing."""
    is_module = False
    for node in statements:
        if node.type == "export_statement":
            is_module = True
            if _lists(node):
                return False
        is_module = is_module or node.type == "import_statement"
    return is_module


def _lists(node: Node) -> bool:
    """`export { … }`, `export *`, `export =` and `export default name`; no declaration, no `export as namespace`."""
    if node.child_by_field_name("declaration") is not None:
        return False
    return all(child.type != "namespace" for child in node.children)
