import errno
import json
import os
import signal
import sys
from pathlib import Path

import pytest
from tests.desktop.apps.folders import Machine
from tests.desktop.processes import adopting, ended

from toolpost.desktop import starter
from toolpost.desktop.detached import Start, Starter
from toolpost.errors import IoFailed

TELL = """
import json, os, signal, sys
told = {
    "parent": os.getppid(),
    "session": os.getsid(0) == os.getpid(),
    "streams": [os.readlink(f"/proc/self/fd/{stream}") for stream in range(3)],
    "open": len(os.listdir("/proc/self/fd")) - 1,
    "folder": os.getcwd(),
    "names": sorted(set(os.environ) - {"LC_CTYPE"}),
    "words": sys.argv[2:],
    "pipe": signal.getsignal(signal.SIGPIPE) is signal.SIG_IGN,
}
with open(sys.argv[1], "w") as out:
    out.write(json.dumps(told) + "\\n")
"""


def _told(pipe: Path, argv: tuple[str, ...], folder: str, run: Starter) -> tuple[int, str]:
    """The number of the process, and what it writes about itself; reading waits until it has."""
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(reader) as told:
        pid = run.start(Start(argv, {"HOME": folder, "A": "1"}, folder))
        assert ended(pid)
        return pid, told.read()


def test_a_program_is_started_in_a_session_of_its_own_and_not_as_our_child(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    argv = (sys.executable, "-S", "-c", TELL, str(pipe), "$HOME; `x`", "odd\udcff")
    with adopting(orphans=False):
        pid, said = _told(pipe, argv, str(tmp_path), Starter())
    told = json.loads(said)
    assert told.pop("parent") != os.getpid()
    assert told == {
        "session": True,
        "streams": ["/dev/null"] * 3,
        "open": 3,
        "folder": str(tmp_path),
        "names": ["A", "HOME"],
        "words": ["$HOME; `x`", "odd\udcff"],
        "pipe": True,  # Python's own doing, once it runs
    }
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def test_a_program_that_cannot_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IoFailed, match="No such file or directory"):
        Starter().start(Start((str(tmp_path / "absent"),), {}, str(tmp_path)))
    with pytest.raises(IoFailed, match="No such file or directory"):
        Starter().start(Start((sys.executable,), {}, str(tmp_path / "absent")))


def test_without_an_interpreter_nothing_is_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", Machine(tmp_path).program("python", "#!/bin/sh\necho no json\n"))
    with pytest.raises(IoFailed, match="could not be started"):
        Starter().start(Start(("/bin/true",), {}, "/"))


def test_one_that_came_to_a_subreaper_is_let_go_when_it_has_ended() -> None:
    start, run = Start(("/bin/true",), {}, "/"), Starter()
    with adopting(orphans=True):
        first = run.start(start)
        assert ended(first)
        second = run.start(start)
        with pytest.raises(ChildProcessError):
            os.waitpid(first, os.WNOHANG)
        os.waitpid(second, 0)  # somebody else was faster
        third = run.start(start)
        assert ended(third)
        run.start(start)
        with pytest.raises(ChildProcessError):
            os.waitpid(third, os.WNOHANG)


def test_the_starter_says_the_number_or_what_went_wrong(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    said = starter.start({"argv": ["/bin/sh", "-c", "kill -TERM $$"], "env": {}, "cwd": str(tmp_path)})
    assert os.waitstatus_to_exitcode(os.waitpid(said["pid"], 0)[1]) == -signal.SIGTERM
    assert starter.start({"argv": ["/bin/true"], "env": {}, "cwd": "/absent"}) == {"errno": errno.ENOENT}
