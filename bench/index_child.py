"""What needs a process of its own: `python -m bench.index_child KIND FOLDER CACHE` tells one JSON object."""

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.index_running import resident, settle

from toolpost.index.disk.shelf import Shelf
from toolpost.index.indexes import Indexes
from toolpost.workspace.local.root import LocalRoot

HEAVY = ("numpy", "tree_sitter")
SEARCHES = 100


def build(folder: Path, cache: Path) -> None:
    """All that searches and queries need; without definitions, which follow in the background."""
    root = LocalRoot(folder)
    before, began = _cpu(), time.perf_counter()
    made = Indexes(Shelf(cache), is_watching=False).build(root, is_full=True, symbols=False)
    _tell(
        wall_s=time.perf_counter() - began,
        cpu_s=_cpu() - before,
        answered_s=made.seconds,
        trigrams_s=made.trigrams_s,
    )


def symbols(folder: Path, cache: Path) -> None:
    """The definitions of an index that is there."""
    module = import_module("toolpost.index.build.definitions")
    watch = import_module("toolpost.index.build.progress").Watch(None)
    held = Indexes(Shelf(cache), is_watching=False).folder(LocalRoot(folder))
    before, began = _cpu(), time.perf_counter()
    module.add_definitions(held, held.current(), workers=os.cpu_count() or 1, watch=watch)
    _tell(wall_s=time.perf_counter() - began, cpu_s=_cpu() - before)


def serve(folder: Path, cache: Path) -> None:
    """Watch and answer others, until the input ends."""
    indexes = Indexes(Shelf(cache))
    live = indexes.known(LocalRoot(folder))
    assert live is not None
    live.snapshot()
    service = indexes.serve()
    settle()
    _tell(ready=True)
    sys.stdin.read()
    service.stop()
    indexes.close()


def memory(folder: Path, cache: Path) -> None:
    """What an idle server holds, and what it holds after some searches."""
    before = resident()
    ground = import_module("bench.index_ground")
    queries = import_module("bench.index_queries")
    repo = ground.Repo("it", folder, cache)
    repo.live.snapshot()
    settle()
    idle = resident()
    base = repo.live.snapshot().base
    for asked in queries.literals(base, SEARCHES // 2) + queries.regexes(base, SEARCHES // 2):
        repo.search(asked)
    _tell(before=before, idle=idle, after=resident())


def imports(folder: Path, cache: Path) -> None:
    """Of what is heavy, what a metadata query brings in."""
    import_module("toolpost")
    found = Indexes(Shelf(cache), is_watching=False)
    live = found.known(LocalRoot(folder))
    assert live is not None
    ask = import_module("toolpost.index.ask.query")
    snapshot = live.snapshot()
    for asked in (ask.Query("listAll"), ask.Query("exports", "main"), ask.Query("tag", "test")):
        ask.query(snapshot, asked)
    _tell(heavy=sorted(name for name in sys.modules if name.partition(".")[0].startswith(HEAVY)))
    found.close()


def _cpu() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, kinds))


def _tell(**what: Any) -> None:
    print(json.dumps(what), flush=True)


KINDS: dict[str, Callable[[Path, Path], None]] = {
    "build": build,
    "symbols": symbols,
    "serve": serve,
    "memory": memory,
    "imports": imports,
}

if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        KINDS[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
