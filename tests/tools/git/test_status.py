import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.tools.git_desk import Desk
from tests.workspace.repository import commit, git, make, write

from toolpost.tools.git.status import Changed, Status, parse


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make(
        tmp_path / "repository", {"a.txt": "one\n", "src/b.txt": "two\n", "old name.txt": "three\n" * 20}
    )


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    made = Desk(folder)
    yield made
    made.close()


def test_staged_unstaged_renamed_deleted_and_untracked_are_told_apart(folder: Path, desk: Desk) -> None:
    git(folder, "mv", "old name.txt", "new name.txt")
    write(folder, {"a.txt": "staged\n", "x y/z.txt": "new\n"})
    git(folder, "add", "a.txt")
    write(folder, {"a.txt": "changed again\n"})
    (folder / "src" / "b.txt").unlink()
    assert desk.data("status") == {
        "repository": ".",
        "branch": "main",
        "commit": git(folder, "rev-parse", "HEAD"),
        "upstream": "",
        "ahead": 0,
        "behind": 0,
        "under_way": "",
        "changes": [
            {"path": "a.txt", "staged": "modified", "unstaged": "modified", "old_path": ""},
            {"path": "new name.txt", "staged": "renamed", "unstaged": "", "old_path": "old name.txt"},
            {"path": "src/b.txt", "staged": "", "unstaged": "deleted", "old_path": ""},
        ],
        "untracked": ["x y/"],
        "total": 4,
        "truncated": False,
    }
    assert desk.text("status") == (
        "On branch main.\nStaged:\n  modified: a.txt\n  renamed: new name.txt (from old name.txt)\n"
        "Not staged:\n  modified: a.txt\n  deleted: src/b.txt\nUntracked:\n  x y/"
    )


def test_untracked_files_come_one_by_one_or_not_at_all(folder: Path, desk: Desk) -> None:
    write(folder, {"new/a.txt": "", "new/b.txt": ""})
    assert desk.data("status", untracked="files")["untracked"] == ["new/a.txt", "new/b.txt"]
    assert desk.data("status", untracked="none")["untracked"] == []


def test_only_a_folder_is_looked_at(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n", "src/b.txt": "changed\n"})
    assert [one["path"] for one in desk.data("status", path="src")["changes"]] == ["src/b.txt"]


def test_more_files_than_the_limit_are_cut_and_said_to_be(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "x", "src/b.txt": "x", "n1": "", "n2": ""})
    found = desk.data("status", limit=3)
    assert (len(found["changes"]), found["untracked"], found["total"], found["truncated"]) == (
        2,
        ["n1"],
        4,
        True,
    )
    assert "4 files in all" in desk.text("status", limit=1)
    assert desk.data("status", limit=1)["untracked"] == []


def test_a_new_repository_a_detached_head_and_an_upstream_are_told(
    folder: Path, desk: Desk, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q", "-b", "trunk", "new")
    new = Desk(tmp_path / "new")
    assert new.text("status").startswith("On branch trunk; there is no commit yet.")
    new.close()
    git(tmp_path, "clone", "-q", str(folder), "clone")
    commit(tmp_path / "clone", {"a.txt": "more\n"}, "second")
    clone = Desk(tmp_path / "clone")
    assert clone.text("status").startswith("On branch main, 1 ahead of and 0 behind origin/main.")
    clone.close()
    git(folder, "checkout", "-q", "--detach")
    assert desk.text("status").startswith(f"HEAD is detached at {git(folder, 'rev-parse', 'HEAD')[:12]}")


def test_a_conflict_and_the_merge_under_way_are_told(folder: Path, desk: Desk) -> None:
    git(folder, "checkout", "-q", "-b", "topic")
    commit(folder, {"a.txt": "topic\n"}, "topic")
    git(folder, "checkout", "-q", "main")
    commit(folder, {"a.txt": "main\n"}, "main")
    git(folder, "merge", "-q", "topic", check=False)
    found = desk.data("status")
    assert (found["under_way"], found["changes"]) == (
        "merge",
        [{"path": "a.txt", "staged": "", "unstaged": "unmerged", "old_path": ""}],
    )


def test_a_modified_file_with_a_filter_may_be_unchanged_and_that_is_said(folder: Path, desk: Desk) -> None:
    write(folder, {".gitattributes": "a.txt filter=lfs\n", "a.txt": "changed\n", "src/b.txt": "changed\n"})
    assert desk.call("status").notes == (
        "Some modified files pass through a filter that is not run here, and may be unchanged: a.txt.",
    )


def test_names_that_are_not_utf_8_are_made_visible(folder: Path, desk: Desk) -> None:
    (folder / os.fsdecode(b"caf\xe9")).touch()
    assert desk.data("status")["untracked"] == ["caf\\xe9"]


def test_a_repository_without_anything_is_told_as_such() -> None:
    assert parse(b"# branch.oid (initial)\0# branch.head (detached)\0") == Status(repository="")


def test_a_rename_whose_old_name_was_cut_off_is_no_failure() -> None:
    line = b"2 R. N... 100644 100644 100644 " + b"a" * 40 + b" " + b"a" * 40 + b" R100 new name\0"
    assert parse(line).changes == [Changed("new name", "renamed", "", "")]
