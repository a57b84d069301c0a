"""Who imports whom: of a file, both ways, and of a name.

Edges of the base are on disk. Those of changed files are resolved when they are asked for. A file that is new
is known to be imported by changed files only, until the next generation.
"""

from collections.abc import Callable, Iterable
from functools import cached_property

from toolpost.errors import FileNotFound
from toolpost.index.ask.order import FILE
from toolpost.index.disk.docs import text_of
from toolpost.index.fresh.layered import Layered
from toolpost.index.limits import GRAPH_FILES
from toolpost.index.model import Doc
from toolpost.index.names.claims import claims
from toolpost.index.names.edges import Edges
from toolpost.index.names.lookup import names_of
from toolpost.index.resolve import imported
from toolpost.index.resolve.modules import Modules
from toolpost.index.snapshot import Snapshot

Links = Callable[[Doc], Iterable[str]]
"""From a changed file to the paths of files it imports."""


class Graph:
    """The imports of one snapshot. All paths come sorted by their bytes, each once."""

    def __init__(self, snapshot: Snapshot, links: Links | None = None) -> None:
        self.snapshot = snapshot.settled
        self._edges = Edges(snapshot.base.sections)
        self._links = links

    def imports(self, path: str) -> list[str]:
        """The files of the tree that a file imports. Raises FileNotFound."""
        doc = self.snapshot.doc(_encoded(path))
        if doc is not None:
            return _sorted(self._changed[doc.path])
        number = self.snapshot.find(_encoded(path))
        if number < 0:
            raise _missing(path)
        return _sorted(
            found for found in map(self._path, self._edges.imports(number)) if self._is_there(found)
        )

    def importers(self, path: str) -> list[str]:
        """The files that import a file. Raises FileNotFound."""
        if not self._is_there(path):
            raise _missing(path)
        return _sorted(self._importers(path))

    def importers_of(self, name: str) -> list[str]:
        """Files that import one which exports just this name, and speak of it themselves."""
        exporters = set(self._exporters(name))
        every = {importer for path in exporters for importer in self._importers(path)}
        word = name.encode("utf-8", "surrogatepass")
        return _sorted(path for path in every if word in self._text(path))

    def _exporters(self, name: str) -> Iterable[str]:
        snapshot = self.snapshot
        exact = names_of(snapshot.base).exact(name)
        for entry in exact.take(0, GRAPH_FILES) if exact is not None else ():
            if entry & FILE not in snapshot.gone:
                yield self._path(entry & FILE)
        for doc in snapshot.docs:
            if any(exported == name for exported, _ in claims(doc.exports)):
                yield doc.path

    def _importers(self, path: str) -> Iterable[str]:
        number = self.snapshot.base.find(_encoded(path))
        if number >= 0:
            yield from (
                self._path(one) for one in self._edges.importers(number) if one not in self.snapshot.gone
            )
        yield from (importer for importer, targets in self._changed.items() if path in targets)

    @cached_property
    def _changed(self) -> dict[str, list[str]]:
        """What each changed file imports."""
        docs = self.snapshot.docs
        if not docs:
            return {}
        links = self._links or links_of(self.snapshot)
        return {doc.path: [path for path in links(doc) if self._is_there(path)] for doc in docs}

    def _is_there(self, path: str) -> bool:
        return self.snapshot.find(_encoded(path)) >= 0 or self.snapshot.doc(_encoded(path)) is not None

    def _path(self, number: int) -> str:
        return self.snapshot.base.path(number).decode("utf-8", "surrogateescape")

    def _text(self, path: str) -> bytes:
        doc = self.snapshot.doc(_encoded(path))
        if doc is not None:
            return doc.text or b""
        return text_of(self.snapshot.base, self.snapshot.find(_encoded(path)))


def links_of(snapshot: Snapshot) -> Links:
    """Resolves the imports of changed files; it looks at every path of the base once."""
    modules = Modules(Layered(snapshot.settled))
    return lambda doc: imported(modules, doc.path, doc.extract.imports)


def _missing(path: str) -> FileNotFound:
    return FileNotFound(f"{path!r} is not in the index.", parameter="path")


def _encoded(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _sorted(paths: Iterable[str]) -> list[str]:
    return sorted(set(paths), key=_encoded)
