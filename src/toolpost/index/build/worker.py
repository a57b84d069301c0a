"""A process that reads files for a builder: it is sent runs, and answers with parts, until the builder hangs up."""

import gc
import signal
import sys
from pathlib import Path
from typing import IO

import msgspec

from toolpost.errors import IoFailed
from toolpost.index.build.frames import Asked, Ended, Setup, receive, send
from toolpost.index.build.parts import Packed, Part, pack
from toolpost.index.build.read import read_local
from toolpost.index.build.spool import Spool
from toolpost.index.tags.rules import Rules
from toolpost.workspace.local.bulk import Bulk


class Failed(msgspec.Struct, frozen=True, tag=True):
    """Why no file can be read any more."""

    sentence: str


class Done(msgspec.Struct, frozen=True, tag=True):
    part: Part


Answer = Done | Failed


def main() -> None:
    """Over the standard streams."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a person stops the builder, and it hangs up
    gc.disable()  # a short life, and few circles: looking for them took 3 % of it
    serve(sys.stdin.buffer, sys.stdout.buffer)


def serve(questions: IO[bytes], answers: IO[bytes]) -> None:
    setup = receive(questions, msgspec.msgpack.Decoder(Setup))
    asked = msgspec.msgpack.Decoder(list[Asked])
    root = Bulk(Path(setup.where), guard=setup.guard)
    spool = Spool(setup.spool)
    rules = Rules.of(setup.tags)
    try:
        while True:
            send(answers, _answer(root, receive(questions, asked), rules, spool))
    except Ended:
        root.close()


def _answer(root: Bulk, runs: list[Asked], rules: Rules, spool: Spool) -> Answer:
    begin = spool.size
    try:
        files = read(root, runs, rules, spool)
        spool.flush()
    except IoFailed as failed:
        return Failed(failed.detail)
    return Done(Part(begin, files))


def read(root: Bulk, runs: list[Asked], rules: Rules, spool: Spool) -> list[Packed | None]:
    """One for each file, in order. Raises IoFailed."""
    found = (doc for each in runs for doc in read_local(root, each.run, rules))
    return [None if doc is None else pack(doc, spool) for doc in found]
