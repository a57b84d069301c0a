"""How soon a change is seen, how soon an index is opened again, and what it holds in memory.

All of it on a copy: nothing is ever written into a repository that was given.
"""

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.index_build import child
from bench.index_ground import Repo
from bench.index_queries import SEED, Asked
from bench.index_running import settle, share
from bench.reporting import HERE, Figures

from toolpost.index.ask.query import Query, query
from toolpost.index.disk.shelf import Shelf
from toolpost.index.fresh.live import CHECKED, WATCHED
from toolpost.index.indexes import Indexes
from toolpost.workspace.local.root import LocalRoot

MANY = 100
ONE_TIMES = 30
MANY_TIMES = 6
WARM_UP = 3
SERVED_TIMES, ALONE_TIMES = 15, 7
LARGEST_CHANGED = 100_000
"""Files of at most so many bytes are changed."""
_LINES = {
    ".ts": "export const {} = 1;",
    ".tsx": "export const {} = 1;",
    ".mjs": "export const {} = 1;",
    ".py": "{} = 1",
}
_COMMENTS = {".ts": "// {}", ".tsx": "// {}", ".mjs": "// {}", ".py": "# {}"}
Say = Callable[[str], None]
Stage = Callable[[], Figures]


def freshness(repo: Repo, place: Path, say: Say) -> Iterator[Stage]:
    """Parts that come one after another; one that fails leaves its figures out."""
    folder, cache = place / "copy" / repo.name, place / "fresh"

    def changes() -> Figures:
        _copy(repo, folder)
        child("build", folder, cache)
        copied = Repo(repo.name, folder, cache)
        try:
            return _changes(copied, say)
        finally:
            copied.close()

    def opened_again() -> Figures:
        child("build", folder, cache)
        return _opened_again(folder, cache)

    yield changes
    yield opened_again
    yield partial(_memory, folder, cache)
    yield partial(_imports, folder, cache)


def _copy(repo: Repo, folder: Path) -> None:
    """Every file that has text in the index."""
    passed, made = repo.passed(), set[Path]()
    base = repo.live.snapshot().base
    for path in map(os.fsdecode, (found for found in base.paths(0, base.count) if found not in passed)):
        to = folder / path
        if to.parent not in made:
            to.parent.mkdir(parents=True, exist_ok=True)
            made.add(to.parent)
        shutil.copyfile(repo.folder / path, to, follow_symlinks=False)


def _changed_files(repo: Repo) -> list[Path]:
    """Code that passes on what stands at its end, in an order of chance."""
    base = repo.live.snapshot().base
    found = []
    for path in map(os.fsdecode, base.paths(0, base.count)):
        file = repo.folder / path
        if file.suffix in _LINES and ".d." not in file.name and file.stat().st_size <= LARGEST_CHANGED:
            text = file.read_bytes()
            if b"__all__" not in text and b"module.exports" not in text and text.endswith(b"\n"):
                found.append(file)
                if len(found) >= MANY * 10:
                    break
    random.Random(SEED).shuffle(found)
    return found[:MANY]


def _changes(repo: Repo, say: Say) -> Figures:
    files = _changed_files(repo)
    if not files:
        say("freshness: there is no code to change")
        return {}
    repo.live.snapshot()
    settle()
    change = _Change(repo, files)
    for _ in range(WARM_UP):
        change.seen_by_search(1)
        change.seen_by_query(1)
    times: dict[str, list[Taken]] = {name: [] for name in ("1", "1_exports", "100", "100_exports")}
    for _ in range(ONE_TIMES):
        times["1"].append(change.seen_by_search(1))
        times["1_exports"].append(change.seen_by_query(1))
    for _ in range(MANY_TIMES if len(files) == MANY else 0):
        times["100"].append(change.seen_by_search(MANY))
        times["100_exports"].append(change.seen_by_query(MANY))
    figures: Figures = {"change_unseen": change.unseen}
    for name, taken in times.items():
        if taken:
            figures[f"change_{name}_ms"] = median(one.wall_ms for one in taken)
            figures[f"change_{name}_cpu_ms"] = median(one.cpu_ms for one in taken)
            figures[f"change_{name}_p95_ms"] = share([one.wall_ms for one in taken], 0.95)
            say(f"{name} changed, ms until seen: {figures[f'change_{name}_ms']:.2f}")
    return figures


