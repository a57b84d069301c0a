import os
import random
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from toolpost.limits import EXEC_CHUNK_BYTES
from toolpost.sandbox.output import Log, Output, Stream
from toolpost.store.blobs import Blobs

HELD = 1000


def pieces(size: int, seed: int = 7) -> Iterator[bytes]:
    chance = random.Random(seed)
    while size > 0:
        piece = chance.randbytes(min(size, chance.randint(1, EXEC_CHUNK_BYTES)))
        size -= len(piece)
        yield piece


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs(tmp_path / "blobs")


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("size", [0, 1, HELD - 1, HELD, HELD + 1, 2 * HELD, 70_000, 500_000])
def test_a_log_gives_back_every_byte_wherever_it_is_kept(blobs: Blobs, size: int) -> None:
    log, whole = Log(blobs, HELD), b""
    for piece in pieces(size):
        log.write(piece)
        whole += piece
    assert (log.size_bytes, log.lines) == (size, whole.count(b"\n"))
    assert log.head(HELD) == whole[:HELD]
    assert log.tail(HELD) == whole[-HELD:]
    for start in (0, HELD // 2, HELD, size // 2, max(size - 5, 0), size):
        assert log.read(start, 300) == (start, whole[start : start + 300])
    digest = log.keep()
    assert digest == sha256(whole).hexdigest()
    assert blobs.get(digest) == whole
    assert log.keep() == digest
    assert log.read(size // 2, 300) == (size // 2, whole[size // 2 :][:300])


def test_a_short_output_never_touches_the_disk(tmp_path: Path) -> None:
    log = Log(Blobs(tmp_path / "blobs"), HELD)
    log.write(b"x" * 2 * HELD)
    assert not (tmp_path / "blobs").exists()
    assert log.head(2 * HELD) == log.tail(2 * HELD) == b"x" * 2 * HELD


def test_what_was_spooled_and_not_kept_leaves_no_file(tmp_path: Path) -> None:
    log = Log(Blobs(tmp_path / "blobs"), HELD)
    for piece in pieces(300_000):
        log.write(piece)
    assert len(files(tmp_path / "blobs")) == 1
    log.close()
    assert files(tmp_path / "blobs") == []
    assert log.keep() == ""


def test_without_a_store_the_middle_is_lost_and_both_ends_are_not() -> None:
    log, whole = Log(None, HELD), b"".join(pieces(300_000))
    for start in range(0, len(whole), 10_000):
        log.write(whole[start : start + 10_000])
    assert log.keep() == ""
    assert (log.head(HELD), log.tail(HELD)) == (whole[:HELD], whole[-HELD:])
    at, part = log.read(50_000, 100_000)
    assert at > 50_000
    assert part == whole[at : at + 100_000]


def test_a_folder_that_cannot_be_written_costs_only_the_middle(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("in the way")
    log = Log(Blobs(tmp_path / "blobs"), HELD)
    log.write(b"a" * 300_000)
    assert (log.head(3), log.tail(3), log.keep()) == (b"aaa", b"aaa", "")
    short = Log(Blobs(tmp_path / "blobs"), HELD)
    short.write(b"b")
    assert short.keep() == ""


def test_a_disk_that_fills_up_costs_only_the_middle(blobs: Blobs, tmp_path: Path) -> None:
    log = Log(blobs, HELD)
    log.write(b"a" * 100_000)
    full = os.open("/dev/full", os.O_RDWR)
    (growing,) = files(tmp_path / "blobs")
    for handle in Path("/proc/self/fd").iterdir():
        if handle.is_symlink() and handle.readlink() == growing:
            os.dup2(full, int(handle.name))
    os.close(full)
    log.write(b"b" * 100_000)
    assert (log.head(3), log.tail(3), log.keep()) == (b"aaa", b"bbb", "")
    assert files(tmp_path / "blobs") == []


def test_both_streams_stand_together_in_the_order_they_were_heard(blobs: Blobs) -> None:
    output = Output(blobs, held_bytes=HELD)
    assert output.both.size_bytes == 0
    said = [(Stream.STDERR, b"e1"), (Stream.STDOUT, b"o1"), (Stream.STDOUT, b"o2"), (Stream.STDERR, b"e2")]
    for stream, data in said:
        output.hear(stream, data)
    assert output.both.head(100) == b"e1o1o2e2"
    assert (output.stdout.head(100), output.stderr.head(100)) == (b"o1o2", b"e1e2")


def test_one_stream_alone_is_not_written_twice(blobs: Blobs) -> None:
    output = Output(blobs, held_bytes=HELD)
    output.hear(Stream.STDERR, b"only")
    assert output.both is output.stderr
    output.hear(Stream.STDOUT, b"")
    assert output.both is output.stderr


def test_a_long_stream_is_taken_over_when_the_other_begins(blobs: Blobs) -> None:
    output, whole = Output(blobs, held_bytes=HELD), b"".join(pieces(400_000))
    output.hear(Stream.STDOUT, whole)
    output.hear(Stream.STDERR, b"late")
    assert blobs.get(output.both.keep()) == whole + b"late"
    output.close()


def test_past_the_most_nothing_more_is_heard(blobs: Blobs) -> None:
    output = Output(blobs, held_bytes=HELD, most_bytes=10)
    output.hear(Stream.STDOUT, b"12345678")
    assert not output.is_full
    output.hear(Stream.STDERR, b"abcd")
    output.hear(Stream.STDOUT, b"more")
    assert output.is_full
    assert (output.stdout.head(20), output.stderr.head(20), output.size_bytes) == (b"12345678", b"ab", 10)


SPEAKER = """
import asyncio, resource, sys
from pathlib import Path
from tests.sandbox.bare import command
from toolpost.sandbox.output import Output
from toolpost.sandbox.run import run
from toolpost.store.blobs import Blobs

def said(size):
    output = Output(Blobs(Path(sys.argv[1])), most_bytes=2**30)
    ran = asyncio.run(run(command(f"head -c {size} /dev/zero", output)))
    kept = output.stdout.keep()
    assert (ran.exit_code, output.size_bytes, len(kept)) == (0, size, 64), (ran, output.size_bytes, kept)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

before = said(1)
print(said(64 * 2**20) - before)
"""


def test_a_long_output_costs_next_to_no_memory(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(["src", "."])}
    argv = [sys.executable, "-c", SPEAKER, str(tmp_path)]
    ran = subprocess.run(argv, env=environment, capture_output=True, timeout=120, check=True)
    assert int(ran.stdout) < 8 * 1024
