"""From every file's own syntax to what it exports through others, and which files it imports."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from toolpost.index.model import Export
from toolpost.index.resolve.modules import Modules, Settings
from toolpost.index.resolve.stars import Pass, Stars
from toolpost.index.resolve.tree import Tree


class Resolved(Struct, frozen=True):
    exports: Mapping[str, tuple[Export, ...]]
    """Of each file that exports anything."""
    edges: Mapping[str, tuple[str, ...]]
    """Of each file that imports any other of the tree: which, each once, in the order of its imports."""
    passes: Mapping[str, tuple[Pass, ...]]
    """Of each file that passes names on: from where. What `Dependents` is made of."""


def resolve(tree: Tree, paths: Iterable[str], settings: Settings | None = None) -> Resolved:
    """For the files named, which may be a few of the tree's; one that exports or imports nothing is left out.

    `settings` may be kept from one time to the next while none of the tree's settings changes.
    """
    modules, named = Modules(tree, settings), list(paths)
    edges: dict[str, tuple[str, ...]] = {}
    for path in named:
        extract = tree.extract_of(path)
        if extract is not None and extract.imports and (found := imported(modules, path, extract.imports)):
            edges[path] = found
    told = resolve_exports(tree, named, modules)
    return Resolved(told.exports, edges, told.passes)


def resolve_exports(tree: Tree, paths: Iterable[str], modules: Modules) -> Resolved:
    """The same for who does not ask which files are imported: without `edges`.

    `modules` may be kept, too, while no file comes or goes.
    """
    stars = Stars(tree, modules)
    exports: dict[str, tuple[Export, ...]] = {}
    passes: dict[str, tuple[Pass, ...]] = {}
    for path in paths:
        extract = tree.extract_of(path)
        if extract is None or not extract.exports:
            continue
        if given := stars.exports(path):
            exports[path] = given
        if node := stars.node(path):
            passes[path] = node.passes()
    return Resolved(exports, {}, passes)


def imported(modules: Modules, path: str, imports: tuple[str, ...]) -> tuple[str, ...]:
    """The files that a file imports, itself not among them."""
    found = dict.fromkeys([file for files in modules.all(path, imports) for file in files])
    found.pop(path, None)
    return tuple(found)
