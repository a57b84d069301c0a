"""The code index next to its peers: `scripts/bench index [--repo FOLDER ...]`.

By default it goes through the standard library and the packages that are installed, so that anyone can repeat
it. Peers run as their users run them: programs start anew for each question, ours is called in a process that has
the index open and watches the tree. Contestants take turns; everything is warm. Nothing is written into a
repository: indexes and copies lie in a temporary folder, which is removed.
"""

import argparse
import shutil
import signal
import sys
import sysconfig
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from bench import index_names, index_peers
from bench.index_build import builds
from bench.index_fresh import Stage, freshness
from bench.index_ground import Repo
from bench.index_names import BOUND
from bench.index_running import Failed
from bench.index_search import searches
from bench.reporting import Figures, Goal, end, tell

from toolpost.errors import ToolError

SIZES = [10_000, 100_000]
QUERIES, FEW_QUERIES, ROUNDS = 60, 30, 2
FULL_SIZES = [10_000, 100_000, 1_000_000]
REOPEN_FILES = 45_000
"""Opening again looks at every file where nobody watched: its goal is that of a tree of 41,000."""
MIB = 1024 * 1024
MEASURED = {
    "REPO.KIND_ours_p50_ms": "wall time of find() in process, first 50 lines in the order of paths, pattern and "
    "scope made anew; `all`: every line",
    "REPO.KIND_tool_p50_ms": "the whole call of code.search, bytes to bytes in the mcp dialect",
    "REPO.KIND_rg_p50_ms": "a process that writes every matching line into a pipe; rg_stopped: killed after 50, "
    "which come in no order",
    "REPO.KIND_ratio": "p50 of rg over p50 of ours; KIND_csearch_ratio and so on the same of others; for `all` "
    "that of the worst of three words",
    "REPO.KIND_cpu_ratio": "the same of CPU time, which a busy machine changes less",
    "REPO.csearch_ratio": "the least of all kinds; answers that lack a tenth of the lines are left out",
    "REPO.mismatches": "questions to which rg gives other lines in files both look into: all of them, "
    "the first 50 in the order of paths, or how many in each file",
    "REPO.build_ratio": "CPU of our build (exports, tags, text, trigrams; interpreter and imports counted) over "
    "that of ctags and cindex together; _cimcp_ratio and _zoekt_ratio: over theirs",
    "REPO.build_largest_mib": "peak memory of the largest process of the build; together: of all at once",
    "REPO.disk_ratio": "bytes of the index over bytes of text; definitions are told apart, as symbols_mib",
    "REPO.change_N_ms": "after N files got a line of comment, until a search has found it in all of them; "
    "_exports: after each got a new export, until a query has found it in all of them",
    "REPO.reopen_*_ms": "from nothing to a state that is known to be fresh, while a server watches, and alone",
    "REPO.idle_mib, searched_mib": "resident memory of a process that watches, then after 100 searches; own: "
    "without what is mapped from files",
    "query.N.*_us": "CPU of one query, limit 50, of a made-up tree of N files; open_wall: opening it",
    "query.flat_ratio": "the largest tree over the smallest, the worst of the questions that have goals",
}
Say = Callable[[str], None]


def goals_of(repo: Repo) -> list[Goal]:
    large = repo.is_large
    goals = [
        Goal("literal_ratio", least=200 if large else 40),
        Goal("regex_ratio", least=60 if large else 12),
        Goal("no_literal_ratio", least=40),
        Goal("all_ratio", least=4 if large else 1),
        Goal("csearch_ratio", least=4),
        Goal("regex_p95_over_rg_p50", most=1),
        Goal("mismatches", most=0),
        Goal("build_ratio", most=1),
        Goal("build_cimcp_ratio", most=1 / 5),
        Goal("build_largest_mib", most=250),
        Goal("disk_ratio", most=2),
        Goal("change_1_ms", most=1),
        Goal("change_1_exports_ms", most=1),
        Goal("change_100_ms", most=15),
        Goal("change_100_exports_ms", most=15),
        Goal("change_unseen", most=0),
        Goal("idle_mib", most=120),
        Goal("searched_own_mib", most=120),
        Goal("heavy_imports", most=0),
    ]
    if shutil.which("zoekt-index"):
        goals.append(Goal("build_zoekt_ratio", most=1 / 2))
    if repo.files <= REOPEN_FILES:
        goals += [Goal("reopen_served_ms", most=20), Goal("reopen_alone_ms", most=150)]
    return [goal._replace(figure=f"{repo.name}.{goal.figure}") for goal in goals]


def goals_of_queries(sizes: list[int]) -> list[Goal]:
    goals = [
        Goal(f"query.{size}.{name}_us", most=50 if name == "exports" else 300)
        for size in sizes
        for name in BOUND
    ]
    goals += [Goal(f"query.{size}.open_wall_us", most=1000) for size in sizes]
    return [*goals, Goal("query.flat_ratio", most=2), Goal(f"query.{min(sizes)}.p95_ms", most=10)]


