from pathlib import Path

from tests.tools.git_desk import Desk
from tests.workspace.repository import commit, git, make


def test_branches_here_of_remotes_and_tags_are_told(tmp_path: Path) -> None:
    origin = make(tmp_path / "origin")
    git(origin, "tag", "-a", "v1", "-m", "The first")
    git(tmp_path, "clone", "-q", str(origin), "clone")
    clone = tmp_path / "clone"
    commit(clone, {"a.txt": "more\n"}, "Second")
    git(clone, "branch", "topic", "HEAD~1")
    desk = Desk(clone)
    first = git(origin, "rev-parse", "HEAD")
    found = desk.data("branches")
    assert found["current"] == "main"
    assert {branch["name"]: branch for branch in found["branches"]}["main"] == {
        "name": "main",
        "kind": "local",
        "commit": git(clone, "rev-parse", "HEAD"),
        "date": "2026-01-02T03:04:05Z",
        "subject": "Second",
        "is_current": True,
        "upstream": "origin/main",
        "track": "ahead 1",
    }
    assert {
        (branch["kind"], branch["name"], branch["commit"] == first)
        for branch in desk.data("branches", kind="all")["branches"]
    } == {
        ("local", "main", False),
        ("local", "topic", True),
        ("remote", "origin/HEAD", True),
        ("remote", "origin/main", True),
        ("tag", "v1", True),
    }
    assert [branch["subject"] for branch in desk.data("branches", kind="tags")["branches"]] == ["The first"]
    assert (
        f"* main {git(clone, 'rev-parse', 'HEAD')[:10]} 2026-01-02 [origin/main: ahead 1] Second"
        in desk.text("branches")
    )
    desk.close()


def test_more_branches_than_asked_for_are_said_to_be(tmp_path: Path) -> None:
    folder = make(tmp_path)
    git(folder, "branch", "topic")
    desk = Desk(folder)
    assert desk.data("branches", limit=1)["truncated"]
    assert desk.call("branches", limit=1).notes == ("There are more: raise limit.",)
    assert desk.text("branches", kind="remote") == "There is none."
    desk.close()