class Taken(NamedTuple):
    wall_ms: float
    cpu_ms: float


class _Clock:
    def __init__(self) -> None:
        self._began, self._used = time.perf_counter(), time.thread_time()

    def taken(self) -> Taken:
        wall, cpu = time.perf_counter() - self._began, time.thread_time() - self._used
        return Taken(wall * 1000, cpu * 1000)


class _Change:
    def __init__(self, repo: Repo, files: list[Path]) -> None:
        self._repo = repo
        self._files = files
        self._texts = [file.read_bytes() for file in files]
        self._turn = 0
        self.unseen = 0

    def _write(self, count: int, lines: dict[str, str]) -> tuple[str, set[str]]:
        """A name that is nowhere else, at the end of so many files."""
        self._turn += 1
        name, written = f"Zqxwv{self._turn}Kj", set()
        for at in range(self._turn, self._turn + count):
            file, text = self._files[at % len(self._files)], self._texts[at % len(self._files)]
            file.write_bytes(text + lines[file.suffix].format(name).encode() + b"\n")
            written.add(str(file.relative_to(self._repo.folder)))
        return name, written

    def seen_by_search(self, count: int) -> Taken:
        """From after the write until there is an answer."""
        name, written = self._write(count, _COMMENTS)
        clock = _Clock()
        found = self._repo.search(Asked(name), 2 * MANY)
        taken = clock.taken()
        self.unseen += {hit.path for hit in found.hits} != written
        return taken

    def seen_by_query(self, count: int) -> Taken:
        name, written = self._write(count, _LINES)
        clock = _Clock()
        found = query(self._repo.live.snapshot(), Query("exports", name), limit=200)
        taken = clock.taken()
        self.unseen += not written <= {file.path for file in found.files}
        return taken


def _opened_again(folder: Path, cache: Path) -> Figures:
    with _server(folder, cache):
        figures = _reopened("served", [_reopen(folder, cache, WATCHED) for _ in range(SERVED_TIMES)])
    return figures | _reopened("alone", [_reopen(folder, cache, CHECKED) for _ in range(ALONE_TIMES)])


def _reopened(name: str, times: list[Taken | None]) -> Figures:
    """None where one was not fresh in the way that is measured."""
    known = [taken for taken in times if taken is not None]
    is_right = len(known) == len(times)
    return {
        f"reopen_{name}_ms": median(taken.wall_ms for taken in known) if is_right else None,
        f"reopen_{name}_cpu_ms": median(taken.cpu_ms for taken in known) if is_right else None,
    }


def _reopen(folder: Path, cache: Path, wanted: str) -> Taken | None:
    """Until a process that has nothing open has a state to answer from."""
    clock = _Clock()
    root, indexes = LocalRoot(folder), Indexes(Shelf(cache), is_watching=False)
    live = indexes.known(root)
    assert live is not None
    snapshot = live.snapshot()
    taken = clock.taken()
    is_right = snapshot.freshness == wanted and not snapshot.docs and not snapshot.gone
    indexes.close()
    root.close()
    return taken if is_right else None


@contextmanager
def _server(folder: Path, cache: Path) -> Iterator[None]:
    command = [sys.executable, "-m", "bench.index_child", "serve", str(folder), str(cache)]
    with subprocess.Popen(
        command, cwd=HERE.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            server.stdout.readline()
            yield
        finally:
            server.stdin.close()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()


def _memory(folder: Path, cache: Path) -> Figures:
    _, told = child("memory", folder, cache)
    return {
        "idle_mib": told["idle"]["VmRSS"],
        "idle_own_mib": told["idle"]["RssAnon"],
        "searched_mib": told["after"]["VmRSS"],
        "searched_own_mib": told["after"]["RssAnon"],
        "before_index_mib": told["before"]["VmRSS"],
    }


def _imports(folder: Path, cache: Path) -> Figures:
    _, told = child("imports", folder, cache)
    return {"heavy_imports": len(told["heavy"])}
