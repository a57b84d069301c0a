"""Every system call of a change, killed or failed in turn, and a look at what is left each time.

A script defines `ready(folder)`, which may open what it needs, and `act(held)`, which makes the change. A
nursery runs it once and forks a child for every point, so that a point costs some milliseconds: the child
waits at a gate until strace holds it, and calls are counted from there.
"""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from shutil import rmtree, which
from typing import IO

import pytest
from msgspec import Struct

CALLS = (
    *("openat", "openat2", "write", "pwrite64", "fsync", "fdatasync", "ftruncate", "close"),
    *("rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat"),
    *("fchmod", "fchown", "chmod", "fchmodat"),
)
FAULTS = ("signal=KILL", "error=EIO", "error=ENOSPC", "error=EMFILE")
WAIT_S = 60

NURSERY = """
import ctypes, os, sys
from pathlib import Path
from toolpost.errors import ToolError

script = compile(sys.argv[1], "child", "exec")
room = {}
exec(script, room)
ANYBODY_TRACES = (0x59616D61, -1, 0, 0, 0)

def child(folder, gate, told):
    ctypes.CDLL(None).prctl(*ANYBODY_TRACES)
    held = room["ready"](Path(folder))
    os.write(told, b"x")
    os.read(gate, 1)
    try:
        room["act"](held)
    except ToolError as refused:
        os._exit(11 if refused.context.get("changed") else 10)
    os._exit(0)

for line in sys.stdin:
    gate, opener = os.pipe()
    readied, told = os.pipe()
    started = os.fork()
    if started == 0:
        os.close(opener)
        try:
            child(line.rstrip("\\n"), gate, told)
        finally:
            sys.excepthook(*sys.exc_info())
            os._exit(12)
    os.close(told)
    os.read(readied, 1)
    print(started, flush=True)
    sys.stdin.readline()
    os.write(opener, b"x")
    for descriptor in (gate, opener, readied):
        os.close(descriptor)
    print(os.waitstatus_to_exitcode(os.waitpid(started, 0)[1]), flush=True)
"""


class Outcome(StrEnum):
    DONE = "done"
    """The change was acknowledged."""
    REFUSED = "refused"
    """An error said that what was there is untouched, or said nothing about it."""
    UNCONFIRMED = "unconfirmed"
    """An error said that the change is in place and may not outlive a power loss."""
    KILLED = "killed"


OUTCOMES = {0: Outcome.DONE, 10: Outcome.REFUSED, 11: Outcome.UNCONFIRMED, -signal.SIGKILL: Outcome.KILLED}


class Point(Struct, frozen=True):
    call: str
    fault: str
    number: int

    def __str__(self) -> str:
        return f"{self.call} {self.number}, {self.fault}"


Make = Callable[[Path], None]
Check = Callable[[Path, Outcome], None]


class Nursery:
    def __init__(self, process: subprocess.Popen[bytes], folder: Path) -> None:
        self._process = process
        self._folder = folder

    def run(self, folder: Path, point: Point | None) -> tuple[Outcome, str]:
        """What became of one child, and what strace saw."""
        log = self._folder / "log"
        child = self._ask(str(folder))
        strace = subprocess.Popen(
            ["strace", "-f", "-o", log, "-e", f"trace={','.join(CALLS)}", *_inject(point), "-p", child],
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        assert strace.stderr is not None
        attached = _line(strace.stderr)
        if "attached" not in attached:
            self._ask("go on without it")
            pytest.skip(f"strace may not look into processes here: {attached}")
        status = int(self._ask("go"))
        strace.communicate(timeout=WAIT_S)
        assert status in OUTCOMES, f"a child broke at {point}: exit {status}"
        return OUTCOMES[status], log.read_text(errors="replace")

    def _ask(self, line: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n".encode())
        return _line(self._process.stdout)


@contextmanager
def nursery(script: str, folder: Path) -> Iterator[Nursery]:
    process = subprocess.Popen(
        [sys.executable, "-c", NURSERY, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    try:
        yield Nursery(process, folder)
    finally:
        process.kill()
        process.communicate(timeout=WAIT_S)


def every_point(script: str, folder: Path, make: Make, check: Check) -> dict[Outcome, int]:
    """Run a change to each of its points, in fresh folders that `make` fills; how the points ended."""
    if which("strace") is None:
        pytest.skip("strace is not installed")
    seen = dict.fromkeys(Outcome, 0)
    with nursery(script, folder) as children:
        outcome, log = _once(children, folder, make, check, None)
        assert outcome is Outcome.DONE, "the change fails even unharmed"
        for call in [call for call in CALLS if f" {call}(" in log]:
            for fault in FAULTS:
                for outcome in _each(children, folder, make, check, (call, fault)):
                    seen[outcome] += 1
    return seen


def _each(
    children: Nursery, folder: Path, make: Make, check: Check, kind: tuple[str, str]
) -> Iterator[Outcome]:
    """The first call of a kind, the second, and so on, until a run is not harmed any more."""
    number = 1
    while True:
        outcome, log = _once(children, folder, make, check, Point(*kind, number))
        if "(INJECTED)" not in log and outcome is not Outcome.KILLED:
            return
        yield outcome
        number += 1


def _once(
    children: Nursery, folder: Path, make: Make, check: Check, point: Point | None
) -> tuple[Outcome, str]:
    place = folder / "place"
    place.mkdir()
    make(place)
    outcome, log = children.run(place, point)
    try:
        check(place, outcome)
    except AssertionError as wrong:
        wrong.add_note(f"after {point}, {outcome}:\n{log}")
        raise
    rmtree(place)
    return outcome, log


def _inject(point: Point | None) -> tuple[str, ...]:
    return () if point is None else ("-e", f"inject={point.call}:{point.fault}:when={point.number}")


def _line(stream: IO[bytes]) -> str:
    readable, _, _ = select.select([stream], [], [], WAIT_S)
    assert readable, f"nothing was said for {WAIT_S} s"
    return os.fsdecode(stream.readline()).rstrip("\n")
