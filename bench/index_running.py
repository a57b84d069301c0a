"""A program run and measured: how long it took, its CPU time with that of its children, and its memory."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread, Timer
from threading import enumerate as threads
from typing import NamedTuple

MEMORY_POLL_S = 0.03
SETTLE_S = 60
KIB = 1024
COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}
"""An installed package is compiled once; where that is switched off every start would pay for it."""


class Failed(Exception):
    """It ended otherwise than it should, or took too long."""


class TooLong(Failed):
    """It was stopped; `ran` is what it took until then."""

    def __init__(self, ran: "Ran") -> None:
        super().__init__(f"stopped after {ran.wall_ms / 1000:.0f} s")
        self.ran = ran


class Ran(NamedTuple):
    out: bytes
    wall_ms: float
    cpu_s: float
    largest_mib: float = 0.0
    """Peak memory of the largest process, where that was asked for."""
    together_mib: float = 0.0
    """Peak of all its processes, pages they share counted once; sampled."""


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout_s: float = 120,
    fine: Sequence[int] = (0,),
    memory: bool = False,
) -> Ran:
    """Raises Failed. The clock runs from before it is started until all it wrote is read.

    What is wrong with a program of our own is shown.
    """
    is_own = command[0] == sys.executable
    began = time.perf_counter()
    with subprocess.Popen(
        command,
        cwd=cwd,
        env={**os.environ, **COMPILED, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=None if is_own else subprocess.DEVNULL,
        start_new_session=True,
    ) as child:
        assert child.stdout is not None
        watch = _Memory(child.pid) if memory else None
        late = Timer(timeout_s, _end, (child.pid,))
        late.start()
        try:
            out = child.stdout.read()
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:  # whoever stops us stops it
            _end(child.pid)
            raise
        finally:
            late.cancel()
            if watch:
                watch.stop()
        taken = (time.perf_counter() - began) * 1000
        child.returncode = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime
    ran = Ran(out, taken, cpu, *((watch.largest / KIB, watch.together / KIB) if watch else ()))
    if child.returncode not in fine:
        if child.returncode == -signal.SIGKILL and taken >= timeout_s * 1000:
            raise TooLong(ran)
        raise Failed(f"{Path(command[0]).name} ended with {child.returncode} after {taken / 1000:.0f} s")
    return ran


def _end(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def first_lines(command: Sequence[str | Path], cwd: Path, lines: int) -> float:
    """Milliseconds until a program has written so many lines or all it has; then it is stopped."""
    began = time.perf_counter()
    with subprocess.Popen(
        command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as child:
        assert child.stdout is not None
        for number, _ in enumerate(child.stdout, 1):
            if number == lines:
                break
        child.kill()
        child.wait()
    return (time.perf_counter() - began) * 1000


class _Memory:
    """Looks at a process and all below it now and then.

    What the system counts by itself will not do: a child's peak begins with that of whoever started it.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._over = Event()
        self.largest = self.together = 0
        self._thread = Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(MEMORY_POLL_S):
            together = 0
            for pid in _below(self._pid):
                status, shared = _fields(f"/proc/{pid}/status"), _fields(f"/proc/{pid}/smaps_rollup")
                self.largest = max(self.largest, status.get("VmHWM", 0))
                together += shared.get("Pss", 0)
            self.together = max(self.together, together)


def _below(pid: int) -> list[int]:
    """It and its descendants, as far as they are still there."""
    found = [pid]
    for one in found:
        with suppress(OSError):
            for thread in Path(f"/proc/{one}/task").iterdir():
                found += map(int, (thread / "children").read_text().split())
    return found


def _fields(path: str) -> dict[str, int]:
    """Those that are in kB."""
    fields: dict[str, int] = {}
    with suppress(OSError):
        for line in Path(path).read_text().splitlines():
            if line.endswith(" kB"):
                name, _, value = line.partition(":")
                fields[name] = int(value.split()[0])
    return fields


def resident() -> dict[str, float]:
    """MiB of this process that are in memory: all, what is its own, and what is mapped from files."""
    fields = _fields("/proc/self/status")
    return {name: fields.get(name, 0) / KIB for name in ("VmRSS", "RssAnon", "RssFile")}


def settle() -> None:
    """Until an index has made ready, in a thread, what its first change would have to wait for."""
    for thread in threads():
        if thread.name == "toolpost-prepare":
            thread.join(SETTLE_S)


def share(values: Sequence[float], part: float) -> float:
    """The value that this part of them does not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]
