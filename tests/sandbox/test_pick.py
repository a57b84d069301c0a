import fcntl
import os
import pty
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
from tests.sandbox.ground import missing

from toolpost.errors import InvalidArgument, NotFound, SandboxUnavailable
from toolpost.sandbox import bubblewrap, landlock, starting
from toolpost.sandbox.model import Caps, Fence, Level, Spawn, Started
from toolpost.sandbox.pick import Sandbox
from toolpost.sandbox.probe import Found

BOTH = [
    pytest.param(level, id=level.label, marks=pytest.mark.skipif(bool(why), reason=why))
    for level in (Level.LANDLOCK, Level.NAMESPACES)
    if (why := missing("ordinary", level)) is not None
]


def _spawn(root: Path, *argv: str, **more: Any) -> Spawn:
    fence = Fence(roots=(str(root),))
    given: dict[str, Any] = {"argv": argv, "cwd": str(root), "fence": fence, "tag": token_hex(8), **more}
    return Spawn(**given)


def _said(started: Started) -> str:
    with started.process as process:
        out = process.communicate(timeout=60)[0].decode()
    started.finish()
    return out


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    return tmp_path.resolve()


@pytest.mark.parametrize("require", ["", "L2", "require:L4", "required", "require:l2", "PREFER"])
def test_a_setting_nobody_knows_is_refused(require: str) -> None:
    with pytest.raises(InvalidArgument, match="no such setting"):
        Sandbox(require)


def _without(level: Level, sandbox: Sandbox) -> Sandbox:
    """As on a machine that cannot do it."""
    sandbox._found[level] = Found(level=level, works=False, reason="it is not there.", fix="Get it.")
    return sandbox


def test_the_strongest_level_is_taken_and_the_missing_ones_are_told(root: Path) -> None:
    sandbox = _without(Level.LANDLOCK, _without(Level.NAMESPACES, Sandbox()))
    assert (sandbox.level(), sandbox.quick()) == (Level.PROCESS, Level.PROCESS)
    started = sandbox.start(_spawn(root, "true"))
    assert started.process.wait(60) == 0
    assert started.report.level == "L1"
    assert [gap for gap in started.report.gaps if gap.startswith("no L")] == [
        "no L2: it is not there.",
        "no L3: it is not there.",
    ]
    assert "files and network are open: only resources are limited" in started.report.gaps


@pytest.mark.parametrize("level", [Level.LANDLOCK, Level.NAMESPACES])
def test_below_what_is_required_nothing_runs_and_the_fix_is_told(root: Path, level: Level) -> None:
    sandbox = _without(Level.LANDLOCK, _without(Level.NAMESPACES, Sandbox(f"require:{level.label}")))
    with pytest.raises(SandboxUnavailable, match=f"must run at {level.label}.*it is not there. Get it."):
        sandbox.start(_spawn(root, "touch", "ran"))
    assert list(root.iterdir()) == []


def test_no_caller_gets_below_what_is_required(root: Path) -> None:
    for at in (Level.OFF, Level.PROCESS):
        with pytest.raises(SandboxUnavailable):
            Sandbox("require:L2").start(_spawn(root, "touch", "ran"), at=at)
    with pytest.raises(SandboxUnavailable):
        Sandbox().start(_spawn(root, "touch", "ran"), at=Level.OFF)
    with pytest.raises(SandboxUnavailable):
        _without(Level.NAMESPACES, Sandbox()).start(_spawn(root, "touch", "ran"), at=Level.NAMESPACES)
    assert list(root.iterdir()) == []


def test_off_is_off_and_says_so(root: Path) -> None:
    sandbox = Sandbox("off")
    started = sandbox.start(_spawn(root, "sh", "-c", "echo $PAGER"), stdout=subprocess.PIPE)
    assert (sandbox.level(), sandbox.quick(), _said(started)) == (Level.OFF, Level.OFF, "cat\n")
    assert (started.report.level, started.report.fs, started.report.net, started.report.limits) == (
        "L0",
        "open",
        "open",
        {},
    )


def test_limits_hold_without_a_fence(root: Path) -> None:
    spawn = _spawn(root, "sh", "-c", "ulimit -n", caps=Caps(open_files=55))
    assert _said(Sandbox().start(spawn, at=Level.PROCESS, stdout=subprocess.PIPE)) == "55\n"


