from pathlib import Path

import pytest
from tests.cli.desk import Run

from toolpost.cli import doctor_index, settings
from toolpost.cli.check import Check

INOTIFY = "anon_inode:inotify"


@pytest.fixture(autouse=True)
def cache(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(work.parent / "cache"))
    return work.parent / "cache" / "toolpost" / "index"


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    """A system that lets a user watch twenty thousand folders, of which one process watches two."""
    folder = tmp_path / "proc"
    (folder / "sys/fs/inotify").mkdir(parents=True)
    (folder / "sys/fs/inotify/max_user_watches").write_text("20000\n")
    for name in ("1/fd", "1/fdinfo", "self", "2"):
        (folder / name).mkdir(parents=True)
    (folder / "1/fd/3").symlink_to(INOTIFY)
    (folder / "1/fd/4").symlink_to("/dev/null")
    (folder / "1/fdinfo/3").write_text("pos: 0\ninotify wd:1 ino:a\ninotify wd:2 ino:b\n")
    return folder


def test_the_doctor_says_where_indexes_lie_and_that_changes_are_told(
    run: Run, work: Path, cache: Path, proc: Path
) -> None:
    watches = "inotify works, 19,998 of 20,000 watches are left"
    assert doctor_index.index(settings.settled(), proc) == Check(
        "ok", "index", f"{cache}: 0 trees, 0 bytes; {watches}", "toolpost index build"
    )

    (work / "a.py").write_text("x = 1\n")
    run("index", "build")
    found = doctor_index.index(settings.settled(), proc)
    assert found.found.startswith(f"{cache}: 1 trees, ")
    assert found.next_step == "toolpost index status --all"


def test_few_watches_left_are_a_warning(proc: Path) -> None:
    (proc / "1/fdinfo/3").write_text("inotify wd:1\n" * 15_000)
    found = doctor_index.index(settings.settled(), proc)

    assert found.state == "warn"
    assert found.found.endswith("inotify works, 5,000 of 20,000 watches are left")
    assert found.next_step == "sudo sysctl fs.inotify.max_user_watches=524288"


def test_a_system_without_inotify_is_a_warning(work: Path) -> None:
    found = doctor_index.index(settings.settled(), work)

    assert found.state == "warn"
    assert "inotify does not work here" in found.found


def test_elsewhere_the_system_tells_of_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")

    found = doctor_index.index(settings.settled())
    assert (found.state, found.found.endswith("changes are told by the system, a little late")) == (
        "ok",
        True,
    )


def test_a_folder_that_cannot_be_written_is_a_warning(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (work / "file").write_text("")
    monkeypatch.setenv("TOOLPOST_INDEX_FOLDER", str(work / "file"))

    assert doctor_index.index(settings.settled()) == Check(
        "warn",
        "index",
        f"{work / 'file'} cannot be written",
        "Make it writable, or: toolpost config set index.folder FOLDER",
    )


def test_a_process_that_ends_meanwhile_has_no_watches(proc: Path) -> None:
    (proc / "1/fdinfo/3").unlink()
    (proc / "2").rmdir()

    assert doctor_index.index(settings.settled(), proc).found.endswith("20,000 of 20,000 watches are left")


def test_the_doctor_runs_this_check(run: Run) -> None:
    assert [one["what"] for one in run("doctor", "--json").json].count("index") == 1
