"""Names that tsconfig.json and jsconfig.json give to folders: `paths` and `baseUrl`."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from toolpost.index.limits import CONFIG_EXTENDS
from toolpost.index.resolve.folders import below, join, parent, upward
from toolpost.index.resolve.jsonc import load
from toolpost.index.resolve.packages import Packages
from toolpost.index.resolve.tree import Tree

NAMES = ("tsconfig.json", "jsconfig.json")
_HERE = "${configDir}/"


class Alias(Struct, frozen=True):
    """`before*after`, or all of it in `before` where there is no star."""

    before: str
    after: str | None
    targets: tuple[str, ...]
    """Paths within the tree, a star for what the star stood for."""

    def places(self, specifier: str) -> Sequence[str]:
        if self.after is None:
            return self.targets if specifier == self.before else ()
        if not (specifier.startswith(self.before) and specifier.endswith(self.after, len(self.before))):
            return ()
        middle = specifier[len(self.before) : len(specifier) - len(self.after)]
        return [target.replace("*", middle, 1) for target in self.targets]


class Aliases(Struct, frozen=True):
    named: tuple[Alias, ...] = ()
    """The most particular first."""
    base: str | None = None
    """The folder of `baseUrl`."""

    def places(self, specifier: str) -> Iterator[str]:
        """Where it may lie, the likeliest first, without its suffix as it is written."""
        for alias in self.named:
            places = alias.places(specifier)
            if places:
                yield from places
                break
        if self.base is not None:
            yield below(self.base, specifier)


class Configs:
    """Every tsconfig of a tree, each read when it is first needed."""

    def __init__(self, tree: Tree, packages: Packages) -> None:
        self._tree = tree
        self._packages = packages
        self._folders: dict[str, tuple[Aliases, ...]] = {}
        self._kept: dict[tuple[tuple[Alias, ...], str | None], Aliases] = {}

    def of(self, folder: str) -> tuple[Aliases, ...]:
        """What files in a folder may use, the nearest first."""
        known = self._folders.get(folder)
        if known is None:
            known = ()
            for place in reversed(list(upward(folder))):
                known = self._folders[place] = self._below(place, known)
        return known

    def _below(self, folder: str, above: tuple[Aliases, ...]) -> tuple[Aliases, ...]:
        known = self._folders.get(folder)
        if known is not None:
            return known
        own = self._own(folder)
        return (own, *above) if own and own not in above else above

    def _own(self, folder: str) -> Aliases | None:
        for name in NAMES:
            path = below(folder, name)
            if self._tree.exists(path):
                named, base = _Reading(self._tree, self._packages, folder).all(path)
                # Thirty configs extend one root: they share what was looked up for it.
                return self._kept.setdefault((named, base), Aliases(named, base)) if named or base else None
        return None


class _Reading:
    """One config with those it extends."""

    def __init__(self, tree: Tree, packages: Packages, home: str) -> None:
        self._tree = tree
        self._packages = packages
        self._home = home
        self._files: set[str] = set()

    def all(self, path: str) -> tuple[tuple[Alias, ...], str | None]:
        """A config without names of its own, of those it refers to: there the real one is kept apart."""
        named, base = self._one(path)
        if named or base is not None:
            return named, base
        for reference in _listed(load(self._tree.text_of(path)).get("references")):
            where = reference.get("path") if isinstance(reference, dict) else None
            place = self._relative(parent(path), where) if isinstance(where, str) else None
            if place:
                named, base = self._one(place)
                if named:
                    break
        return named, base

    def _one(self, path: str) -> tuple[tuple[Alias, ...], str | None]:
        if path in self._files or len(self._files) >= CONFIG_EXTENDS:
            return (), None
        self._files.add(path)
        config = load(self._tree.text_of(path))
        named, base = self._extended(config, parent(path))
        options = config.get("compilerOptions")
        if not isinstance(options, dict):
            return named, base
        folder = parent(path)
        if isinstance(options.get("baseUrl"), str):
            base = self._place(folder, options["baseUrl"])
        if isinstance(options.get("paths"), dict):
            origin = base if isinstance(options.get("baseUrl"), str) and base is not None else folder
            named = self._aliases(options["paths"], origin)
        return named, base

    def _extended(self, config: dict[str, Any], folder: str) -> tuple[tuple[Alias, ...], str | None]:
        named: tuple[Alias, ...] = ()
        base: str | None = None
        for other in _listed(config.get("extends")):
            path = self._extends(folder, other) if isinstance(other, str) else None
            if path:
                later_named, later_base = self._one(path)
                named, base = later_named or named, base if later_base is None else later_base
        return named, base

    def _extends(self, folder: str, other: str) -> str | None:
        if other.startswith("."):
            return self._relative(folder, other)
        package, rest = self._packages.split(other, folder)
        return self._relative(package.folder, rest or NAMES[0]) if package else None

    def _relative(self, folder: str, other: str) -> str | None:
        path = join(folder, other)
        if path is None:
            return None
        tries = (path, f"{path}.json", below(path, NAMES[0]))
        return next((place for place in tries if self._tree.exists(place)), None)

    def _place(self, folder: str, written: str) -> str | None:
        if written.startswith(_HERE):
            return join(self._home, written.removeprefix(_HERE))
        return join(folder, written)

    def _aliases(self, paths: dict[str, Any], folder: str) -> tuple[Alias, ...]:
        found = []
        for pattern, targets in paths.items():
            before, star, after = pattern.partition("*")
            written = [self._place(folder, place) for place in _listed(targets) if isinstance(place, str)]
            places = tuple(place for place in written if place is not None)
            found.append(Alias(before, after if star else None, places))
        return tuple(sorted(found, key=lambda alias: (alias.after is not None, -len(alias.before))))


def _listed(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    return [] if value is None else [value]
