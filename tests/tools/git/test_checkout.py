"""Which files of a commit a new working tree gets, and which never reach the disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.tools.git_desk import Desk
from tests.workspace.repository import commit, git, make, write

from toolpost.errors import Denied, GitFailed, LimitExceeded
from toolpost.tools.git import checkout
from toolpost.workspace.guard import Closed, Guard
from toolpost.workspace.local.root import LocalRoot

SENSITIVE = {
    ".env": "TOKEN=hush\n",
    ".github/workflows/e.yml": "on: push\n",
    ".vscode/tasks.json": "{}\n",
    "keys/server.pem": "hush\n",
}
NOTE = (
    "4 files withheld, because of secrets they may hold, rules that close them or programs that run by them: .env,"
    " .github/workflows/e.yml, .vscode/tasks.json and 1 more. They stay committed, and git does not take them for deleted."
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make(tmp_path / "repository", {"a.txt": "one\n", ".github/CODEOWNERS": "* @ada\n", **SENSITIVE})


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    made = Desk(folder)
    yield made
    made.close()


def on_disk(folder: Path) -> list[str]:
    return sorted(
        str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_symlink() or not file.is_dir()
    )


def test_secrets_and_what_programs_run_by_are_not_checked_out(folder: Path, desk: Desk) -> None:
    assert desk.call("worktree", action="add", path="tree", branch="fix").notes == (NOTE,)
    assert on_disk(folder / "tree") == [".git", ".github/CODEOWNERS", "a.txt"]
    assert git(folder / "tree", "status", "--porcelain") == ""


def test_a_commit_in_a_tree_without_them_keeps_them(folder: Path, desk: Desk) -> None:
    desk.call("worktree", action="add", path="tree", branch="fix")
    write(folder, {"tree/a.txt": "two\n"})
    assert desk.data("add", paths=["tree"])["added"] == ["tree/a.txt"]
    desk.call("commit", path="tree", message="m", author="Ada <ada@example.com>", all=True)
    assert git(folder, "diff", "--name-only", "main", "fix") == "a.txt"
    desk.call("worktree", action="remove", path="tree")
    assert not (folder / "tree").exists()


def test_a_stash_and_a_restore_do_not_bring_them_back(folder: Path, desk: Desk) -> None:
    desk.call("worktree", action="add", path="tree", branch="fix")
    git(folder, "config", "user.name", "Ada")
    git(folder, "config", "user.email", "ada@example.com")
    write(folder, {"tree/a.txt": "two\n"})
    desk.call("stash", action="push", path="tree")
    desk.call("stash", action="pop", path="tree")
    assert on_disk(folder / "tree") == [".git", ".github/CODEOWNERS", "a.txt"]
    desk.call("restore", paths=["tree"])
    assert on_disk(folder / "tree") == [".git", ".github/CODEOWNERS", "a.txt"]
    assert (folder / "tree/a.txt").read_text() == "one\n"


def test_what_a_rule_closes_is_not_brought_to_where_the_rule_does_not_reach(tmp_path: Path) -> None:
    folder = make(tmp_path / "plain", {"a.txt": "one\n", "customers/list.csv": "hush\n"})
    commit(folder, {"customers/list.csv": "hush again\n"}, "second")
    guard = Guard(no_read=(Closed("customers/**", "user"),)).at(str(folder))
    desk = Desk(root=LocalRoot(folder, guard=guard))
    desk.call("worktree", action="add", path="tree", branch="fix")
    desk.call("worktree", action="add", path="tree/further", branch="more")
    assert on_disk(folder / "tree") == [".git", "a.txt", "further/.git", "further/a.txt"]
    assert git(folder / "tree/further", "status", "--porcelain") == ""
    with pytest.raises(Denied, match=r"read\(customers/\*\*\)"):
        desk.call("restore", paths=["tree/customers"], what="both", source="HEAD~1")
    assert "hush" not in repr(desk.call("show", path="tree"))
    assert on_disk(folder / "tree") == [".git", "a.txt", "further/.git", "further/a.txt"]
    desk.close()


def test_what_the_owner_opened_is_checked_out(folder: Path) -> None:
    guard = Guard(secrets="allow", writable=("tasks.json", "tree/.github/workflows/*"))
    desk = Desk(root=LocalRoot(folder, guard=guard))
    assert desk.call("worktree", action="add", path="tree").notes == ()
    assert on_disk(folder / "tree") == sorted([".git", ".github/CODEOWNERS", "a.txt", *SENSITIVE])
    desk.close()


@pytest.mark.parametrize("path", [".github", "sub/.GitHub", ".config", ".vscode", ".github/workflows"])
def test_a_tree_does_not_become_a_folder_that_programs_run_by(tmp_path: Path, path: str) -> None:
    folder = make(tmp_path / "plain", {"workflows/pwn.yml": "on: push\n"})
    desk = Desk(folder)
    with pytest.raises(Denied):
        desk.call("worktree", action="add", path=path, ref="HEAD")
    assert not (folder / path).exists()
    assert len(desk.data("worktree", action="list")["worktrees"]) == 1
    desk.close()


def test_a_link_does_not_hide_which_folder_a_tree_becomes(tmp_path: Path) -> None:
    folder = make(tmp_path / "plain", {".github/CODEOWNERS": "* @ada\n", "pwn.yml": "on: push\n"})
    (folder / "way").symlink_to(".github")
    desk = Desk(folder)
    with pytest.raises(Denied):
        desk.call("worktree", action="add", path="way/workflows")
    assert on_disk(folder / ".github") == ["CODEOWNERS"]
    desk.close()


@pytest.mark.parametrize(
    ("path", "entry", "rule"),
    [
        ("state", "toolpost/journal", "guard:protected"),
        ("git", "credentials", "guard:secrets"),
        ("x.git", "config", "guard:secrets"),
    ],
)
def test_files_that_only_the_new_place_makes_sensitive_are_refused(
    tmp_path: Path, path: str, entry: str, rule: str
) -> None:
    folder = make(tmp_path / "plain", {entry: "x\n", "a.txt": "one\n"})
    desk = Desk(folder)
    with pytest.raises(Denied, match=rf"would write {path}/{entry} \(1 file of this kind\)") as caught:
        desk.call("worktree", action="add", path=path)
    assert (caught.value.parameter, caught.value.context["rule"]) == ("path", rule)
    assert not (folder / path).exists()
    desk.close()


def test_a_link_named_as_a_folder_of_workflows_is_not_checked_out(tmp_path: Path) -> None:
    folder = make(tmp_path / "plain", {"payload/workflows/pwn.yml": "on: push\n"})
    (folder / ".github").symlink_to("payload")
    (folder / "link").symlink_to("payload")
    commit(folder, {}, "links")
    desk = Desk(folder)
    desk.call("worktree", action="add", path="tree")
    assert on_disk(folder / "tree") == [".git", "link", "payload/workflows/pwn.yml"]
    desk.close()


def test_a_sparse_checkout_does_not_bring_them_back(folder: Path, desk: Desk) -> None:
    git(folder, "config", "core.sparseCheckout", "true")
    with pytest.raises(GitFailed, match="sparse checkout"):
        desk.call("worktree", action="add", path="tree")
    assert not (folder / "tree").exists()
    git(folder, "config", "core.sparseCheckout", "false")
    desk.call("worktree", action="add", path="tree")


def test_a_sparse_checkout_without_them_stays_sparse(tmp_path: Path) -> None:
    folder = make(tmp_path / "plain", {"a.txt": "one\n", "in/b.txt": "two\n", "out/c.txt": "three\n"})
    git(folder, "sparse-checkout", "set", "--cone", "in")
    desk = Desk(folder)
    desk.call("worktree", action="add", path="in/tree")
    assert on_disk(folder / "in/tree") == [".git", "a.txt", "in/b.txt"]
    desk.close()


def test_more_files_than_can_be_looked_over_are_refused_before_any_is_written(
    folder: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkout, "GIT_TREE_BYTES", 10)
    with pytest.raises(LimitExceeded):
        desk.call("worktree", action="add", path="tree")
    assert not (folder / "tree").exists()
