from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.tools.git_desk import Desk
from tests.workspace.repository import commit, git, make, write

from toolpost.errors import Denied, GitFailed, NotFound


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return make(
        tmp_path / "repository", {"a.txt": "one\n", "src/b.txt": "two\n", ".vscode/tasks.json": "{}\n"}
    )


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    made = Desk(folder)
    yield made
    made.close()


def test_changes_are_put_aside_and_come_back(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n", "new.txt": "new\n"})
    pushed = desk.data("stash", action="push", message="for later", path="src")
    assert (pushed["files"], pushed["stashes"][0]["message"]) == (["a.txt"], "On main: for later")
    assert ((folder / "a.txt").read_text(), (folder / "new.txt").exists()) == ("one\n", True)
    assert [one["number"] for one in desk.data("stash", action="list")["stashes"]] == [0]
    popped = desk.data("stash", action="pop")
    assert (popped["files"], popped["conflicts"], popped["stashes"]) == (["a.txt"], [], pushed["stashes"])
    assert (folder / "a.txt").read_text() == "changed\n"
    assert desk.text("stash", action="list") == "There is no stash."


def test_untracked_files_go_along_if_asked(folder: Path, desk: Desk) -> None:
    write(folder, {"new.txt": "new\n"})
    assert desk.data("stash", action="push", untracked=True)["files"] == ["new.txt"]
    assert not (folder / "new.txt").exists()
    assert desk.data("stash", action="apply")["files"] == ["new.txt"]
    assert (folder / "new.txt").read_text() == "new\n"
    assert len(desk.data("stash", action="list")["stashes"]) == 1


def test_they_are_numbered_and_one_can_be_dropped(folder: Path, desk: Desk) -> None:
    for number in range(3):
        write(folder, {"a.txt": f"{number}\n"})
        desk.call("stash", action="push", message=str(number))
    dropped = desk.data("stash", action="drop", number=1)["stashes"][0]
    assert dropped["message"] == "On main: 1"
    assert git(folder, "cat-file", "-t", dropped["commit"]) == "commit"
    left = desk.data("stash", action="list")["stashes"]
    assert [(one["number"], one["message"]) for one in left] == [(0, "On main: 2"), (1, "On main: 0")]
    desk.call("stash", action="apply", number=1)
    assert (folder / "a.txt").read_text() == "0\n"


def test_a_conflict_is_told_and_the_stash_kept(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "stashed\n"})
    desk.call("stash", action="push")
    commit(folder, {"a.txt": "committed\n"}, "second")
    answer = desk.data("stash", action="pop")
    assert answer["conflicts"] == ["a.txt"]
    assert len(desk.data("stash", action="list")["stashes"]) == 1


def test_local_changes_in_the_way_are_refused_and_kept(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "stashed\n"})
    desk.call("stash", action="push")
    write(folder, {"a.txt": "mine\n"})
    with pytest.raises(GitFailed, match="git stash failed"):
        desk.call("stash", action="pop")
    assert (folder / "a.txt").read_text() == "mine\n"


def test_nothing_to_put_aside_and_no_such_stash_are_said(desk: Desk) -> None:
    with pytest.raises(GitFailed, match="nothing to put aside"):
        desk.call("stash", action="push")
    for action in ("pop", "apply", "drop"):
        with pytest.raises(NotFound):
            desk.call("stash", action=action)


def test_a_message_that_looks_like_an_option_is_a_message(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n"})
    assert desk.data("stash", action="push", message="--all")["stashes"][0]["message"] == "On main: --all"


def test_a_secret_file_is_not_taken_away(folder: Path, desk: Desk) -> None:
    write(folder, {".env": "TOKEN=1\n"})
    with pytest.raises(Denied, match=r"\.gitignore"):
        desk.call("stash", action="push", untracked=True)
    assert (folder / ".env").exists()


def test_a_file_programs_run_by_is_neither_put_aside_nor_brought_back(folder: Path, desk: Desk) -> None:
    write(folder, {".vscode/tasks.json": "changed\n"})
    with pytest.raises(Denied):
        desk.call("stash", action="push")
    git(folder, "stash", "push", "-q")
    for action in ("pop", "apply"):
        with pytest.raises(Denied):
            desk.call("stash", action=action)
    assert (folder / ".vscode/tasks.json").read_text() == "{}\n"


def test_a_file_that_passes_through_a_filter_is_refused(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n"})
    git(folder, "stash", "push", "-q")
    commit(folder, {".gitattributes": "a.txt filter=lfs\n"}, "attributes")
    with pytest.raises(GitFailed, match="write the wrong content"):
        desk.call("stash", action="pop")
    write(folder, {"a.txt": "changed\n"})
    with pytest.raises(GitFailed, match="store the wrong content"):
        desk.call("stash", action="push")


def test_a_stash_carries_the_users_name(folder: Path, desk: Desk, tmp_path: Path) -> None:
    (tmp_path / ".gitconfig").write_text("[user]\n\tname = Grace\n\temail = g@h\n")
    write(folder, {"a.txt": "changed\n"})
    desk.call("stash", action="push")
    assert git(folder, "log", "-1", "--format=%an", "refs/stash") == "Grace"


def test_a_secret_that_git_tracks_is_neither_put_aside_nor_brought_back(folder: Path, desk: Desk) -> None:
    commit(folder, {".env": "S=1\n"}, "a mistake")
    (folder / ".env").write_text("S=2\n")
    with pytest.raises(Denied):
        desk.call("stash", action="push")
    git(folder, "stash", "push", "-q")
    with pytest.raises(Denied):
        desk.call("stash", action="apply")
    assert (folder / ".env").read_text() == "S=1\n"
