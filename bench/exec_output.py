"""What a command's output costs in memory: run in a process of its own, whose peak tells.

`python bench/exec_output.py [BYTES]` prints the growth for a gibibyte, beside what `capture_output` takes for a
sixteenth of it.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from msgspec import Struct

from toolpost.limits import EXEC_OUTPUT_BYTES, MIB
from toolpost.sandbox.family import TAGS
from toolpost.sandbox.model import Fence, Level, Spawn
from toolpost.sandbox.output import Output
from toolpost.sandbox.pick import Sandbox
from toolpost.sandbox.run import Command, Plan, run
from toolpost.store.blobs import Blobs

GIB = 1024 * MIB
GOAL_BYTES = 8 * MIB  # 1 GiB of output costs at most this much memory


class Growth(Struct, frozen=True):
    said_bytes: int
    grew_bytes: int
    """Of the peak of the process that ran the command."""
    took_s: float
    cpu_s: float
    stopped: str = ""


def output_growth(said_bytes: int = GIB, *, most_bytes: int | None = None, how: str = "run") -> Growth:
    """`most_bytes` is where the command is stopped; past all of it if left out. `how`: `run` or `capture`."""
    argv = [sys.executable, __file__, "child", how, str(said_bytes), str(most_bytes or 2 * said_bytes)]
    done = subprocess.run(argv, capture_output=True, check=True, env={**os.environ, "PYTHONPATH": "src"})
    return Growth(**json.loads(done.stdout))


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _child(how: str, said_bytes: int, most_bytes: int) -> Growth:
    with tempfile.TemporaryDirectory() as folder:
        work = {"run": _run, "capture": _capture}[how]
        work(Path(folder), 1, most_bytes)  # what is only loaded once is no growth
        before, began, cpu = _peak(), time.monotonic(), time.process_time()
        heard, stopped = work(Path(folder), said_bytes, most_bytes)
        took_s, cpu_s = time.monotonic() - began, time.process_time() - cpu
        return Growth(heard, _peak() - before, took_s, cpu_s, stopped)


def _script(said_bytes: int) -> tuple[str, ...]:
    return ("bash", "-c", f"head -c {said_bytes} /dev/zero")


def _run(folder: Path, said_bytes: int, most_bytes: int) -> tuple[int, str]:
    fence = Fence(roots=(str(folder),))
    spawn = Spawn(argv=_script(said_bytes), cwd=str(folder), fence=fence, tag=TAGS.issue())
    output = Output(Blobs(folder / "blobs"), held_bytes=EXEC_OUTPUT_BYTES, most_bytes=most_bytes)
    command = Command(Sandbox(), Plan(spawn=spawn, timeout_s=600, at=Level.PROCESS), output)
    ran = asyncio.run(run(command))
    assert ran is not None
    heard = output.size_bytes
    output.stdout.keep()
    output.close()
    return heard, ran.stopped or ""


def _capture(_folder: Path, said_bytes: int, _most_bytes: int) -> tuple[int, str]:
    return len(subprocess.run(_script(said_bytes), capture_output=True, check=True).stdout), ""


def main() -> None:
    if sys.argv[1:2] == ["child"]:
        how, said_bytes, most_bytes = sys.argv[2:]
        told = _child(how, int(said_bytes), int(most_bytes))
        print(json.dumps({name: getattr(told, name) for name in Growth.__struct_fields__}))
        return
    size = int(sys.argv[1]) if sys.argv[1:] else GIB
    for name, told in (
        ("all of it kept", output_growth(size)),
        ("stopped at 64 MiB", output_growth(size, most_bytes=64 * MIB)),
        ("capture_output, a sixteenth", output_growth(size // 16, how="capture")),
    ):
        print(
            f"{name:28} {told.said_bytes / MIB:8.1f} MiB said  {told.grew_bytes / MIB:+8.1f} MiB memory  "
            f"{told.took_s:6.2f} s  {told.cpu_s:6.2f} s CPU  {told.stopped}"
        )


if __name__ == "__main__":
    main()
