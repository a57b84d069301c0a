"""Names new files and folders may not have, and that what is there keeps its own."""

import os
from collections.abc import Iterator
from pathlib import Path
from unicodedata import normalize

import pytest

from toolpost.errors import FileExists, InvalidPath
from toolpost.limits import TWIN_NAMES
from toolpost.workspace.local.root import LocalRoot


@pytest.fixture
def root(tmp_path: Path) -> Iterator[LocalRoot]:
    root = LocalRoot(tmp_path)
    yield root
    root.close()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


FOREIGN = [
    ("CON", "CON_"),
    ("nul", "nul_"),
    ("Aux", "Aux_"),
    ("prn", "prn_"),
    ("com1", "com1_"),
    ("LPT9", "LPT9_"),
    ("a.", "a"),
    ("a ", "a"),
    ("a. .", "a"),
    ("con.", "con_"),
    ("...", None),
    (" ", None),
    ("src\\new.py", "src/new.py"),
    ("src\\aux", "src/aux_"),
    ("..\\new.py", None),
    ("a\\", None),
    ("a .\\b", None),
    ("notes.txt:hidden", "notes.txt-hidden"),
    ("notes.txt::$DATA", "notes.txt--$DATA"),
]


@pytest.mark.parametrize(("name", "safe"), FOREIGN)
def test_a_name_windows_cannot_have_is_not_made(
    root: LocalRoot, tmp_path: Path, name: str, safe: str | None
) -> None:
    (tmp_path / "old.txt").write_bytes(b"old")
    for make in (
        lambda: root.write(name, b""),
        lambda: root.move("old.txt", name),
        lambda: root.write(f"{name}/x/a.txt", b"", create_dirs=True),
        lambda: root.move("old.txt", f"{name}/x/a.txt", create_dirs=True),
    ):
        with pytest.raises(InvalidPath) as refused:
            make()
        assert (refused.value.parameter, refused.value.context["rule"]) == ("path", "windows")
        assert refused.value.suggested in {safe, safe and f"{safe}/x/a.txt"}
    assert names(tmp_path) == ["old.txt"]


def test_what_is_suggested_for_a_folder_is_the_whole_path(root: LocalRoot, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    with pytest.raises(InvalidPath) as refused:
        root.write("lib/aux/b/c.txt", b"", create_dirs=True)
    assert refused.value.suggested == "lib/aux_/b/c.txt"


@pytest.mark.parametrize(
    "name",
    ["aux.c", "con.py", "a:b", "a b", ".hidden", "a..b", "com0", "console", "10:30.log", ".a", "é"],
)
def test_a_name_people_give_is_made(root: LocalRoot, tmp_path: Path, name: str) -> None:
    root.write(name, b"")
    root.write(f"{name}-folder/{name}", b"", create_dirs=True)
    assert names(tmp_path) == sorted([name, f"{name}-folder"])


@pytest.mark.parametrize("name", [name for name, _ in FOREIGN])
def test_a_file_that_has_such_a_name_is_read_edited_moved_away_and_deleted(
    root: LocalRoot, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_bytes(b"old")
    with root.open(name) as source:
        assert source.stream.read() == b"old"
    root.write(name, b"new")
    root.move(name, "moved")
    assert (tmp_path / "moved").read_bytes() == b"new"

    (tmp_path / name).mkdir()
    root.write(f"{name}/a.txt", b"", create_dirs=True)
    root.delete(f"{name}/a.txt")
    root.delete(name)
    assert names(tmp_path) == ["moved"]


TWINS = [
    ("README.md", "readme.md"),
    (normalize("NFC", "café"), normalize("NFD", "café")),
    (normalize("NFD", "CAFÉ"), normalize("NFC", "café")),
    ("straße", "STRASSE"),
]


@pytest.mark.parametrize(("there", "name"), TWINS)
def test_a_name_that_many_systems_take_for_one_that_is_there_is_not_made(
    root: LocalRoot, tmp_path: Path, there: str, name: str
) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / there).write_bytes(b"there")
    (tmp_path / "old.txt").write_bytes(b"old")
    for make in (
        lambda: root.write(f"docs/{name}", b""),
        lambda: root.move("old.txt", f"docs/{name}"),
    ):
        with pytest.raises(FileExists) as refused:
            make()
        assert (refused.value.parameter, refused.value.suggested) == ("path", f"docs/{there}")
        assert refused.value.context == {"twin": f"docs/{there}"}
    assert names(folder) == [there]


def test_a_folder_is_not_made_beside_its_twin(root: LocalRoot, tmp_path: Path) -> None:
    (tmp_path / "Src").mkdir()
    with pytest.raises(FileExists) as refused:
        root.write("src/a/b.py", b"", create_dirs=True)
    assert refused.value.suggested == "Src/a/b.py"
    assert names(tmp_path) == ["Src"]


def test_of_twins_that_are_there_each_can_be_edited(root: LocalRoot, tmp_path: Path) -> None:
    for name in ("a", "A"):
        (tmp_path / name).write_bytes(b"old")
    root.write("a", b"new")
    assert {name: (tmp_path / name).read_bytes() for name in ("a", "A")} == {"a": b"new", "A": b"old"}


def test_a_file_can_be_renamed_to_its_own_name_in_another_case(root: LocalRoot, tmp_path: Path) -> None:
    (tmp_path / "readme").write_bytes(b"")
    root.move("readme", "README")
    assert names(tmp_path) == ["README"]

    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "readme").write_bytes(b"")
    with pytest.raises(FileExists):
        root.move("README", "docs/README")


def test_a_name_that_is_no_text_is_no_twin(root: LocalRoot, tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"A\xff")).write_bytes(b"")
    root.write("a", b"")
    assert len(names(tmp_path)) == 2


def test_only_so_many_names_are_compared(
    root: LocalRoot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert TWIN_NAMES == 10_000
    monkeypatch.setattr("toolpost.workspace.local.names.TWIN_NAMES", 0)
    (tmp_path / "a").write_bytes(b"")
    root.write("A", b"")
    assert names(tmp_path) == ["A", "a"]


def test_what_was_there_before_is_put_back_under_any_name(root: LocalRoot, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    root.write("A", b"", any_name=True)
    root.move("a", "aux/NUL", create_dirs=True, any_name=True)
    assert names(tmp_path) == ["A", "aux"]
