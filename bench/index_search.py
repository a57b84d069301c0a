"""Searches of a repository through its index and by others: one after another, the same questions for all."""

import shutil
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from statistics import median
from threading import enumerate as threads

from bench import index_peers as peers
from bench import index_queries as queries
from bench.index_ground import ALL, LIMIT, Repo, Tool
from bench.index_queries import Asked
from bench.index_running import Failed, Ran, first_lines, run, share
from bench.reporting import Figures
from msgspec import Struct

from toolpost.limits import SEARCH_PER_FILE
from toolpost.workspace.walking.within import Answer, Mode

OURS_TIMES = 3
"""How often ours is asked the same where another is asked once: it is that much shorter."""
KIND_S = 30
"""A kind of question is given up after so long, with what was measured by then."""
SEARCH_S = 60
DEFINED_S = 120
COMPARED = 15
"""So many answers of a kind are compared with rg's, line by line."""
WHOLE_PART = 0.9
"""An answer of codesearch counts if it has so much of rg's lines."""
REPEATED = 4
Say = Callable[[str], None]
Times = dict[str, list[float]]


class Kind(Struct, frozen=True):
    name: str
    asked: list[Asked]
    limit: int = LIMIT
    seldom: dict[str, int] = {}
    """Contestants that are asked only so many of them."""


class Race:
    def __init__(self, repo: Repo, place: Path, say: Say) -> None:
        self._repo = repo
        self._place = place
        self._say = say
        self._passed = repo.passed()
        self._cimcp: peers.Cimcp | None = None
        self._tool = Tool(repo, place / "state")
        self.compared: set[Asked] = set()
        self._to_compare = 0
        self._rg_cpu: list[float] = []
        self._rg_lines: dict[Asked, int] = {}
        self._csearched: list[tuple[Asked, int, float]] = []
        self.differing: list[str] = []
        self.others = self._others()

    def _others(self) -> dict[str, Callable[[Asked], float]]:
        """Milliseconds each takes; rg first, which the rest is compared with."""
        repo, found = self._repo, dict[str, Callable[[Asked], float]]()
        if (rg := peers.rg()) is not None:
            found["rg"] = partial(self._rg, rg)
            found["rg_stopped"] = lambda asked: first_lines(peers.rg_command(rg, asked), repo.folder, LIMIT)
        if shutil.which("csearch") and (self._place / "csearch").exists():
            found["csearch"] = partial(self._csearch, {"CSEARCHINDEX": str(self._place / "csearch")})
        if peers.is_work_tree(repo.folder) and peers.reads_perl_expressions(repo.folder):
            found["git_grep"] = lambda asked: self._ran(peers.git_command(asked)).wall_ms
        if peers.PYTHON.exists():
            (self._place / "cimcp").mkdir(exist_ok=True)
            self._cimcp = peers.Cimcp(repo.folder, self._place / "cimcp")
            found["cimcp"] = self._cimcp.search
        return found

    def close(self) -> None:
        self._tool.close()
        if self._cimcp:
            self._cimcp.close()

    def _ran(self, command: list[str | Path], env: dict[str, str] | None = None) -> Ran:
        fine = (0, peers.NOT_FOUND)
        return run(command, cwd=self._repo.folder, env=env, fine=fine, timeout_s=SEARCH_S)

    def _rg(self, program: Path, asked: Asked) -> float:
        ran = self._ran(peers.rg_command(program, asked))
        self._rg_cpu.append(ran.cpu_s * 1000)
        self._rg_lines[asked] = ran.out.count(b"\n")
        if asked not in self.compared and self._to_compare:
            self._to_compare -= 1
            self.compared.add(asked)
            if differs(self._repo, asked, ran.out, self._passed):
                self.differing.append(asked.text)
        return ran.wall_ms

    def _csearch(self, env: dict[str, str], asked: Asked) -> float:
        ran = self._ran(peers.csearch_command(asked), env)
        self._csearched.append((asked, ran.out.count(b"\n"), ran.wall_ms))
        return ran.wall_ms

    def _complete(self) -> list[float]:
        """It knows nothing of hidden folders, long lines and some files: what is missed takes no time."""
        lines = self._rg_lines
        return [taken for asked, count, taken in self._csearched if count >= WHOLE_PART * lines.get(asked, 0)]

    def run(self, kind: Kind) -> Times:
        for asked in kind.asked:
            self._repo.search(asked, kind.limit)
        times: Times = {"ours": [], "ours_cpu": [], "tool": []}
        others, self._rg_cpu, self._csearched, self._to_compare = list(self.others), [], [], COMPARED
        late = time.monotonic() + KIND_S
        for turn, asked in enumerate(kind.asked):
            for name in others[turn % len(others) :] + others[: turn % len(others)] if others else ():
                if len(times.get(name, ())) < kind.seldom.get(name, ALL):
                    self._other(name, asked, times)
            self._ours(asked, kind.limit, times)
            if time.monotonic() > late:
                self._say(f"{kind.name}: time is up after {turn + 1} of {len(kind.asked)}")
                break
        if "csearch" in times:
            times["csearch"] = self._complete()
        return times | {"rg_cpu": self._rg_cpu}

    def _other(self, name: str, asked: Asked, times: Times) -> None:
        try:
            times.setdefault(name, []).append(self.others[name](asked))
        except Failed as failed:
            self._say(f"{name} {asked.text!r}: {failed}")

    def _ours(self, asked: Asked, limit: int, times: Times) -> None:
        for _ in range(OURS_TIMES):
            began, used = time.perf_counter(), time.thread_time()
            self._repo.search(asked, limit)
            times["ours_cpu"].append((time.thread_time() - used) * 1000)
            times["ours"].append((time.perf_counter() - began) * 1000)
        if limit == LIMIT:
            began = time.perf_counter()
            self._tool.search(asked)
            times["tool"].append((time.perf_counter() - began) * 1000)


