from pathlib import Path

from toolpost.index.disk.sections import Sections, write
from toolpost.index.symbols.find import Symbol, symbols
from toolpost.index.symbols.table import NONE, Symbols, found, make

A = symbols("a.py", b"def f(): pass\nclass A:\n    def f(self): pass\n") or ()
B = symbols("b.ts", "function f() {}\nconst façade = 1;\n".encode()) or ()


def written(tmp_path: Path, *files: tuple[Symbol, ...] | None) -> Symbols:
    mark = write(tmp_path / "1.sym", make(map(found, files)))
    return Symbols(Sections.open(tmp_path / "1.sym", mark))


def test_the_definitions_of_a_file_come_back_whole(tmp_path: Path) -> None:
    table = written(tmp_path, A, None, (), B)
    assert [tuple(table.of(number)) for number in range(4)] == [A, (), (), B]


def test_a_name_leads_to_the_files_that_define_it(tmp_path: Path) -> None:
    table = written(tmp_path, A, None, B)
    assert {name: table.files(name) for name in ("f", "A", "façade", "g", "", "~")} == {
        "f": [0, 2],
        "A": [0],
        "façade": [2],
        "g": [],
        "": [],
        "~": [],
    }


def test_names_that_begin_alike_come_in_order(tmp_path: Path) -> None:
    table = written(tmp_path, A, B)
    assert list(table.beginning("f")) == ["f", "façade"]
    assert list(table.beginning("x")) == []


def test_no_file_at_all_has_no_names(tmp_path: Path) -> None:
    assert written(tmp_path).files("f") == []


def test_what_was_found_comes_back_as_it_was_given(tmp_path: Path) -> None:
    table = written(tmp_path, A, None)
    assert (table.found(0), table.found(1)) == (found(A), NONE)
