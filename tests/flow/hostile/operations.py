"""What is done to a hostile repository: every git tool in every way, a revision read whole, and plain git."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from toolpost.define import Tool
from toolpost.errors import ToolError
from toolpost.tools.git.kit import tools
from toolpost.workspace.git.command import Git
from toolpost.workspace.git.root import GitRoot
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Kind
from toolpost.workspace.workspace import Workspace

_PERSON = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@b.c",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@b.c",
}


class Hand:
    """A repository opened once, with every tool that could touch it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workspace = Workspace({"root": LocalRoot(folder)})
        self.tools: dict[str, Tool] = {tool.name: tool for tool in tools(self.workspace)}

    def close(self) -> None:
        self.workspace.close()


class Operation(Struct, frozen=True):
    name: str
    run: Callable[[Hand], bool]
    """Whether it did what it was asked for. A refusal is as good an answer: what counts is what ran."""


def _call(tool_name: str, **arguments: Any) -> Callable[[Hand], bool]:
    def run(hand: Hand) -> bool:
        tool = hand.tools[tool_name]
        assert tool.run is not None
        assert tool.args_type is not None
        try:
            tool.run(msgspec.convert(arguments, tool.args_type))
        except ToolError:
            return False
        return True

    return run


def _git(*command: str) -> Callable[[Hand], bool]:
    """What a tool would refuse beforehand, for a filter's sake: the layer below must hold alone."""

    def run(hand: Hand) -> bool:
        try:
            return Git(hand.folder).run(*command, environment=_PERSON).exit_code == 0
        except ToolError:
            return False

    return run


def _revision(hand: Hand) -> bool:
    try:
        with closing(GitRoot(hand.folder, "HEAD")) as root:
            files = [entry.path for entry in [*root.scan(""), *root.scan("src")] if entry.kind is Kind.FILE]
            read = [_read(root, path) for path in files]
            return all(read)
    except ToolError:
        return False


def _read(root: GitRoot, path: str) -> bool:
    try:
        with root.open(path) as source:
            return bool(source.stream.read())
    except ToolError:
        return False


def _reads() -> Iterator[Operation]:
    yield Operation("status", _call("git.status", untracked="files"))
    yield Operation("diff", _call("git.diff"))
    yield Operation("diff staged", _call("git.diff", staged=True))
    yield Operation("diff HEAD", _call("git.diff", base="HEAD"))
    yield Operation("diff commits", _call("git.diff", base="HEAD~1...HEAD"))
    yield Operation("log", _call("git.log"))
    yield Operation("log of a file", _call("git.log", path="a.txt", follow=True))
    yield Operation("show", _call("git.show"))
    yield Operation("show a file", _call("git.show", ref="HEAD~1", path="a.txt"))
    yield Operation("blame", _call("git.blame", path="a.txt"))
    yield Operation("blame a commit", _call("git.blame", path="a.txt", ref="HEAD"))
    yield Operation("grep", _call("git.grep", query="one"))
    yield Operation("branches", _call("git.branches", kind="all"))
    yield Operation("stash list", _call("git.stash", action="list"))
    yield Operation("worktree list", _call("git.worktree", action="list"))
    yield Operation("a revision", _revision)


def _writes() -> Iterator[Operation]:
    yield Operation("add", _call("git.add", paths=["c.txt", "new.txt"]))
    yield Operation("add all", _call("git.add", paths=[""]))
    yield Operation("commit", _call("git.commit", message="m", author="A <a@b.c>"))
    yield Operation("commit all", _call("git.commit", message="m", author="A <a@b.c>", all=True))
    yield Operation("restore", _call("git.restore", paths=["c.txt"]))
    yield Operation("restore both", _call("git.restore", paths=["a.txt", "src"], what="both", source="topic"))
    yield Operation("stash push", _call("git.stash", action="push", untracked=True))
    yield Operation("stash apply", _call("git.stash", action="apply"))
    yield Operation("stash pop", _call("git.stash", action="pop"))
    yield Operation("stash drop", _call("git.stash", action="drop"))
    yield Operation("worktree add", _call("git.worktree", action="add", path="trees/new", branch="new"))
    yield Operation("worktree remove", _call("git.worktree", action="remove", path="trees/old"))


def _below() -> Iterator[Operation]:
    yield Operation("git add", _git("add", "-A"))
    yield Operation("git commit", _git("commit", "-a", "-m", "m"))
    yield Operation(
        "git restore", _git("restore", "--worktree", "--staged", "--source=topic", "--", "a.txt", "src")
    )
    yield Operation("git reset", _git("reset", "--hard", "HEAD~1"))
    yield Operation("git stash push", _git("stash", "push"))
    yield Operation("git stash apply", _git("stash", "apply"))
    yield Operation("git worktree add", _git("worktree", "add", "trees/raw"))


READS = tuple(_reads())
WRITES = (*_writes(), *_below())

PLAIN = (
    ("status",),
    ("diff",),
    ("diff", "--cached"),
    ("diff", "HEAD~1", "HEAD"),
    ("log", "-p", "-2"),
    ("show", "HEAD"),
    ("show", "HEAD~1:a.txt"),
    ("blame", "a.txt"),
    ("grep", "one", "HEAD"),
    ("branch", "-a"),
    ("add", "-A"),
    ("commit", "-a", "-m", "m"),
    ("commit", "-a", "--amend"),
    ("restore", "c.txt"),
    ("stash", "push"),
    ("stash", "apply"),
    ("worktree", "add", "../plain"),
)
"""The same with plain git, for comparison."""
