from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.tools.git_desk import Desk
from tests.workspace.repository import commit, git, make, write

from toolpost.errors import GitFailed, InvalidArgument, NotConfigured


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    (tmp_path / ".gitconfig").write_text(
        "[user]\n\tname = Grace\n\temail = grace@example.com\n[commit]\n\tgpgSign = true\n"
    )
    return make(tmp_path / "repository", {"a.txt": "one\n", "src/b.txt": "two\n"})


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    made = Desk(folder)
    yield made
    made.close()


def test_what_is_staged_becomes_a_commit_in_the_users_name(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n", "src/b.txt": "not staged\n"})
    git(folder, "add", "a.txt")
    found = desk.data("commit", message="Say more\n\n# Not a comment\n", path="src")
    assert (
        found["branch"],
        found["commit"]["subject"],
        found["commit"]["body"],
        found["commit"]["author"],
    ) == (
        "main",
        "Say more",
        "# Not a comment",
        "Grace",
    )
    assert [(file["path"], file["change"]) for file in found["files"]] == [("a.txt", "modified")]
    assert git(folder, "log", "-1", "--format=%an <%ae> %cn %G?") == "Grace <grace@example.com> Grace N"
    assert git(folder, "status", "--porcelain") == "M src/b.txt"


def test_the_text_says_what_was_committed(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n"})
    said = desk.text("commit", message="Change", all=True)
    assert (
        said == f"Committed {git(folder, 'rev-parse', 'HEAD')[:10]} on main: Change\nmodified: a.txt, +1 -1"
    )


def test_all_stages_what_git_knows_but_no_secrets_and_nothing_new(folder: Path, desk: Desk) -> None:
    commit(folder, {".env": "TOKEN=1\n"}, "by mistake")
    write(folder, {"a.txt": "changed\n", "new.txt": "new\n", ".env": "TOKEN=2\n"})
    (folder / "src" / "b.txt").unlink()
    found = desk.data("commit", message="All", all=True)
    assert [file["path"] for file in found["files"]] == ["a.txt", "src/b.txt"]


def test_a_secret_file_the_user_staged_is_committed_and_pointed_out(folder: Path, desk: Desk) -> None:
    write(folder, {".env": "TOKEN=1\n"})
    git(folder, "add", ".env")
    assert desk.call("commit", message="Oops").notes == ("It holds files that may be secret: .env.",)


def test_an_author_may_be_named(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n"})
    desk.call("commit", message="Change", all=True, author="Bob B <b@c.d>")
    assert git(folder, "log", "-1", "--format=%an <%ae>, %cn") == "Bob B <b@c.d>, Grace"
    with pytest.raises(InvalidArgument):
        desk.call("commit", message="Change", author="Bob")


def test_nobody_commits_in_nobodys_name(folder: Path, desk: Desk) -> None:
    (folder.parent / ".gitconfig").unlink()
    write(folder, {"a.txt": "changed\n"})
    with pytest.raises(NotConfigured):
        desk.call("commit", message="Change", all=True)
    assert git(folder, "diff", "--cached", "--name-only") == ""


def test_nothing_staged_is_refused_with_what_to_do(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n"})
    with pytest.raises(GitFailed, match=r"git\.add"):
        desk.call("commit", message="Change")


def test_no_hook_is_run_whatever_it_would_say(folder: Path, desk: Desk) -> None:
    hook = folder / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    write(folder, {"a.txt": "changed\n"})
    assert desk.data("commit", message="Change", all=True)["total"] == 1


def test_a_merge_that_was_settled_is_committed_as_one(folder: Path, desk: Desk) -> None:
    git(folder, "checkout", "-q", "-b", "topic")
    commit(folder, {"topic.txt": "t\n"}, "topic")
    git(folder, "checkout", "-q", "main")
    commit(folder, {"main.txt": "m\n"}, "main")
    git(folder, "merge", "-q", "--no-commit", "topic")
    assert len(desk.data("commit", message="Merge topic")["commit"]["parents"]) == 2


def test_a_conflict_that_is_not_settled_is_refused(folder: Path, desk: Desk) -> None:
    git(folder, "checkout", "-q", "-b", "topic")
    commit(folder, {"a.txt": "t\n"}, "topic")
    git(folder, "checkout", "-q", "main")
    commit(folder, {"a.txt": "m\n"}, "main")
    git(folder, "merge", "-q", "topic", check=False)
    with pytest.raises(GitFailed, match="git commit failed"):
        desk.call("commit", message="Merge topic")


def test_the_first_commit_and_a_detached_one_are_made_too(folder: Path, desk: Desk, tmp_path: Path) -> None:
    git(folder, "checkout", "-q", "--detach")
    write(folder, {"a.txt": "changed\n"})
    assert desk.data("commit", message="Aside", all=True)["branch"] == ""
    git(tmp_path, "init", "-q", "-b", "main", "new")
    write(tmp_path / "new", {"a.txt": "one\n"})
    new = Desk(tmp_path / "new")
    new.call("add", paths=["a.txt"])
    assert new.data("commit", message="First")["commit"]["parents"] == []
    new.close()


def test_a_commit_whose_changes_cannot_be_told_is_made_all_the_same(folder: Path, desk: Desk) -> None:
    oid = git(folder, "rev-parse", "HEAD:a.txt")
    write(folder, {"a.txt": "changed\n"})
    git(folder, "add", "a.txt")
    (folder / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    answer = desk.call("commit", message="Change")
    assert git(folder, "log", "-1", "--format=%s") == "Change"
    assert [note.partition(":")[0] for note in answer.notes] == ["What it changed cannot be told"]
