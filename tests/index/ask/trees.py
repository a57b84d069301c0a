"""A base with a graph, from docs and from which of them import which."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tests.index.names.written import base_of

from toolpost.index.disk.mapped import Base
from toolpost.index.model import Doc
from toolpost.index.names import edges


def graph_of(folder: Path, docs: Iterable[Doc], imports: Mapping[str, Sequence[str]]) -> Base:
    def make(files: Iterable[tuple[int, Doc]]) -> dict[str, bytes]:
        numbers = {doc.path: number for number, doc in files}
        linked = {numbers[path]: [numbers[target] for target in targets] for path, targets in imports.items()}
        return edges.make(linked, len(numbers))

    return base_of(folder, docs, make)
