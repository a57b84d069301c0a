import os
import time
from pathlib import Path

import pytest
from tests.workspace.repository import commit, git, make, write

from toolpost.sandbox import tracked
from toolpost.sandbox.tracked import Mark, marks

OLD_NS = 1_600_000_000_123_456_789


@pytest.fixture(name="top")
def _top(tmp_path: Path) -> Path:
    """Its files are as old as its index, as after a clone."""
    return make(tmp_path.resolve() / "top", {".env": "hush\n", "in/a.csv": "12\n", "b.txt": "one\n"})


def _asked(top: Path, *names: str) -> dict[str, Mark]:
    return marks([f"{top}/{name}" for name in names], [str(top)])


def _mark(file: Path) -> Mark:
    state = file.stat()
    return Mark(state.st_size, state.st_mtime_ns)


def test_tracked_files_are_known_alone_and_below_folders(top: Path) -> None:
    write(top, {"new/.env": "x"})
    assert _asked(top, ".env", "in", "new/.env") == {
        f"{top}/.env": _mark(top / ".env"),
        f"{top}/in/a.csv": _mark(top / "in/a.csv"),
    }


def test_a_changed_file_is_known_as_it_was_when_git_saw_it(top: Path) -> None:
    was = _mark(top / ".env")
    write(top, {".env": "another one\n"})
    assert _asked(top, ".env") == {f"{top}/.env": was}


def test_an_index_as_old_as_the_file_is_written_anew(top: Path) -> None:
    _asked(top, ".env")
    assert (top / ".git/index").stat().st_mtime_ns // 10**9 > (top / ".env").stat().st_mtime_ns // 10**9
    assert git(top, "status", "--porcelain") == ""


def test_an_index_that_is_newer_stays_as_it_is(top: Path) -> None:
    os.utime(top / ".env", ns=(OLD_NS, OLD_NS))
    git(top, "add", "-A")
    before = (top / ".git/index").stat()
    assert _asked(top, ".env") == {f"{top}/.env": Mark(5, OLD_NS)}
    assert (top / ".git/index").stat() == before


def test_a_file_from_the_future_is_not_waited_for(top: Path) -> None:
    ahead = (time.time_ns() // 10**9 + 10_000) * 10**9
    os.utime(top / ".env", ns=(ahead, ahead))
    git(top, "add", "-A")
    assert _asked(top, ".env") == {f"{top}/.env": Mark(5, ahead)}


def test_each_file_is_asked_of_the_repository_it_lies_in(top: Path) -> None:
    inner = make(top / "inner", {".env": "deep\n"})
    assert _asked(top, "inner/.env") == {f"{inner}/.env": _mark(inner / ".env")}


def test_names_are_taken_as_they_are(top: Path) -> None:
    odd = "*\n  size: 7\tx"
    commit(top, {odd: "12"}, "odd")
    assert _asked(top, odd) == {f"{top}/{odd}": _mark(top / odd)}


def test_where_git_cannot_be_asked_nothing_is_known(top: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    write(plain, {".env": "x"})
    assert marks([f"{plain}/.env", str(plain), "/elsewhere"], [str(plain)]) == {}
    (top / ".git/index").unlink()
    assert _asked(top, ".env") == {}
    (top / ".git/index").write_bytes(b"broken")
    assert _asked(top, ".env") == {}


def test_only_so_many_paths_are_asked_about(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracked, "SANDBOX_TRACKED_PATHS", 1)
    assert list(_asked(top, "in/a.csv", ".env")) == [f"{top}/in/a.csv"]
