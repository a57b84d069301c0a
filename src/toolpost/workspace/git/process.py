"""One run of git: bounded in time and output, in a session of its own, with nothing of ours but what it is given."""

import math
import os
import select
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from toolpost.errors import IoFailed, TimedOut
from toolpost.limits import GIT_OUTPUT_BYTES, GIT_STDERR_BYTES, GIT_STOP_S, GIT_TIMEOUT_S

_CHUNK = 1 << 16


class GitOutput(Struct, frozen=True):
    stdout: bytes
    truncated: bool
    """There was more; git was stopped when it had said as much as it may."""
    exit_code: int
    stderr: str


class Job(Struct, frozen=True, kw_only=True):
    argv: tuple[str, ...]
    cwd: Path
    environment: Mapping[str, str]
    stdin: bytes | None = None
    max_bytes: int = GIT_OUTPUT_BYTES
    timeout_s: float = GIT_TIMEOUT_S

    @property
    def said(self) -> str:
        return " ".join(["git", *(arg for arg in self.argv[1:] if not arg.startswith("-"))][:2])


def run(job: Job) -> GitOutput:
    stdin = subprocess.DEVNULL if job.stdin is None else subprocess.PIPE
    process = start(job, stdin=stdin, stderr=subprocess.PIPE)
    try:
        return _Talk(job, process).output()
    finally:
        stop(process)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def start(job: Job, *, stdin: int, stderr: int) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            job.argv,
            cwd=job.cwd,
            env=dict(job.environment),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        )
    except OSError as failed:
        raise IoFailed(f"{job.said} could not be started: {failed.strerror}.", parameter="path") from None


def stop(process: subprocess.Popen[bytes]) -> None:
    """All of its group. Asked first, because git then takes its lock files away."""
    if process.returncode is not None:  # reaped: its number may be another's by now
        return
    _signal(process, signal.SIGTERM)
    try:
        process.wait(GIT_STOP_S)
    except subprocess.TimeoutExpired:
        _signal(process, signal.SIGKILL)
        process.wait()


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def is_readable(descriptor: int, within_s: float) -> bool:
    """Not by `select`, which knows no descriptor above 1,023."""
    watch = select.poll()
    watch.register(descriptor, select.POLLIN)
    return bool(watch.poll(math.ceil(within_s * 1000)))


def _await_end(process: subprocess.Popen[bytes], within_s: float) -> None:
    """By a descriptor for the process, where there is one: `Popen.wait` sleeps for half a millisecond or more."""
    try:
        descriptor = os.pidfd_open(process.pid)
    except (AttributeError, OSError):  # not Linux, or no descriptor left
        with suppress(subprocess.TimeoutExpired):
            process.wait(within_s)
        return
    try:
        is_readable(descriptor, within_s)
    finally:
        os.close(descriptor)


class _Talk:
    """Feeds and drains the pipes together, so that neither side waits for the other."""

    def __init__(self, job: Job, process: subprocess.Popen[bytes]) -> None:
        self._job = job
        self._process = process
        self._deadline = time.monotonic() + job.timeout_s
        self._unsent = memoryview(job.stdin or b"")
        self._stdout = bytearray()
        self._stderr = bytearray()
        self._pipes = selectors.PollSelector()  # which needs no descriptor of its own
        for pipe, events, act in (
            (process.stdout, selectors.EVENT_READ, self._hear),
            (process.stderr, selectors.EVENT_READ, self._hear_complaint),
            (process.stdin, selectors.EVENT_WRITE, self._say),
        ):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
                self._pipes.register(pipe, events, (act, pipe))

    def output(self) -> GitOutput:
        while self._pipes.get_map() and not self._is_full:
            for key, _ in self._pipes.select(self._left_s()):
                act, pipe = key.data
                if not act(key.fd):
                    self._pipes.unregister(pipe)
                    pipe.close()
        if not self._is_full:
            self._wait()
        said = self._stderr.decode(errors="replace")
        cut = bytes(self._stdout[: self._job.max_bytes])
        return GitOutput(cut, self._is_full, self._process.poll() or 0, said.strip())

    @property
    def _is_full(self) -> bool:
        return len(self._stdout) > self._job.max_bytes

    def _left_s(self) -> float:
        left_s = self._deadline - time.monotonic()
        if left_s <= 0:
            raise TimedOut(
                f"{self._job.said} took longer than {self._job.timeout_s:g} s; name a path or a smaller range.",
                limit_s=self._job.timeout_s,
            )
        return left_s

    def _wait(self) -> None:
        """For its end, once it has said everything."""
        while self._process.poll() is None:
            _await_end(self._process, self._left_s())

    def _hear(self, pipe: int) -> bool:
        data = os.read(pipe, _CHUNK)
        self._stdout += data
        return bool(data)

    def _hear_complaint(self, pipe: int) -> bool:
        data = os.read(pipe, _CHUNK)
        self._stderr += data[: GIT_STDERR_BYTES - len(self._stderr)]
        return bool(data)

    def _say(self, pipe: int) -> bool:
        try:
            sent = os.write(pipe, self._unsent[:_CHUNK])
        except BrokenPipeError:  # git has heard enough
            return False
        self._unsent = self._unsent[sent:]
        return bool(self._unsent)
