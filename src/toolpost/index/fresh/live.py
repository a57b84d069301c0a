"""The tree as it is, for every question: what happened since the last one is taken in before it is answered.

On Linux the kernel is asked (`watched`), so that a change is seen by every question asked after it was finished.
Where nobody tells, every file's stamp is compared now and then (`checked`). A tree that is not a folder of this
machine is as it was built (`built`).
"""

import os
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from threading import Lock, Thread

import msgspec
from msgspec import Struct

from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.generations import Folder
from toolpost.index.disk.mapped import Base, grown, latest
from toolpost.index.fresh.compacting import Compact, Compacting
from toolpost.index.fresh.ground import Ground
from toolpost.index.fresh.happened import Happened
from toolpost.index.fresh.inotify import Inotify
from toolpost.index.fresh.known import Known
from toolpost.index.fresh.look import Look
from toolpost.index.fresh.overlay import Changes, changed
from toolpost.index.fresh.reading import Read, read_again, read_run
from toolpost.index.fresh.told import Told
from toolpost.index.fresh.watcher import NoRoom, Watcher
from toolpost.index.limits import CHECK_S, JOURNAL_NAMES
from toolpost.index.snapshot import Snapshot
from toolpost.limits import RACY_NS
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Root

WATCHED, CHECKED, BUILT = "watched", "checked", "built"
_NEVER = -float("inf")


class Means(Struct, frozen=True, kw_only=True):
    """What a live tree is given to work with."""

    read: Read = read_run
    settle: Callable[[Snapshot], Snapshot] | None = None
    """Run by whoever first asks what the files of a state say, at any time and in any thread."""
    prepare: Callable[[Snapshot], None] | None = None
    """Run in a thread before anything changes, where changes are waited for."""
    compact: Compact | None = None
    """Run in a thread once much has changed."""
    watch: Callable[[], Watcher] | None = Inotify
    """Raises OSError where that cannot be done."""
    ask: Callable[[int], Told | None] | None = None
    """Another process, by the generation that is open here: what its watcher saw. None where it does not know."""
    check_s: float = CHECK_S
    """Where nobody tells, how long what was seen counts as fresh."""