def differs(repo: Repo, asked: Asked, told: bytes, passed: set[bytes]) -> bool:
    """Whether rg found other lines than an index does, in files both look into: all, the first, or how many."""
    theirs: dict[bytes, list[int]] = {}
    for line in told.split(b"\n"):
        path, mark, rest = line.partition(b"\0")
        if mark and path not in passed:
            theirs.setdefault(path, []).append(int(rest.partition(b":")[0]))
    wanted = [(path, line) for path in sorted(theirs) for line in sorted(theirs[path])]
    capped = [(path, line) for path in sorted(theirs) for line in sorted(theirs[path])[:SEARCH_PER_FILE]]
    counted = repo.search(asked, ALL, Mode.COUNT).hits
    return (
        _places(repo.search(asked, ALL)) != wanted
        or _places(repo.search(asked)) != capped[:LIMIT]
        or {_raw(hit.path): hit.count for hit in counted}
        != {path: len(lines) for path, lines in theirs.items()}
    )


def _places(found: Answer) -> list[tuple[bytes, int]]:
    return [(_raw(hit.path), hit.line) for hit in found.hits]


def _raw(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _defined(repo: Repo, say: Say) -> None:
    """The first search has definitions made beside it, in another process; nobody is measured while that runs."""
    repo.search(Asked("the"))
    for thread in threads():
        if thread.name == "toolpost-index":
            thread.join(DEFINED_S)
            if thread.is_alive():
                say("definitions are still being made: what follows is measured beside that")


def searches(repo: Repo, place: Path, count: int, say: Say) -> tuple[Figures, list[str]]:
    """And the questions to which rg knows another answer."""
    _defined(repo, say)
    base = repo.live.snapshot().base
    seldom = {"rg_stopped": 12, "git_grep": 10, "cimcp": 6}
    kinds = (
        Kind("literal", queries.literals(base, count), seldom=seldom),
        Kind("regex", queries.regexes(base, count), seldom=seldom),
        Kind("no_literal", list(queries.WITHOUT_LITERAL) * REPEATED, seldom={"git_grep": 3, "cimcp": 3}),
    )
    figures: Figures = {}
    race = Race(repo, place, say)
    try:
        for kind in kinds:
            times = race.run(kind)
            figures |= _figures(kind.name, times)
            say(_said(kind.name, times))
        figures |= _all(race, queries.common(base), say)
    finally:
        race.close()
    regex = figures.get("regex_ours_p95_ms"), figures.get("regex_rg_p50_ms")
    figures["regex_p95_over_rg_p50"] = regex[0] / regex[1] if regex[0] and regex[1] else None
    figures["csearch_ratio"] = _least(figures.get(f"{kind}_csearch_ratio") for kind in KINDS)
    figures["compared"] = len(race.compared)
    figures["mismatches"] = len(race.differing) if "rg" in race.others else None
    return figures, race.differing


KINDS = ("literal", "regex", "no_literal", "all")


def _all(race: Race, words: list[Asked], say: Say) -> Figures:
    """Every line with a common word; the worst of the words counts."""
    each = []
    for asked in words:
        seldom = {"rg_stopped": 0, "git_grep": 1, "cimcp": 1}
        times = race.run(Kind("all", [asked] * REPEATED, ALL, seldom))
        each.append(_figures("all", times))
        say(_said(f"all {asked.text!r}", times))
    worst = min(each, key=lambda one: one.get("all_ratio") or 0)
    return worst | {
        f"all_{name}ratio": _least(one.get(f"all_{name}ratio") for one in each) for name in ("", "csearch_")
    }


def _figures(kind: str, times: Times) -> Figures:
    figures: Figures = {}
    for name, taken in times.items():
        if taken:
            figures[f"{kind}_{name}_p50_ms"] = median(taken)
    if times["ours"]:
        figures[f"{kind}_ours_p95_ms"] = share(times["ours"], 0.95)
    if times.get("rg"):
        figures[f"{kind}_rg_p95_ms"] = share(times["rg"], 0.95)
    ratio = partial(_ratio, times)
    figures[f"{kind}_ratio"] = ratio("rg")
    if times["rg_cpu"]:
        figures[f"{kind}_cpu_ratio"] = median(times["rg_cpu"]) / median(times["ours_cpu"])
    figures |= {
        f"{kind}_{name}_ratio": ratio(name) for name in ("csearch", "git_grep", "cimcp") if name in times
    }
    return figures


def _ratio(times: Times, name: str) -> float | None:
    return median(times[name]) / median(times["ours"]) if times.get(name) and times["ours"] else None


def _least(ratios: Iterable[float | None]) -> float | None:
    """Of those that are known."""
    return min((ratio for ratio in ratios if ratio is not None), default=None)


def _said(kind: str, times: Times) -> str:
    parts = [
        f"{name} {median(taken):.3f}/{share(taken, 0.95):.3f}"
        for name, taken in times.items()
        if taken and not name.endswith("_cpu")
    ]
    ratio = _ratio(times, "rg")
    return f"{kind}, ms p50/p95: {', '.join(parts)}" + (f"; {ratio:,.0f}x rg" if ratio else "")
