"""The packages of a tree by their names, and what each lets others import: package.json."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from msgspec import Struct

from toolpost.errors import InvalidArgument
from toolpost.index.limits import CONFIG_EXTENDS
from toolpost.index.resolve.folders import below, join, parent, upward
from toolpost.index.resolve.jsonc import load
from toolpost.index.resolve.tree import Tree
from toolpost.workspace.walking.globs import Glob

_MAIN = ("source", "module", "main", "types", "typings", "browser")
_CONDITIONS = ("source", "development", "import", "module", "default", "require", "node", "browser", "types")
"""Of a choice, the first that names a file of the tree: sources before what is built from them."""
_BUILT = frozenset({"dist", "build", "lib", "es", "esm", "cjs", "umd", "out", "output", "types", "module"})
"""Folders of files that are made, and hence not there; what they are made of lies in `src`."""


class Package(Struct, frozen=True):
    folder: str
    name: str
    exports: Any = None
    imports: Any = None
    main: tuple[str, ...] = ()


class Packages:
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._read: dict[str, Package | None] = {}
        self._above: dict[str, Package | None] = {}

    def in_folder(self, folder: str) -> Package | None:
        """The package whose package.json lies right there."""
        if folder not in self._read:
            path = below(folder, "package.json")
            self._read[folder] = (
                _package(folder, load(self._tree.text_of(path))) if self._tree.exists(path) else None
            )
        return self._read[folder]

    def around(self, folder: str) -> Package | None:
        """The nearest package a folder belongs to."""
        if folder not in self._above:
            found = (self.in_folder(above) for above in upward(folder))
            self._above[folder] = next((package for package in found if package), None)
        return self._above[folder]

    def split(self, specifier: str, folder: str) -> tuple[Package | None, str]:
        """The package of the tree that a module belongs to, seen from a folder, and the rest of its name."""
        parts = specifier.split("/", 2 if specifier.startswith("@") else 1)
        count = 2 if specifier.startswith("@") else 1
        name, rest = "/".join(parts[:count]), "".join(parts[count:])
        known = self._named.get(name)
        if known is None:
            around = self.around(folder)
            return (around, rest) if around and around.name == name else (None, rest)
        return (known[0] if len(known) == 1 else _nearest(known, folder)), rest

    @cached_property
    def _named(self) -> dict[str, list[Package]]:
        folders = [
            parent(path) for path in self._tree.manifests() if path.rpartition("/")[2] == "package.json"
        ]
        members = Members(self._tree)
        named: dict[str, list[Package]] = {}
        for folder in folders:
            if members.hold(folder) and (package := self.in_folder(folder)) and package.name:
                named.setdefault(package.name, []).append(package)
        return named


class Members:
    """Which folders a workspace counts as its own: all of them where nobody says."""

    def __init__(self, tree: Tree) -> None:
        self._globs = [
            (parent(path), glob) for path in tree.manifests() for glob in _globs(path, tree.text_of(path))
        ]

    def hold(self, folder: str) -> bool:
        if "node_modules" in folder.split("/"):
            return False
        return not self._globs or any(
            folder == home or glob.matches(folder[len(home) :].lstrip("/"))
            for home, glob in self._globs
            if not home or f"{folder}/".startswith(f"{home}/")
        )


def _globs(path: str, text: bytes | None) -> Iterator[Glob]:
    for pattern in _patterns(path.rpartition("/")[2], text):
        if isinstance(pattern, str) and not pattern.startswith("!"):
            try:
                # With a slash it is one of paths, as every member is.
                yield Glob(f"./{pattern.removeprefix('./').rstrip('/')}")
            except InvalidArgument:
                continue


def _patterns(name: str, text: bytes | None) -> list[Any]:
    if name == "package.json":
        found = load(text).get("workspaces") if text and b'"workspaces"' in text else None
        found = found.get("packages") if isinstance(found, dict) else found
    elif name == "lerna.json":
        found = load(text).get("packages")
    elif name == "pnpm-workspace.yaml":
        found = _listed(text or b"")
    else:
        found = None
    return found if isinstance(found, list) else []


def _listed(text: bytes) -> list[str]:
    """The list under `packages:`; of YAML that is all a workspace needs."""
    found: list[str] = []
    inside = False
    for line in text.decode("utf-8", "replace").splitlines():
        item = line.strip()
        if inside and item.startswith("- "):
            found.append(item[2:].split(" #")[0].strip().strip("\"'"))
        elif item and not item.startswith("#"):
            inside = item.split(" #")[0].rstrip() == "packages:"
    return found


def _package(folder: str, told: dict[str, Any]) -> Package:
    name = told.get("name")
    return Package(
        folder,
        name if isinstance(name, str) else "",
        told.get("exports"),
        told.get("imports"),
        tuple(value for field in _MAIN if isinstance(value := told.get(field), str)),
    )


def _nearest(known: list[Package], folder: str) -> Package:
    """Of several of one name, the one that shares most of its path."""
    wanted = folder.split("/")

    def shared(package: Package) -> int:
        pairs = zip(package.folder.split("/"), wanted, strict=False)
        return next((at for at, (one, other) in enumerate(pairs) if one != other), len(wanted))

    return max(known, key=shared)


def targets(table: Any, key: str) -> Iterator[str]:
    """What a table of `exports` or `imports` says of `.`, `./sub` or `#name`, as written, the likeliest first."""
    if isinstance(table, str | list) or (isinstance(table, dict) and not _is_table(table)):
        table = {".": table}
    if not isinstance(table, dict):
        return
    if key in table:
        yield from _chosen(table[key])
        return
    starred = [pattern for pattern in table if "*" in pattern]
    for pattern in sorted(starred, key=lambda each: len(each.partition("*")[0]), reverse=True):
        before, _, after = pattern.partition("*")
        if key.startswith(before) and key.endswith(after) and len(key) >= len(before) + len(after):
            middle = key[len(before) : len(key) - len(after)]
            yield from (target.replace("*", middle) for target in _chosen(table[pattern]))
            return


def _is_table(table: dict[str, Any]) -> bool:
    return any(key.startswith((".", "#")) for key in table)


def _chosen(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    if depth >= CONFIG_EXTENDS:
        return
    if isinstance(value, list):
        for each in value:
            yield from _chosen(each, depth + 1)
    elif isinstance(value, dict):
        for condition in dict.fromkeys((*_CONDITIONS, *value)):
            if condition in value:
                yield from _chosen(value[condition], depth + 1)


def places(package: Package, rest: str) -> Iterator[str]:
    """Where a module of a package may lie, with or without a suffix, the likeliest first."""
    written = list(targets(package.exports, f"./{rest}" if rest else "."))
    if not rest:
        written += package.main
    for target in written:
        path = join(package.folder, target)
        if path is not None:
            yield path
            yield from _sources(package.folder, target)
    for home in ("src", "", "lib"):
        yield below(below(package.folder, home) if home else package.folder, rest or "index")


def _sources(folder: str, target: str) -> Iterator[str]:
    """What a built file is made of: `dist/esm/x.js` of `src/x`, or of `x`."""
    parts = [part for part in target.split("/") if part not in {"", "."}]
    built = 0
    while built < len(parts) - 1 and parts[built] in _BUILT:
        built += 1
    if built:
        rest = "/".join(parts[built:])
        yield below(folder, f"src/{rest}")
        yield below(folder, rest)
