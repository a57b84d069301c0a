"""How right the exports of Python files are: every file of a tree, held against the standard library's `ast`.

    python bench/truth/python.py --repo PATH [--repo PATH …] [--show N]

The truth is made here, from `ast` alone, after the rules the index documents: `__all__` decides where it can be
read; else top-level names without an underscore; imported names only in `__init__.py` or written `y as y`.
Files `ast` does not accept are counted, not compared.
"""

import argparse
import ast
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from toolpost.index.extract import extract


class Module:
    """What one module binds, by a walk of its syntax tree."""

    def __init__(self, path: Path, tree: ast.Module) -> None:
        self.package = path.name == "__init__.py"
        self.names: dict[str, int] = {}
        self.stars: set[str] = set()
        self.listed: list[str] | None = None
        self.dynamic = False
        self.depth = 0
        self.imported: dict[str, str] = {}
        self.imports = set(_imports(tree))
        self.body(tree.body)

    def exports(self) -> set[str]:
        if self.listed is not None:
            return {self.star(name) if name.startswith("*") else name for name in self.listed}
        return {name for name in self.names if not name.startswith("_")} | {
            f"* {star}" for star in self.stars
        }

    def star(self, name: str) -> str:
        owner = name[1:]
        if owner in self.imported:
            return f"* {self.imported[owner]}"
        return f"* .{owner}" if f".{owner}" in self.imports else f"* {owner}"

    def body(self, statements: list[ast.stmt]) -> None:
        self.depth += 1
        for statement in statements:
            self.statement(statement)
        self.depth -= 1

    def statement(self, node: ast.stmt) -> None:
        for inner in _walruses(node):
            self.add(inner.target, inner.lineno)
        read = READ.get(type(node).__name__)
        if read is not None:
            read(self, node)

    def definition(self, node: Any) -> None:
        self.names.setdefault(node.name, node.lineno)

    def assign(self, node: Any) -> None:
        for target in getattr(node, "targets", None) or [node.target]:
            self.add(target, node.lineno)
            if isinstance(target, ast.Name) and target.id == "__all__" and node.value:
                self.set_all(node.value)

    def augment(self, node: Any) -> None:
        if isinstance(node.target, ast.Name) and node.target.id == "__all__":
            self.grow_all(node.value)

    def alias(self, node: Any) -> None:
        self.add(node.name, node.lineno)

    def delete(self, node: Any) -> None:
        for part in [name for target in node.targets for name in _targets(target)]:
            self.names.pop(part.id, None)
            self.imported.pop(part.id, None)

    def block(self, node: Any) -> None:
        if not _is_main(node):
            self.body(node.body)
        for handler in getattr(node, "handlers", []):
            self.body(handler.body)
        for rest in ("orelse", "finalbody"):
            self.body(getattr(node, rest, []))

    def loop(self, node: Any) -> None:
        self.add(node.target, node.lineno)
        self.block(node)

    def context(self, node: Any) -> None:
        for item in node.items:
            if item.optional_vars is not None:
                self.add(item.optional_vars, node.lineno)
        self.block(node)

    def cases(self, node: Any) -> None:
        for case in node.cases:
            for part in ast.walk(case.pattern):
                name = getattr(part, "rest", None) or getattr(part, "name", None)
                if name:
                    self.names.setdefault(name, node.lineno)
            self.body(case.body)

    def add(self, target: ast.expr, line: int) -> None:
        for part in _targets(target):
            self.names.setdefault(part.id, line)

    def plain_import(self, node: Any) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            self.imported.setdefault(name, alias.name if alias.asname else name)
            if self.package or alias.asname == alias.name:
                self.names.setdefault(name, node.lineno)

    def from_import(self, node: Any) -> None:
        source = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self.stars.add(source)
            elif source != "__future__":
                name = alias.asname or alias.name
                dot = "" if source.endswith(".") else "."
                self.imported.setdefault(name, f"{source}{dot}{alias.name}")
                if self.package or alias.asname == alias.name:
                    self.names.setdefault(name, node.lineno)

    def set_all(self, value: ast.expr) -> None:
        found = _listed(value)
        if self.listed is not None and self.depth > 1:
            self.listed += found or []
        else:
            self.dynamic = self.dynamic or found is None
            self.listed = None if self.dynamic else found

    def grow_all(self, value: ast.expr) -> None:
        found = _listed(value)
        if not self.dynamic and (self.listed is not None or found is not None):
            self.listed = (self.listed or []) + (found or [])

    def expression(self, node: Any) -> None:
        match node.value:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="__all__"), attr="extend"), args=[first, *_]):
                self.grow_all(first)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="__all__"), attr="append"),
                args=[ast.Constant() as first],
            ):
                self.grow_all(ast.List([first]))
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="__all__"), attr="remove"),
                args=[ast.Constant(value=gone)],
            ) if self.listed:
                self.listed = [name for name in self.listed if name != gone]
            case _:
                pass


