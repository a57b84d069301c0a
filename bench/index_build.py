"""What it costs to build an index of a repository, next to others that index it. Nothing is written into it."""

import json
import shutil
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from bench import index_peers as peers
from bench.index_running import Failed, Ran, TooLong, run
from bench.reporting import HERE, Figures

from toolpost.index.disk.mapped import latest
from toolpost.index.disk.shelf import Shelf
from toolpost.index.indexes import Indexes
from toolpost.workspace.local.root import LocalRoot

Build = Callable[[], Ran]


def child(kind: str, folder: Path, cache: Path, *, memory: bool = False) -> tuple[Ran, dict[str, Any]]:
    """One of `index_child`, and what it told. Raises Failed."""
    command = [sys.executable, "-m", "bench.index_child", kind, str(folder), str(cache)]
    ran = run(command, cwd=HERE.parent, timeout_s=peers.BUILD_S, memory=memory)
    told: dict[str, Any] = json.loads(ran.out)
    return ran, told


def builds(folder: Path, place: Path, rounds: int, say: Callable[[str], None]) -> Figures:
    """In `place` our index is left as `cache`, and codesearch's as `csearch`."""
    child("build", folder, place / "cache")  # it warms the page cache for all
    files = _list(folder, place)
    often: dict[str, Build] = {"ours": partial(_ours, folder, place)}
    if shutil.which("ctags"):
        often["ctags"] = partial(run, peers.ctags_command(files, place / "tags"), cwd=folder, timeout_s=180)
    if shutil.which("cindex"):
        env = {"CSEARCHINDEX": str(place / "csearch")}
        often["cindex"] = partial(run, peers.cindex_command(folder), env=env, timeout_s=180, memory=True)
    once: dict[str, Build] = {}
    if peers.PYTHON.exists():
        once["cimcp"] = partial(_cimcp, folder, place)
    if shutil.which("zoekt-index"):
        command = peers.zoekt_command(folder, place / "zoekt")
        once["zoekt"] = partial(run, command, timeout_s=peers.SLOW_S, memory=True)
    taken: dict[str, list[Ran]] = {}
    names = list(often)
    for turn in range(rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            _take(name, often[name], taken, say)
    for name, build in once.items():
        _take(name, build, taken, say)
    return _figures(taken) | _cimcp_files(taken) | _inner(taken) | _symbols(folder, place, say)


def _take(name: str, build: Build, taken: dict[str, list[Ran]], say: Callable[[str], None]) -> None:
    try:
        taken.setdefault(name, []).append(build())
    except TooLong as late:
        say(f"build by {name}: {late}; it counts as if it had been ready then")
        taken.setdefault(name, []).append(late.ran)
    except Failed as failed:
        say(f"build by {name}: {failed}")


def _ours(folder: Path, place: Path) -> Ran:
    cache = place / "another"
    ran, _ = child("build", folder, cache, memory=True)
    shutil.rmtree(cache)
    return ran


def _cimcp(folder: Path, place: Path) -> Ran:
    own = place / "cimcp"
    own.mkdir(exist_ok=True)
    env = {"TMPDIR": str(own)}
    return run(peers.cimcp_command(folder), env=env, timeout_s=peers.SLOW_S, memory=True)


def _list(folder: Path, place: Path) -> Path:
    """The files that are indexed, for programs that take a list."""
    with closing(LocalRoot(folder)) as root:
        base = latest(Indexes(Shelf(place / "cache")).folder(root))
    assert base is not None
    files = place / "files"
    with files.open("wb") as out:
        for path in base.paths(0, base.count):
            if b"\n" not in path:
                out.write(path + b"\n")
    base.close()
    return files


def _figures(taken: dict[str, list[Ran]]) -> Figures:
    figures: Figures = {}
    cpu = {name: [ran.cpu_s for ran in runs] for name, runs in taken.items() if runs}
    for name, runs in taken.items():
        if runs:
            figures[f"build_{name}_cpu_s"] = median(cpu[name])
            figures[f"build_{name}_wall_s"] = median(ran.wall_ms for ran in runs) / 1000
    ours = taken["ours"]
    figures["build_ratio"] = _together(cpu)
    figures["build_cimcp_ratio"] = _over(cpu, "cimcp")
    figures["build_zoekt_ratio"] = _over(cpu, "zoekt")
    figures["build_largest_mib"] = max((ran.largest_mib for ran in ours), default=None)
    figures["build_together_mib"] = max((ran.together_mib for ran in ours), default=None)
    for name in ("cindex", "cimcp", "zoekt"):
        if cpu.get(name):
            figures[f"build_{name}_largest_mib"] = max(ran.largest_mib for ran in taken[name])
    return figures


def _together(cpu: dict[str, list[float]]) -> float | None:
    """Ours over ctags and cindex together, within a round."""
    own, tags, words = (cpu.get(name, []) for name in ("ours", "ctags", "cindex"))
    ratios = [one / (two + three) for one, two, three in zip(own, tags, words, strict=False)]
    return median(ratios) if ratios else None


def _over(cpu: dict[str, list[float]], peer: str) -> float | None:
    return median(cpu["ours"]) / median(cpu[peer]) if cpu.get("ours") and cpu.get(peer) else None


def _cimcp_files(taken: dict[str, list[Ran]]) -> Figures:
    """How much of it that one looked at."""
    with suppress(ValueError, KeyError, IndexError):
        stats = json.loads(taken["cimcp"][-1].out)
        return {"build_cimcp_files": float(stats["indexed_files"])}
    return {}


def _inner(taken: dict[str, list[Ran]]) -> Figures:
    """Without the start of an interpreter and its imports."""
    told = [json.loads(ran.out) for ran in taken["ours"]]
    return {
        "build_ours_inner_cpu_s": median(one["cpu_s"] for one in told) if told else None,
        "build_ours_answered_s": median(one["answered_s"] for one in told) if told else None,
        "build_ours_trigrams_s": median(one["trigrams_s"] for one in told) if told else None,
    }


def _symbols(folder: Path, place: Path, say: Callable[[str], None]) -> Figures:
    """On a copy of the index: what is searched later is as it is before they are there."""
    shutil.copytree(place / "cache", place / "symbols")
    before = _size(place / "symbols")
    try:
        ran, _ = child("symbols", folder, place / "symbols", memory=True)
    except (Failed, ValueError) as failed:
        say(f"symbols: {failed}")
        return {}
    return {
        "symbols_cpu_s": ran.cpu_s,
        "symbols_wall_s": ran.wall_ms / 1000,
        "symbols_largest_mib": ran.largest_mib,
        "symbols_mib": (_size(place / "symbols") - before) / 2**20,
    }


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
