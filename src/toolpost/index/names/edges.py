"""Which file imports which, both ways, as sections and as read from them.

graph.imports, graph.imports_ends        for every file the files it imports, in the order of its imports
graph.importers, graph.importers_ends    for every file those that import it, in order
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

from toolpost.index.disk.sections import Sections
from toolpost.index.names.texts import Numbers

_IMPORTS, _IMPORTERS = "graph.imports", "graph.importers"


def make(edges: Mapping[int, Sequence[int]], count: int) -> dict[str, bytes]:
    """From the numbers of files to those they import; `count` is of all files."""
    importers: list[list[int]] = [[] for _ in range(count)]
    for number in sorted(edges):
        for target in edges[number]:
            importers[target].append(number)
    imports = [edges.get(number, ()) for number in range(count)]
    return {**_lists(_IMPORTS, imports), **_lists(_IMPORTERS, importers)}


def _lists(name: str, lists: Sequence[Sequence[int]]) -> dict[str, bytes]:
    held = array("I", (number for one in lists for number in one))
    ends = array("I", accumulate(map(len, lists), initial=0))
    return {name: held.tobytes(), f"{name}_ends": ends.tobytes()}


class Edges:
    """A file without any has none; so has every file of a base that was written without a graph."""

    def __init__(self, sections: Sections) -> None:
        self.is_there = _IMPORTS in sections
        self._lists = (
            {name: _pair(sections, name) for name in (_IMPORTS, _IMPORTERS)} if self.is_there else {}
        )

    def imports(self, number: int) -> list[int]:
        return self._list(_IMPORTS, number)

    def importers(self, number: int) -> list[int]:
        return self._list(_IMPORTERS, number)

    def every(self) -> Iterator[list[int]]:
        """The imports of every file, in order: for what looks at the whole graph."""
        if not self.is_there:
            return
        held, ends = self._lists[_IMPORTS]
        numbers, bounds = held.slice(0, len(held)), ends.slice(0, len(ends))
        for begin, end in pairwise(bounds):
            yield numbers[begin:end]

    def _list(self, name: str, number: int) -> list[int]:
        if not self.is_there:
            return []
        held, ends = self._lists[name]
        return held.slice(*ends.slice(number, number + 2))


def _pair(sections: Sections, name: str) -> tuple[Numbers, Numbers]:
    return Numbers(sections.pages(name)), Numbers(sections.pages(f"{name}_ends"))
