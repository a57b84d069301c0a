"""Messages between a builder and its workers: a length, then msgpack. Names travel as bytes: not all are UTF-8."""

import os
from typing import IO, Any, TypeVar

import msgspec
from msgspec import Struct

from toolpost.index.build.listing import Run
from toolpost.workspace.guard import Guard

_LENGTH = 4
_encode = msgspec.msgpack.Encoder().encode
Message = TypeVar("Message")


class Ended(Exception):
    """The other side is gone."""


class Setup(Struct, frozen=True):
    """What a worker needs to know before it reads."""

    where: str
    guard: Guard
    tags: dict[str, Any]
    """Rules of the project's own, as settings have them."""
    spool: int
    """A descriptor it was given."""


class Asked(Struct, frozen=True, array_like=True, gc=False):
    """A run to be read."""

    folder: str
    names: bytes
    """With a NUL between them."""
    blob_ids: list[bytes]

    @property
    def run(self) -> Run:
        return Run(self.folder, os.fsdecode(self.names).split("\0"), [], self.blob_ids)


def asked(run: Run) -> Asked:
    return Asked(run.folder, os.fsencode("\0".join(run.names)), run.blob_ids)


def send(stream: IO[bytes], message: object) -> None:
    """Raises Ended."""
    packed = _encode(message)
    try:
        stream.write(len(packed).to_bytes(_LENGTH, "big") + packed)
        stream.flush()
    except BrokenPipeError:
        raise Ended from None


def receive(stream: IO[bytes], decoder: msgspec.msgpack.Decoder[Message]) -> Message:
    """Raises Ended, also in the middle of a message."""
    return decoder.decode(_read(stream, int.from_bytes(_read(stream, _LENGTH), "big")))


def _read(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise Ended
    return data
