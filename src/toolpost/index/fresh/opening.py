"""A live tree put together of everything it needs."""

import importlib
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from toolpost.index.disk.generations import Folder
from toolpost.index.extract import extract
from toolpost.index.fresh.client import ask
from toolpost.index.fresh.extracting import extract_by
from toolpost.index.fresh.inotify import Inotify
from toolpost.index.fresh.live import Live, Means
from toolpost.index.fresh.notified import Notified
from toolpost.index.fresh.resolving import Resolving
from toolpost.index.fresh.watcher import Watcher
from toolpost.index.limits import INDEX_BUSY_S
from toolpost.index.snapshot import Snapshot
from toolpost.index.tags.rules import Rules
from toolpost.workspace.local.root import LocalRoot

Tags = Mapping[str, Any]
"""Rules of a project's own, as its settings have them under `index.tags`."""
_SAMPLES = {"a.ts": b"export const a = 1\n", "a.py": b"a = 1\n"}


class Way(Struct, frozen=True):
    """How a tree is kept fresh."""

    tags: Tags = {}
    """The same as the index was built with."""
    is_watching: bool = True
    """For a process that stays; one that answers a single question asks a server, or looks at every file."""
    socket: Path | None = None
    """Where a server may answer that watches already."""


def open_live(root: LocalRoot, folder: Folder, way: Way) -> Live:
    """Raises Damaged where there is no index that can be opened, OSError where the tree is gone."""
    resolving = Resolving(extract_by(Rules.of(way.tags)))
    means = Means(
        settle=resolving,
        prepare=partial(_prepare, resolving),
        compact=partial(_build, root, folder, way.tags),
        watch=watcher_of(root.where) if way.is_watching else None,
        ask=partial(ask, way.socket, root.key) if way.socket else None,
    )
    return Live(root, folder, means)


def watcher_of(where: str, platform: str = sys.platform) -> Callable[[], Watcher]:
    """The best a system has."""
    return Inotify if platform == "linux" else partial(Notified, where)


def _prepare(resolving: Resolving, snapshot: Snapshot) -> None:
    """All that who first asks for exports after a change would have to wait for."""
    for path, text in _SAMPLES.items():
        extract(path, text)
    resolving.prepare(snapshot)


def _build(root: LocalRoot, folder: Folder, tags: Tags, snapshot: Snapshot) -> None:
    """In this process alone, so that what else it does is not held up for long."""
    module = importlib.import_module("toolpost.index.build.build")  # it brings numpy
    settings = module.Settings(tags=tags, wait_s=INDEX_BUSY_S)
    module.build(root, folder, workers=1, reuse=snapshot.base, settings=settings)
