"""A folder made for one case, and the real standard tools at work in it."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct, structs

from toolpost.define import Tool
from toolpost.index.disk.shelf import Shelf
from toolpost.index.indexes import Indexes
from toolpost.tools.standard import standard
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Source
from toolpost.workspace.workspace import Workspace

REPO = b"/repo"
"""How a case says the folder, whose real path is another in each run."""
_LINE = "x" * 63 + "\n"
WRITTEN = datetime(2025, 12, 30, 9, 15, tzinfo=UTC).timestamp()
"""When every file of a case was last changed."""

Files = Mapping[str, str | int]
"""Path -> text; a number is a file of so many bytes; a path that ends with `/` is an empty directory."""


class SettledRoot(LocalRoot):
    """A folder whose files count as written long ago: a file is cached by its second read, not 100 ms later."""

    def open(self, path: str) -> Source:
        return structs.replace(super().open(path), is_racy=False)

    def open_ready(self, path: str) -> Source:
        return structs.replace(super().open_ready(path), is_racy=False)


class Ground(Struct, frozen=True):
    folder: Path
    tools: tuple[Tool, ...]

    def inward(self, message: bytes) -> bytes:
        return message.replace(REPO, str(self.folder).encode())

    def outward(self, answer: bytes) -> bytes:
        return answer.replace(str(self.folder).encode(), REPO)


@contextmanager
def ground(files: Files, *, connected: bool = True) -> Iterator[Ground]:
    """The tools and their folder; without a connection the tools work in no folder at all."""
    with TemporaryDirectory() as made:
        top = Path(made).resolve()
        folder = top / "work"
        build(folder, files)
        workspace = Workspace({"": SettledRoot(folder)} if connected else {})
        indexes = Indexes(Shelf(top / "cache"), is_watching=False)
        try:
            yield Ground(folder, standard(workspace, state=top / "state", indexes=indexes))
        finally:
            indexes.close()
            workspace.close()


def build(folder: Path, files: Files) -> None:
    folder.mkdir(parents=True)
    for path, content in files.items():
        file = folder / path
        if path.endswith("/"):
            file.mkdir(parents=True, exist_ok=True)
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else text_of(content), encoding="utf-8")
        os.utime(file, (WRITTEN, WRITTEN))


def text_of(size: int) -> str:
    """Text of so many bytes, in lines as sources have them."""
    return (_LINE * (size // len(_LINE) + 1))[:size]