def test_a_command_that_only_reads_takes_the_quick_level_unless_more_is_required() -> None:
    if missing("ordinary", Level.LANDLOCK) or missing("ordinary", Level.NAMESPACES):
        pytest.skip("needs both levels")
    assert [Sandbox(require).quick() for require in ("prefer", "require:L2", "require:L3")] == [
        Level.LANDLOCK,
        Level.LANDLOCK,
        Level.NAMESPACES,
    ]


@pytest.mark.parametrize("argv", [(), ("a\0b",), ("true", "x\0y")])
def test_words_that_c_would_cut_are_refused(root: Path, argv: tuple[str, ...]) -> None:
    with pytest.raises(InvalidArgument, match="NUL"):
        Sandbox().start(_spawn(root, *argv))


def test_what_is_not_there_is_told_before_anything_is_made(root: Path) -> None:
    sandbox = Sandbox()
    for argv in (("no-such-program",), ("./no-such-file",), ("/no/such/file",)):
        with pytest.raises(NotFound, match="no program"):
            sandbox.start(_spawn(root, *argv))
    with pytest.raises(NotFound, match="no such folder"):
        sandbox.start(_spawn(root, "true", cwd=str(root / "gone")))


@pytest.mark.parametrize("level", BOTH)
def test_a_root_that_vanished_fails_the_call(root: Path, level: Level) -> None:
    fence = Fence(roots=(str(root / "gone"),), protected=(str(root / "gone" / ".git"),))
    try:
        started = Sandbox().start(_spawn(root, "cat", "x", fence=fence), at=level, stderr=subprocess.PIPE)
    except SandboxUnavailable:
        return
    with started.process as process:
        assert process.communicate(timeout=60)[1]
    started.finish()
    assert process.returncode != 0


def test_hosts_need_namespaces(root: Path) -> None:
    if missing("ordinary", Level.LANDLOCK):
        pytest.skip("needs Landlock")
    fence = Fence(roots=(str(root),), hosts=("pypi.org",), proxy="/nowhere")
    with pytest.raises(SandboxUnavailable, match="nothing there can tell hosts apart"):
        Sandbox().start(_spawn(root, "true", fence=fence), at=Level.LANDLOCK)


def test_hosts_come_with_a_proxy(root: Path) -> None:
    if missing("ordinary", Level.NAMESPACES):
        pytest.skip("needs bubblewrap")
    started = Sandbox().start(
        _spawn(root, "true", fence=Fence(roots=(str(root),), hosts=("a.example",))), at=Level.NAMESPACES
    )
    assert started.process.wait(60) == 0
    started.finish()
    assert started.report.net == "proxy:a.example"
    assert any("heed HTTP_PROXY" in gap for gap in started.report.gaps)


@pytest.mark.parametrize("level", BOTH)
def test_the_whole_disk_is_no_workspace(root: Path, level: Level) -> None:
    with pytest.raises(SandboxUnavailable, match="whole disk"):
        Sandbox().start(_spawn(root, "true", fence=Fence(roots=("/",))), at=level)


def test_as_root_a_missing_control_group_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root")
    monkeypatch.setattr(starting, "parent", lambda: None)
    started = Sandbox().start(_spawn(root, "true"), at=Level.PROCESS)
    assert started.process.wait(60) == 0
    assert (
        "as root the number of processes is not limited: there is no control group to make one in"
        in started.report.gaps
    )


def test_finishing_twice_does_nothing_more(root: Path) -> None:
    started = Sandbox().start(
        _spawn(root, "touch", ".zshrc", fence=Fence(roots=(str(root),), protected=(f"{root}/.zshrc",)))
    )
    assert started.process.wait(60) in {0, 1}
    started.finish()
    assert started.finish() == ()


def test_the_proxys_socket_is_all_a_command_with_hosts_can_reach(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    import socket

    if missing("ordinary", Level.NAMESPACES):
        pytest.skip("needs bubblewrap")
    place = str(tmp_path_factory.mktemp("run") / "p.sock")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place)
        listener.listen()
        fence = Fence(roots=(str(root),), hosts=("pypi.org",), proxy=place, readable=(sys.base_prefix,))
        code = f"import socket; s = socket.socket(socket.AF_UNIX); s.connect({bubblewrap.PROXY!r}); print('reached')"
        spawn = _spawn(root, os.path.realpath(sys.executable), "-I", "-S", "-c", code, fence=fence)
        started = Sandbox().start(spawn, at=Level.NAMESPACES, stdout=subprocess.PIPE)
        assert (_said(started), started.report.net) == ("reached\n", "proxy:pypi.org")


