"""From the name of a module, as an importer writes it, to the files it lies in."""

from collections.abc import Callable

from toolpost.index.resolve.compiled import Go, Includes, Rust, go_modules
from toolpost.index.resolve.ecma import Ecma
from toolpost.index.resolve.folders import parent
from toolpost.index.resolve.packages import Packages
from toolpost.index.resolve.python import Python, projects
from toolpost.index.resolve.tree import Tree
from toolpost.index.resolve.tsconfig import Configs

Found = tuple[str, ...]

_FAMILIES = {
    "typed": (".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".astro"),
    "plain": (".js", ".jsx", ".mjs", ".cjs", ".mdx"),
    "python": (".py", ".pyi"),
    "go": (".go",),
    "rust": (".rs",),
    "c": (".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".m", ".mm"),
}
_FAMILY = {suffix[1:]: family for family, suffixes in _FAMILIES.items() for suffix in suffixes}
ECMA = frozenset(suffix[1:] for family in ("typed", "plain") for suffix in _FAMILIES[family])


class Settings:
    """What the tree's own settings say of modules; good until one of them changes."""

    def __init__(self, tree: Tree) -> None:
        self.packages = Packages(tree)
        self.configs = Configs(tree, self.packages)
        self.python_projects = projects(tree)
        self.go_modules = go_modules(tree)


class Modules:
    """Remembers what it found, so it is good only while no file comes or goes."""

    def __init__(self, tree: Tree, settings: Settings | None = None) -> None:
        settings = settings or Settings(tree)
        typed = Ecma(tree, settings.packages, settings.configs, typed=True)
        plain = Ecma(tree, settings.packages, settings.configs, typed=False)
        python, go, rust, includes = (
            Python(tree, settings.python_projects),
            Go(tree, settings.go_modules),
            Rust(tree),
            Includes(tree),
        )
        self._finders: dict[str, Callable[[str, str, str], Found]] = {
            "typed": lambda folder, name, _: _one(typed.find(folder, name)),
            "plain": lambda folder, name, _: _one(plain.find(folder, name)),
            "python": lambda folder, name, _: _one(python.find(folder, name)),
            "go": lambda _, name, __: go.find(name),
            "rust": lambda _, name, path: _one(rust.find(path, name)),
            "c": lambda folder, name, _: _one(includes.find(folder, name)),
        }
        # Files of one folder import much the same: on 28,000 files three of four look-ups end here.
        self._known: dict[tuple[str, str], dict[str, Found]] = {}

    def find(self, importer: str, specifier: str) -> Found:
        """The files of a module, most often one; none where it is from outside of the tree."""
        return self.all(importer, (specifier,))[0]

    def all(self, importer: str, specifiers: tuple[str, ...]) -> list[Found]:
        """The same of several, in their order."""
        family = _FAMILY.get(importer.rpartition(".")[2], "")
        if not family:
            return [()] * len(specifiers)
        # What a Rust file's own modules are depends on its name; of others only the folder counts.
        folder = parent(importer)
        key = family, importer if family == "rust" else folder
        known = self._known.setdefault(key, {})
        find = self._finders[family]
        found = []
        for specifier in specifiers:
            files = known.get(specifier)
            if files is None:
                files = known[specifier] = find(folder, specifier, importer)
            found.append(files)
        return found


def _one(path: str) -> Found:
    return (path,) if path else ()
