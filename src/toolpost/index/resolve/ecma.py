"""Where the modules of JavaScript and TypeScript lie, as compilers and bundlers look for them."""

from collections.abc import Iterable

from toolpost.index.resolve.folders import below, join
from toolpost.index.resolve.packages import Packages, places, targets
from toolpost.index.resolve.tree import Tree
from toolpost.index.resolve.tsconfig import Aliases, Configs

_FOR_TYPED = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".mjs", ".cts", ".cjs", ".d.mts", ".d.cts")
_FOR_PLAIN = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts")
_FOR_BOTH = (".json", ".vue", ".svelte", ".astro")
_WRITTEN_FOR = {
    "js": (".ts", ".tsx", ".d.ts"),
    "jsx": (".tsx", ".d.ts"),
    "mjs": (".mts", ".d.mts"),
    "cjs": (".cts", ".d.cts"),
}
"""What `./x.js` in an import may be compiled from: that is the file which is there."""


class Ecma:
    def __init__(self, tree: Tree, packages: Packages, configs: Configs, *, typed: bool) -> None:
        """For `typed` importers declarations stand before what they declare, as they do for the compiler."""
        self._tree = tree
        self._exists = tree.exists
        self._packages = packages
        self._configs = configs
        self._typed = typed
        self._guesses = (*(_FOR_TYPED if typed else _FOR_PLAIN), *_FOR_BOTH)
        self._by_alias: dict[tuple[int, str], str] = {}
        """What was looked up already, by the identity of aliases, which the configs keep: no importer matters."""

    def find(self, folder: str, specifier: str) -> str:
        """The file of a module that is imported from a folder; empty where it is of no file of the tree."""
        if "?" in specifier or "!" in specifier:
            specifier = specifier.rpartition("!")[2].partition("?")[0]
        if specifier.startswith("."):
            base = join(folder, specifier)
            if base is None:
                return ""
            is_folder = specifier.endswith(("/", "/.", "/..")) or specifier in {".", ".."}
            return self._in_folder(base) if is_folder else self._at(base)
        if specifier.startswith("#"):
            return self._private(folder, specifier)
        return self._named(folder, specifier) if specifier else ""

    def _at(self, base: str) -> str:
        """The file at a place, its suffix being guessed, or the one that stands for the folder there."""
        return self._file(base) or self._in_folder(base)

    def _file(self, base: str) -> str:
        exists = self._exists
        stem, _, suffix = base.rpartition(".")
        written = _WRITTEN_FOR.get(suffix, ())
        if not (self._typed and written) and exists(base):
            return base
        for other in written:
            if exists(stem + other):
                return stem + other
        if written and exists(base):
            return base
        for guess in self._guesses:
            if exists(base + guess):
                return base + guess
        return ""

    def _in_folder(self, folder: str) -> str:
        package = self._packages.in_folder(folder)
        for main in package.main if package else ():
            path = join(folder, main)
            if path and path != folder and (found := self._file(path) or self._file(f"{path}/index")):
                return found
        return self._file(below(folder, "index"))

    def _private(self, folder: str, specifier: str) -> str:
        """`#name`, which the package around it explains; some projects have it as an alias."""
        package = self._packages.around(folder)
        if package and package.imports is not None:
            for target in targets(package.imports, specifier):
                found = self._target(package.folder, target)
                if found:
                    return found
        return self._named(folder, specifier)

    def _target(self, folder: str, target: str) -> str:
        if not target.startswith("."):
            return self._named(folder, target)
        path = join(folder, target)
        return self._at(path) if path is not None else ""

    def _named(self, folder: str, specifier: str) -> str:
        """By an alias of a tsconfig, the nearest first; else by the name of a package of the tree."""
        for aliases in self._configs.of(folder):
            found = self._aliased(aliases, specifier)
            if found:
                return found
        package, rest = self._packages.split(specifier, folder)
        return self._first(places(package, rest)) if package else ""

    def _aliased(self, aliases: Aliases, specifier: str) -> str:
        key = id(aliases), specifier
        known = self._by_alias.get(key)
        if known is None:
            known = self._by_alias[key] = self._first(aliases.places(specifier))
        return known

    def _first(self, bases: Iterable[str]) -> str:
        return next((found for base in bases if (found := self._at(base))), "")
