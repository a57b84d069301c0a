"""No repository makes the git tools run a program: every vector against every tool, and plain git for comparison."""

import os
import pty
import select
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from tests.flow.hostile.operations import PLAIN, READS, WRITES, Hand, Operation
from tests.flow.hostile.vectors import VECTORS, Ground, Vector
from tests.workspace.repository import ENVIRONMENT, commit, git, make, write


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An ordinary repository with some of everything: commits, a branch, a stash, staged and changed files."""
    folder = make(
        tmp_path_factory.mktemp("template") / "repository", {"a.txt": "one\n", "src/b.txt": "two\n"}
    )
    shutil.rmtree(folder / ".git" / "hooks")
    git(folder, "branch", "topic")
    commit(folder, {"a.txt": "one\ntwo\n", "c.txt": "see\n"}, "second")
    write(folder, {"a.txt": "stashed\ntwo\n"})
    git(folder, "stash", "push", "-q")
    commit(folder, {"a.txt": "three\n"}, "third")
    git(folder, "worktree", "add", "-q", "trees/old", "topic")
    write(folder, {"c.txt": "changed\n", "src/b.txt": "staged\n", "new.txt": "new\n"})
    git(folder, "add", "src/b.txt")
    return folder


class _Field:
    """Fresh copies of the template with a vector planted, and the canary that tells whether it ran."""

    def __init__(self, template: Path, folder: Path, vector: Vector) -> None:
        self._template = template
        self._folder = folder
        self._vector = vector
        self.canary = folder / "canary"
        self._count = 0

    def fresh(self) -> Path:
        self._count += 1
        outside = self._folder / str(self._count)
        repository = outside / "repository"
        shutil.copytree(self._template, repository, symlinks=True, copy_function=_copy)
        _repoint(repository, self._template)
        self._vector.plant(
            Ground(repository, outside, self._script("touch", ""), self._script("pass_on", "cat"))
        )
        self.canary.unlink(missing_ok=True)
        return repository

    def _script(self, name: str, then: str) -> Path:
        file = self._folder / name
        file.write_text(f"#!/bin/sh\n: > {self.canary}\n{then}\n", encoding="utf-8")
        file.chmod(0o755)
        return file


def _copy(source: str, target: str) -> None:
    """Objects are never changed, so they need no copy."""
    if "/.git/objects/" in source:
        os.link(source, target)
    else:
        shutil.copy2(source, target)


def _repoint(repository: Path, template: Path) -> None:
    """A copied worktree still names the place it was copied from."""
    for file in (repository / "trees/old/.git", repository / ".git/worktrees/old/gitdir"):
        file.write_text(file.read_text().replace(str(template), str(repository)))


def _ran(field: _Field) -> Iterator[str]:
    """The operations in which the canary was touched: those that read on one copy, those that write each on its own."""
    with closing(Hand(field.fresh())) as hand:
        for operation in READS:
            operation.run(hand)
            yield from _noticed(field, operation)
    for operation, copy in [(operation, field.fresh()) for operation in WRITES]:
        with closing(Hand(copy)) as hand:
            operation.run(hand)
        yield from _noticed(field, operation)


def _noticed(field: _Field, operation: Operation) -> Iterator[str]:
    if field.canary.exists():
        field.canary.unlink()
        yield operation.name


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_no_tool_runs_what_a_repository_names(
    vector: Vector, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert list(_ran(_Field(template, tmp_path, vector))) == []


def test_on_an_ordinary_repository_every_operation_does_its_work(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that nothing is safe only because it is refused."""
    monkeypatch.setenv("HOME", str(tmp_path))
    field = _Field(template, tmp_path, Vector("nothing", lambda _ground: None))
    refused = []
    for operation in (*READS, *WRITES):
        with closing(Hand(field.fresh())) as hand:
            refused += [] if operation.run(hand) else [operation.name]
    assert refused == ["git stash apply"], "which ends in a conflict, as it should"


def _real() -> list[Vector]:
    """Those this machine's git is old or new enough for."""
    numbers = git(Path(), "version").split()[2].split(".")
    return [v for v in VECTORS if v.since and v.since <= (int(numbers[0]), int(numbers[1]))]


@pytest.mark.parametrize("vector", _real(), ids=lambda vector: vector.name)
def test_plain_git_runs_it(vector: Vector, template: Path, tmp_path: Path) -> None:
    """So that the vectors are known to be real."""
    field = _Field(template, tmp_path, vector)
    assert any(_runs(field, command) for command in PLAIN)


def _runs(field: _Field, command: tuple[str, ...]) -> bool:
    _plain(field.fresh(), command)
    return field.canary.exists()


def _plain(folder: Path, command: tuple[str, ...]) -> None:
    """On a terminal, where git pages what it says; whatever comes of it."""
    ours, theirs = pty.openpty()
    try:
        with subprocess.Popen(
            ("git", *command),
            cwd=folder,
            env={**ENVIRONMENT, "TERM": "xterm", "PAGER": "cat", "EDITOR": "true"},
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        ) as process:
            os.close(theirs)
            _drain(ours)
            process.kill()
    finally:
        os.close(ours)


def _drain(terminal: int) -> None:
    """Until the other end is closed, or says nothing for too long."""
    with suppress(OSError):
        while select.select([terminal], [], [], 10)[0] and os.read(terminal, 1 << 16):
            pass


def test_the_table_is_as_large_as_it_is_said_to_be() -> None:
    names = [vector.name for vector in VECTORS]
    assert len(names) == len(set(names)) >= 55
    assert len(names) * (len(READS) + len(WRITES)) >= 1_900
    assert len(_real()) >= 40
