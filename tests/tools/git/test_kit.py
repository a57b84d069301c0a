from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.tools.git_desk import Desk
from tests.workspace.memory import MemoryRoot
from tests.workspace.repository import git, make

from toolpost.bench import Bench
from toolpost.call import Call
from toolpost.define import Effect
from toolpost.errors import GitFailed, InvalidPath, IoFailed, NoConnection, ReadOnly
from toolpost.lint import lint
from toolpost.workspace.git.root import GitRoot
from toolpost.workspace.local.root import LocalRoot


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make(tmp_path / "repository")


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    made = Desk(folder)
    yield made
    made.close()


def test_the_tools_and_what_they_may_do(desk: Desk) -> None:
    reads, writes = {Effect.READ}, {Effect.READ, Effect.WRITE}
    deletes = {*writes, Effect.DELETE}
    assert {name: set(tool.effects) for name, tool in desk.tools.items()} == {
        **dict.fromkeys(("git.status", "git.diff", "git.log", "git.show", "git.blame", "git.grep"), reads),
        "git.branches": reads,
        **dict.fromkeys(("git.add", "git.commit"), writes),
        **dict.fromkeys(("git.restore", "git.stash", "git.worktree"), deletes),
    }


def test_a_model_can_use_every_one_of_them(desk: Desk) -> None:
    assert [finding for tool in desk.tools.values() for finding in lint(tool)] == []


async def test_an_answer_passes_through_a_bench(desk: Desk) -> None:
    bench = Bench(desk.tools.values())
    result = await bench.call(Call(tool="git.status"))
    assert (result.problems, result.text) == ((), "On branch main.\nNothing changed, nothing untracked.")
    refused = await bench.call(Call(tool="git.log", args={"limit": 100_000}))
    assert [problem.code for problem in refused.problems] == ["LIMIT_EXCEEDED"]


def test_with_several_roots_a_path_names_the_root_and_answers_do_too(folder: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "other", {"c.txt": "three\n"})
    desk = Desk(app=LocalRoot(folder), lib=LocalRoot(other))
    (other / "c.txt").write_text("changed\n")
    assert desk.data("status", path="lib")["changes"] == [
        {"path": "lib/c.txt", "staged": "", "unstaged": "modified", "old_path": ""}
    ]
    assert desk.data("status", path="app")["repository"] == "app"
    assert [hit["path"] for hit in desk.data("grep", query="two", path="app/src")["hits"]] == [
        "app/src/b.txt"
    ]
    with pytest.raises(InvalidPath):
        desk.call("status")
    with pytest.raises(InvalidPath, match="different roots"):
        desk.call("add", paths=["app/a.txt", "lib/c.txt"])
    desk.close()


def test_a_repository_inside_the_root_is_worked_on_by_its_path(folder: Path, desk: Desk) -> None:
    inner = make(folder / "vendor" / "inner", {"c.txt": "three\n"})
    (inner / "c.txt").write_text("changed\n")
    found = desk.data("status", path="vendor/inner/c.txt")
    assert (found["repository"], [change["path"] for change in found["changes"]]) == (
        "vendor/inner",
        ["vendor/inner/c.txt"],
    )
    assert desk.data("show", path="vendor/inner/c.txt")["content"] == "three\n"
    with pytest.raises(InvalidPath, match="does not lie in"):
        desk.call("add", paths=["vendor/inner/c.txt", "a.txt"])


def test_a_path_through_a_link_to_another_repository_is_refused(folder: Path, desk: Desk) -> None:
    make(folder / "inner", {"c.txt": "three\n"})
    (folder / "link").symlink_to("inner")
    with pytest.raises(InvalidPath, match="passes a link"):
        desk.call("blame", path="link/c.txt")


def test_an_absolute_path_below_the_root_is_taken(folder: Path, desk: Desk) -> None:
    assert desk.data("show", path=str(folder / "a.txt"))["content"] == "one\n"


def test_a_folder_that_is_no_repository_is_told_what_to_do(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with pytest.raises(GitFailed, match="git init"):
        desk.call("status")
    desk.close()


def test_a_root_that_is_not_on_this_machine_is_refused() -> None:
    desk = Desk(memory=MemoryRoot({}))
    with pytest.raises(GitFailed, match="Clone it"):
        desk.call("log")
    desk.close()


def test_a_workspace_nothing_is_connected_to_says_so() -> None:
    with pytest.raises(NoConnection):
        Desk().call("log")


def test_a_path_too_long_for_the_system_is_refused(desk: Desk) -> None:
    with pytest.raises((IoFailed, InvalidPath)):
        desk.call("log", path="/".join(["x" * 203] * 20))


def test_on_a_revision_what_is_committed_can_be_read_and_nothing_written(folder: Path) -> None:
    desk = Desk(old=GitRoot(folder, "main"), new=LocalRoot(folder))
    git(folder, "commit", "-q", "--allow-empty", "-m", "later")
    assert [commit["subject"] for commit in desk.data("log", path="old")["commits"]] == ["first"]
    assert desk.data("show", path="old/a.txt")["content"] == "one\n"
    assert desk.data("blame", path="old/a.txt")["blocks"][0]["subject"] == "first"
    assert desk.data("branches", path="old")["current"] == "main"
    assert [hit["path"] for hit in desk.data("grep", path="old/src", query="two")["hits"]] == [
        "old/src/b.txt"
    ]
    with pytest.raises(GitFailed, match="no working tree"):
        desk.call("status", path="old")
    changes: dict[str, dict[str, Any]] = {
        "add": {"paths": ["old/a.txt"]},
        "commit": {"message": "x", "path": "old"},
        "restore": {"paths": ["old"]},
        "stash": {"action": "push", "path": "old"},
        "worktree": {"action": "list", "path": "old"},
    }
    for name, args in changes.items():
        with pytest.raises(ReadOnly):
            desk.call(name, **args)
    desk.close()


def test_repositories_that_were_not_used_for_long_are_forgotten(
    folder: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.tools.git.repository.GIT_REPOSITORIES", 1)
    make(folder / "inner")
    for path in ("", "inner", ""):
        assert desk.data("branches", path=path)["current"] == "main"
