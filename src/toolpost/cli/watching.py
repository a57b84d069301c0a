"""Staying with a workspace: its indexes kept fresh, others told what changed, and every batch of it said."""

import signal
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from threading import Event
from types import FrameType
from typing import Any

from msgspec import Struct, to_builtins

from toolpost.cli import show
from toolpost.clock import Clock, rfc3339
from toolpost.index.fresh.live import Live
from toolpost.index.fresh.service import Service, Taken
from toolpost.index.indexes import SOCKET, Indexes
from toolpost.index.limits import WATCH_NAMES_SHOWN, WATCH_S, WATCH_SERVE_S
from toolpost.index.snapshot import Snapshot, key
from toolpost.workspace.workspace import Workspace


class Batch(Struct, frozen=True, kw_only=True):
    """What happened to one tree since the last look."""

    time: str
    root: str
    added: list[str]
    changed: list[str]
    removed: list[str]
    repo_hash: str


def until_interrupted(workspace: Workspace, indexes: Indexes, *, as_json: bool) -> None:
    with _interrupted() as stop, closing(Serving(indexes)) as serving:
        trees = [Tree(root.where, indexes.live(root)) for root in workspace.roots.values()]
        for tree in trees:
            _say_begun(tree, as_json=as_json)
        while not stop.wait(WATCH_S):
            serving.keep()
            for tree in trees:
                batch = tree.batch()
                if batch is not None:
                    _say(batch, as_json=as_json)


@contextmanager
def _interrupted() -> Iterator[Event]:
    """Set once somebody wants us to end."""
    stop = Event()

    def end(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Serving:
    """Telling others what changed, unless another process does; once that is gone it is this one's turn."""

    def __init__(self, indexes: Indexes) -> None:
        """Raises OSError."""
        self._indexes = indexes
        self._socket = indexes.shelf.cache / SOCKET
        self._service: Service | None = None
        self._tried = time.monotonic()
        try:
            self._service = indexes.serve()
        except Taken:
            show.note("Another process answers others already; this one only watches.")

    def keep(self) -> None:
        """Now and then see to it that somebody answers: the other may have died, or the socket been removed."""
        now = time.monotonic()
        if now - self._tried < WATCH_SERVE_S:
            return
        self._tried = now
        if self._service is None or not self._socket.exists():
            self.close()
            with suppress(Taken, OSError):
                self._service = self._indexes.serve()
                show.note("This process answers others now.")

    def close(self) -> None:
        if self._service is not None:
            self._service.stop()
            self._service = None


class Tree:
    """One root, and how it was when it was last looked at."""

    def __init__(self, where: str, live: Live, clock: Clock | None = None) -> None:
        self.where = where
        self._live = live
        self._clock = clock or Clock()
        self.last = live.snapshot()

    def batch(self) -> Batch | None:
        """What changed since the last time; None for nothing."""
        before, now = self.last, self._live.snapshot()
        if now is before:
            return None
        self.last = now
        kinds: dict[str, list[str]] = {"added": [], "changed": [], "removed": []}
        for path in sorted(_differing(before) | _differing(now)):
            was, is_now = _state(before, path), _state(now, path)
            if was != is_now:
                kind = "added" if was is None else "removed" if is_now is None else "changed"
                kinds[kind].append(path.decode("utf-8", "replace"))
        if not any(kinds.values()):
            return None
        told_at = rfc3339(self._clock.now())
        return Batch(time=told_at, root=self.where, repo_hash=now.repo_hash, **kinds)


def _differing(snapshot: Snapshot) -> set[bytes]:
    """Paths of which a snapshot knows something else than its base."""
    return {*map(snapshot.base.path, snapshot.gone), *map(key, snapshot.docs)}


def _state(snapshot: Snapshot, path: bytes) -> Any:
    """What tells one content of a file from another; None where there is none."""
    doc = snapshot.doc(path)
    if doc is not None:
        return doc.blob_id or (doc.stamp.size_bytes, doc.stamp.modified_ns)
    number = snapshot.find(path)
    if number < 0:
        return None
    stamp = snapshot.base.stamp(number)
    return snapshot.base.blob_id(number) or (stamp.size_bytes, stamp.modified_ns)


def _say_begun(tree: Tree, *, as_json: bool) -> None:
    files, freshness = tree.last.count, tree.last.freshness
    if as_json:
        show.as_line({"root": tree.where, "files": files, "freshness": freshness})
    else:
        show.out(show.one_line(f"watching {tree.where}: {files:,} files, {freshness}"))


def _say(batch: Batch, *, as_json: bool) -> None:
    if as_json:
        show.as_line(to_builtins(batch))
        return
    said = [
        *(f"+{path}" for path in batch.added),
        *(f"~{path}" for path in batch.changed),
        *(f"-{path}" for path in batch.removed),
    ]
    more = f" and {len(said) - WATCH_NAMES_SHOWN:,} more" if len(said) > WATCH_NAMES_SHOWN else ""
    show.out(show.one_line(f"{batch.time} {batch.root}: {' '.join(said[:WATCH_NAMES_SHOWN])}{more}"))
