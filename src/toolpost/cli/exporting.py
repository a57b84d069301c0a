"""The whole index written out as JSON: to stdout, or to a file that is the old one until the new one is whole."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from toolpost.cli.exits import Exit
from toolpost.cli.trouble import Trouble, Unheard
from toolpost.index.ask.export import write_json
from toolpost.index.snapshot import Snapshot


def to_stdout(snapshot: Snapshot) -> None:
    try:
        sys.stdout.flush()
        write_json(snapshot, sys.stdout.buffer)
        sys.stdout.buffer.write(b"\n")
        sys.stdout.buffer.flush()
    except OSError as error:
        raise Unheard(error) from None


def to_file(snapshot: Snapshot, out: Path) -> None:
    try:
        with _replacing(out) as stream:
            write_json(snapshot, stream)
    except OSError as error:
        raise Trouble(
            f"{out} cannot be written: {error.strerror}.", "Name another file.", Exit.FAILED
        ) from None


@contextmanager
def _replacing(out: Path) -> Iterator[BinaryIO]:
    """What is written takes the file's place at the end, and only if nothing failed."""
    target = out.resolve()
    if target.exists() and not target.is_file():  # a device or a pipe is written to; a folder refuses
        with target.open("wb") as stream:
            yield stream
        return
    beside = target.with_name(f".{token_hex(8)}.new")
    try:
        with beside.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            beside.chmod(target.stat().st_mode & 0o777)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
