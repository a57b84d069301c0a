"""A changing tree as resolving asks for it: one base, and what lies over it."""

import os
from collections.abc import Iterable, Mapping
from functools import cached_property

from toolpost.index.disk.docs import text_of
from toolpost.index.limits import EXTRACTS_KEPT
from toolpost.index.model import Doc, Extract
from toolpost.index.places import number_of
from toolpost.index.resolve.tree import MANIFESTS
from toolpost.index.snapshot import Snapshot


class Layered:
    """A `resolve.tree.Tree`. Settings made of it stay good as it changes, since they ask it anew."""

    def __init__(self, snapshot: Snapshot) -> None:
        """What it says of files is right where the snapshot is settled, or has no docs."""
        self.base = snapshot.base
        self._over: dict[str, Doc | None] = {
            os.fsdecode(path): None for path in map(snapshot.base.path, snapshot.gone)
        }
        self._over.update((doc.path, doc) for doc in snapshot.docs)
        self._extracts: dict[str, Extract | None] = {}

    def lay(self, changes: Mapping[str, Doc | None]) -> None:
        self._over.update(changes)

    def bare(self, paths: Iterable[str]) -> None:
        """Nothing lies over these any more."""
        for path in paths:
            self._over.pop(path, None)

    def over(self, path: str) -> Doc | None:
        """The file that lies there over the base."""
        return self._over.get(path)

    def number(self, path: str) -> int:
        """Of a file that is as the base has it; -1 for any other."""
        return (
            -1 if path in self._over or path not in self._paths else number_of(self.base, os.fsencode(path))
        )

    def exists(self, path: str) -> bool:
        if path in self._over:
            return self._over[path] is not None
        return path in self._paths

    def extract_of(self, path: str) -> Extract | None:
        if path in self._over:
            doc = self._over[path]
            return None if doc is None else doc.extract
        if path not in self._extracts:
            if len(self._extracts) >= EXTRACTS_KEPT:
                self._extracts.clear()
            number = self.number(path)
            self._extracts[path] = None if number < 0 else self.base.extract(number)
        return self._extracts[path]

    def text_of(self, path: str) -> bytes | None:
        if path in self._over:
            doc = self._over[path]
            return None if doc is None else doc.text
        number = self.number(path)
        return None if number < 0 else text_of(self.base, number)

    def manifests(self) -> Iterable[str]:
        new = [path for path in self._over if _is_manifest(path)]
        return [path for path in sorted({*self._manifests, *new}, key=os.fsencode) if self.exists(path)]

    def inside(self, folder: str) -> Iterable[str]:
        start = f"{folder}/" if folder else ""
        below = self.base.paths(*self.base.span(os.fsencode(start)))
        names = {os.fsdecode(path) for path in below if b"/" not in path[len(os.fsencode(start)) :]}
        names.update(path for path in self._over if path.rpartition("/")[0] == folder)
        return [path for path in sorted(names, key=os.fsencode) if self.exists(path)]

    @cached_property
    def _paths(self) -> frozenset[str]:
        """Of the base: asked for a hundred times while one file's modules are found, so they are held."""
        return frozenset(map(os.fsdecode, self.base.paths()))

    @cached_property
    def _manifests(self) -> frozenset[str]:
        return frozenset(filter(_is_manifest, self._paths))


def _is_manifest(path: str) -> bool:
    return path.rpartition("/")[2] in MANIFESTS
