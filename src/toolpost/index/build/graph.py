"""Which file imports which, as sections of a generation, and what is passed on from where.

graph.imports, graph.imports_ends        for every file the files it imports, in the order of its imports
graph.importers, graph.importers_ends    for every file those that import it, in order
graph.passes                             what `resolve.dependents` is made of
"""

from array import array
from collections.abc import Callable, Iterable, Mapping

import msgspec

from toolpost.index.disk.sections import Sections
from toolpost.index.model import Doc
from toolpost.index.resolve import Resolved
from toolpost.index.resolve.stars import Pass

_passes = msgspec.msgpack.Decoder(dict[str, tuple[Pass, ...]])


def maker(resolved: Resolved) -> Callable[[Iterable[tuple[int, Doc]]], Mapping[str, bytes]]:
    """What makes the sections, once files have their numbers."""

    def make(docs: Iterable[tuple[int, Doc]]) -> Mapping[str, bytes]:
        numbers = {doc.path: number for number, doc in docs}
        imports: list[list[int]] = [[] for _ in numbers]
        importers: list[list[int]] = [[] for _ in numbers]
        for path, number in numbers.items():
            for target in resolved.edges.get(path, ()):
                imports[number].append(numbers[target])
                importers[numbers[target]].append(number)
        packed = msgspec.msgpack.encode(dict(resolved.passes))
        return {**_lists("imports", imports), **_lists("importers", importers), "graph.passes": packed}

    return make


def _lists(name: str, lists: list[list[int]]) -> dict[str, bytes]:
    held, ends = array("I"), array("I", [0])
    for each in lists:
        held.extend(each)
        ends.append(len(held))
    return {f"graph.{name}": held.tobytes(), f"graph.{name}_ends": ends.tobytes()}


class Graph:
    """Reads them. Raises Damaged."""

    def __init__(self, sections: Sections) -> None:
        self._sections = sections

    def imports(self, number: int) -> memoryview:
        """The numbers of the files a file imports."""
        return self._list("imports", number)

    def importers(self, number: int) -> memoryview:
        return self._list("importers", number)

    def passes(self) -> dict[str, tuple[Pass, ...]]:
        return _passes.decode(self._sections.array("graph.passes"))

    def _list(self, name: str, number: int) -> memoryview:
        ends = self._sections.array(f"graph.{name}_ends", "I")
        return self._sections.array(f"graph.{name}", "I")[ends[number] : ends[number + 1]]
