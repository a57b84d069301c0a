"""Reading, listing and editing files through the whole pipeline: `scripts/bench files`.

Three contestants on the same tree: ours in process, bytes to bytes in the mcp dialect; the filesystem server of
npm over its stdio; plain `open()`. Rates are calls a second of wall time, one call after another, rounds
interleaved; the peer is a process of its own, which is how it is used.
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import rmtree
from statistics import median
from tempfile import mkdtemp
from typing import Any

from bench.reporting import HERE, Figures, Goal, end, tell

from toolpost import codec
from toolpost.authorize.profiles import PROFILES
from toolpost.bench import Bench
from toolpost.dialects import load
from toolpost.limits import MIB
from toolpost.tools.standard import standard
from toolpost.workspace.local.beneath import strongest
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.workspace import Workspace

SERVER = HERE.parent / ".peers/mcp/npm/node_modules/@modelcontextprotocol/server-filesystem"
GOALS = (
    Goal("path_check_ratio", most=1.2),
    Goal("read_ratio", least=3),
    Goal("big_file_mib", most=16),
    Goal("big_folder_mib", most=16),
)
MEASURED = {
    "path_check_ratio": "CPU of a file object opened beneath a root and closed, over open() and close",
    "path_check_bare_ratio": "the same of the descriptors alone, over os.open and os.close",
    "read_ratio": "our rate of reading every file once, whole pipeline, over the npm server's over stdio",
    "list_ratio, edit_ratio": "the same for listing a folder of 100 files and editing a file (with its fsyncs)",
    "open_rate": "the same reads by plain open(), for scale",
    "big_file_mib": "peak memory added by reading the head, the middle and the end of a file of 1 GiB",
    "big_folder_mib": "peak memory added by listing a folder of 1,000,000 entries",
}


Job = tuple[str, dict[str, Any]]
"""A tool and its arguments, in a contestant's own words."""


def tree(folder: Path, files: int) -> list[str]:
    """So many files of 1 to 8 KiB in folders of a hundred."""
    paths = []
    for number in range(files):
        path = folder / f"d{number // 100:03}" / f"f{number:05}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text("the title\n" + f"line of file {number}\n" * (50 + number % 350))
        paths.append(str(path.relative_to(folder)))
    return paths


class Ours:
    """The bench as a server would drive it: a message in, a message out."""

    def __init__(self, folder: Path, state: Path) -> None:
        tools = standard(Workspace({"": LocalRoot(folder)}), state=state)
        self._bench = Bench(tools, profile=PROFILES["open"])
        self._dialect = load("mcp")(self._bench.tools)
        self._loop = asyncio.new_event_loop()

    def do(self, jobs: list[Job]) -> None:
        self._loop.run_until_complete(self._all(jobs))

    async def _all(self, jobs: list[Job]) -> None:
        for name, arguments in jobs:
            message = codec.encode(self._dialect.ask(name, arguments))
            result = await self._bench.call(self._dialect.parse(message))
            assert result.ok, result.problems
            codec.encode(self._dialect.render(result))

    def read(self, path: str) -> Job:
        return "read_file", {"path": path}

    def list(self, path: str) -> Job:
        return "list_directory", {"path": path, "limit": 100}

    def edit(self, path: str, old: str, new: str) -> Job:
        return "edit_file", {"path": path, "edits": [{"old_text": old, "new_text": new}]}

    def close(self) -> None:
        self._loop.close()


