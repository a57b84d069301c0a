import shlex

import pytest

from toolpost.atom import Atom, Kind, Word
from toolpost.authorize.history import shows_history


def _git(line: str) -> Atom:
    return Atom(kind=Kind.EXEC, target=line, words=tuple(Word(word) for word in shlex.split(line)))


@pytest.mark.parametrize(
    "line",
    [
        "git show",
        "git show HEAD~1",
        "git log -p",
        "git log --all -S x -p",
        "/usr/bin/git diff HEAD~1",
        "git grep -n x HEAD",
        "git cat-file -p HEAD:a",
        "git stash show -p",
        "git worktree add w HEAD",
        "git diff main...HEAD",
    ],
)
def test_what_prints_files_of_any_time_is_known(line: str) -> None:
    assert shows_history(_git(line))


@pytest.mark.parametrize(
    "line",
    [
        "git status",
        "git log --oneline",
        "git grep x",
        "git show HEAD -- src/a.py",
        "git log -p -- src",
        "git commit -m x",
        "git diff",
        "git diff src/app.py",
        "git show HEAD --stat",
        "git checkout -b x",
        "cat show",
        "git",
    ],
)
def test_other_commands_or_named_paths_are_not_held(line: str) -> None:
    assert not shows_history(_git(line))


def test_what_is_no_command_shows_nothing() -> None:
    assert not shows_history(Atom(kind=Kind.READ, target="/a"))
    assert not shows_history(Atom(kind=Kind.EXEC, target="git show"))
