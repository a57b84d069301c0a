from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.index.build.trees import write

from toolpost.index.build.build import build
from toolpost.index.build.definitions import add_definitions
from toolpost.index.build.progress import Watch
from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.generations import Folder
from toolpost.index.disk.mapped import latest
from toolpost.index.model import Doc, Stamp
from toolpost.index.snapshot import Snapshot
from toolpost.index.symbols import lookup
from toolpost.index.symbols.find import Symbol
from toolpost.index.symbols.lookup import definitions, is_complete, outline
from toolpost.workspace.local.root import LocalRoot

TREE = {
    "a.py": b"class A:\n    def f(self): pass\n    class B:\n        def f(self): pass\n",
    "b.py": b"def f(): pass\n\ndef f(): pass\n",
    "c.py": b"f()  # spoken of, not defined\n",
    "empty.py": b"",
    "f.md": b"# f\n",
    "z/d.ts": b"export function f() {}\n",
}
F = [("a.py", 2, "A"), ("a.py", 4, "A.B"), ("b.py", 1, ""), ("b.py", 3, ""), ("z/d.ts", 1, "")]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    write(tmp_path / "tree", TREE)
    return Folder(tmp_path / "index")


@pytest.fixture(params=["parsed", "on disk"])
def snapshot(request: pytest.FixtureRequest, tmp_path: Path, folder: Folder) -> Iterator[Snapshot]:
    with closing(LocalRoot(tmp_path / "tree")) as root:
        made = build(root, folder, workers=1)
    if request.param == "on disk":
        add_definitions(folder, made.generation, workers=1, watch=Watch())
    base = latest(folder)
    assert base is not None
    with closing(base):
        yield Snapshot(base)


def places(snapshot: Snapshot, name: str) -> list[tuple[str, int, str]]:
    return [(one.path, one.symbol.line, one.symbol.parent) for one in definitions(snapshot, name)]


def doc(path: str, text: bytes | None) -> Doc:
    return Doc(path, Stamp(), b"", text)


def test_definitions_come_in_the_order_of_paths_and_lines(snapshot: Snapshot) -> None:
    assert places(snapshot, "f") == F
    assert is_complete(snapshot) == (snapshot.base.symbols is not None)


def test_a_name_may_say_what_it_stands_within(snapshot: Snapshot) -> None:
    assert places(snapshot, "A.f") == F[:1]
    assert places(snapshot, "B.f") == places(snapshot, "A.B.f") == F[1:2]
    assert places(snapshot, "C.f") == []


@pytest.mark.parametrize("name", ["", ".", "A.", "nobody", "f()", "a\nb"])
def test_what_nobody_defines_is_not_found(snapshot: Snapshot, name: str) -> None:
    assert definitions(snapshot, name) == []


def test_changed_files_count_as_they_are_now(snapshot: Snapshot) -> None:
    docs = (
        doc("b.py", b"\n\ndef f(): pass\n"),
        doc("b2.py", b"def g(): pass\n"),
        doc("bin", None),
        doc("f.css", b"f"),
    )
    now = Snapshot(snapshot.base, frozenset({0, 1}), docs)
    assert places(now, "f") == [("b.py", 3, ""), ("z/d.ts", 1, "")]
    assert places(now, "g") == [("b2.py", 1, "")]
    assert places(now, "f") == [("b.py", 3, ""), ("z/d.ts", 1, "")]


def test_an_outline_is_that_of_the_file_as_it_is(snapshot: Snapshot) -> None:
    now = Snapshot(snapshot.base, frozenset({1, 2}), (doc("b.py", b"def g(): pass\n"), doc("x", None)))
    assert outline(now, "b.py") == (Symbol("g", "function", 1, 1, "def g()"),)
    assert outline(now, "z/d.ts") == (Symbol("f", "function", 1, 1, "function f()"),)
    assert outline(now, "empty.py") == ()
    assert [outline(now, path) for path in ("c.py", "f.md", "nowhere.py", "x")] == 4 * [None]


def test_only_so_many_files_are_parsed_for_one_question(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookup, "SYMBOL_FILES", 1)
    assert places(snapshot, "f") == (F if is_complete(snapshot) else F[:2])


def test_a_damaged_text_is_told_of_and_not_parsed(tmp_path: Path, folder: Folder) -> None:
    with closing(LocalRoot(tmp_path / "tree")) as root:
        build(root, folder, workers=1)
    file = folder.path / "1.text"
    file.write_bytes(file.read_bytes().replace(b"class A", b"class Z"))
    base = latest(folder)
    assert base is not None
    with closing(base), pytest.raises(Damaged):
        definitions(Snapshot(base), "f")
