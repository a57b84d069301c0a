"""A command from its start to its end, in a thread of its own.

The thread starts it, so that it lives as long as the thread does, and outlives any event loop. It hears what
the command says, ends it when its time is over, and leaves no process of it behind, whoever stopped waiting.

    started -> exited | asked to end -> (2 s) killed -> swept -> told
"""

import asyncio
import signal
import subprocess
import time
from concurrent.futures import Future
from contextlib import suppress
from enum import StrEnum
from threading import Thread
from typing import Any, Protocol

from msgspec import Struct, structs

from toolpost import progress
from toolpost.errors import ToolError, ToolFailed
from toolpost.limits import (
    EXEC_END_S,
    EXEC_GRACE_S,
    EXEC_PIPE_S,
    EXEC_TELL_S,
    EXEC_TOLD_CHARS,
)
from toolpost.sandbox.family import Family
from toolpost.sandbox.model import Level, Report, Spawn, Started
from toolpost.sandbox.output import Output
from toolpost.sandbox.pipes import Pipes
from toolpost.sandbox.terminals import Size
from toolpost.visible import settled

_SIGNALLED = 128  # what shells, and what stands around a command, add to a signal's number


class Starts(Protocol):
    """A sandbox."""

    def start(
        self, spawn: Spawn, *, at: Level | None = None, stdin: int, stdout: int, stderr: int
    ) -> Started: ...


class Stop(StrEnum):
    """Why a command did not end by itself."""

    TIMEOUT = "timeout"
    OUTPUT = "output"
    KILLED = "killed"
    CANCELLED = "cancelled"
    CLOSED = "closed"


class Ran(Struct, frozen=True, kw_only=True):
    exit_code: int
    """128 and the signal's number where one ended it, as a shell says."""
    signal: str = ""
    stopped: Stop | None = None
    duration_s: float
    report: Report

    @property
    def timed_out(self) -> bool:
        return self.stopped is Stop.TIMEOUT


class Plan(Struct, frozen=True, kw_only=True):
    spawn: Spawn
    """Its tag is one that `family.TAGS` issued."""
    timeout_s: float
    at: Level | None = None
    has_input: bool = False
    size: Size | None = None
    """Of a terminal, where `spawn.terminal` asks for one."""
    grace_s: float = EXEC_GRACE_S


class Command:
    def __init__(self, sandbox: Starts, plan: Plan, output: Output) -> None:
        self.output = output
        self.plan = plan
        self.started: Future[Report] = Future()
        self.ended: Future[Ran] = Future()
        self._sandbox = sandbox
        self._pipes: Pipes | None = None
        self._stop: Stop | None = None
        self._thread = Thread(target=self._live, name="toolpost-command", daemon=True)

    def start(self) -> None:
        for future in (self.started, self.ended):
            future.set_running_or_notify_cancel()
        self._thread.start()

    def stop(self, why: Stop) -> None:
        """Ask it to end, from any thread; the first reason is the one that is told."""
        self._stop = self._stop or why
        if self._pipes is not None:
            self._pipes.wake()

    def say(self, data: bytes) -> None:
        if self._pipes is not None:
            self._pipes.say(data)

    def end_input(self) -> None:
        if self._pipes is not None:
            self._pipes.end_input()

    @property
    def unsaid_bytes(self) -> int:
        return 0 if self._pipes is None else self._pipes.unsaid_bytes

    def join(self, within_s: float) -> bool:
        """Whether it is over."""
        self._thread.join(within_s)
        return not self._thread.is_alive()

    def _live(self) -> None:
        broken: BaseException = ToolFailed("The command could not be watched to its end.")
        try:
            self._whole_life()
        except (OSError, ToolError) as error:
            broken = error
        finally:
            for future in (self.started, self.ended):
                if not future.done():
                    future.set_exception(broken)

    def _whole_life(self) -> None:
        began = time.monotonic()
        pipes = self._pipes = Pipes(self.output, has_input=self.plan.has_input, size=self.plan.size)
        try:
            stdin, stdout, stderr = pipes.streams
            started = self._sandbox.start(
                self.plan.spawn, at=self.plan.at, stdin=stdin, stdout=stdout, stderr=stderr
            )
            with started.process:
                ran = self._watched(started, pipes, began)
            self.ended.set_result(ran)
        finally:
            pipes.close()

    def _watched(self, started: Started, pipes: Pipes, began: float) -> Ran:
        process, is_wrapped = started.process, started.report.level == Level.NAMESPACES.label
        family = Family(process, self.plan.spawn.tag, is_wrapped=is_wrapped, cgroup=started.cgroup)
        try:
            pipes.watch(process.pid)
            self.started.set_result(started.report)
            self._follow(process, family, pipes, began + self.plan.timeout_s)
            _heard_out(pipes, EXEC_PIPE_S)
        finally:
            family.kill_root()
            family.sweep()
            _drain(pipes, self.output)
            violations = started.finish()
        duration_s = time.monotonic() - began
        code, name = _ending(process.returncode, is_wrapped=is_wrapped)
        report = structs.replace(started.report, violations=(*started.report.violations, *violations))
        return Ran(exit_code=code, signal=name, stopped=self._stop, duration_s=duration_s, report=report)

    def _follow(
        self, process: subprocess.Popen[bytes], family: Family, pipes: Pipes, deadline: float
    ) -> None:
        """Until it has ended, or did not although it was killed."""
        steps = [(family.ask_to_end, self.plan.grace_s), (family.kill, EXEC_END_S)]
        due = deadline
        while process.poll() is None:
            if len(steps) == 2 and (self._stop is not None or self.output.is_full):
                self.stop(Stop.OUTPUT)
                due = time.monotonic()
                if self._stop is Stop.OUTPUT:  # it has no more to say that would be heard
                    steps.pop(0)
            if time.monotonic() >= due:
                if not steps:
                    return
                self.stop(Stop.TIMEOUT)
                act, wait_s = steps.pop(0)
                act()
                due = time.monotonic() + wait_s
            pipes.turn(due - time.monotonic())  # after the look: nobody wakes who did not wait yet


