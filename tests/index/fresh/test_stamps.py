import os
from pathlib import Path

from tests.index.fresh.trees import Tree

from toolpost.index.disk.mapped import latest
from toolpost.index.fresh.stamps import Folders, differing, folder_list, stat_list


def test_stamps_are_those_of_the_files_and_zeros_for_what_is_none(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/file").write_text("four")
    (tmp_path / "old").touch()
    os.utime(tmp_path / "old", ns=(-5, -5))
    (tmp_path / "link").symlink_to("a/b/file")
    (tmp_path / "way").symlink_to("a")
    top = os.open(tmp_path, os.O_PATH | os.O_DIRECTORY)
    found = stat_list(top, [b"a", b"a/b/file", b"a/none", b"link", b"no/folder", b"old", b"way/b/file"])
    os.close(top)
    file, old = (tmp_path / "a/b/file").stat(), (tmp_path / "old").stat()
    none = [0, 0, 0, 0]
    assert found.tolist() == [
        *none,
        *(4, file.st_mtime_ns, file.st_ctime_ns, file.st_ino),
        *none * 3,
        *(0, 2**64 - 5, old.st_ctime_ns, old.st_ino),
        *none,
    ]


def test_files_whose_stamps_are_others_are_told_in_order(tree: Tree) -> None:
    tree.write({f"many/{number:05}": "x" for number in range(1200)})
    tree.settle()
    base = latest(tree.index)
    assert base
    top = os.open(tree.folder, os.O_PATH | os.O_DIRECTORY)
    assert differing(base, stat_list(top, base.paths())) == []
    (tree.folder / "many/00003").write_text("yy")
    (tree.folder / "many/01100").unlink()
    numbers = differing(base, stat_list(top, base.paths()))
    os.close(top)
    assert [base.path(number) for number in numbers] == [b"many/00003", b"many/01100"]


def test_folders_tell_what_came_and_went_in_them(tmp_path: Path) -> None:
    for name in ("same", "more", "deep/er", "gone"):
        (tmp_path / name).mkdir(parents=True)
    since = max(path.stat().st_ctime_ns for path in (tmp_path, *tmp_path.rglob("*"))) + 200_000_000
    top = os.open(tmp_path, os.O_PATH | os.O_DIRECTORY)
    known = [b"", b"deep", b"deep/er", b"gone", b"more", b"same"]
    assert folder_list(top, known, since) == Folders([], [])
    assert folder_list(top, [b"", b"deep"], since) == Folders([b"", b"deep"], [])
    (tmp_path / "more/file").touch()
    (tmp_path / "gone").rmdir()
    found = folder_list(top, known, since - 200_000_000)
    os.close(top)
    assert found.gone == [b"gone"]
    assert {b"", b"more"} <= set(found.stale)
