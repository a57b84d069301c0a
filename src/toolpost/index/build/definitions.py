"""The definitions of a generation's files, added once everything else is answered from.

Parsing takes several times as long as the rest of a build, so it is done by processes of their own, and only for
files whose content the generation before did not have.
"""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import IO, Self

import msgspec
from msgspec import Struct

from toolpost.errors import IoFailed
from toolpost.index.build.frames import Ended, receive, send
from toolpost.index.build.progress import Stage, Watch
from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.docs import text_of
from toolpost.index.disk.generations import SYMBOLS, Folder, Generation, is_same
from toolpost.index.disk.mapped import Base
from toolpost.index.limits import INDEX_BUSY_S, INDEX_WORKER_POLL_MS, SYMBOLS_ALONE_BYTES, SYMBOLS_BATCH
from toolpost.index.symbols.find import grammar_of, symbols
from toolpost.index.symbols.table import NONE, Found, Symbols, found, make

_SOURCE = str(Path(__file__).parents[3])
_START = f"""import sys
sys.path.append({_SOURCE!r})
from toolpost.index.build.definitions import main
main()"""


class Share(Struct, frozen=True):
    """What one process parses."""

    folder: str
    generation: Generation
    numbers: list[int]


_shares = msgspec.msgpack.Decoder(Share)
_answers = msgspec.msgpack.Decoder(list[Found])


def add_definitions(
    folder: Folder, generation: Generation, *, workers: int, watch: Watch, reuse: Base | None = None
) -> Generation | None:
    """The generation with its definitions; None where it is not the newest any more.

    Raises Damaged, Busy, IoFailed, Cancelled.
    """
    now = folder.current()
    if now is None or not is_same(now, generation) or SYMBOLS in now.files:
        return now if now is not None and is_same(now, generation) else None
    with closing(Base.open(folder, now)) as base:
        known = _known(base, reuse)
        numbers = [number for number in range(base.count) if number not in known and _is_code(base, number)]
        size = sum(base.starts[number + 1] - base.starts[number] for number in numbers)
        if size <= SYMBOLS_ALONE_BYTES:
            known.update(_parsed(base, numbers, watch))
        else:
            known.update(_shared(folder, now, numbers, workers, watch))
        sections = make(known.get(number, NONE) for number in range(base.count))
    with folder.writing(INDEX_BUSY_S) as writing:
        return writing.add(generation, SYMBOLS, sections)


def _is_code(base: Base, number: int) -> bool:
    begin, end = base.starts[number], base.starts[number + 1]
    head = base.text.read(begin, min(end, begin + _HEAD))
    return bool(head) and grammar_of(_path(base, number), head) is not None


_HEAD = 128  # enough of a file to tell its language where its name does not


def _known(base: Base, reuse: Base | None) -> dict[int, Found]:
    """What files that have the content they had before define."""
    if reuse is None or reuse.symbols is None:
        return {}
    try:
        return dict(_unchanged(base, reuse, Symbols(reuse.symbols)))
    except Damaged:
        return {}  # what was there before is of no use


def _unchanged(base: Base, reuse: Base, table: Symbols) -> Iterator[tuple[int, Found]]:
    for number in range(base.count):
        old = reuse.find(base.path(number))
        blob_id = base.blob_id(number)
        if old >= 0 and blob_id and reuse.blob_id(old) == blob_id:
            yield number, table.found(old)


def _parsed(base: Base, numbers: list[int], watch: Watch) -> Iterator[tuple[int, Found]]:
    for done, number in enumerate(numbers):
        if done % SYMBOLS_BATCH == 0:
            watch.at(Stage.SYMBOLS, done, len(numbers))
        watch.check()
        yield number, _found(base, number)


def _found(base: Base, number: int) -> Found:
    return found(symbols(_path(base, number), text_of(base, number)))


def _path(base: Base, number: int) -> str:
    return base.path(number).decode("utf-8", "surrogateescape")


def _shared(
    folder: Folder, generation: Generation, numbers: list[int], workers: int, watch: Watch
) -> list[tuple[int, Found]]:
    """Every so many files are the next process's, so that large ones, which lie together, are shared too."""
    shares = [Share(str(folder.path), generation, numbers[first::workers]) for first in range(workers)]
    with ExitStack() as stack:
        parsers = [stack.enter_context(_Parser(share)) for share in shares if share.numbers]
        pool = stack.enter_context(ThreadPoolExecutor(len(parsers), thread_name_prefix="toolpost-symbols"))
        for parser in parsers:
            stack.callback(parser.stop)  # before its thread is waited for
        waiting = {pool.submit(parser.run) for parser in parsers}
        while waiting:
            watch.at(Stage.SYMBOLS, sum(len(parser.answers) for parser in parsers), len(numbers))
            done, waiting = wait(waiting, INDEX_WORKER_POLL_MS / 1000, FIRST_EXCEPTION)
            for one in done:
                one.result()
    watch.at(Stage.SYMBOLS, len(numbers), len(numbers))
    return [pair for parser in parsers for pair in parser.answered()]


class _Parser:
    """A process that parses a share of the files."""

    def __init__(self, share: Share) -> None:
        """Raises IoFailed."""
        self.answers: list[Found] = []
        self._share = share
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as failed:
            raise IoFailed(f"No process could be started to parse files: {failed.strerror}.") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        with suppress(BrokenPipeError):  # of what it was not told any more
            self._process.__exit__(None, None, None)

    def run(self) -> None:
        """In a thread of its own. Raises IoFailed, also once it is stopped."""
        questions, answers = self._process.stdin, self._process.stdout
        if questions is None or answers is None:
            raise ValueError("A worker is started with pipes.")
        try:
            send(questions, self._share)
            while len(self.answers) < len(self._share.numbers):
                batch: list[Found] = receive(answers, _answers)
                self.answers += batch
        except Ended:
            raise IoFailed(
                "A process that parsed files for the index ended. Nothing is lost: build again."
            ) from None

    def answered(self) -> Iterator[tuple[int, Found]]:
        return zip(self._share.numbers, self.answers, strict=True)

    def stop(self) -> None:
        self._process.kill()


def main() -> None:
    """A worker, over the standard streams."""
    serve(sys.stdin.buffer, sys.stdout.buffer)


def serve(questions: IO[bytes], answers: IO[bytes]) -> None:
    share = receive(questions, _shares)
    with closing(Base.open(Folder(Path(share.folder)), share.generation)) as base:
        for first in range(0, len(share.numbers), SYMBOLS_BATCH):
            send(answers, [_found(base, number) for number in share.numbers[first : first + SYMBOLS_BATCH]])