def _heard_out(pipes: Pipes, within_s: float) -> None:
    """What can still be heard: a child of the command may hold its pipe without saying a word."""
    until = time.monotonic() + within_s
    while pipes.is_open and time.monotonic() < until:
        pipes.turn(until - time.monotonic())


def _drain(pipes: Pipes, output: Output) -> None:
    """What was said before the last of them ended."""
    while pipes.is_open and pipes.turn(0) and not output.is_full:
        continue


def _ending(code: int | None, *, is_wrapped: bool) -> tuple[int, str]:
    """The exit code as a shell says it, and the signal's name."""
    number = signal.SIGKILL if code is None else max(-code, 0)
    if is_wrapped and code is not None and code > _SIGNALLED:
        number = code - _SIGNALLED
    if number not in set(signal.Signals):
        return code or 0, ""
    return _SIGNALLED + number, signal.Signals(number).name


async def begin(command: Command) -> Report:
    """Once it runs. What kept it from running is raised."""
    command.start()
    try:
        await asyncio.wait({_told(command.started)})
    except asyncio.CancelledError:
        command.stop(Stop.CANCELLED)
        raise
    return command.started.result()


async def run(command: Command, *, yield_s: float | None = None) -> Ran | None:
    """Until it has ended; None when it goes on after `yield_s`. Cancelled, it ends first."""
    await begin(command)
    ended = _told(command.ended)
    try:
        return await _followed(command, ended, yield_s)
    except asyncio.CancelledError:
        command.stop(Stop.CANCELLED)
        await asyncio.wait({ended}, timeout=command.plan.grace_s + EXEC_END_S)
        raise


async def _followed(command: Command, ended: "asyncio.Future[None]", yield_s: float | None) -> Ran | None:
    until = None if yield_s is None else time.monotonic() + yield_s
    heard_bytes = 0
    while not ended.done():
        left_s = EXEC_TELL_S if until is None else min(EXEC_TELL_S, until - time.monotonic())
        if left_s <= 0:
            return None
        await asyncio.wait({ended}, timeout=left_s)
        if not ended.done() and command.output.size_bytes > heard_bytes:
            heard_bytes = command.output.size_bytes
            progress.tell(_last_line(command.output), done=heard_bytes)
    return command.ended.result()


def _last_line(output: Output) -> str:
    text = settled(output.both.tail(4 * EXEC_TOLD_CHARS).decode(errors="replace"))
    return text.rstrip().rpartition("\n")[2][-EXEC_TOLD_CHARS:]


def _told(future: Future[Any]) -> "asyncio.Future[None]":
    """Done once the other is, in this loop; a loop that was closed meanwhile is not told."""
    loop = asyncio.get_running_loop()
    told: asyncio.Future[None] = loop.create_future()

    def tell(_done: Future[Any]) -> None:
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(finish)

    def finish() -> None:
        if not told.done():
            told.set_result(None)

    future.add_done_callback(tell)
    return told
