import sys
from pathlib import Path

import pytest
from tests.cli.desk import Keyboard, Run, Screen

from toolpost.cli.main import main
from toolpost.testing import FakeClock
from toolpost.workspace.history.change import Change, Changes, Request
from toolpost.workspace.history.journal import Act, Entry, Journal
from toolpost.workspace.local.root import LocalRoot


@pytest.fixture
def state(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = work.parent / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder / "toolpost"


@pytest.fixture
def project(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder we are in."""
    folder = work / "project"
    folder.mkdir()
    (folder / "a.txt").write_text("old")
    monkeypatch.chdir(folder)
    return folder


class Agent:
    """Changes files as tools do."""

    def __init__(self, state: Path, project: Path, name: str = "") -> None:
        self.changes = Changes(Journal(state / "undo"))
        self.root = LocalRoot(project)
        self._names = FakeClock()
        self._name = name

    def apply(self, *changes: Change) -> Entry:
        request = Request(self._name + self._names.request_id(), "ana", "fs.edit")
        return self.changes.apply(request, self.root, changes)

    def write(self, path: str, text: str) -> Entry:
        return self.apply(Change(path=path, data=text.encode()))


@pytest.fixture
def agent(state: Path, project: Path) -> Agent:
    return Agent(state, project)


def test_a_change_is_undone_by_its_id_or_the_beginning_of_it(run: Run, agent: Agent, project: Path) -> None:
    agent.write("a.txt", "new")
    shown = run("undo", "req-1")

    assert (project / "a.txt").read_text() == "old"
    again = shown.json.pop("request_id")
    assert (shown.code, shown.json | {"request_id": again}) == (
        0,
        {
            "undone": "req-1",
            "where": str(project),
            "files": [{"path": "a.txt", "what": "content"}],
            "request_id": again,
        },
    )

    assert run("undo", again[:12]).code == 0
    assert (project / "a.txt").read_text() == "new"


def test_people_read_what_was_put_back(run: Run, agent: Agent, project: Path) -> None:
    move = Change(path="a.txt", act=Act.MOVE, moved_to="b.txt")
    agent.apply(move, Change(path="c.txt", data=b""))
    shown = run("undo", "req-1", "--text")

    assert shown.out == f"Undid req-1 in {project}:\nc.txt: removed\na.txt: moved\n"
    assert shown.err.startswith("  next: toolpost undo req-")
    assert [path.name for path in project.iterdir()] == ["a.txt"]


def test_without_an_id_the_newest_is_undone_with_yes_only(run: Run, agent: Agent, project: Path) -> None:
    agent.write("a.txt", "new")
    agent.write("a.txt", "newer")
    refused = run("undo")

    assert refused.code == 2
    assert refused.err.startswith("error: The newest change: req-2, ")
    assert refused.err.endswith(
        f"fs.edit in {project}: write a.txt\n  next: toolpost undo req-2, or toolpost undo --yes\n"
    )
    assert (project / "a.txt").read_text() == "newer"
    assert run("undo", "--yes").json["undone"] == "req-2"
    assert (project / "a.txt").read_text() == "new"


@pytest.mark.parametrize(("typed", "code", "left"), [("y\n", 0, "old"), ("n\n", 3, "new"), ("", 3, "new")])
def test_at_a_terminal_whoever_sits_there_is_asked(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, typed: str, code: int, left: str
) -> None:
    agent.write("a.txt", "new")
    screen = Screen()
    monkeypatch.setattr(sys, "stdin", Keyboard(typed))
    monkeypatch.setattr(sys, "stderr", screen)

    assert main(["undo"]) == code
    assert screen.getvalue().count("Undo it? [y] yes  [n] no: ") == 1
    assert Path(agent.root.where, "a.txt").read_text() == left


def test_changes_are_listed_newest_first(run: Run, agent: Agent, project: Path) -> None:
    agent.write("a.txt", "new")
    agent.apply(*(Change(path=f"{number}.txt", data=b"") for number in range(5)))
    agent.apply(Change(path="a.txt", act=Act.MOVE, moved_to="b.txt"))

    listed = run("undo", "--list").json
    assert [one["request_id"] for one in listed] == ["req-3", "req-2", "req-1"]
    assert {name: value for name, value in listed[2].items() if name != "time"} == {
        "request_id": "req-1",
        "tool": "fs.edit",
        "session": "ana",
        "where": str(project),
        "files": [{"path": "a.txt", "act": "write"}],
    }
    lines = run("undo", "--list", "--text").out.splitlines()
    assert lines[0].split() == ["request", "id", "when", "tool", "folder", "files"]
    assert lines[1].endswith(f"{project}  move a.txt to b.txt")
    assert lines[2].endswith(f"{project}  write 0.txt, write 1.txt, write 2.txt and 2 more")


def test_where_nothing_was_changed_there_is_nothing_to_undo(run: Run, state: Path) -> None:
    assert run("undo", "--list").json == []
    assert run("undo", "--list", "--text").err == "note: There is nothing to undo in this workspace.\n"
    assert run("undo", "--list", "--all", "--text").err == "note: There is nothing to undo.\n"
    assert run("undo", "--yes").code == 4
    assert run("undo", "--yes", "--all").code == 4
    assert not state.exists()


def test_an_unknown_id_is_answered_with_those_that_can_be_undone(run: Run, agent: Agent) -> None:
    agent.write("a.txt", "new")
    shown = run("undo", "call-7")

    assert shown.code == 4
    assert shown.err.startswith(
        "error: No change has the id 'call-7'. The newest that can be undone: req-1.\n"
    )


def test_a_file_that_changed_since_is_left_alone_unless_forced(run: Run, agent: Agent, project: Path) -> None:
    agent.write("a.txt", "new")
    (project / "a.txt").write_text("mine")
    refused = run("undo", "req-1")

    assert refused.code == 2
    assert refused.err.startswith("error: a.txt is not what that change left: ")
    assert run("undo", "req-1", "--force").code == 0
    assert (project / "a.txt").read_text() == "old"


def test_a_change_that_is_undone_already_has_nothing_to_undo(run: Run, agent: Agent, project: Path) -> None:
    agent.write("a.txt", "new")
    run("undo", "req-1")

    assert run("undo", "req-1").json == {"undone": "req-1", "where": str(project), "files": []}
    assert run("undo", "req-1", "--text").err == (
        f"note: Nothing to undo: the files in {project} are as they were before req-1.\n"
    )


def test_a_folder_that_is_gone_or_another_now_is_said(run: Run, agent: Agent, project: Path) -> None:
    agent.write("a.txt", "new")
    project.rename(project.with_name("elsewhere"))
    assert run("undo", "req-1").code == 4

    project.symlink_to("elsewhere")
    shown = run("undo", "req-1")
    assert shown.code == 4
    assert shown.err.startswith(f"error: {project} is not the folder the change was made in.\n")


def test_what_may_be_secret_can_be_undone_by_its_owner(run: Run, agent: Agent, project: Path) -> None:
    agent.write(".env", "TOKEN=1")

    assert run("undo", "req-1").code == 0
    assert not (project / ".env").exists()


def test_a_second_undo_goes_one_further_back(run: Run, agent: Agent, project: Path) -> None:
    seen = []
    for text in ("1", "2", "3"):
        agent.write("a.txt", text)
    for _ in range(3):
        undone = run("undo", "--yes").json
        seen.append((undone["undone"], (project / "a.txt").read_text()))

    assert seen == [("req-3", "2"), ("req-2", "1"), ("req-1", "old")]
    assert run("undo", "--yes").code == 4
    assert run("undo", undone["request_id"]).code == 0
    assert (project / "a.txt").read_text() == "1"
    assert run("undo", "--list").json[1]["undoes"] == "req-1"
    assert run("undo", "--yes").json["undone"] == "req-1"


@pytest.fixture
def other(state: Path, work: Path) -> Agent:
    """At work elsewhere."""
    (work / "other").mkdir()
    return Agent(state, work / "other", "other-")


def test_the_newest_change_of_another_folder_is_not_undone_by_accident(
    run: Run, agent: Agent, other: Agent, project: Path, work: Path
) -> None:
    agent.write("a.txt", "new")
    other.write("b.txt", "theirs")

    assert [one["request_id"] for one in run("undo", "--list").json] == ["req-1"]
    assert run("undo", "--yes").json["where"] == str(project)
    refused = run("undo", "--yes")
    assert refused.code == 4
    assert refused.err == (
        "error: There is nothing to undo in this workspace.\n  next: toolpost undo --list --all\n"
    )
    assert (work / "other" / "b.txt").read_text() == "theirs"

    everywhere = run("undo", "--list", "--all").json
    assert [one["where"] for one in everywhere] == [str(project), str(work / "other"), str(project)]
    assert run("undo", "--yes", "--all").json["where"] == str(work / "other")
    assert not (work / "other" / "b.txt").exists()


def test_the_workspace_is_what_the_settings_name(
    run: Run, agent: Agent, other: Agent, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent.write("a.txt", "new")
    other.write("b.txt", "theirs")
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "../other,../gone,github:,git:../project@HEAD")

    assert [one["request_id"] for one in run("undo", "--list").json] == ["other-req-1"]
    assert run("undo", "other-").code == 0
    assert run("undo", "req-1").code == 0
    assert (project / "a.txt").read_text() == "old"
