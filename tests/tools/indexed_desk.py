"""A workspace with an index, as tools see it: one folder or several, and calls in any contract's words."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.contracts.line import Line

from toolpost import Bench
from toolpost.authorize.profiles import PROFILES
from toolpost.call import Call
from toolpost.content import Text
from toolpost.index.disk.shelf import Shelf
from toolpost.index.indexes import Indexes, Tags
from toolpost.problem import Problem
from toolpost.result import Result
from toolpost.tools.standard import standard
from toolpost.workspace.guard import Guard
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Root
from toolpost.workspace.workspace import Workspace

SHOP = {
    ".env": "TOKEN=hunter2\nexport const EnvSecret = 1\n",
    ".gitignore": "dist/\n",
    "dist/Button.js": "export const DistButton = 1; // TODO: built\n",
    "src/Button.tsx": "/** A thing to press. */\nexport function Button() {\n  return <button />; // TODO: label\n}\n",
    "src/Card.tsx": "import { Button } from './Button';\nexport const Card = () => <Button />;\n",
    "src/index.ts": "export * from './Button';\nexport * from './Card';\n",
    "tools/make.py": 'class Maker:\n    """Makes."""\n\n    def run(self):\n        return 1  # TODO\n',
}
LIBRARY = {
    "src/Button.tsx": "export const LibraryButton = () => <b />; // TODO: all\n",
    "use.py": "from tools.make import Maker\nMaker().run()\n",
}


class Desk:
    def __init__(self, folder: Path, workspace: Workspace, indexes: Indexes) -> None:
        self.folder = folder
        self.workspace = workspace
        self.indexes = indexes
        self.tools = standard(workspace, state=folder / "state", indexes=indexes)
        self._bench = Bench(self.tools, profile=PROFILES["open"])

    async def __call__(self, name: str, /, **args: Any) -> Result:
        return await self._bench.call(Call(tool=name, args=args))

    async def data(self, name: str, /, **args: Any) -> Any:
        result = await self(name, **args)
        assert result.ok, result.problems
        return result.data

    async def text(self, name: str, /, **args: Any) -> str:
        result = await self(name, **args)
        assert result.ok, result.problems
        return "".join(part.text for part in result.content if isinstance(part, Text))

    async def problem(self, name: str, /, **args: Any) -> Problem:
        problem = (await self(name, **args)).problem
        assert problem is not None
        return problem

    async def paths(self, kind: str, value: str | None = None, **args: Any) -> list[str]:
        asked = {"type": kind} if value is None else {"type": kind, "value": value}
        return [file["path"] for file in (await self.data("index.query", query=asked, **args))["files"]]

    def line(self, dialect: str) -> Line:
        return Line(dialect, *self.tools)

    @property
    def roots(self) -> list[Root]:
        return list(self.workspace.roots.values())

    def build(self) -> None:
        """With everything, definitions too."""
        for root in self.roots:
            self.indexes.build(root, workers=1)


def put(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def put_by_another(path: Path, text: str) -> None:
    """Another process writes a file, and has ended when this returns."""
    script = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.argv[2])"
    subprocess.run([sys.executable, "-c", script, str(path), text], check=True, timeout=60)


@contextmanager
def desk(
    folder: Path,
    trees: Mapping[str, Mapping[str, str]] | None = None,
    *,
    is_watching: bool = False,
    tags: Tags | None = None,
    guard: Guard | None = None,
) -> Iterator[Desk]:
    """Trees that are given are written first. One that is there already is opened anew."""
    for name, files in (trees or {}).items():
        put(folder / name, files)
    names = trees or [path.name for path in folder.iterdir() if path.name not in {"cache", "state"}]
    roots = {name: LocalRoot(folder / name, guard=guard or Guard()) for name in names}
    with at_work(
        folder, Workspace(roots), Indexes(Shelf(folder / "cache"), tags=tags, is_watching=is_watching)
    ) as made:
        yield made


@contextmanager
def at_work(folder: Path, workspace: Workspace, indexes: Indexes) -> Iterator[Desk]:
    try:
        yield Desk(folder, workspace, indexes)
    finally:
        indexes.close()
        workspace.close()
