"""Where the modules of Python lie: beside the importer, or below a folder imports begin at."""

from toolpost.index.limits import MODULE_ROOTS
from toolpost.index.resolve.folders import below, parent, upward
from toolpost.index.resolve.tree import Tree

_MARKS = frozenset({"pyproject.toml", "setup.py", "setup.cfg"})


class Python:
    def __init__(self, tree: Tree, projects: tuple[str, ...]) -> None:
        self._exists = tree.exists
        self._projects = projects
        self._starts: dict[str, tuple[str, ...]] = {}
        self._known: dict[str, str] = {}

    def find(self, folder: str, module: str) -> str:
        """The file of a module, `.` and `..x` being relative to the folder; empty where it is of no file here."""
        if module.startswith("."):
            name = module.lstrip(".")
            for _ in range(len(module) - len(name) - 1):
                if not folder:
                    return ""
                folder = parent(folder)
            return self._file(below(folder, name.replace(".", "/")) if name else folder)
        place = module.replace(".", "/")
        return self._first(self._starting(folder), place) or self._elsewhere(place)

    def _elsewhere(self, place: str) -> str:
        """In another project of the tree; where the importer lies does not matter there."""
        known = self._known.get(place)
        if known is None:
            known = self._known[place] = self._first(self._projects, place)
        return known

    def _first(self, starts: tuple[str, ...], place: str) -> str:
        return next((found for start in starts if (found := self._file(below(start, place)))), "")

    def _file(self, place: str) -> str:
        package = below(place, "__init__.py")
        for path in (package, f"{place}.py", f"{package}i", f"{place}.pyi"):
            if self._exists(path):
                return path
        return ""

    def _starting(self, folder: str) -> tuple[str, ...]:
        """Folders imports begin at: no package themselves, the nearest first, each with its `src`."""
        known = self._starts.get(folder)
        if known is None:
            above = [place for place in upward(folder) if not self._exists(below(place, "__init__.py"))]
            known = self._starts[folder] = _with_sources(above[-MODULE_ROOTS:])
        return known


def projects(tree: Tree) -> tuple[str, ...]:
    """Folders that imports of any file may begin at: each project's, and its `src`."""
    paths = (path for path in tree.manifests() if path.rpartition("/")[2] in _MARKS)
    return _with_sources(list(dict.fromkeys(parent(path) for path in paths))[:MODULE_ROOTS])


def _with_sources(folders: list[str]) -> tuple[str, ...]:
    return tuple(each for folder in folders for each in (folder, below(folder, "src")))
