from pathlib import Path

import pytest
from tests.cli.desk import SHOP, Run


@pytest.fixture
def carried(work: Path) -> Path:
    """A tool file that came with the project."""
    folder = work / ".toolpost" / "tools"
    folder.mkdir(parents=True)
    path = folder / "shop.py"
    path.write_text(SHOP)
    return path


def test_a_projects_file_does_not_run_until_it_is_trusted(run: Run, carried: Path) -> None:
    before = run("tools")
    assert before.json == []
    assert before.err.startswith(
        f"note: {carried} was not loaded: it is not trusted yet\n"
        f"  next: Read the file, then: toolpost trust {carried}\n"
    )

    assert run("trust", str(carried), "--text").out == f"trusted {carried} as it is now ({len(SHOP)} bytes)\n"
    after = run("tools")
    assert (len(after.json), after.err) == (5, "")


def test_a_changed_file_is_untrusted_again(run: Run, carried: Path) -> None:
    run("trust", str(carried))
    carried.write_text(SHOP + "\nraise SystemExit(1)\n")
    shown = run("tools")

    assert shown.json == []
    assert f"{carried} was not loaded: it changed since it was trusted\n" in shown.err
    assert f"toolpost trust {carried}\n" in shown.err


def test_what_is_trusted_can_be_listed_and_taken_back(run: Run, carried: Path, work: Path) -> None:
    (work / "other.py").write_text("")
    run("trust", str(carried), "other.py")
    assert [one["state"] for one in run("trust", "--list", "--json").json] == ["same", "same"]

    carried.write_text("")
    (work / "other.py").unlink()
    listed = run("trust", "--list", "--text")
    assert [line.split()[0] for line in listed.out.splitlines()] == ["state", "changed", "gone"]

    assert run("untrust", str(carried), "other.py").code == 0
    assert run("trust", "--text").err.startswith("note: No file is trusted yet.\n")


def test_the_store_is_private(run: Run, carried: Path, user_folder: Path) -> None:
    run("trust", str(carried))

    assert (user_folder / "trust.json").stat().st_mode & 0o777 == 0o600


def test_a_store_others_can_write_counts_for_nothing(run: Run, carried: Path, user_folder: Path) -> None:
    run("trust", str(carried))
    (user_folder / "trust.json").chmod(0o666)
    shown = run("tools")

    assert shown.json == []
    assert "is not private to you, so nothing in it counts.\n  next: chmod 600 " in shown.err
    assert run("trust", "--list").code == 2
    assert run("doctor").code == 1


def test_a_link_is_trusted_by_what_it_points_to(run: Run, carried: Path, work: Path) -> None:
    (work / "link.py").symlink_to(carried)
    run("trust", "link.py")

    assert len(run("tools").json) == 5


def test_what_is_not_there_cannot_be_trusted(run: Run) -> None:
    assert run("trust", "nope.py").code == 4
    assert run("untrust", "nope.py").code == 4


def test_a_file_that_cannot_be_read_cannot_be_trusted(run: Run) -> None:
    assert run("trust", "/proc/self/mem").err.startswith("error: /proc/self/mem cannot be read: ")


def test_what_cannot_be_read_or_written_is_said(run: Run, carried: Path, user_folder: Path) -> None:
    user_folder.parent.mkdir(parents=True)
    user_folder.write_text("a file where a folder should be")
    shown = run("trust", str(carried))

    assert shown.code == 2
    assert shown.err.startswith("error: ")


def test_a_folder_that_cannot_be_made_is_said(run: Run, carried: Path, user_folder: Path) -> None:
    user_folder.parent.parent.mkdir(parents=True)
    user_folder.parent.symlink_to("/proc/nowhere")
    shown = run("trust", str(carried))

    assert shown.code == 2
    assert shown.err.startswith("error: The trust store cannot be written: ")


def test_trust_and_untrust_printed_prose_into_a_pipe(run: Run, carried: Path) -> None:
    assert run("trust", str(carried)).json == [{"path": str(carried), "state": "trusted", "bytes": len(SHOP)}]
    assert run("untrust", str(carried)).json == [{"path": str(carried), "state": "untrusted"}]
    run("trust", str(carried))
    assert run("untrust", str(carried), "--text").out == f"no longer trusted: {carried}\n"
