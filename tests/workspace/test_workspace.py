from pathlib import Path

import pytest
from tests.workspace.memory import MemoryRoot

from toolpost import Workspace
from toolpost.errors import InvalidDirectory, InvalidPath, NoConnection
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.workspace import Place

ONE, TWO = MemoryRoot({"a.txt": b""}), MemoryRoot({"b.txt": b""})


def test_with_one_root_a_path_is_relative_to_it() -> None:
    assert Workspace({"one": ONE}).place("src/../a.txt") == Place(ONE, "a.txt", "a.txt")


def test_with_several_the_first_segment_names_the_root() -> None:
    both = Workspace({"one": ONE, "two": TWO})
    assert both.place("two/b.txt") == Place(TWO, "b.txt", "two/b.txt")
    assert both.place("two") == Place(TWO, "", "two")
    assert both.shown(both.place("two"), "x/y") == "two/x/y"
    assert both.shown(both.place("two/b.txt"), "") == "two"


def test_a_path_that_names_no_root_is_told_the_roots() -> None:
    with pytest.raises(InvalidPath, match="must begin with the name of a root: one, two"):
        Workspace({"one": ONE, "two": TWO}).place("three/c.txt")


@pytest.mark.parametrize("path", ["", ".", "./"])
def test_several_roots_make_a_folder_of_their_own(path: str) -> None:
    both = Workspace({"one": ONE, "two": TWO})
    assert both.names_roots(path)
    assert [entry.path for entry in both.root_entries()] == ["one", "two"]
    assert not Workspace({"one": ONE}).names_roots(path)


def test_an_absolute_path_is_taken_below_a_root_and_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    root = LocalRoot(tmp_path / "app")
    workspace = Workspace({"app": root, "one": ONE})
    assert workspace.place(f"{tmp_path}/app/src/a.txt") == Place(root, "src/a.txt", "app/src/a.txt")
    assert workspace.place(f"{tmp_path}/app/") == Place(root, "", "app")
    for outside in (f"{tmp_path}/app2/a.txt", f"{tmp_path}/app/../b", "/etc/passwd"):
        with pytest.raises(InvalidDirectory):
            workspace.place(outside, error=InvalidDirectory)
    workspace.close()


def test_without_a_root_nothing_is_connected() -> None:
    with pytest.raises(NoConnection, match=r"^No active GitHub connection found$"):
        Workspace({}).place("a.txt")


def test_a_workspace_is_opened_by_what_people_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    workspace = Workspace.open(".")
    assert [root.location for root in workspace.roots.values()] == [str(tmp_path)]
    workspace.close()
