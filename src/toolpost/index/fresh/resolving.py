"""What files export through others, kept true while files change: only what may differ is worked out again.

It goes from the state it was asked about last to the one it is asked about, whichever of them is the older.
"""

import os
from collections.abc import Iterable
from threading import Lock

from msgspec.structs import replace

from toolpost.index.build.graph import passes
from toolpost.index.disk.docs import doc_of
from toolpost.index.disk.mapped import Base
from toolpost.index.fresh.extracting import Extract, Extracting
from toolpost.index.fresh.layered import Layered
from toolpost.index.fresh.overlay import merged
from toolpost.index.model import Doc, Export
from toolpost.index.model import Extract as Said
from toolpost.index.places import number_of
from toolpost.index.resolve import resolve_exports
from toolpost.index.resolve.dependents import Dependents, is_setting
from toolpost.index.resolve.modules import Modules, Settings
from toolpost.index.snapshot import Snapshot


class Resolving:
    """For one live tree. What it needs is made when the first file changes, or before: some 0.1 s for 41,000 files."""

    def __init__(self, extract: Extract) -> None:
        self._lock = Lock()
        self._extracting = Extracting(extract)
        self._state: _State | None = None

    def prepare(self, snapshot: Snapshot) -> None:
        """So that the first who asks need not wait. Raises Damaged."""
        with self._lock:
            self._ready(snapshot.base)

    def __call__(self, snapshot: Snapshot) -> Snapshot:
        """The same state, settled."""
        with self._lock:
            whole = self._extracting.all(snapshot.base, snapshot.docs)
            if self._state is None and _is_plain(snapshot, whole):
                # Most edits change no export: a process that answers once need not get ready.
                return replace(snapshot, docs=tuple(whole.values()), settle=None)
            return self._ready(snapshot.base).settled(snapshot, whole)

    def _ready(self, base: Base) -> "_State":
        if self._state is None or self._state.tree.base.generation != base.generation:
            self._state = _State(base)
        self._state.tree.base = base  # it may have grown
        return self._state


class _State:
    """Good for one generation."""

    def __init__(self, base: Base) -> None:
        self.tree = Layered(Snapshot(base))
        self._settings = Settings(self.tree)
        self._modules = Modules(self.tree, self._settings)
        self._dependents = Dependents(passes(base.sections))
        self._laid: dict[str, Doc] = {}
        self._gone: frozenset[int] = frozenset()
        self._told: dict[bytes, Doc] = {}
        """Files, of either layer, whose exports are not those their layer has: with those they have."""
        self._raised: dict[bytes, int] = {}
        """Those of the base among them, by number."""

    def settled(self, snapshot: Snapshot, whole: dict[str, Doc]) -> Snapshot:
        """With its docs, which say what they do by themselves."""
        changes, back = self._differing(snapshot, whole)
        if changes or back:
            self._take(changes, back)
        docs = merged(tuple(whole.values()), snapshot.keys, self._told)
        return replace(snapshot, gone=snapshot.gone.union(self._raised.values()), docs=docs, settle=None)

    def _differing(self, snapshot: Snapshot, now: dict[str, Doc]) -> tuple[dict[str, Doc | None], list[str]]:
        """What lies over the base now and did not before, and paths nothing lies over any more."""
        base = self.tree.base
        gone, back = snapshot.gone - self._gone, self._gone - snapshot.gone
        changes: dict[str, Doc | None] = {path: None for path in _paths(base, gone) if path not in now}
        changes |= {path: doc for path, doc in now.items() if self._laid.get(path) is not doc}
        bared = list(_paths(base, back))
        changes |= dict.fromkeys(self._laid.keys() - now.keys() - set(bared))
        self._laid, self._gone = now, snapshot.gone
        return changes, bared

    def _take(self, changes: dict[str, Doc | None], back: list[str]) -> None:
        tree, touched = self.tree, [*changes, *back]
        before = {path: self._says(path) for path in touched}
        tree.lay(changes)
        tree.bare(back)
        now = {path: self._says(path) for path in touched}
        moved = {path for path in touched if (before[path] is None) != (now[path] is None)}
        telling = {path for path in touched if before[path] != now[path]}
        settings = {path for path in touched if is_setting(path)}
        if settings:
            self._settings = Settings(tree)
        if settings or moved:
            self._modules = Modules(tree, self._settings)
        affected = {*touched, *self._dependents.affected(telling | settings, moved)}
        passing = [path for path in sorted(affected) if _passes_on(tree.extract_of(path))]
        resolved = resolve_exports(tree, passing, self._modules)
        self._dependents.replace(resolved.passes, affected.difference(resolved.passes))
        for path in passing:
            self._tell(path, resolved.exports.get(path, ()))
        for path in affected.difference(passing):
            said = tree.extract_of(path)
            self._tell(path, () if said is None else said.exports)

    def _tell(self, path: str, exports: tuple[Export, ...]) -> None:
        """From now on a file has these."""
        key, doc = os.fsencode(path), self.tree.over(path)
        self._told.pop(key, None)
        self._raised.pop(key, None)
        if doc is not None:
            if doc.exports != exports:
                self._told[key] = replace(doc, exports=exports)
            return
        number = self.tree.number(path)
        if number >= 0 and self.tree.base.exports(number) != exports:
            self._told[key] = replace(doc_of(self.tree.base, number), exports=exports)
            self._raised[key] = number

    def _says(self, path: str) -> list[tuple[str, ...]] | None:
        return _says(self.tree.extract_of(path)) if self.tree.exists(path) else None


def _paths(base: Base, numbers: Iterable[int]) -> Iterable[str]:
    return map(os.fsdecode, map(base.path, numbers))


def _is_plain(snapshot: Snapshot, whole: dict[str, Doc]) -> bool:
    """Whether no change is of any account to another file, and the files' exports are all their own."""
    if len(snapshot.gone) != len(whole):
        return False
    base = snapshot.base
    for path, doc in zip(snapshot.keys, whole.values(), strict=True):
        number = number_of(base, path)
        if number < 0 or is_setting(doc.path) or _passes_on(doc.extract):
            return False
        if _says(base.extract(number)) != _says(doc.extract):
            return False
    return True


def _passes_on(said: Said | None) -> bool:
    return said is not None and any(export.source for export in said.exports)


def _says(said: Said | None) -> list[tuple[str, ...]]:
    """What others pass on of a file: all it exports, wherever in the file that stands."""
    exports = said.exports if said else ()
    return [(export.name, export.kind, export.local, export.source) for export in exports]
