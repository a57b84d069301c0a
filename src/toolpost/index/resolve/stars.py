"""What files pass on from others: `export *` in full, and of every name the file that defines it.

As ECMAScript has it: a file's own names win over starred ones, `export *` passes on no default, and a name
that two stars bring from two places is none. Files that pass on from each other in a circle are worked
through until nothing changes; a name is first awaited, then found, then perhaps ambiguous, never back.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from toolpost.index.model import DEFAULT, STAR, Export, Extract
from toolpost.index.resolve.circles import circles
from toolpost.index.resolve.modules import ECMA, Modules
from toolpost.index.resolve.tree import Tree

NAMESPACE = "namespace"
MODULE = "module"


class Bound(Struct, frozen=True, gc=False):
    """Where a name leads: to a file, and to what is exported there."""

    origin: str
    export: Export

    def is_same(self, other: "Bound") -> bool:
        """One thing, maybe by two ways; from outside of the tree it is known by its module."""
        here, there = self.export, other.export
        if (here.local or here.name) != (there.local or there.name):
            return False
        return self.origin == other.origin or bool(here.source and here.source == there.source)


_AWAITED = Bound("", Export(""))
_AMBIGUOUS = Bound("", Export(STAR))
Table = dict[str, Bound]


class Pass(Struct, frozen=True, gc=False, array_like=True):
    """One module a file passes names on from."""

    source: str
    target: str
    """The file it lies in; empty where that is none of the tree."""


class Node(Struct, frozen=True):
    """A file that passes something on."""

    path: str
    exports: tuple[Export, ...]
    targets: dict[str, str]
    """Of each source the file it lies in, or nothing."""
    own: frozenset[str]
    """Names that are no star's."""
    is_ecma: bool

    def passes(self) -> tuple[Pass, ...]:
        return tuple(Pass(source, target) for source, target in self.targets.items())


