from pathlib import Path

import pytest
from tests.workspace.repository import git, make

from toolpost.errors import GitFailed, IoFailed, TimedOut
from toolpost.workspace.git import objects as git_objects
from toolpost.workspace.git.command import Git
from toolpost.workspace.git.objects import Objects


def test_an_object_git_is_too_slow_for_is_given_up_and_the_next_one_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make(tmp_path)
    objects = Objects(Git(folder))
    oid = git(folder, "rev-parse", "HEAD:a.txt")
    monkeypatch.setattr(git_objects, "GIT_TIMEOUT_S", -1.0)
    with pytest.raises(TimedOut):
        objects.open(oid)
    monkeypatch.undo()
    assert objects.open(oid).read() == b"one\n"
    objects.close()


def test_a_git_that_answers_nonsense_is_tried_once_more_and_then_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Git(make(tmp_path))
    for nonsense in (here.job("log"), here.job("rev-parse", "--git-dir"), here.job("cat-file", "-e", "HEAD")):
        with monkeypatch.context() as patched:
            patched.setattr(Git, "job", lambda _git, *_args, said=nonsense: said)
            with pytest.raises(GitFailed) as caught:
                Objects(here).open("0" * 40)
        assert caught.value.context == {"reason": "damaged"}


def test_a_full_disk_is_said_to_be_and_the_next_object_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make(tmp_path, {"a.txt": "one\n", "large.txt": "x" * 100_000})
    objects = Objects(Git(folder))
    with monkeypatch.context() as patched, Path("/dev/full").open("w+b", buffering=0) as full:
        patched.setattr(git_objects, "GIT_BLOB_MEMORY", 10)
        patched.setattr(git_objects, "_nameless", lambda: full)
        with pytest.raises(IoFailed, match="No space left"):
            objects.open(git(folder, "rev-parse", "HEAD:large.txt"))
    assert objects.open(git(folder, "rev-parse", "HEAD:a.txt")).read() == b"one\n"
    objects.close()
