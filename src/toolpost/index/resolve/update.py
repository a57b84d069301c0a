"""What is resolved anew when some files change: no more than can differ.

A barrel that only lists names is mended: those it passes on from what changed are looked up again, the others
stay. One of ten thousand names then costs 5 ms, not 80. Whatever has a star is resolved as a whole, for a
star's names depend on each other.
"""

from collections.abc import Callable, Collection

from msgspec import Struct

from toolpost.index.model import STAR, Export, Extract
from toolpost.index.resolve import Resolved, resolve
from toolpost.index.resolve.dependents import Dependents, is_setting, word_of, words
from toolpost.index.resolve.modules import Modules, Settings
from toolpost.index.resolve.stars import Pass, Stars
from toolpost.index.resolve.tree import Tree


class Change(Struct, frozen=True):
    changed: Collection[str]
    """Files of other content, the settings among them; those whose exports do not differ may be left out
    if their imports do not either."""
    moved: Collection[str]
    """Files that are new or gone."""
    exports_of: Callable[[str], tuple[Export, ...]]
    """What was resolved for a file before."""


def update(tree: Tree, dependents: Dependents, change: Change, settings: Settings) -> Resolved:
    """What differs, or may, from what was resolved before; `settings` are new if any of them changed.

    A file that has `passes` here but no `exports` exports nothing any more. Files that are gone are not in it,
    nor are new edges of files that only import what moved.
    """
    affected = dependents.affected(change.changed, change.moved)
    touched = {*change.changed, *change.moved}
    if any(map(is_setting, touched)):
        return resolve(tree, affected, settings)
    mending = _Mending(tree, dependents, change, settings, affected)
    tried = {path: mending.mended(path) for path in affected - touched}
    mended = {path: made for path, made in tried.items() if made}
    found = resolve(tree, affected - mended.keys(), settings)
    return Resolved(
        {**found.exports, **{path: made.exports for path, made in mended.items()}},
        found.edges,
        {**found.passes, **{path: made.passes for path, made in mended.items()}},
    )


class Mended(Struct, frozen=True):
    exports: tuple[Export, ...]
    passes: tuple[Pass, ...]


class _Mending:
    def __init__(
        self, tree: Tree, dependents: Dependents, change: Change, settings: Settings, affected: set[str]
    ) -> None:
        self._tree = tree
        self._dependents = dependents
        self._change = change
        self._affected = affected
        self._words = words(change.moved)
        self._modules = Modules(tree, settings)

    def mended(self, path: str) -> Mended | None:
        """None for a file that is to be resolved as a whole: not every name of it stands by itself."""
        extract = self._tree.extract_of(path)
        before = self._change.exports_of(path)
        if extract is None or len(before) != len(extract.exports) or _has_star(extract):
            return None
        raw = sorted(extract.exports, key=lambda export: export.line)
        hit = self._hit(path)
        stars = Stars(self._tree, self._modules)
        node = stars.narrow(path, [export for export in raw if export.source in hit])
        if any(target and stars.node(target) for target in node.targets.values()):
            return None
        anew = iter(stars.exports(path))
        exports = [
            next(anew) if export.source in hit else known for export, known in zip(raw, before, strict=True)
        ]
        return Mended(tuple(exports), self._passes(path, node.targets))

    def _passes(self, path: str, targets: dict[str, str]) -> tuple[Pass, ...]:
        before = self._dependents.passes(path)
        if all(targets.get(each.source, each.target) == each.target for each in before):
            return before
        return tuple(Pass(each.source, targets.get(each.source, each.target)) for each in before)

    def _hit(self, path: str) -> set[str]:
        """Sources that lead to what changed, or may now lead elsewhere."""
        return {
            each.source
            for each in self._dependents.passes(path)
            if each.target in self._affected or (self._words and word_of(each.source) in self._words)
        }


def _has_star(extract: Extract) -> bool:
    return any(export.name == STAR for export in extract.exports)
