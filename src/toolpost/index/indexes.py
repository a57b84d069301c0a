"""The indexes of a workspace's trees: opened when first asked for, built where there is none that can be used."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import partial
from threading import Event, Lock, Thread
from typing import Any, TypeVar

from msgspec import Struct

from toolpost.errors import IoFailed, ToolError
from toolpost.index.build.build import Built, Settings, build, made_by
from toolpost.index.build.definitions import add_definitions
from toolpost.index.build.progress import Progress, Watch
from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.generations import SYMBOLS, TRIGRAMS, Busy, Folder, Generation
from toolpost.index.disk.mapped import Base, latest
from toolpost.index.disk.shelf import Shelf
from toolpost.index.fresh.live import Live, Means
from toolpost.index.fresh.opening import Way, open_live
from toolpost.index.fresh.service import Service, serve
from toolpost.index.limits import INDEX_BUSY_S, INDEX_LOCK_POLL_S
from toolpost.index.snapshot import Snapshot, key
from toolpost.workspace.local import failures
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Root

SOCKET = "fresh"
"""In the shelf's folder: where the process that watches answers others."""
Tags = Mapping[str, Mapping[str, tuple[str, ...]]]
_T = TypeVar("_T")


class State(Struct, frozen=True, kw_only=True):
    """What is known of one tree's index."""

    root: str
    files: int
    exports: int
    """As of the build."""
    repo_hash: str
    generated_at: str
    freshness: str
    changed: int
    """Files that differ from what is on disk: new, changed or gone."""
    searches_ready: bool
    symbols_ready: bool
    size_bytes: int
    tags: dict[str, int]


class _Tree:
    """What is kept of one tree."""

    def __init__(self) -> None:
        self.opening = Lock()
        self.making = Lock()
        """Held while it is built, so that whoever else needs it waits, and builds nothing."""
        self.live: Live | None = None
        self.defined: Base | None = None
        """The last one seen whose definitions are known: files that did not change since are not parsed again."""
        self.defining = 0
        """The generation whose definitions were last asked for."""
        self.is_mending = False
        """Beside everything else."""
        self.is_damaged = False
        """What is on disk is not to be opened: it is being built anew."""