class Stars:
    def __init__(self, tree: Tree, modules: Modules) -> None:
        self._extract_of = tree.extract_of
        self._modules = modules
        self._nodes: dict[str, Node | None] = {}
        self._tables: dict[str, Table] = {}

    def node(self, path: str) -> Node | None:
        """None for a file that passes nothing on."""
        if path not in self._nodes:
            self._nodes[path] = self._made(path, self._extract_of(path) or Extract())
        return self._nodes[path]

    def exports(self, path: str) -> tuple[Export, ...]:
        """All a file exports: no STAR among them, and each name that is passed on with its origin."""
        node = self.node(path)
        if node is None:
            extract = self._extract_of(path)
            return extract.exports if extract else ()
        if path not in self._tables:
            self._work_out(path)
        told = [*self._explicit(node), *self._starred(node)]
        told.sort(key=_line)
        return tuple(told)

    def narrow(self, path: str, exports: Iterable[Export]) -> Node:
        """Looks at a file as if these were all it passes on; good where no other file passes on from it."""
        node = self._node_of(path, tuple(exports))
        self._nodes[path] = node
        return node

    def _made(self, path: str, extract: Extract) -> Node | None:
        if not any(export.source for export in extract.exports):
            return None
        return self._node_of(path, extract.exports)

    def _node_of(self, path: str, exports: tuple[Export, ...]) -> Node:
        sources = tuple(dict.fromkeys(export.source for export in exports if export.source))
        found = self._modules.all(path, sources)
        targets = {source: files[0] if files else "" for source, files in zip(sources, found, strict=True)}
        own = frozenset(export.name for export in exports if export.name != STAR)
        return Node(path, exports, targets, own, path.rpartition(".")[2] in ECMA)

    def _work_out(self, path: str) -> None:
        for members in circles(path, self._needed):
            nodes = [node for member in members if (node := self.node(member))]
            for node in nodes:
                self._tables[node.path] = _own(node.path, node.exports)
            self._settle(nodes)
            for node in nodes:
                self._stop_waiting(node)
            if len(nodes) > 1:
                self._settle(nodes)

    def _needed(self, path: str) -> Iterator[str]:
        """Files to be worked out before this one: those that pass on themselves, unless it is done."""
        node = self.node(path)
        for target in node.targets.values() if node else ():
            if target and target not in self._tables and self.node(target):
                yield target

    def _settle(self, nodes: list[Node]) -> None:
        changed = [self._step(node) for node in nodes]
        while any(changed) and len(nodes) > 1:
            changed = [self._step(node) for node in nodes]

    def _step(self, node: Node) -> bool:
        """Takes over what the files passed on from know by now; whether that is more than before."""
        changed = False
        table = self._tables[node.path]
        for export in node.exports:
            target = node.targets.get(export.source)
            if not target:
                continue
            if export.name == STAR:
                for name, bound in self._table(target).items():
                    if name not in node.own and (name != DEFAULT or not node.is_ecma):
                        changed |= _joined(table, name, bound)
            elif _is_namespace(export):
                changed |= _joined(table, export.name, Bound(target, Export(STAR, NAMESPACE)))
            else:
                bound_there = self._table(target).get(export.local or export.name, _AWAITED)
                changed |= _joined(table, export.name, bound_there)
        return changed

    def _stop_waiting(self, node: Node) -> None:
        """What was not found where it is passed on from is taken to be there all the same."""
        table = self._tables[node.path]
        for export in node.exports:
            if export.source and table.get(export.name) is _AWAITED:
                table[export.name] = self._taken(node, export)

    def _taken(self, node: Node, export: Export) -> Bound:
        wanted = export.local or export.name
        if not node.is_ecma:
            dot = "" if export.source.endswith(".") else "."
            files = self._modules.find(node.path, f"{export.source}{dot}{wanted}")
            if files and files[0] != node.path:
                return Bound(files[0], Export(wanted, MODULE))
        target = node.targets[export.source]
        if not target or target == node.path:
            return Bound(node.path, export)
        return Bound(target, Export(wanted, export.kind))

    def _table(self, path: str) -> Table:
        table = self._tables.get(path)
        if table is None:
            extract = self._extract_of(path) or Extract()
            table = self._tables[path] = _own(path, extract.exports)
        return table

    def _explicit(self, node: Node) -> Iterator[Export]:
        table = self._tables[node.path]
        for export in node.exports:
            if not export.source:
                yield export
            elif export.name != STAR:
                bound = table[export.name]
                yield _passed(
                    export, export.name, self._taken(node, export) if bound is _AMBIGUOUS else bound
                )

    def _starred(self, node: Node) -> Iterator[Export]:
        table = self._tables[node.path]
        told = set(node.own)
        for export in node.exports:
            target = node.targets.get(export.source) if export.name == STAR else None
            for name in self._table(target) if target else ():
                bound = table.get(name, _AWAITED)
                if name not in told and bound.origin:
                    told.add(name)
                    yield _passed(export, name, bound)


def _own(path: str, exports: tuple[Export, ...]) -> Table:
    """What a file says by itself; of two things of one name, such as a value and its type, the first."""
    table: Table = {}
    for export in exports:
        if export.name != STAR and export.name not in table:
            table[export.name] = _AWAITED if export.source else Bound(path, export)
    return table


def _joined(table: Table, name: str, bound: Bound) -> bool:
    """Whether a name is known better now."""
    known = table.get(name)
    if known is bound or known is _AMBIGUOUS or (bound is _AWAITED and known is not None):
        return False
    if known is None or known is _AWAITED:
        table[name] = bound
        return True
    if bound is not _AMBIGUOUS and known.is_same(bound):
        return False
    table[name] = _AMBIGUOUS
    return True


def _is_namespace(export: Export) -> bool:
    return export.local == STAR or export.kind == NAMESPACE


def _passed(export: Export, name: str, bound: Bound) -> Export:
    """A name as the file that passes it on has it, with what is known of it where it is defined."""
    defined = bound.export
    if defined is export:
        return export
    if defined.name == STAR:
        return Export(name, NAMESPACE, STAR, export.source, export.line, bound.origin)
    real = defined.local or defined.name
    return Export(
        name,
        defined.kind or export.kind,
        "" if real == name else real,
        export.source,
        export.line,
        bound.origin,
    )


def _line(export: Export) -> int:
    return export.line
