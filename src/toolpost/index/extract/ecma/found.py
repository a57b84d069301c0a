"""What is collected on the way through one text."""

import re

from toolpost.index.extract.ecma.names import Declared, Imported, said, unescaped
from toolpost.index.model import DEFAULT, STAR, Export


class Found:
    def __init__(self, text: bytes) -> None:
        self.text = text
        self.exports: list[Export] = []
        self.sources: list[tuple[int, str]] = []
        """Where a module is named, and the module as written."""
        self.announced: dict[str, int] = {}
        """Names CommonJS says it will give, and where."""
        self.lists = False
        """Whether it lists or assigns what it exports, rather than declares it."""
        self._declared: Declared | None = None
        self._imported: Imported | None = None
        self._counted = 0
        self._line = 1

    @property
    def declared(self) -> Declared:
        self._declared = self._declared or Declared(self.text)
        return self._declared

    @property
    def imported(self) -> Imported:
        self._imported = self._imported or Imported(self.text)
        return self._imported

    def line(self, at: int) -> int:
        """The line of a place; cheap while places come in order."""
        if at < self._counted:
            self._counted, self._line = 0, 1
        self._line += self.text.count(b"\n", self._counted, at)
        self._counted = at
        return self._line

    def add(self, at: int, name: str, kind: str, local: str = "", source: str = "") -> None:
        if "\\" in name or "\\" in local:
            name, local = unescaped(name), unescaped(local)
        self.exports.append(Export(name, kind, "" if local == name else local, source, self.line(at)))

    def default(self, at: int, kind: str, local: str) -> None:
        """A default export; a bare name is the file's own, or passed on from an import of it."""
        if local and not kind:
            self.listed(at, local, DEFAULT, "")
        else:
            self.lists = self.lists or kind == "value"
            self.add(at, DEFAULT, kind, local)

    def listed(self, at: int, local: str, name: str, kind: str) -> None:
        """A member of a list without a source: the file's own, or passed on from an import of it."""
        self.lists = True
        own = kind or self.declared.kind(local.encode())
        bound = None if own and not kind else self.imported.get(local)
        if bound:
            self.add(at, name, kind, *bound)
        else:
            self.add(at, name, own, local)

    def passed(self, at: int, pairs: list[tuple[str, str, bool]], kind: str, source: bytes) -> None:
        """A list with its source."""
        self.lists = True
        module = said(source)
        self.sources.append((at, module))
        for local, name, is_type in pairs:
            self.add(at, name, "type" if is_type else kind, local, module)

    def join(self, other: "Found") -> None:
        """Take what only the other found, in the order of lines."""
        known = {(export.name, export.source) for export in self.exports}
        names = {export.name for export in self.exports if export.name != STAR}
        self.exports += [
            export
            for export in other.exports
            if export.name not in names and (export.name, export.source) not in known
        ]
        self.exports.sort(key=lambda export: export.line)
        self.sources = sorted({*self.sources, *other.sources})

    def unique(self) -> tuple[Export, ...]:
        """Each once, in order: overloads and merged declarations repeat themselves."""
        if len(self.exports) < 2:
            return tuple(self.exports)
        kept: dict[tuple[str, str, str, str], Export] = {}
        for export in self.exports:
            kept.setdefault((export.name, export.kind, export.local, export.source), export)
        return tuple(kept.values())


def alias(found: Found, at: int, match: re.Match[bytes]) -> None:
    """`export import a = require("x")`, `export import a = b.c`."""
    if match[2]:
        found.add(at, said(match[1]), "namespace", STAR, said(match[2]))
    else:
        found.add(at, said(match[1]), "")