@pytest.mark.parametrize("level", BOTH)
def test_a_terminal_is_the_commands_own_and_nobody_types_into_it(root: Path, level: Level) -> None:
    ours, theirs = pty.openpty()
    code = (
        "import fcntl, os, termios\n"
        "print(os.isatty(0), os.getpgrp() == os.tcgetpgrp(os.open('/dev/tty', os.O_RDWR)))\n"
        "try:\n    fcntl.ioctl(0, termios.TIOCSTI, b'x')\nexcept OSError as failed:\n    print(failed.errno)"
    )
    fence = Fence(roots=(str(root),), readable=(sys.base_prefix,))
    argv = (os.path.realpath(sys.executable), "-I", "-S", "-c", code)
    try:
        started = Sandbox().start(
            _spawn(root, *argv, fence=fence, terminal=True),
            at=level,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        assert started.process.wait(60) == 0
        fcntl.fcntl(ours, fcntl.F_SETFL, os.O_NONBLOCK)
        said = os.read(ours, 4096).decode().replace("\r", "")
        started.finish()
    finally:
        os.close(ours)
        os.close(theirs)
    assert said == "True True\n1\n"
    assert termios.TIOCSTI


def test_a_thousand_starts_from_many_threads_leave_nobody_free_and_the_server_unbound(root: Path) -> None:
    if missing("ordinary", Level.LANDLOCK):
        pytest.skip("needs Landlock")
    sandbox, outside = Sandbox(), root.parent / f"{root.name}-outside"
    fence = Fence(roots=(str(root),), writes=False)

    def one(_: int) -> int:
        started = sandbox.start(
            _spawn(root, "sh", "-c", f"echo x > {outside}", fence=fence), at=Level.LANDLOCK
        )
        code = started.process.wait(60)
        started.finish()
        return code

    with ThreadPoolExecutor(16) as pool:
        codes = set(pool.map(one, range(1000)))
    assert 0 not in codes
    assert not outside.exists()
    outside.write_text("we still may")


_PARENT = """
import os, sys, time
from toolpost.sandbox.model import Fence, Level, Spawn
from toolpost.sandbox.pick import Sandbox
root = sys.argv[1]
spawn = Spawn(argv=("sh", "-c", "setsid sleep 300 & sleep 300"), cwd=root, fence=Fence(roots=(root,)), tag="orphan")
Sandbox().start(spawn, at=Level.NAMESPACES)
open(root + "/up", "w").close()
time.sleep(300)
"""


def test_nothing_outlives_a_server_that_is_killed(root: Path) -> None:
    if missing("ordinary", Level.NAMESPACES):
        pytest.skip("needs bubblewrap")
    with subprocess.Popen((sys.executable, "-c", _PARENT, str(root))) as parent:
        _wait(lambda: len(_with(str(root))) >= 3 and (root / "up").exists())
        parent.kill()
    _wait(lambda: not _with(str(root)))


def _with(folder: str) -> list[str]:
    """Processes that work in a folder."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and str((process / "cwd").readlink()) == folder:
                found.append(process.name)
        except OSError:
            continue
    return found


def _wait(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not done():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5, 6])
def test_the_rules_of_older_kernels_hold_too(
    root: Path, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if landlock.abi() < version:
        pytest.skip("this kernel is older still")
    outside = root.parent / f"{root.name}-{version}"
    outside.write_text("kept")
    monkeypatch.setattr(landlock, "abi", lambda: version)
    line = f"cat {outside}; echo x > {outside}; truncate -s 0 {outside}; echo in > inside; cat inside"
    fence = Fence(
        roots=(str(root),), readable=(str(root / f"v{version}"),)
    )  # a fence no other test has rules for
    started = Sandbox().start(
        _spawn(root, "sh", "-c", line, fence=fence),
        at=Level.LANDLOCK,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert _said(started) == "in\n"
    assert outside.read_text() == "kept"
