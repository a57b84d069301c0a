"""A real folder, its index, and what is true of it: found out by another way than the one that is tested."""

import os
import subprocess
import sys
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from toolpost.clock import rfc3339
from toolpost.index.build import graph
from toolpost.index.build.listing import LocalListing, Run
from toolpost.index.build.read import read_local
from toolpost.index.disk import docs, repo_hash
from toolpost.index.disk.generations import Folder
from toolpost.index.disk.writer import write_generation
from toolpost.index.fresh.extracting import extract_by
from toolpost.index.fresh.live import Live, Means
from toolpost.index.fresh.reading import read_run
from toolpost.index.fresh.resolving import Resolving
from toolpost.index.model import Doc
from toolpost.index.resolve import Resolved, resolve
from toolpost.index.resolve.tree import Listed
from toolpost.index.snapshot import Snapshot
from toolpost.index.tags.rules import Rules
from toolpost.limits import RACY_NS
from toolpost.workspace.guard import Guard
from toolpost.workspace.local.bulk import Bulk
from toolpost.workspace.local.bulk import Folder as Opened
from toolpost.workspace.local.root import LocalRoot

Whole = tuple[list[Doc], Resolved]
Facts = tuple[str, str, tuple[str, ...], int, int]


class Tree:
    """Close it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "tree"
        self.folder.mkdir(parents=True)
        self.cache = folder / "cache"
        self.index = Folder(self.cache / "index")
        self.root = LocalRoot(self.folder)
        self.bulk = Bulk.of(self.root)
        self.lives: list[Live] = []
        self.reads: list[str] = []
        """Every path that was read by a live tree."""

    def write(self, files: dict[str, str | bytes]) -> None:
        for name, held in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(held if isinstance(held, bytes) else held.encode())

    def docs(self) -> list[Doc]:
        return self.whole()[0]

    def whole(self) -> Whole:
        """All a generation is made of."""
        found = [doc for run in LocalListing(self.bulk).runs() for doc in read_local(self.bulk, run, Rules())]
        held = {doc.path: doc for doc in found if doc}
        extracts = {path: doc.extract for path, doc in held.items()}
        resolved = resolve(Listed(extracts, lambda path: held[path].text), extracts)
        whole = [
            msgspec.structs.replace(doc, exports=resolved.exports.get(doc.path, ())) for doc in held.values()
        ]
        return whole, resolved

    def build(self, of: Whole | None = None, began: datetime | None = None) -> int:
        """Commit a generation of the tree as it is, or was when its listing began."""
        moment = rfc3339(began or datetime.now(UTC))
        whole, resolved = of or self.whole()
        with self.index.writing(10.0) as writing:
            return write_generation(
                writing, whole, generated_at=moment, tables=(graph.maker(resolved),)
            ).number

    def settle(self) -> None:
        """Index it once nothing was changed lately: then every stamp proves what it stands for."""
        newest = max(path.lstat().st_ctime_ns for path in self.folder.rglob("*"))
        while time.time_ns() - newest <= 2 * RACY_NS:
            os.sched_yield()
        self.build()

    def reopen(self) -> None:
        """After another folder took its place."""
        self.root.close()
        self.bulk.close()
        self.root = LocalRoot(self.folder)
        self.bulk = Bulk.of(self.root)

    def live(self, **means: Any) -> Live:
        made = Live(self.root, self.index, Means(**{"read": self.read, "settle": resolving(), **means}))
        self.lives.append(made)
        return made

    def read(self, guard: Guard, folder: Opened, run: Run) -> Iterable[Doc | None]:
        self.reads += [run.path(at) for at in range(len(run.names))]
        return read_run(guard, folder, run)

    def truth(self) -> tuple[str, dict[str, Facts]]:
        found = self.docs()
        total = 0
        for doc in found:
            total = repo_hash.add(total, doc)
        return repo_hash.shown(total), {doc.path: _facts(doc) for doc in found}

    def close(self) -> None:
        for live in self.lives:
            live.close()
        self.root.close()
        self.bulk.close()


def resolving() -> Resolving:
    return Resolving(extract_by(Rules()))


def told(snapshot: Snapshot) -> tuple[str, dict[str, Facts]]:
    """All a snapshot says, to be compared with the truth."""
    count, snapshot = snapshot.count, snapshot.settled
    base = snapshot.base
    kept = [docs.doc_of(base, number) for number in range(base.count) if number not in snapshot.gone]
    found = sorted([*kept, *snapshot.docs], key=lambda doc: os.fsencode(doc.path))
    assert len({doc.path for doc in found}) == len(found) == snapshot.count == count
    return snapshot.repo_hash, {doc.path: _facts(doc) for doc in found}


def _facts(doc: Doc) -> Facts:
    names = tuple(f"{export.name} {export.kind} {export.origin}" for export in doc.exports)
    return doc.blob_id.hex(), doc.passed, names, doc.stamp.size_bytes, doc.stamp.modified_ns


def elsewhere(folder: Path, script: str) -> None:
    """Another process does something in a folder, and has finished when this returns."""
    subprocess.run([sys.executable, "-c", script], cwd=folder, check=True, timeout=60, env={})


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