class Live:
    """For any number of threads. Close it when nobody asks any more."""

    def __init__(self, root: Root, folder: Folder, means: Means) -> None:
        """Raises Damaged where there is no index that can be opened, OSError where the tree is gone."""
        self.key = root.key
        self._folder = folder
        self._means = means
        self._compacting = Compacting(means.compact)
        self._lock = Lock()
        self._seen = folder.stamp()
        base = latest(folder)
        if base is None:
            raise Damaged(f"There is no index of {root.where} yet.")
        self._known = self._known_of(base)
        self._ground = Ground(root) if isinstance(root, LocalRoot) else None
        self._watcher: Watcher | None = None
        self._touched = deque[bytes]()  # written to without the lock: who writes files waits for nobody
        self._pending = Happened()
        """What is still to be looked at: kept until a look went through."""
        self._journal = Happened()
        """What was looked at since `_journal_ns`: another generation may have been built before it happened."""
        self._journal_ns = 0
        self._checked_s = _NEVER
        self._preparing: Thread | None = None
        if self._ground:
            self._watch(self._ground)

    def snapshot(self) -> Snapshot:
        """Raises Damaged, LimitExceeded."""
        with self._lock:
            self._follow()
            if self._ground:
                self._hear(self._ground)
                if self._pending:
                    self._take(self._ground)
                if self._preparing is None and self._watcher:
                    self._prepare(self._known.snapshot)
            return self._known.snapshot

    @property
    def repo_hash(self) -> str:
        """Of the state seen last: nothing is waited for, and nothing new is looked at."""
        return self._known.snapshot.repo_hash

    def touched(self, path: str) -> None:
        """We changed it ourselves, file or folder: the next question looks at it, watcher or not."""
        self._touched.append(os.fsencode(path))

    def confirm(self, paths: Iterable[str]) -> Snapshot:
        """The state in which these files, which are about to be shown, are as they are now.

        Only where a watcher tells of changes at once is that known without looking at them.
        """
        if not self._is_prompt:
            self._touched.extend(map(os.fsencode, paths))
        return self.snapshot()

    def told(self, generation: int) -> Told | None:
        """What another process that has a generation open has to look at; None where that is not known here."""
        self.snapshot()
        with self._lock:
            snapshot = self._known.snapshot
            if not self._is_prompt or snapshot.base.generation != generation:
                return None
            folders = sorted(self._known.folders.difference(snapshot.base.folders))
            return Told(list(map(os.fsdecode, self._known.changed())), list(map(os.fsdecode, folders)))

    def close(self) -> None:
        """Waits for what is under way in threads."""
        self._compacting.close()
        if self._preparing:
            self._preparing.join()
        with self._lock:
            self._unwatch()
            if self._ground:
                self._ground.close()
                self._ground = None

    @property
    def _is_prompt(self) -> bool:
        watcher = self._watcher
        return watcher is not None and watcher.is_prompt

    # Hearing of changes.

    def _hear(self, ground: Ground) -> None:
        """What is new goes to what is pending."""
        touched = {self._touched.popleft() for _ in range(len(self._touched))}
        if touched:
            self._pending.merge(Happened(touched, touched & self._known.folders))
        if self._watcher:
            self._drain(ground, self._watcher)
        if self._watcher and self._checked_s != _NEVER:
            return
        is_told = self._asked()
        if not is_told and time.monotonic() - self._checked_s >= self._means.check_s:
            self._pending.is_lost = True
        self._checked_s = time.monotonic() if is_told or self._pending.is_lost else self._checked_s
        self._say(WATCHED if is_told or self._watcher else CHECKED)

    def _drain(self, ground: Ground, watcher: Watcher) -> None:
        try:
            happened = watcher.drain()
        except NoRoom:
            self._do_without()
            return
        if happened:
            self._pending.merge(happened)
            if happened.is_lost:  # a folder's watch may by now be of another one
                self._unwatch()
                self._watch(ground)

    def _do_without(self) -> None:
        """A watcher that may miss something is worse than none."""
        self._unwatch()
        self._say(CHECKED)
        self._pending.is_lost = True

    def _asked(self) -> bool:
        """Whether another process's watcher told what there is to look at."""
        told = self._means.ask(self._known.snapshot.base.generation) if self._means.ask else None
        if told is None:
            return False
        files = {*map(os.fsencode, told.paths), *self._known.changed()}
        self._pending.merge(Happened(files, set(map(os.fsencode, told.folders)) - self._known.folders))
        return True

    def _watch(self, ground: Ground) -> None:
        """Every folder that is known; where that cannot be done, none."""
        if self._means.watch is None:
            return
        try:
            self._watcher = self._means.watch()
            Look(ground, self._known, self._watcher).watch_all()
        except (OSError, NoRoom):
            self._unwatch()
        else:
            self._restart_journal()

    def _unwatch(self) -> None:
        if self._watcher:
            self._watcher.close()
            self._watcher = None

    def _say(self, freshness: str) -> None:
        snapshot = self._known.snapshot
        if snapshot.freshness != freshness:
            self._known.snapshot = msgspec.structs.replace(snapshot, freshness=freshness)

    # Taking them in.

    def _take(self, ground: Ground) -> None:
        look = Look(ground, self._known, self._watcher)
        try:
            look.at(self._pending)
        except NoRoom:
            self._do_without()
            look = Look(ground, self._known, None)
            look.at(self._pending)
        changes = dict(read_again(ground.top, ground.root.guard, look.read, self._means.read))
        self._lay(dict.fromkeys(look.gone) | changes)  # what was gone may be back
        self._journal.merge(self._pending)
        if len(self._journal.files) + len(self._journal.folders) > JOURNAL_NAMES:
            self._journal = Happened(is_lost=True)
        self._pending = Happened()
        self._compacting.offer(self._known.snapshot)

    def _lay(self, changes: Changes) -> None:
        if not changes:
            return
        known = self._known
        known.snapshot = changed(known.snapshot, changes)
        for path, doc in changes.items():
            if doc and known.snapshot.doc(path) is None:
                known.stamps[path] = doc.stamp
            else:
                known.stamps.pop(path, None)

    def _prepare(self, snapshot: Snapshot) -> None:
        def run() -> None:
            if self._means.prepare:
                with suppress(Damaged):  # whoever needs it is told so
                    self._means.prepare(snapshot)

        self._preparing = Thread(target=run, name="toolpost-prepare", daemon=True)
        self._preparing.start()

    # Another generation.

    def _follow(self) -> None:
        """What another process, or a compaction, has committed."""
        stamp = self._folder.stamp()
        if stamp == self._seen:
            return
        self._seen = stamp
        old = self._known.snapshot
        try:
            generation = self._folder.current()
            if generation is None:
                return  # it was removed; what is mapped here is still good
            base = grown(old.base, self._folder, generation)
        except Damaged:
            self._compacting.start(old)
            return
        if base.generation == old.base.generation:
            self._known.snapshot = msgspec.structs.replace(old, base=base)
        else:
            self._rebase(base)

    def _rebase(self, base: Base) -> None:
        """Lay over another base what lay over the old one, and look again at whatever it may have missed."""
        old, self._known = self._known, self._known_of(base, self._known.snapshot.freshness)
        self._known.folders |= old.folders
        names = old.changed()
        self._pending.merge(Happened(set(names)))
        if self._watcher and self._known.checked_ns - RACY_NS >= self._journal_ns:
            self._pending.merge(self._journal)
        else:
            self._pending.is_lost = True
        self._restart_journal()
        self._lay({path: old.snapshot.doc(path) for path in names})

    def _restart_journal(self) -> None:
        self._journal = Happened()
        self._journal_ns = time.time_ns()

    def _known_of(self, base: Base, freshness: str = BUILT) -> Known:
        settle = self._settled if self._means.settle else None
        snapshot = Snapshot(base, repo_hash=base.repo_hash, freshness=freshness, settle=settle)
        listed = datetime.fromisoformat(base.generated_at)
        return Known(snapshot, int(listed.timestamp() * 1000) * 1_000_000)

    def _settled(self, snapshot: Snapshot) -> Snapshot:
        settled = self._means.settle(snapshot) if self._means.settle else snapshot
        self._compacting.offer(settled)  # one file that many pass on from may bring all of those
        return settled