class Indexes:
    """For any number of threads. Close it with the workspace."""

    def __init__(self, shelf: Shelf, *, tags: Tags | None = None, is_watching: bool = True) -> None:
        """`is_watching`: for a process that stays; one that answers a single question does not watch."""
        self.shelf = shelf
        self._tags: dict[str, Any] = {tag: dict(rules) for tag, rules in (tags or {}).items()}
        socket = shelf.cache / SOCKET
        self._way = Way(tags=self._tags, is_watching=is_watching, socket=None if is_watching else socket)
        self._trees: dict[str, _Tree] = {}
        self._lock = Lock()
        self._threads: list[Thread] = []
        self._stop = Event()

    # Asking.

    def ask(self, root: Root, question: Callable[[Snapshot], _T]) -> _T:
        """What a question finds in the tree as it is now. Raises what building does.

        An index that turns out to be damaged is built anew and asked again.
        """
        live = self.live(root)
        try:
            return question(self._seen(root, live))
        except Damaged:
            self._renew(root, live)
        try:
            return question(self._seen(root, self.live(root)))
        except Damaged as damaged:
            raise IoFailed(
                f"The index of {root.where} was damaged again right after it was built: {damaged}"
            ) from None

    def now(self, root: Root) -> Snapshot | None:
        """The tree as it is now, where an index can tell without being built.

        One that is there and of no use, as it is damaged or made by other rules, is mended beside.
        """
        with suppress(ToolError):  # what an index cannot tell, the tree can
            live = self.known(root)
            with suppress(Damaged):
                if live is not None:
                    return self._seen(root, live)
            if any(self.folder(root).stamp()):
                self.mend(root)
        return None

    def live(self, root: Root) -> Live:
        """Built first where there is none. Raises what building does."""
        found = self.known(root)
        if found is None:
            with self._tree(root).making:
                found = self.known(root) or self._made(root)
        return found

    def known(self, root: Root) -> Live | None:
        """Only what is there already, and was made by the rules that hold now. Raises DirectoryNotFound, IoFailed."""
        tree = self._tree(root)
        with tree.opening:
            if tree.live is None and not tree.is_damaged:
                tree.live = self._opened(root)
            return tree.live

    def touched(self, root: Root, path: str) -> None:
        """We changed a file ourselves."""
        found = self._live_of(root.key)
        if found is not None:
            found.touched(path)

    def version(self, root: Root) -> str:
        """What tells one state of a tree from another, as far as it is known without waiting: its repo_hash."""
        found = self._live_of(root.key)
        return root.key if found is None else f"{root.key} {found.repo_hash}"

    def state(self, root: Root) -> State:
        snapshot = self.ask(root, lambda found: found)
        base = snapshot.base
        return State(
            root=root.where,
            files=snapshot.count,
            exports=base.statistics.total_exports,
            repo_hash=snapshot.repo_hash,
            generated_at=base.generated_at,
            freshness=snapshot.freshness,
            changed=len(snapshot.gone) + sum(base.find(key(doc)) < 0 for doc in snapshot.docs),
            searches_ready=TRIGRAMS in base.told.files,
            symbols_ready=SYMBOLS in base.told.files,
            size_bytes=sum(file.size_bytes for file in base.told.files.values()),
            tags=base.statistics.by_tag,
        )

    # Making.

    def build(
        self,
        root: Root,
        *,
        progress: Callable[[Progress], None] | None = None,
        workers: int | None = None,
        is_full: bool = False,
        symbols: bool = True,
    ) -> Built:
        """Bring it up to date on disk. Raises Busy, IoFailed, Cancelled, and what listing the tree raises."""
        folder = self.folder(root)
        settings = Settings(tags=self._tags, stop=self._stop, wait_s=INDEX_BUSY_S)
        with nullcontext() if is_full else _earlier(folder) as reuse:
            made = build(root, folder, progress=progress, workers=workers, reuse=reuse, settings=settings)
            if symbols:
                watch, cores = Watch(progress, self._stop), workers or _cores()
                try:
                    add_definitions(folder, made.generation, workers=cores, watch=watch, reuse=reuse)
                except Damaged as damaged:
                    raise IoFailed(f"What was just written cannot be read: {damaged} Build again.") from None
        return made

    def warm(self, root: Root) -> None:
        """Build it beside everything else; until then searches go through the tree."""
        self._beside(lambda: self.ask(root, lambda _: None))

    def mend(self, root: Root) -> None:
        """Build anew, beside everything else, what turned out to be of no use."""
        tree = self._tree(root)
        with self._lock:
            if tree.is_mending:
                return
            tree.is_mending = True
        self._beside(partial(self._mended, root, tree))

    def serve(self) -> Service:
        """Tell other processes what changed, so that they need not look. Raises Taken, OSError."""
        return serve(self._live_of, self.shelf.cache / SOCKET)

    def folder(self, root: Root) -> Folder:
        return self.shelf.folder(root.key, root.where, root.location if isinstance(root, LocalRoot) else "")

    def close(self) -> None:
        """Ends what is still being made."""
        with self._lock:
            self._stop.set()
            trees, threads = list(self._trees.values()), list(self._threads)
        for thread in threads:
            thread.join()
        for tree in trees:
            with tree.opening:
                if tree.live is not None:
                    tree.live.close()
                    tree.live = None

    def _tree(self, root: Root) -> _Tree:
        with self._lock:
            return self._trees.setdefault(root.key, _Tree())

    def _live_of(self, tree_key: str) -> Live | None:
        tree = self._trees.get(tree_key)
        return tree.live if tree else None

    def _made(self, root: Root) -> Live:
        """By us, or by another process that is at it already: what that has committed will do."""
        folder, until = self.folder(root), time.monotonic() + INDEX_BUSY_S
        settings = Settings(tags=self._tags, stop=self._stop)
        while True:
            with suppress(Busy), _earlier(folder) as reuse:
                self._define(root, build(root, folder, reuse=reuse, settings=settings).generation)
                until = 0.0
            found = self.known(root)
            if found is not None:
                return found
            if time.monotonic() >= until:
                raise _not_to_be_had(root, is_busy=until > 0)
            self._stop.wait(INDEX_LOCK_POLL_S)
            Watch(stop=self._stop).check()

    def _renew(self, root: Root, damaged: Live | None) -> None:
        """Unless somebody else has done so since."""
        tree = self._tree(root)
        with tree.making:
            with tree.opening:
                if damaged is None or tree.live is not damaged:
                    return
                tree.live, tree.is_damaged = None, True
            damaged.close()
            try:
                made = self.build(root, is_full=True, symbols=False)
            except Busy:
                raise _not_to_be_had(root, is_busy=True) from None
            finally:
                tree.is_damaged = False
            self._define(root, made.generation)

    def _mended(self, root: Root, tree: _Tree) -> None:
        try:
            self._renew(root, tree.live)
            self.live(root)
        finally:
            tree.is_mending = False

    def _define(self, root: Root, generation: Generation) -> None:
        """In one process beside this one, so that what else goes on is not held up for long."""
        tree = self._tree(root)
        tree.defining = generation.number
        watch = Watch(stop=self._stop)
        folder, reuse = self.folder(root), tree.defined
        self._beside(lambda: add_definitions(folder, generation, workers=1, watch=watch, reuse=reuse))

    def _beside(self, work: Callable[[], object]) -> None:
        """In a thread. Whoever asks for what it was to make is told what is wrong with it."""

        def run() -> None:
            with suppress(ToolError, OSError, Busy, Damaged):
                work()

        with self._lock:
            if self._stop.is_set():
                return
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            thread = Thread(target=run, name="toolpost-index", daemon=True)
            thread.start()
            self._threads.append(thread)

    def _seen(self, root: Root, live: Live) -> Snapshot:
        """Raises Damaged, also for what another process has built since by other rules."""
        snapshot = live.snapshot()
        base, tree = snapshot.base, self._tree(root)
        if base.maker != made_by(root, self._tags):
            raise Damaged(f"The index of {root.where} was built by other rules.")
        if base.symbols is not None:
            tree.defined = base
        elif self._way.is_watching and tree.defining != base.generation:
            self._define(root, base.told)  # one that was compacted, or whose maker ended before it could
        return snapshot

    def _opened(self, root: Root) -> Live | None:
        folder = self.folder(root)
        base = _usable(folder)
        if base is None:
            return None
        with closing(base):
            if base.maker != made_by(root, self._tags):  # other rules for secrets or tags
                return None
        try:
            if isinstance(root, LocalRoot):
                return open_live(root, folder, self._way)
            return Live(root, folder, Means(watch=None))
        except Damaged:
            return None
        except OSError as failed:
            raise failures.of_folder(root.where, failed) from None


def _not_to_be_had(root: Root, *, is_busy: bool) -> IoFailed:
    if is_busy:
        return IoFailed(f"Another process is building the index of {root.where}: try again later.")
    return IoFailed(f"The index of {root.where} was built and cannot be opened: is its disk full?")


def _usable(folder: Folder) -> Base | None:
    """None where there is none, or none that can be read: then it is built anew."""
    try:
        return latest(folder)
    except Damaged:
        return None


@contextmanager
def _earlier(folder: Folder) -> Iterator[Base | None]:
    """What was built before, to take from it what has not changed."""
    found = _usable(folder)
    try:
        yield found
    finally:
        if found is not None:
            found.close()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