class Run:
    """What a run finds out, as it goes."""

    def __init__(self, options: argparse.Namespace, place: Path) -> None:
        self._options = options
        self._place = place
        self.goals: list[Goal] = []
        self.repositories: dict[str, dict[str, object]] = {}

    def measure(self) -> Figures:
        figures: Figures = {}
        if not self._options.only_repos:
            sizes = FULL_SIZES if self._options.full else SIZES
            figures |= index_names.queries(sizes, self._place, partial(say, "queries"))
            self.goals += goals_of_queries(sizes)
        for name, folder in self._folders().items():
            try:
                found = self._repository(name, folder)
            except Failed as failed:
                say(name, f"it could not be indexed: {failed}")
                self.goals.append(Goal(f"{name}.build_ours_cpu_s", least=0))  # it is missing, so not met
                continue
            figures |= {f"{name}.{figure}": value for figure, value in found.items()}
        return {name: None if value is None else round(value, 4) for name, value in figures.items()}

    def _folders(self) -> dict[str, Path]:
        given: list[Path] = self._options.repo
        if not given:
            return {"stdlib": self._stdlib(), "packages": Path(sysconfig.get_path("purelib"))}
        folders: dict[str, Path] = {}
        for folder in map(Path.resolve, given):
            name = folder.name if folder.name not in folders else f"{folder.name}{len(folders)}"
            folders[name] = folder
        return folders

    def _stdlib(self) -> Path:
        """A copy, as packages are installed within it."""
        folder = self._place / "trees" / "stdlib"
        left_out = shutil.ignore_patterns("site-packages", "dist-packages", "__pycache__", "config-*")
        shutil.copytree(sysconfig.get_path("stdlib"), folder, ignore=left_out, symlinks=True)
        return folder

    def _repository(self, name: str, folder: Path) -> Figures:
        place, told = self._place / name, partial(say, name)
        place.mkdir()
        figures = builds(folder, place, self._options.rounds, told)
        told(
            f"build, s of CPU: ours {figures.get('build_ours_cpu_s')}, ctags {figures.get('build_ctags_cpu_s')}, "
            f"cindex {figures.get('build_cindex_cpu_s')}, code-index-mcp {figures.get('build_cimcp_cpu_s')}"
        )
        repo, differing = Repo(name, folder, place / "cache"), list[str]()
        figures["disk_ratio"] = repo.index_bytes() / max(repo.text_bytes, 1)

        def searched() -> Figures:
            found, others = searches(repo, place, self._options.queries, told)
            differing.extend(others)
            return found

        asked = partial(index_names.of_repository, repo.live.snapshot())
        stages: list[Stage] = [searched, asked, *freshness(repo, place, told)]
        for stage in stages:
            try:
                figures |= stage()
            except (Failed, ToolError, OSError, AssertionError, ValueError) as failed:
                told(f"a part failed, its figures are missing: {failed!r}")
        repo.close()
        self.goals += goals_of(repo)
        self.repositories[name] = {
            "files": repo.files,
            "text_files": repo.text_files,
            "text_mib": round(repo.text_bytes / MIB, 1),
            "large": repo.is_large,
            "differing": differing[:10],
        }
        shutil.rmtree(place)
        return figures


def say(name: str, what: str) -> None:
    """How far it is; figures come last, and on another stream."""
    print(f"{name}: {what}", file=sys.stderr, flush=True)


def show_goals(told: dict[str, Any]) -> None:
    """Where there is no terminal for a table."""
    for name, goal in told["goals"].items():
        wanted = f"<= {goal['most']:g}" if goal["least"] is None else f">= {goal['least']:g}"
        say(
            "goal",
            f"{name:40} {told['figures'].get(name)!s:>12}  {wanted:10} {'yes' if goal['met'] else 'NO'}",
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="The code index and search, next to their peers.")
    parser.add_argument("--repo", type=Path, nargs="+", action="extend", default=[], help="any folders")
    parser.add_argument("--full", action="store_true", help="queries of 1,000,000 files too")
    parser.add_argument("--queries", type=int, help="literals, and as many expressions")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="builds of each but the slowest")
    parser.add_argument("--only-repos", action="store_true", help="without the made-up trees; never kept")
    options = parser.parse_args()
    wanted = QUERIES if options.repo else FEW_QUERIES  # so that what anyone can repeat takes some minutes
    options.queries = options.queries or wanted
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that the temporary folder goes
    place = index_peers.place_for("index")
    found, missing = index_peers.versions()
    if missing:
        say("peers", f"not here, so not measured: {', '.join(missing)}")
    run = Run(options, place)
    facts = {"queries": options.queries, "rounds": options.rounds, "missing": missing}
    try:
        told = tell(
            "index",
            run.measure,
            run.goals,
            peers=found,
            **facts,
            repositories=run.repositories,
            measured=MEASURED,
        )
    finally:
        shutil.rmtree(place, ignore_errors=True)
    if not sys.stdout.isatty():
        show_goals(told)
    is_short = options.only_repos or options.queries < wanted or options.rounds < ROUNDS
    end(told, is_whole=not is_short and set(missing) <= {"zoekt"})


if __name__ == "__main__":
    main()
