"""Where modules of Go, Rust, C and C++ lie."""

import re
from collections.abc import Iterator

from toolpost.index.resolve.folders import below, join, parent, upward
from toolpost.index.resolve.tree import Tree

_MODULE = re.compile(rb'^module[ \t]+"?([^\s"]+)', re.MULTILINE)
_ROOTS = ("lib.rs", "main.rs")
_STEMS = frozenset({"mod", "lib", "main"})


class Go:
    """A package is a folder, so an import leads to several files."""

    def __init__(self, tree: Tree, homes: list[tuple[str, str]]) -> None:
        self._tree = tree
        self._homes = homes

    def find(self, module: str) -> tuple[str, ...]:
        for name, home in self._homes:
            if module == name or module.startswith(f"{name}/"):
                folder = join(home, module[len(name) :])
                return tuple(path for path in self._tree.inside(folder or "") if _is_go(path))
        return ()


def go_modules(tree: Tree) -> list[tuple[str, str]]:
    """Each module's name and folder, the most particular name first."""
    found = []
    for path in tree.manifests():
        if path.rpartition("/")[2] == "go.mod":
            name = _MODULE.search(tree.text_of(path) or b"")
            if name:
                found.append((name[1].decode("utf-8", "replace"), parent(path)))
    return sorted(found, key=lambda pair: len(pair[0]), reverse=True)


def _is_go(path: str) -> bool:
    return path.endswith(".go") and not path.endswith("_test.go")


class Rust:
    def __init__(self, tree: Tree) -> None:
        self._exists = tree.exists
        self._crates: dict[str, str | None] = {}

    def find(self, importer: str, module: str) -> str:
        """The file of `crate::a::b`, `self::a`, `super::a` or `a` (a `mod` beside the importer)."""
        first, *rest = [part for part in module.split("::") if part] or [module]
        home: str | None = _home(importer)
        if first == "crate":
            home = self._crate(parent(importer))
        elif first == "super":
            home = parent(home) if home else None
            while rest and rest[0] == "super" and home:
                home, rest = parent(home), rest[1:]
        elif first != "self":
            rest = [first, *rest]
        return self._deepest(home, rest) if home is not None else ""

    def _deepest(self, home: str, parts: list[str]) -> str:
        """The last names of a path may be those of things in a file: the file of most names is it."""
        for count in range(len(parts), 0, -1):
            place = below(home, "/".join(parts[:count]))
            for path in (f"{place}.rs", f"{place}/mod.rs"):
                if self._exists(path):
                    return path
        return ""

    def _crate(self, folder: str) -> str | None:
        """The folder of a crate's root: the nearest that holds one."""
        if folder not in self._crates:
            found = (
                above for above in upward(folder) if any(self._exists(below(above, name)) for name in _ROOTS)
            )
            self._crates[folder] = next(found, None)
        return self._crates[folder]


def _home(importer: str) -> str:
    """The folder in which a file's own modules lie."""
    stem = importer.rpartition("/")[2].removesuffix(".rs")
    return parent(importer) if stem in _STEMS else importer.removesuffix(".rs")


class Includes:
    """C and C++: beside the includer, or below a folder above it, or below the `include` of one."""

    def __init__(self, tree: Tree) -> None:
        self._exists = tree.exists
        self._known: dict[tuple[str, str], str] = {}

    def find(self, folder: str, name: str) -> str:
        name = name.strip('"<>')
        met = []
        found = ""
        for above in upward(folder):
            known = self._known.get((above, name))
            if known is not None:
                found = known
                break
            met.append(above)
            found = next((path for path in _included(above, name) if self._exists(path)), "")
            if found:
                break
        # What a folder above has or has not is asked for from each folder below it.
        self._known.update(((above, name), found) for above in met)
        return found


def _included(folder: str, name: str) -> Iterator[str]:
    for home in (folder, below(folder, "include"), below(folder, "src")):
        path = join(home, name) if "." in name.split("/", maxsplit=1)[0] else below(home, name)
        if path:
            yield path
