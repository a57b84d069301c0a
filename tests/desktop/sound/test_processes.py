import os
from pathlib import Path

from tests.desktop.processes import WAIT_S, holding

from toolpost.desktop.sound.processes import Processes, user_name

PROC = Processes(Path("/proc"))


def test_a_process_is_told_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "token=hunter2hunter2"
    file.touch()
    with holding(file) as child:
        process = PROC.look(child.pid)
        assert process is not None
        assert (process.pid, process.parent, process.user) == (child.pid, os.getpid(), user_name(os.getuid()))
        assert process.users == (os.getuid(),) * 4
        assert "python" in process.program
        assert "[redacted]" in process.command or len(process.command) > 300
        assert "hunter2" not in process.command
        assert str(file) in PROC.opened(child.pid)
        assert child.pid in PROC.pids()
        assert os.getpid() in PROC.above(child.pid)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert PROC.look(child.pid) is None  # ended, and not yet waited for
        child.wait(WAIT_S)
        assert (PROC.look(child.pid), list(PROC.opened(child.pid))) == (None, [])


def _fake(folder: Path, pid: int, stat: str, **files: str) -> None:
    place = folder / str(pid)
    place.mkdir()
    (place / "stat").write_text(stat)
    for name, text in {"status": "Name:\tx\n", **files}.items():
        (place / name).write_text(text)


def test_a_name_may_hold_anything(tmp_path: Path) -> None:
    _fake(tmp_path, 7, f"7 (a) b\x07) S 3 {'0 ' * 17}99 0", status="Name:\tx\nUid:\t5\t6\t7\t8\n")
    _fake(tmp_path, 8, "8 (cut) S 1")
    process = Processes(tmp_path).look(7)
    assert process is not None
    assert (process.name, process.parent, process.began, process.users) == (
        "a) b<U+0007>",
        3,
        99,
        (5, 6, 7, 8),
    )
    assert (process.program, process.command, process.control_group) == ("", "", "")
    assert Processes(tmp_path).look(8) is None
    assert Processes(tmp_path).pids() == [7, 8]


def test_a_circle_of_parents_ends(tmp_path: Path) -> None:
    _fake(tmp_path, 7, f"7 (a) S 8 {'0 ' * 17}1 0")
    _fake(tmp_path, 8, f"8 (b) S 7 {'0 ' * 17}1 0")
    assert Processes(tmp_path).above(7) == [8, 7]
    process = Processes(tmp_path).look(7)
    assert process is not None
    assert process.user == ""


def test_a_descriptor_that_is_no_link_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "7" / "fd").mkdir(parents=True)
    (tmp_path / "7" / "fd" / "0").touch()
    assert list(Processes(tmp_path).opened(7)) == []


def test_a_user_without_a_name_is_told_by_number() -> None:
    assert user_name(0) == "root"
    assert user_name(3_999_999_999) == "3999999999"


def test_the_files_of_others_are_not_ours_to_see() -> None:
    child = os.fork()
    if child == 0:
        if os.geteuid() == 0:
            os.setuid(65534)  # root may look at everything
        try:
            list(PROC.opened(1))
        except PermissionError:
            os._exit(0)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
