"""A line that was acknowledged is there, whole, whatever happens next."""

import json
import os
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from toolpost import Bench, tool
from toolpost.record.sinks import JsonlSink, MemorySink
from toolpost.result import Outcome


@tool(blocking=False)
def echo(text: str) -> str:
    return text


def _lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_memory_keeps_only_the_newest() -> None:
    sink = MemorySink(most=2)
    bench = Bench([echo], sinks=[sink])
    for text in "abc":
        bench.call_sync("echo", text=text)
    assert ([entry.args["text"] for entry in sink], len(sink), sink.last.args) == (
        ["b", "c"],
        2,
        {"text": "c"},
    )


def test_each_call_is_one_line_even_when_its_text_has_many(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "calls.jsonl"
    bench = Bench([echo], sinks=[JsonlSink(path)])
    for text in ("a\nb\r\n\u2028", "c"):
        bench.call_sync("echo", text=text)
    bench.close()
    assert [line["args"] for line in _lines(path)] == [{"text": "a\nb\r\n\u2028"}, {"text": "c"}]
    assert path.read_bytes().count(b"\n") == 2


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        JsonlSink(tmp_path / "calls.jsonl").close()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "calls.jsonl").stat().st_mode) == 0o600


def test_a_second_sink_goes_on_where_the_first_ended(tmp_path: Path) -> None:
    for text in "ab":
        bench = Bench([echo], sinks=[JsonlSink(tmp_path / "calls.jsonl")])
        bench.call_sync("echo", text=text)
        bench.close()
    assert [line["args"] for line in _lines(tmp_path / "calls.jsonl")] == [{"text": "a"}, {"text": "b"}]


def test_a_torn_last_line_does_not_spoil_the_next(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_bytes(b'{"torn": ')
    bench = Bench([echo], sinks=[JsonlSink(path)])
    bench.call_sync("echo", text="a")
    bench.call_sync("echo", text="b")
    torn, *whole = path.read_bytes().splitlines()
    assert (torn, [json.loads(line)["args"]["text"] for line in whole]) == (b'{"torn": ', ["a", "b"])
    bench.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_told_to_the_caller() -> None:
    bench = Bench([echo], sinks=[JsonlSink(Path("/dev/full"))])
    result = bench.call_sync("echo", text="a")
    bench.close()
    (problem,) = result.problems
    assert (problem.code, problem.detail) == (
        "RECORD_FAILED",
        "The call could not be recorded: No space left on device.",
    )
    assert (result.outcome, result.content) == (Outcome.FAILED, ())


def test_a_write_that_stops_halfway_is_told_and_stays_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    bench = Bench([echo], sinks=[JsonlSink(path)])
    bench.call_sync("echo", text="a")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 10, hard))
    try:
        result = bench.call_sync("echo", text="b")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    bench.call_sync("echo", text="c")
    bench.close()
    (problem,) = result.problems
    assert (problem.code, problem.detail.split(" of ")[0]) == (
        "RECORD_FAILED",
        "The call could not be recorded: 10",
    )
    assert [text for line in path.read_bytes().splitlines() for text in _text_of(line)] == ["a", "c"]


_FILLS_A_SMALL_DISK = """
import json, resource, signal, sys
from pathlib import Path
from toolpost import Bench, tool
from toolpost.record.sinks import JsonlSink

@tool(blocking=False)
def echo(text: str) -> str:
    return text

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
bench = Bench([echo], sinks=[JsonlSink(Path(sys.argv[1]))])
ends = []
for limit in (2_000, 2_000, 2_000, 2_000, 2_000, 2_000, 2_000, 100_000, 100_000):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    result = bench.call_sync("echo", text=f"{len(ends):0300}")
    ends.append(result.problem.code if result.problem else "ok")
print(json.dumps(ends))
"""


def test_a_disk_that_fills_up_and_gets_room_again_keeps_every_acknowledged_line(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    ended = subprocess.run(
        [sys.executable, "-c", _FILLS_A_SMALL_DISK, str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    ends = json.loads(ended.stdout)
    assert set(ends) == {"ok", "RECORD_FAILED"}
    assert ends[-2:] == ["ok", "ok"]
    acknowledged = [f"{at:0300}" for at, end in enumerate(ends) if end == "ok"]
    assert [text for line in path.read_bytes().splitlines() for text in _text_of(line)] == acknowledged


def _text_of(line: bytes) -> list[str]:
    try:
        return [json.loads(line)["args"]["text"]]
    except json.JSONDecodeError:  # what the full disk left of a line that was never acknowledged
        return []


_WRITES_FOR_EVER = """
import asyncio, os, sys
from pathlib import Path
from toolpost import Bench, tool
from toolpost.record.sinks import JsonlSink

@tool(blocking=False)
def echo(text: str) -> str:
    return text

async def main() -> None:
    bench = Bench([echo], sinks=[JsonlSink(Path(sys.argv[1]))])
    count = 0
    while True:
        result = await bench.call("echo", text=f"{sys.argv[2]}-{count}")
        assert result.ok
        os.write(1, b"%d\\n" % count)
        count += 1

asyncio.run(main())
"""
KILLS = 3
WRITERS = 2


def test_a_kill_under_load_loses_no_acknowledged_line_and_tears_none(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    acknowledged: set[str] = set()
    for kill in range(KILLS):
        writers = {f"{kill}{name}": _writer(path, f"{kill}{name}") for name in range(WRITERS)}
        for name, writer in writers.items():
            acknowledged |= {f"{name}-{count}" for count in _killed_after(writer, 200 + 77 * kill)}
    written = [str(json.loads(line)["args"]["text"]) for line in path.read_bytes().splitlines()]
    assert len(acknowledged) > 200 * KILLS * WRITERS
    assert acknowledged - set(written) == set()
    assert len(written) == len(set(written))


def _writer(path: Path, name: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", _WRITES_FOR_EVER, str(path), name], stdout=subprocess.PIPE)


def _killed_after(writer: subprocess.Popen[bytes], lines: int) -> list[int]:
    """What it acknowledged before it was killed, the line it was cut in left out."""
    assert writer.stdout is not None
    seen = [int(writer.stdout.readline()) for _ in range(lines)]
    writer.send_signal(signal.SIGKILL)
    rest, _ = writer.communicate(timeout=60)
    return seen + [int(line) for line in rest.split(b"\n")[:-1]]
