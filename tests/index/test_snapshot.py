from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import structs
from tests.index.build.trees import write

from toolpost.index.build.build import build
from toolpost.index.disk.generations import Folder
from toolpost.index.disk.mapped import Base, latest
from toolpost.index.model import Doc, Stamp
from toolpost.index.snapshot import Snapshot, key
from toolpost.workspace.local.root import LocalRoot


@pytest.fixture
def base(tmp_path: Path) -> Iterator[Base]:
    write(tmp_path / "tree", {"a.py": b"", "b/c.py": b"", "d.py": b""})
    folder = Folder(tmp_path / "index")
    with closing(LocalRoot(tmp_path / "tree")) as root:
        build(root, folder, workers=1)
    found = latest(folder)
    assert found is not None
    with closing(found):
        yield found


def doc(path: str) -> Doc:
    return Doc(path, Stamp(), b"", b"")


def test_what_changed_stands_before_the_base(base: Base) -> None:
    docs = (doc("b/c.py"), doc("b/new.py"), doc("b\udcff"))
    snapshot = Snapshot(base, frozenset({0, 1}), docs)
    assert snapshot.count == 4
    found = {path: snapshot.find(path) for path in (b"a.py", b"b/c.py", b"b/new.py", b"d.py", b"x")}
    assert found == {b"a.py": -1, b"b/c.py": -1, b"b/new.py": -1, b"d.py": 2, b"x": -1}
    assert [snapshot.doc(path) for path in (b"b/c.py", b"b\xff", b"a.py", b"z")] == [
        docs[0],
        docs[2],
        None,
        None,
    ]


def test_changed_files_are_found_by_how_their_paths_begin(base: Base) -> None:
    snapshot = Snapshot(base, docs=(doc("a"), doc("b/a"), doc("b/b"), doc("bc")))
    assert [one.path for one in snapshot.below(b"b/")] == ["b/a", "b/b"]
    assert [one.path for one in snapshot.below(b"")] == ["a", "b/a", "b/b", "bc"]
    assert list(snapshot.below(b"z")) == []


def test_a_path_that_is_no_utf_8_is_sorted_by_its_bytes() -> None:
    assert key(structs.replace(doc("a"), path="\udcff")) == b"\xff"


def test_a_state_is_settled_once_and_one_that_is_whole_is_itself(base: Base) -> None:
    asked: list[Snapshot] = []

    def settle(snapshot: Snapshot) -> Snapshot:
        asked.append(snapshot)
        return structs.replace(snapshot, settle=None)

    whole, read = Snapshot(base), Snapshot(base, settle=settle)
    assert whole.settled is whole
    assert read.settled is read.settled
    assert read.settled == whole
    assert asked == [read]
    assert structs.replace(read, freshness="watched").settled.freshness == "watched"
