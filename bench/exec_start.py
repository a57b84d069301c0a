"""What starting a command in the sandbox costs over starting it bare: wall and CPU time, interleaved.

    python bench/exec_start.py [rounds]

CPU time is ours and all our children's; medians. The command is /bin/true, as a list of words and as a line for a
shell; each is compared with the same one started by `subprocess.Popen` alone. A list of words needs one more program
than a line, the shell that sets its limits.
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from toolpost.sandbox.model import Caps, Fence, Level, Spawn
from toolpost.sandbox.pick import Sandbox
from toolpost.sandbox.protect import protected

GOALS = {Level.LANDLOCK: (None, 1.0), Level.NAMESPACES: (30.0, 5.0)}
"""Milliseconds over bare: wall, CPU."""
WORDS, LINE = ("/bin/true",), ("/bin/sh", "-c", "/bin/true")


def bare(root: str, argv: tuple[str, ...]) -> None:
    subprocess.Popen(argv, cwd=root, stdin=subprocess.DEVNULL, start_new_session=True).wait()


def fenced(root: str, argv: tuple[str, ...], sandbox: Sandbox, level: Level, *, writes: bool) -> None:
    fence = Fence(roots=(root,), protected=protected((root,)), writes=writes)
    spawn = Spawn(argv=argv, cwd=root, fence=fence, caps=Caps(), tag=os.urandom(8).hex())
    started = sandbox.start(spawn, at=level)
    if started.process.wait() != 0:
        raise SystemExit(f"{level.label}: the command failed")
    started.finish()


def cpu_ms() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return 1000 * sum(one.ru_utime + one.ru_stime for one in used)


def measure(ways: dict[str, Callable[[], None]], rounds: int) -> dict[str, tuple[float, float]]:
    """Wall and CPU milliseconds of each, the ways taking turns."""
    took: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for way in ways.values():
        way()
    for _ in range(rounds):
        for name, way in ways.items():
            before, begun = cpu_ms(), time.perf_counter()
            way()
            took[name].append((1000 * (time.perf_counter() - begun), cpu_ms() - before))
    return {
        name: (median(wall for wall, _ in both), median(cpu for _, cpu in both))
        for name, both in took.items()
    }


def ways_of(root: str, argv: tuple[str, ...], sandbox: Sandbox) -> dict[str, Callable[[], None]]:
    ways: dict[str, Callable[[], None]] = {"bare": partial(bare, root, argv)}
    for level in (Level.PROCESS, Level.LANDLOCK, Level.NAMESPACES):
        for name, writes in (("reading", False), ("writing", True)):
            ways[f"{level.label} {name}"] = partial(fenced, root, argv, sandbox, level, writes=writes)
    return ways


def show(title: str, took: dict[str, tuple[float, float]]) -> None:
    goals = {level.label: goal for level, goal in GOALS.items()}
    wall0, cpu0 = took["bare"]
    print(f"{title:12} {'wall ms':>8} {'over':>7} {'goal':>6} {'cpu ms':>8} {'over':>7} {'goal':>6}")
    for name, (wall, cpu) in took.items():
        wall_goal, cpu_goal = goals.get(name[:2], (None, None))
        print(
            f"{name:12} {wall:8.2f} {wall - wall0:+7.2f} {wall_goal or '':>6} "
            f"{cpu:8.2f} {cpu - cpu0:+7.2f} {cpu_goal or '':>6}"
        )


def main(rounds: int = 200) -> None:
    sandbox = Sandbox()
    with TemporaryDirectory() as folder:
        root = str(Path(folder).resolve())
        (Path(root) / ".git" / "hooks").mkdir(parents=True)
        (Path(root) / ".git" / "config").write_text("[core]\n")
        for title, argv in (("words", WORDS), ("line", LINE)):
            show(title, measure(ways_of(root, argv, sandbox), rounds))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
