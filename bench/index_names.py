"""Queries of what files export, how they are tagged and where they are, on made-up trees of any size.

`python -m bench.index_names FILES FOLDER` writes one; that takes much memory, so it is a process of its own.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from statistics import median

from bench.index_queries import SEED
from bench.index_running import run, share
from bench.reporting import HERE, Figures

from toolpost.index.ask.query import Query, query
from toolpost.index.disk.generations import Folder
from toolpost.index.disk.mapped import Base, latest
from toolpost.index.disk.writer import write_generation
from toolpost.index.model import Doc, Export, Extract, Stamp
from toolpost.index.names import tables
from toolpost.index.snapshot import Snapshot

PER_FOLDER = 1000
ASKED = 400
LIMIT = 50
WRITE_S = 900
BOUND = ("exports", "tag", "prefix", "list_all")
"""The questions that have goals; the rest is told."""
_WORDS = (
    *("Zap", "Button", "Menu", "Card", "List", "Item", "use", "get", "Props", "Base"),
    *("Theme", "Data", "Grid", "Row", "Cell", "Tree", "Node", "View", "Model", "Store"),
    *("Hook", "Form", "Field", "Input", "Text", "Label", "Icon", "Tab", "Panel", "Dialog"),
    *("Modal", "Page", "Route", "Link", "Nav", "Bar", "App", "User", "Auth", "Token"),
)
Times = dict[str, list[float]]


def docs(count: int) -> Iterator[Doc]:
    chance = random.Random(SEED)
    for number in range(count):
        exports = [
            _export(chance, number, is_own=True),
            _export(chance, number, is_own=chance.random() < 0.3),
        ]
        if chance.random() < 0.4:
            exports.append(Export("default", "function", local=exports[0].name))
        told = tuple(exports)
        yield Doc(
            path=f"packages/p{number // PER_FOLDER:04}/src/f{number:07}.tsx",
            stamp=Stamp(1000 + number, 1_700_000_000_000_000_000 + number, 0, number),
            blob_id=number.to_bytes(20, "big"),
            text=None,
            extract=Extract(told),
            exports=told,
            tags=("react-component", "tsx") if number % 3 == 0 else ("tsx",),
        )


def _export(chance: random.Random, number: int, *, is_own: bool) -> Export:
    """Some names are only here, some are in many files."""
    words = "".join(chance.choice(_WORDS) for _ in range(chance.randint(1, 3)))
    name = f"{words}{chr(65 + number % 26)}{number}" if is_own else words
    return Export(name, "const", source="./other" if chance.random() < 0.2 else "")


def write(count: int, folder: Path) -> None:
    with Folder(folder).writing() as writing:
        write_generation(writing, docs(count), generated_at="2026-01-01T00:00:00Z", tables=[tables.make])


def queries(sizes: list[int], place: Path, say: Callable[[str], None]) -> Figures:
    """Of every size; and how much more the largest costs than the smallest."""
    figures: Figures = {}
    for size in sizes:
        folder = place / f"names-{size}"
        command = [sys.executable, "-m", "bench.index_names", str(size), str(folder)]
        ran = run(command, cwd=HERE.parent, timeout_s=WRITE_S, memory=True)
        figures[f"query.{size}.write_cpu_s"] = ran.cpu_s
        times = _times(folder)
        figures |= {f"query.{size}.{name}": value for name, value in _figures(times).items()}
        said = ", ".join(f"{name} {median(taken):.0f}" for name, taken in times.items() if "wall" not in name)
        say(f"queryIndex of {size:,} files, us of CPU p50: {said}")
    smallest, largest = min(sizes), max(sizes)
    ratios = [
        (figures[f"query.{largest}.{name}_us"] or 0) / (figures[f"query.{smallest}.{name}_us"] or 1)
        for name in BOUND
    ]
    return figures | {"query.flat_ratio": max(ratios)}


def _times(folder: Path) -> Times:
    with closing(_latest(folder)) as base:
        times = asked_of(Snapshot(base))
    times["open_wall"] = []
    for _ in range(ASKED // 4):
        began = time.perf_counter()
        base = _latest(folder)
        times["open_wall"].append((time.perf_counter() - began) * 1e6)
        base.close()
    return times


def asked_of(snapshot: Snapshot) -> Times:
    """Microseconds of CPU, and of the clock, for each kind of question."""
    base, chance = snapshot.base, random.Random(SEED)
    names = _some_names(base, chance)
    tag = max(base.statistics.by_tag, key=lambda name: base.statistics.by_tag[name], default="none")
    folders = [base.path(chance.randrange(base.count)).rpartition(b"/")[0] for _ in range(ASKED)]
    kinds = {
        "exports": [Query("exports", name) for name in names],
        "exports_absent": [Query("exports", f"Qx{name[:-1]}zq") for name in names[: ASKED // 8]],
        "tag": [Query("tag", tag)] * ASKED,
        "prefix": [
            Query("pathPrefix", f"{folder.decode('utf-8', 'replace')}/") for folder in folders if folder
        ],
        "list_all": [Query("listAll")] * ASKED,
    }
    return {
        name: taken for kind, asked in kinds.items() if asked for name, taken in _taken(kind, asked, snapshot)
    }


def _some_names(base: Base, chance: random.Random) -> list[str]:
    names: list[str] = []
    for _ in range(ASKED * 50):
        exports = base.exports(chance.randrange(base.count))
        names += [exports[0].name] if exports else []
        if len(names) == ASKED:
            break
    return names


def _taken(kind: str, asked: list[Query], snapshot: Snapshot) -> list[tuple[str, list[float]]]:
    for one in asked:
        query(snapshot, one, limit=LIMIT)
    cpu, wall = [], []
    for one in asked:
        began, used = time.perf_counter_ns(), time.process_time_ns()
        query(snapshot, one, limit=LIMIT)
        cpu.append((time.process_time_ns() - used) / 1000)
        wall.append((time.perf_counter_ns() - began) / 1000)
    return [(kind, cpu), (f"{kind}_wall", wall)]


def _figures(times: Times) -> Figures:
    figures: Figures = {f"{name}_us": median(taken) for name, taken in times.items()}
    figures["p95_ms"] = max(share(times[f"{name}_wall"], 0.95) for name in BOUND) / 1000
    return figures


def of_repository(snapshot: Snapshot) -> Figures:
    """The same asked of a real tree."""
    return {
        f"query_{name}_us": median(taken) for name, taken in asked_of(snapshot).items() if "wall" not in name
    }


def _latest(folder: Path) -> Base:
    base = latest(Folder(folder))
    assert base is not None
    return base


if __name__ == "__main__":
    write(int(sys.argv[1]), Path(sys.argv[2]))