READ: dict[str, Callable[[Module, Any], None]] = {
    "FunctionDef": Module.definition,
    "AsyncFunctionDef": Module.definition,
    "ClassDef": Module.definition,
    "Assign": Module.assign,
    "AnnAssign": Module.assign,
    "AugAssign": Module.augment,
    "TypeAlias": Module.alias,
    "Delete": Module.delete,
    "Import": Module.plain_import,
    "ImportFrom": Module.from_import,
    "Expr": Module.expression,
    "If": Module.block,
    "While": Module.block,
    "Try": Module.block,
    "TryStar": Module.block,
    "For": Module.loop,
    "AsyncFor": Module.loop,
    "With": Module.context,
    "AsyncWith": Module.context,
    "Match": Module.cases,
}


def _is_main(node: ast.stmt) -> bool:
    said = ast.unparse(node.test) if isinstance(node, ast.If) else ""
    return "__name__" in said and "__main__" in said


def _targets(target: ast.expr) -> Iterator[ast.Name]:
    match target:
        case ast.Name():
            yield target
        case ast.Tuple() | ast.List():
            for part in target.elts:
                yield from _targets(part)
        case ast.Starred():
            yield from _targets(target.value)
        case _:
            pass


def _listed(value: ast.expr) -> list[str] | None:
    match value:
        case ast.List() | ast.Tuple() | ast.Set():
            return [name for part in value.elts for name in _listed_part(part)]
        case ast.BinOp():
            sides = [_listed(value.left), _listed(value.right)]
            if sides == [None, None]:
                return None
            return [name for side in sides for name in side or []]
        case ast.Attribute(attr="__all__"):
            return ["*" + ast.unparse(value.value)]
        case ast.Call(func=ast.Name(id="list" | "tuple" | "sorted" | "set"), args=[first, *_]):
            return _listed(first)
        case _:
            return None


def _listed_part(part: ast.expr) -> list[str]:
    match part:
        case ast.Constant(value=str() as name):
            return [name]
        case ast.Starred():
            return _listed(part.value) or []
        case _:
            return []


def _walruses(node: ast.stmt) -> Iterator[ast.NamedExpr]:
    """Those of the statement itself, not of the statements and scopes within it."""
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.NamedExpr):
            yield part
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        waiting += [child for child in ast.iter_child_nodes(part) if not isinstance(child, ast.stmt)]


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = "." * node.level + (node.module or "")
            yield source
            if not node.module:
                yield from (source + alias.name for alias in node.names if alias.name != "*")


class Score:
    def __init__(self, show: int) -> None:
        self.files = self.refused = self.exact = self.not_whole = 0
        self.found = self.true = self.both = 0
        self.imports_found = self.imports_true = self.imports_both = 0
        self.bytes = 0
        self.cpu_s = 0.0
        self.show = show

    def add(self, path: Path) -> None:
        text = path.read_bytes()
        try:
            truth = Module(path, ast.parse(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self.refused += 1
            return
        begun = time.process_time()
        told = extract(str(path), text)
        self.cpu_s += time.process_time() - begun
        self.files += 1
        self.bytes += len(text)
        self.not_whole += not told.whole
        found = {f"* {one.source}" if one.name == "*" else one.name for one in told.exports}
        self._compare(path, found, truth.exports(), set(told.imports), truth.imports)

    def _compare(
        self, path: Path, found: set[str], true: set[str], imports: set[str], true_imports: set[str]
    ) -> None:
        self.found += len(found)
        self.true += len(true)
        self.both += len(found & true)
        self.imports_found += len(imports)
        self.imports_true += len(true_imports)
        self.imports_both += len(imports & true_imports)
        self.exact += found == true and imports == true_imports
        if (found != true or imports != true_imports) and self.show:
            self.show -= 1
            print(path, "missed", sorted(true - found)[:5], "wrong", sorted(found - true)[:5])
            print(
                "    imports missed",
                sorted(true_imports - imports)[:5],
                "wrong",
                sorted(imports - true_imports)[:5],
            )

    def told(self, repo: str) -> dict[str, object]:
        return {
            "repo": repo,
            "files": self.files,
            "refused_by_ast": self.refused,
            "exact_files": self.exact,
            "called_broken": self.not_whole,
            "exports": self.true,
            "recall": round(self.both / max(1, self.true), 6),
            "precision": round(self.both / max(1, self.found), 6),
            "imports": self.imports_true,
            "imports_recall": round(self.imports_both / max(1, self.imports_true), 6),
            "imports_precision": round(self.imports_both / max(1, self.imports_found), 6),
            "files_per_cpu_s": round(self.files / max(1e-9, self.cpu_s)),
            "mb_per_cpu_s": round(self.bytes / 1e6 / max(1e-9, self.cpu_s), 1),
        }


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--repo", action="append", help="a folder; by default the standard library")
    options.add_argument("--show", type=int, default=10, help="differing files to name")
    asked = options.parse_args()
    warnings.simplefilter("ignore")
    worst = 1.0
    for repo in asked.repo or [str(Path(ast.__file__).parent)]:
        score = Score(asked.show)
        for path in sorted(Path(repo).rglob("*.py*")):
            if path.suffix in {".py", ".pyi"} and path.is_file():
                score.add(path)
        told = score.told(repo)
        print("\n".join(f"{key:>18} {value}" for key, value in told.items()))
        print(json.dumps(told))
        worst = min(worst, float(str(told["recall"])), float(str(told["precision"])))
    return 0 if worst >= 0.995 else 1


if __name__ == "__main__":
    sys.exit(main())