class Npm:
    """The official server, spoken to in JSON lines."""

    def __init__(self, folder: Path) -> None:
        command: list[str | Path] = ["node", SERVER / "dist/index.js", folder]
        self._server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._folder, self._last = folder, 0
        client = {"name": "bench", "version": "1"}
        version = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        self._ask("initialize", version)
        self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _say(self, message: dict[str, Any]) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(message).encode() + b"\n")
        self._server.stdin.flush()

    def _ask(self, method: str, params: dict[str, Any]) -> None:
        assert self._server.stdout is not None
        self._last += 1
        self._say({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        while b'"id":%d' % self._last not in (line := self._server.stdout.readline()):
            assert line, "the server ended"
        assert b'"isError":true' not in line, line

    def do(self, jobs: list[Job]) -> None:
        for name, arguments in jobs:
            self._ask("tools/call", {"name": name, "arguments": arguments})

    def read(self, path: str) -> Job:
        return "read_text_file", {"path": f"{self._folder}/{path}"}

    def list(self, path: str) -> Job:
        return "list_directory_with_sizes", {"path": f"{self._folder}/{path}"}

    def edit(self, path: str, old: str, new: str) -> Job:
        edits = [{"oldText": old, "newText": new}]
        return "edit_file", {"path": f"{self._folder}/{path}", "edits": edits}

    def close(self) -> None:
        self._server.kill()
        self._server.communicate()


class Plain:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def do(self, jobs: list[Job]) -> None:
        for path, _ in jobs:
            with open(path, encoding="utf-8") as file:
                file.read()

    def read(self, path: str) -> Job:
        return f"{self._folder}/{path}", {}


def rounds(times: int, contestants: dict[str, Callable[[], float]]) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {name: [] for name in contestants}
    names = list(contestants)
    for turn in range(times):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            taken[name].append(contestants[name]())
    return taken


def ratio(over: list[float], under: list[float]) -> float:
    return median(ours / theirs for ours, theirs in zip(over, under, strict=True))


def path_check(folder: Path, path: str, times: int) -> Figures:
    """A file object beneath a root against `open()`, and below it the bare descriptor against `os.open`."""
    way, whole = strongest(), str(folder / path)
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    root = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    ways: dict[str, Callable[[], Any]] = {
        "beneath": lambda: open(way.open(root, path, flags), "rb").close(),
        "open": lambda: open(whole, "rb").close(),
        "beneath_bare": lambda: os.close(way.open(root, path, flags)),
        "open_bare": lambda: os.close(os.open(whole, flags)),
    }
    taken = rounds(9, {name: partial(_cpu, once, times) for name, once in ways.items()})
    os.close(root)
    figures: Figures = {f"{name}_us": median(values) for name, values in taken.items()}
    figures["path_check_ratio"] = ratio(taken["beneath"], taken["open"])
    figures["path_check_bare_ratio"] = ratio(taken["beneath_bare"], taken["open_bare"])
    return figures


def _cpu(once: Callable[[], Any], times: int) -> float:
    began = time.process_time()
    for _ in range(times):
        once()
    return (time.process_time() - began) / times * 1e6


def rates(folder: Path, state: Path, paths: list[str], options: argparse.Namespace) -> Figures:
    ours, plain = Ours(folder, state), Plain(folder)
    npm = Npm(folder) if SERVER.exists() else None
    figures: Figures = {}
    for name, work in JOBS.items():
        racers = {"ours": ours, "npm": npm, "open": plain}
        racing = {
            who: _lap(work(racer, paths), racer)
            for who, racer in racers.items()
            if racer and hasattr(racer, name)
        }
        taken = rounds(options.rounds, racing)
        figures |= {f"{name}_{who}_per_s": median(values) for who, values in taken.items()}
        figures[f"{name}_ratio"] = ratio(taken["ours"], taken["npm"]) if npm else None
    ours.close()
    if npm:
        npm.close()
    return figures


def _lap(jobs: list[Job], racer: Any) -> Callable[[], float]:
    def lap() -> float:
        began = time.perf_counter()
        racer.do(jobs)
        return len(jobs) / (time.perf_counter() - began)

    return lap


def read_all(racer: Any, paths: list[str]) -> list[Job]:
    return [racer.read(path) for path in paths]


def list_all(racer: Any, paths: list[str]) -> list[Job]:
    return [racer.list(folder) for folder in sorted({path.partition("/")[0] for path in paths})]


def edit_some(racer: Any, paths: list[str]) -> list[Job]:
    """There and back, so that every round finds the same files."""
    chosen = paths[:: max(1, len(paths) // 200)]
    there = [racer.edit(path, "the title", "another title") for path in chosen]
    return there + [racer.edit(path, "another title", "the title") for path in chosen]


JOBS = {"read": read_all, "list": list_all, "edit": edit_some}


def grown(kind: str, folder: Path) -> float:
    """MiB that one job adds to the peak memory of a fresh process."""
    command = [sys.executable, "-m", "bench.files", "--grow", kind, "--folder", str(folder)]
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def grow(kind: str, folder: Path) -> None:
    ours = Ours(folder, folder.parent / "state")
    ours.do([ours.read("small.txt"), ours.list("few")])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if kind == "file":
        lines = {"path": "big.bin.txt", "start_line": 5_000_000, "end_line": 5_000_010}
        end_of_it = {"path": "big.bin.txt", "from_byte": 1024 * MIB - 5000}
        ours.do([ours.read("big.bin.txt"), ("read_file", lines), ("read_file", end_of_it)])
    else:
        ours.do([ours.list("many")])
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)


def big(folder: Path, entries: int) -> Figures:
    folder.mkdir()
    (folder / "small.txt").write_text("small\n")
    (folder / "few").mkdir()
    with (folder / "big.bin.txt").open("wb") as file:
        block = (
            b"a line of one hundred bytes, give or take a few, that stands in a very large file of text.\n"
            * 11_000
        )
        while file.tell() < 1024 * MIB:
            file.write(block)
    figures: Figures = {"big_file_mib": grown("file", folder)}
    (folder / "big.bin.txt").unlink()
    (folder / "many").mkdir()
    for number in range(entries):
        os.close(os.open(folder / "many" / f"{number:07}", os.O_CREAT | os.O_WRONLY, 0o600))
    figures["big_folder_mib"] = grown("folder", folder)
    return figures


def measure(options: argparse.Namespace) -> Figures:
    place = Path(mkdtemp(prefix="toolpost-bench-"))
    try:
        (place / "tree").mkdir()
        paths = tree(place / "tree", options.files)
        figures = path_check(place / "tree", paths[0], 20_000)
        figures |= rates(place / "tree", place / "state", paths, options)
        figures |= big(place / "big", options.entries)
    finally:
        rmtree(place)
    return {name: None if value is None else round(value, 3) for name, value in figures.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="File tools, next to their peers.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--grow", choices=["file", "folder"], help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.grow:
        grow(options.grow, options.folder)
        return
    facts = {"rounds": options.rounds, "files": options.files, "entries": options.entries}
    peers = {"server-filesystem": _version()} if SERVER.exists() else {}
    told = tell("files", lambda: measure(options), GOALS, peers=peers, measured=MEASURED, **facts)
    end(told, is_whole=bool(peers))


def _version() -> str:
    version: str = json.loads((SERVER / "package.json").read_text())["version"]
    return version


if __name__ == "__main__":
    main()
