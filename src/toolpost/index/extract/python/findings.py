"""What is learned of a Python module, statement by statement, and what it comes to.

A module gives away what `__all__` lists. Without one it gives every top-level name that does not begin with an
underscore; of imported names only those written `from x import y as y`, or any in an `__init__.py`, are meant
to be passed on.
"""

from toolpost.index.model import STAR, Export, Extract


class Findings:
    def __init__(self, *, passes_on: bool) -> None:
        self.passes_on = passes_on
        """Whether plain imports are exports too, as in an `__init__.py`."""
        self.whole = True
        self.marks: set[str] = set()
        self.imports: dict[str, None] = {}
        self._own: dict[str, Export] = {}
        self._imported: dict[str, Export] = {}
        self._stars: list[Export] = []
        self._listed: list[Export] | None = None
        self._listed_line = 0
        self._untold = False

    def bind(self, name: str, kind: str, line: int) -> None:
        if name not in self._own:
            self._own[name] = Export(name, kind, line=line)

    def unbind(self, name: str) -> None:
        self._own.pop(name, None)
        self._imported.pop(name, None)

    def import_name(self, export: Export, *, again: bool) -> None:
        """`again`: written `y as y`, which says that it is passed on."""
        if self.passes_on or again:
            self._own.setdefault(export.name, export)
        self._imported.setdefault(export.name, export)

    def import_all(self, source: str, line: int) -> None:
        self._stars.append(Export(STAR, source=source, line=line))

    def list_names(self, listed: list[Export] | None, line: int, *, more: bool) -> None:
        """`__all__` is set, or with `more` grows. None is a value that only running it would tell."""
        if self._untold or (listed is None and not more):
            self._untold, self._listed = True, None
        elif more and self._listed is not None:
            self._listed += listed or []
        elif listed is not None:
            self._listed, self._listed_line = listed, line

    def unlist(self, name: str) -> None:
        if self._listed is not None:
            self._listed = [export for export in self._listed if export.name != name]

    def extract(self) -> Extract:
        return Extract(self._exports(), tuple(self.imports), tuple(sorted(self.marks)), self.whole)

    def _exports(self) -> tuple[Export, ...]:
        if self._listed is not None:
            return tuple(dict.fromkeys(map(self._as_listed, self._listed)))
        public = [export for name, export in self._own.items() if not name.startswith("_")]
        if self._stars:
            public = sorted([*public, *self._stars], key=lambda export: export.line)
        return tuple(public)

    def _as_listed(self, export: Export) -> Export:
        if export.name == STAR:
            return Export(STAR, source=self._module(export.source), line=self._listed_line)
        known = self._own.get(export.name) or self._imported.get(export.name)
        return known or Export(export.name, line=self._listed_line)

    def _module(self, name: str) -> str:
        """The module a name stands for: imported under it, or a part of this package."""
        known = self._imported.get(name)
        if known is None:
            return f".{name}" if f".{name}" in self.imports else name
        if known.kind == "module":
            return known.source
        real = known.local or known.name
        return f"{known.source}{real}" if known.source.endswith(".") else f"{known.source}.{real}"
