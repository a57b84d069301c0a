"""Which file imports which, as sections of a generation, and what is passed on from where.

graph.imports, graph.imports_ends        for every file the files it imports, in the order of its imports
graph.importers, graph.importers_ends    for every file those that import it, in order
graph.passes                             what `resolve.dependents` is made of
"""

from collections.abc import Callable, Iterable, Mapping

import msgspec

from toolpost.index.disk.sections import Sections
from toolpost.index.model import Doc
from toolpost.index.names.edges import make as edges_of
from toolpost.index.resolve import Resolved
from toolpost.index.resolve.stars import Pass

PASSES = "graph.passes"
_passes = msgspec.msgpack.Decoder(dict[str, tuple[Pass, ...]])


def maker(resolved: Resolved) -> Callable[[Iterable[tuple[int, Doc]]], Mapping[str, bytes]]:
    """What makes the sections, once files have their numbers."""

    def make(docs: Iterable[tuple[int, Doc]]) -> Mapping[str, bytes]:
        numbers = {doc.path: number for number, doc in docs}
        edges = {
            numbers[path]: [numbers[target] for target in targets]
            for path, targets in resolved.edges.items()
            if path in numbers
        }
        packed = msgspec.msgpack.encode(dict(resolved.passes))
        return {**edges_of(edges, len(numbers)), PASSES: packed}

    return make


def passes(sections: Sections) -> dict[str, tuple[Pass, ...]]:
    """Raises Damaged."""
    return _passes.decode(sections.array(PASSES))
