from pathlib import Path

from toolpost.index.disk.sections import Sections, write
from toolpost.index.names.edges import Edges, make


def test_edges_are_found_both_ways(tmp_path: Path) -> None:
    write(tmp_path / "graph", make({0: [2, 1], 3: [1], 1: []}, 4))
    edges = Edges(Sections.open(tmp_path / "graph"))
    assert edges.is_there
    assert [edges.imports(number) for number in range(4)] == [[2, 1], [], [], [1]]
    assert [edges.importers(number) for number in range(4)] == [[], [0, 3], [0], []]
    assert list(edges.every()) == [[2, 1], [], [], [1]]


def test_a_base_without_a_graph_has_no_edges(tmp_path: Path) -> None:
    write(tmp_path / "none", {"other": b""})
    edges = Edges(Sections.open(tmp_path / "none"))
    assert not edges.is_there
    assert (edges.imports(0), edges.importers(0), list(edges.every())) == ([], [], [])
