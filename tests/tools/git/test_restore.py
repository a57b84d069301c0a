from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.tools.git_desk import Desk
from tests.workspace.repository import commit, git, make, write

from toolpost.errors import Denied, GitFailed, NotFound


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = make(
        tmp_path / "repository", {"a.txt": "one\n", "src/b.txt": "two\n", ".vscode/tasks.json": "{}\n"}
    )
    commit(folder, {"a.txt": "committed\n"}, "second")
    return folder


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    made = Desk(folder)
    yield made
    made.close()


def test_a_file_goes_back_to_what_is_staged(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "staged\n"})
    git(folder, "add", "a.txt")
    write(folder, {"a.txt": "changed\n", "src/b.txt": "left alone\n", "new.txt": "untracked\n"})
    assert desk.data("restore", paths=["a.txt"]) == {
        "repository": ".",
        "restored": ["a.txt"],
        "total": 1,
        "dry_run": False,
    }
    assert (folder / "a.txt").read_text() == "staged\n"
    assert (folder / "src/b.txt").read_text() == "left alone\n"
    assert (folder / "new.txt").exists()


def test_what_is_staged_goes_back_and_the_file_stays(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n"})
    git(folder, "add", "a.txt")
    desk.call("restore", paths=[""], what="staged")
    assert (git(folder, "status", "--porcelain"), (folder / "a.txt").read_text()) == ("M a.txt", "changed\n")


def test_both_go_back_to_a_commit(folder: Path, desk: Desk) -> None:
    write(folder, {"src/b.txt": "changed\n"})
    desk.call("restore", paths=["a.txt", "src"], what="both", source="HEAD~1")
    assert ((folder / "a.txt").read_text(), (folder / "src/b.txt").read_text()) == ("one\n", "two\n")
    assert git(folder, "status", "--porcelain") == "M  a.txt"
    desk.call("restore", paths=["a.txt"], what="both")
    assert git(folder, "status", "--porcelain") == ""


def test_a_deleted_file_comes_back_and_one_the_source_lacks_goes(folder: Path, desk: Desk) -> None:
    (folder / "a.txt").unlink()
    desk.call("restore", paths=["a.txt"])
    assert (folder / "a.txt").read_text() == "committed\n"
    commit(folder, {"late.txt": "late\n"}, "third")
    desk.call("restore", paths=["late.txt"], source="HEAD~1")
    assert not (folder / "late.txt").exists()


def test_a_dry_run_only_tells(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n"})
    assert desk.text("restore", paths=[""], dry_run=True) == "1 file would be restored.\n  a.txt"
    assert (folder / "a.txt").read_text() == "changed\n"


def test_nothing_to_restore_is_fine_and_an_unknown_path_is_not(folder: Path, desk: Desk) -> None:
    assert desk.text("restore", paths=["a.txt"]) == "0 files restored."
    write(folder, {"new.txt": "untracked\n"})
    with pytest.raises(GitFailed, match="tracks no file"):
        desk.call("restore", paths=["new.txt"])
    with pytest.raises(NotFound) as caught:
        desk.call("restore", paths=["a.txt"], source="nothing")
    assert caught.value.parameter == "source"


def test_a_file_programs_run_by_is_not_written(folder: Path, desk: Desk) -> None:
    write(folder, {".vscode/tasks.json": "changed\n", "a.txt": "changed\n"})
    with pytest.raises(Denied):
        desk.call("restore", paths=[""])
    assert (folder / "a.txt").read_text() == "changed\n"
    desk.call("restore", paths=["a.txt"])


def test_a_file_that_passes_through_a_filter_is_refused(folder: Path, desk: Desk) -> None:
    commit(folder, {".gitattributes": "a.txt filter=lfs\n"}, "attributes")
    write(folder, {"a.txt": "changed\n"})
    with pytest.raises(GitFailed, match="write the wrong content"):
        desk.call("restore", paths=["a.txt"])
    git(folder, "add", "a.txt")
    desk.call("restore", paths=["a.txt"], what="staged")


def test_a_folder_that_became_a_link_is_not_written_through(folder: Path, desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "b.txt").write_text("outside\n")
    (folder / "src" / "b.txt").unlink()
    (folder / "src").rmdir()
    (folder / "src").symlink_to(tmp_path / "outside")
    desk.call("restore", paths=[""])
    assert (tmp_path / "outside" / "b.txt").read_text() == "outside\n"
    assert (folder / "src" / "b.txt").read_text() == "two\n"
