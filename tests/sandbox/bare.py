"""A stand-in for a sandbox that only starts: what runs commands is tested by itself."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from toolpost.sandbox import processes
from toolpost.sandbox.environment import TAG
from toolpost.sandbox.family import TAGS
from toolpost.sandbox.model import Fence, Level, Report, Spawn, Started
from toolpost.sandbox.output import Output
from toolpost.sandbox.run import Command, Plan
from toolpost.sandbox.terminals import Size

REPORT = Report(level="L1", fs="all", net="all", pids="sweep", limits={}, gaps=())


class Bare:
    def __init__(self, *violations: str) -> None:
        self.violations = violations
        self.finished = 0
        self.levels: list[Level | None] = []

    def start(
        self, spawn: Spawn, *, at: Level | None = None, stdin: int, stdout: int, stderr: int
    ) -> Started:
        self.levels.append(at)
        argv = ("setsid", "--ctty", "--wait", *spawn.argv) if spawn.terminal else spawn.argv
        process = subprocess.Popen(
            argv,
            cwd=spawn.cwd,
            env={"PATH": os.environ["PATH"], **spawn.env, TAG: spawn.tag},
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        return Started(process=process, report=REPORT, clean=self._clean)

    def _clean(self) -> tuple[str, ...]:
        self.finished += 1
        return self.violations


def plan(
    script: str,
    *,
    timeout_s: float = 60,
    grace_s: float = 2.0,
    has_input: bool = False,
    size: Size | None = None,
    folder: Path = Path("/"),
) -> Plan:
    spawn = Spawn(
        argv=("bash", "-c", script),
        cwd=str(folder),
        fence=Fence(roots=(str(folder),)),
        tag=TAGS.issue(),
        terminal=size is not None,
    )
    return Plan(spawn=spawn, timeout_s=timeout_s, grace_s=grace_s, has_input=has_input, size=size)


def command(made: Plan | str, output: Output | None = None) -> Command:
    return Command(Bare(), plan(made) if isinstance(made, str) else made, output or Output())


def tagged(tag: str) -> list[int]:
    """Processes with this tag, or below one, that still run."""
    known = processes.every()
    own = {
        pid for pid, process in known.items() if not process.is_gone and processes.variable(pid, TAG) == tag
    }
    return sorted(own)


def wait_until(is_so: Callable[[], object], within_s: float = 30) -> None:
    """Bounded: a test that waits in vain fails."""
    limit = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < limit, "it did not happen"
        time.sleep(0.005)
