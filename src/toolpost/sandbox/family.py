"""All processes of one command, wherever they went, and their end.

A command's processes are those below it, those of its session, and those that carry its tag in their
environment. This process is the subreaper: one whose parent ended comes to us, also when it made a session
of its own. One that came to us without a tag is still known by marks it cannot take off, such as that it can gain
no rights: then it ends with whichever command ends first. Where a control group counts them, it knows them all.
"""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from secrets import token_hex

from toolpost.limits import EXEC_END_S, EXEC_ROUNDS
from toolpost.sandbox import bubblewrap, processes
from toolpost.sandbox.environment import TAG
from toolpost.sandbox.processes import Process


class Tags:
    """All tags of one server begin alike, so that the next one knows its orphans."""

    def __init__(self) -> None:
        self.server = token_hex(8)

    def issue(self) -> str:
        """A tag that nobody can guess. From the first on, orphans of commands come to this process."""
        _adopt_orphans()
        return f"{self.server}.{token_hex(8)}"


TAGS = Tags()
"""One for the process, as there is one subreaper."""


@cache
def _adopt_orphans() -> bool:
    adopts: bool = import_module("toolpost.sandbox.subreaper").adopt_orphans()
    return adopts


class Family:
    def __init__(
        self, process: subprocess.Popen[bytes], tag: str, *, is_wrapped: bool = False, cgroup: str = ""
    ) -> None:
        """`is_wrapped`: the process stands around a command that it takes down with it."""
        self._process = process
        self._tag = tag
        self._is_wrapped = is_wrapped
        self._cgroup = cgroup
        self._killed: dict[int, Process] = {}
        root = processes.look(process.pid)
        self._began = root.began if root is not None else 0

    def ask_to_end(self) -> None:
        """SIGTERM to all. What merely stands around the command is left, or the command had no time."""
        members = self.members()
        inner = [member for member in members if member.pid != self._process.pid]
        asked = inner if self._is_wrapped and inner else members
        reached = [member for member in asked if processes.send(member, signal.SIGTERM)]
        if not reached:
            self._signal_group(signal.SIGTERM)

    def kill(self) -> None:
        """SIGKILL to all, and to those that they started meanwhile, until there is none."""
        if self._cgroup:
            with suppress(OSError):
                Path(self._cgroup, "cgroup.kill").write_text("1")
        self._signal_group(signal.SIGKILL)
        limit = time.monotonic() + EXEC_END_S
        for _ in range(EXEC_ROUNDS):
            members = [member for member in self.members() if not member.is_gone]
            if not members or time.monotonic() > limit:
                return
            for member in members:
                self._killed[member.pid] = member
                processes.send(member, signal.SIGKILL)
            time.sleep(0.001)  # they end by themselves now; looking again at once finds only them

    def kill_root(self) -> None:
        """The command itself is ended, if it runs, and waited for."""
        if self._process.poll() is None:
            self.kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(EXEC_END_S)

    def sweep(self) -> None:
        """After the command itself was waited for: end and let go what it left behind."""
        left = list(self._left_to_us())
        if self._counted() or any(not process.is_gone for process in left):
            self.kill()
            left = list(self._left_to_us())
        for process in left:
            if process.session == self._process.pid or processes.is_inner(process.pid):
                self._killed[process.pid] = process
        for process in self._killed.values():
            processes.reap(process)

    def members(self) -> list[Process]:
        counted = self._counted()
        if counted:
            return [process for process in map(processes.look, counted) if process is not None]
        known = processes.every()
        found = {process.pid for process in known.values() if self._is_own(process)}
        homes = {os.getpid(), 1}
        found |= {
            process.pid for process in known.values() if process.parent in homes and self._is_stray(process)
        }
        found |= processes.below(found, known)
        return [known[pid] for pid in found if pid != os.getpid()]

    def _counted(self) -> set[int]:
        """Those in its control group, which none can leave by itself."""
        if self._cgroup:
            with suppress(OSError):
                return {int(pid) for pid in Path(self._cgroup, "cgroup.procs").read_text("ascii").split()}
        return set()

    def _left_to_us(self) -> Iterator[Process]:
        """Children of ours that belong to it, also ended ones."""
        for process in processes.children(os.getpid()):
            is_inner = process.is_gone and processes.is_inner(process.pid)
            if is_inner or self._is_own(process) or (not process.is_gone and self._is_stray(process)):
                yield process

    def _is_own(self, process: Process) -> bool:
        if process.pid == self._process.pid:
            return self._process.returncode is None
        return process.session == self._process.pid and process.began >= self._began

    def _is_stray(self, process: Process) -> bool:
        """Whether one that came to us or to init is of this family."""
        if process.began < self._began or process.pid == self._process.pid:
            return False
        environment = processes.environment(process.pid)
        if environment is None:
            return False
        tag = processes.value(environment, TAG)
        if tag is not None:
            return tag == self._tag
        if process.parent != os.getpid() or process.session == os.getsid(0):
            return False
        return processes.is_bound(process.pid) and not _is_ours(process.pid, environment)

    def _signal_group(self, number: signal.Signals) -> None:
        if self._process.returncode is None:  # not yet waited for, so the number is still its own
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)


def _is_ours(pid: int, environment: bytes) -> bool:
    """Whether the mark says nothing.

    It is a child of ours just before its program begins; or it is what stands around a command in namespaces, which
    has no tag, and which no command can make.
    """
    return processes.program(pid) in bubblewrap.PROGRAMS or environment == processes.environment(os.getpid())
