from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.tools.git_desk import Desk
from tests.workspace.repository import commit, git, make, write

from toolpost.errors import Denied, FileExists, GitFailed, InvalidArgument, InvalidPath, NotFound
from toolpost.workspace.git.command import Git
from toolpost.workspace.git.process import GitOutput


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make(tmp_path / "repository")


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    made = Desk(folder)
    yield made
    made.close()


def test_one_is_made_on_a_new_branch_listed_worked_in_and_removed(folder: Path, desk: Desk) -> None:
    oid = git(folder, "rev-parse", "HEAD")
    tree = {"path": "trees/fix", "commit": oid, "branch": "fix", "is_main": False}
    assert desk.data("worktree", action="add", path="trees/fix", branch="fix") == {
        "repository": ".",
        "action": "add",
        "worktrees": [tree],
    }
    assert (folder / "trees/fix/src/b.txt").read_text() == "two\n"
    assert desk.data("worktree", action="list")["worktrees"] == [
        {"path": ".", "commit": oid, "branch": "main", "is_main": True},
        tree,
    ]
    found = desk.data("status", path="trees/fix")
    assert (found["repository"], found["branch"], found["total"]) == ("trees/fix", "fix", 0)
    assert desk.text("worktree", action="remove", path="trees/fix") == f"Removed: trees/fix {oid[:10]} fix"
    assert not (folder / "trees/fix").exists()


def test_a_branch_is_checked_out_as_such_and_a_commit_detached(folder: Path, desk: Desk) -> None:
    git(folder, "branch", "topic")
    commit(folder, {"a.txt": "second\n"}, "second")
    (made,) = desk.data("worktree", action="add", path="t1", ref="topic")["worktrees"]
    assert made["branch"] == "topic"
    (made,) = desk.data("worktree", action="add", path="t2", ref="HEAD~1")["worktrees"]
    assert (made["branch"], (folder / "t2/a.txt").read_text()) == ("", "one\n")
    (made,) = desk.data("worktree", action="add", path="t3")["worktrees"]
    assert (made["branch"], made["commit"]) == ("", git(folder, "rev-parse", "HEAD"))
    with pytest.raises(GitFailed, match="git worktree failed"):
        desk.call("worktree", action="add", path="t4", ref="topic")


def test_one_with_changes_is_not_removed(folder: Path, desk: Desk) -> None:
    desk.call("worktree", action="add", path="tree")
    write(folder, {"tree/a.txt": "changed\n"})
    with pytest.raises(GitFailed, match="git worktree failed"):
        desk.call("worktree", action="remove", path="tree")
    assert (folder / "tree/a.txt").read_text() == "changed\n"


def test_only_working_trees_are_removed_and_never_the_main_one(folder: Path, desk: Desk) -> None:
    make(folder / "other")
    for path in ("src", "other", "nothing"):
        with pytest.raises(NotFound):
            desk.call("worktree", action="remove", path=path)
    with pytest.raises(InvalidArgument):
        desk.call("worktree", action="remove", path="")
    assert (folder / "src").exists()


def test_it_lies_below_the_root_where_nothing_is_yet(folder: Path, desk: Desk, tmp_path: Path) -> None:
    (folder / "out").symlink_to(tmp_path)
    for path in ("../tree", str(tmp_path / "tree"), "out/tree"):
        with pytest.raises(InvalidPath):
            desk.call("worktree", action="add", path=path)
    with pytest.raises(FileExists):
        desk.call("worktree", action="add", path="src")
    with pytest.raises(InvalidArgument):
        desk.call("worktree", action="add", path="")
    with pytest.raises(Denied):
        desk.call("worktree", action="add", path=".git/tree")


def test_a_link_to_where_nothing_is_yet_does_not_lead_out_of_the_root(
    folder: Path, desk: Desk, tmp_path: Path
) -> None:
    (folder / "out").symlink_to(tmp_path / "outside")
    with pytest.raises(InvalidPath):
        desk.call("worktree", action="add", path="out/tree")
    assert not (tmp_path / "outside").exists()


def test_an_option_is_no_branch(desk: Desk) -> None:
    with pytest.raises(InvalidArgument):
        desk.call("worktree", action="add", path="tree", branch="--force")
    with pytest.raises(InvalidArgument):
        desk.call("worktree", action="add", path="tree", ref="--force")


@pytest.mark.parametrize("name", ["../x", "a..b", "a b", "HEAD", "@{-1}", "x.lock", "a:b"])
def test_what_cannot_name_a_branch_is_said_before_git_is_asked(folder: Path, desk: Desk, name: str) -> None:
    with pytest.raises(InvalidArgument, match="cannot name a branch") as caught:
        desk.call("worktree", action="add", path="tree", branch=name)
    assert caught.value.parameter == "branch"
    assert not (folder / "tree").exists()


def test_one_outside_the_root_is_listed_by_its_whole_path(folder: Path, desk: Desk, tmp_path: Path) -> None:
    git(folder, "worktree", "add", "-q", "--detach", str(tmp_path / "tree"))
    listed = desk.data("worktree", action="list")["worktrees"]
    assert [tree["path"] for tree in listed] == [".", str(tmp_path / "tree")]


def test_files_that_miss_their_filter_are_pointed_out(folder: Path, desk: Desk) -> None:
    commit(folder, {".gitattributes": "a.txt filter=lfs\n"}, "attributes")
    assert desk.call("worktree", action="add", path="tree").notes == (
        "Not passed through their filter, as it is not run here: 1 file.",
    )


def test_one_whose_files_cannot_be_written_is_taken_back(
    folder: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    ordinary = Git.run

    def run(self: Git, *args: str, timeout_s: float = 30.0, **settings: object) -> GitOutput:
        if args[0] == "read-tree":
            return GitOutput(b"", False, 128, "fatal: no room")
        return ordinary(self, *args, timeout_s=timeout_s)

    monkeypatch.setattr(Git, "run", run)
    monkeypatch.setattr(Git, "ask", lambda self, *args, **_settings: ordinary(self, *args))
    with pytest.raises(GitFailed, match="no room"):
        desk.call("worktree", action="add", path="tree")
    assert not (folder / "tree").exists()
