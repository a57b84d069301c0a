"""Processes that read files side by side: Python runs one thread at a time, and most of a build is Python.

They are this interpreter with a module of ours, told nothing by the command line and started without a shell. None
outlives its builder, whose end it notices; and a builder notices theirs.
"""

import select
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import msgspec

from toolpost.errors import IoFailed
from toolpost.index.build.frames import Ended, Setup, asked, receive, send
from toolpost.index.build.listing import Run
from toolpost.index.build.parts import Packed, Part, pack
from toolpost.index.build.read import read_local
from toolpost.index.build.spool import Spool
from toolpost.index.build.worker import Answer, Failed
from toolpost.index.limits import INDEX_HAND_FILES, INDEX_WORKER_POLL_MS, INDEX_WORKER_S
from toolpost.index.tags.rules import Rules
from toolpost.workspace.local.bulk import Bulk

_SOURCE = str(Path(__file__).parents[3])
"""Where this package is: a worker must be of the same version."""
_START = f"""import sys
sys.path.append({_SOURCE!r})
from toolpost.index.build.worker import main
main()"""
Tags = Mapping[str, Any]
"""Rules of a project's own, as its settings have them."""
Answered = tuple[int, Part, Spool]
"""A part by its number, and where its texts are."""
_answers = msgspec.msgpack.Decoder(Answer)


class Worker:
    """One process, and the spool it writes texts to."""

    def __init__(self, folder: Path) -> None:
        """Raises IoFailed."""
        self.spool = Spool.make(folder)
        self.number = -1
        """Of the runs it reads at the moment."""
        try:
            # -P: the folder it is started in, which may be anybody's tree, must not be looked in for modules.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=(self.spool.descriptor,),
            )
        except OSError as failed:
            self.spool.close()
            raise IoFailed(f"No process could be started to read files: {failed.strerror}.") from None
        self._questions, self.answers = _pipes(self._process)

    def begin(self, root: Bulk, tags: Tags) -> None:
        """Raises IoFailed."""
        self.ask(-1, Setup(root.where, root.guard, dict(tags), self.spool.descriptor))

    def ask(self, number: int, message: object) -> None:
        """It waits for a question, so a pipe that is full will soon be empty. Raises IoFailed."""
        self.number = number
        try:
            send(self._questions, message)
        except Ended:
            raise self._lost() from None

    def answer(self) -> Part:
        """Raises IoFailed."""
        try:
            said: Answer = receive(self.answers, _answers)
        except Ended:
            raise self._lost() from None
        if isinstance(said, Failed):
            raise IoFailed(said.sentence)
        return said.part

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        with suppress(BrokenPipeError):  # of what it was not told any more
            self._questions.close()
        self.answers.close()

    def _lost(self) -> IoFailed:
        code = self._process.wait()
        return IoFailed(
            f"A process that read files for the index ended ({code}). Nothing is lost: build again, and with"
            " one worker if memory is short.",
            exit_code=code,
        )


def _pipes(process: "subprocess.Popen[bytes]") -> tuple[IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None:
        raise ValueError("A worker is started with pipes.")
    return process.stdin, process.stdout


class Crew:
    """Some workers. `close` ends them; their spools stay readable until `forget`."""

    def __init__(self, count: int, root: Bulk, tags: Tags, folder: Path) -> None:
        self._workers: list[Worker] = []
        try:
            for _ in range(count):
                self._workers.append(Worker(folder))
                self._workers[-1].begin(root, tags)
        except IoFailed:
            self.close()
            self.forget()
            raise

    def read(
        self, parts: list[list[Run]], check: Callable[[], None], own: "Hand | None" = None
    ) -> Iterator[Answered]:
        """Every part as it comes, with its number. `check` is called often, and stops all by raising.

        With a hand of its own the builder reads, too, and looks after its workers in between.
        """
        shift = _Shift(parts, self._workers)
        while shift.waiting or shift.busy:
            shift.hand_out()
            if own is None or not shift.waiting:
                yield from shift.answers(_ready(shift.busy, check))
            else:
                yield from _by_hand(own, shift, check)

    def close(self) -> None:
        for worker in self._workers:
            worker.close()

    def forget(self) -> None:
        for worker in self._workers:
            worker.spool.close()


class Hand:
    """The builder as one of those that read: it needs no start, and tells nobody what it found."""

    def __init__(self, root: Bulk, rules: Rules, folder: Path) -> None:
        """Raises IoFailed."""
        self.spool = Spool.make(folder)
        self._root = root
        self._rules = rules

    def files(self, runs: list[Run]) -> Iterator[Packed | None]:
        """One for each file, in order. Raises IoFailed."""
        for run in runs:
            for doc in read_local(self._root, run, self._rules):
                yield None if doc is None else pack(doc, self.spool)


class _Shift:
    """Parts that wait, and who reads at the moment."""

    def __init__(self, parts: list[list[Run]], workers: list[Worker]) -> None:
        self.waiting = deque(enumerate(parts))
        self.busy: dict[int, Worker] = {}
        self._idle = list(workers)

    def hand_out(self) -> None:
        while self.waiting and self._idle:
            worker = self._idle.pop()
            number, runs = self.waiting.popleft()
            worker.ask(number, [asked(run) for run in runs])
            self.busy[worker.answers.fileno()] = worker

    def answers(self, ready: list[Worker]) -> Iterator[Answered]:
        for worker in ready:
            part = worker.answer()
            self._idle.append(self.busy.pop(worker.answers.fileno()))
            yield worker.number, part, worker.spool


def _by_hand(own: Hand, shift: _Shift, check: Callable[[], None]) -> Iterator[Answered]:
    """The next part, and whatever workers answer meanwhile."""
    number, runs = shift.waiting.popleft()
    begin = own.spool.size
    files: list[Packed | None] = []
    for file in own.files(runs):
        files.append(file)
        if len(files) % INDEX_HAND_FILES == 0:
            check()
            yield from shift.answers(_polled(shift.busy, 0))
            shift.hand_out()
    yield number, Part(begin, files), own.spool


def _ready(busy: dict[int, Worker], check: Callable[[], None]) -> list[Worker]:
    """Those that have answered, once there are any. Raises IoFailed when none does for long."""
    until = time.monotonic() + INDEX_WORKER_S
    while time.monotonic() < until:
        check()
        found = _polled(busy, INDEX_WORKER_POLL_MS)
        if found:
            return found
    raise IoFailed(
        f"No process that reads files for the index answered for {INDEX_WORKER_S:g} s. Build again with one worker."
    )


def _polled(busy: dict[int, Worker], wait_ms: int) -> list[Worker]:
    watch = select.poll()
    for descriptor in busy:
        watch.register(descriptor, select.POLLIN)
    return [busy[descriptor] for descriptor, _ in watch.poll(wait_ms)]
