"""What resolving asks of a tree: which files there are, what each says, and the text of a few settings."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Protocol

from toolpost.index.model import Extract

MANIFESTS = frozenset(
    {
        "package.json",
        "pnpm-workspace.yaml",
        "lerna.json",
        "go.mod",
        "Cargo.toml",
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
    }
)
"""Files that make their folder a package; every one of a tree is told to those who resolve."""


class Tree(Protocol):
    def exists(self, path: str) -> bool:
        """Whether it is a file of the tree."""

    def extract_of(self, path: str) -> Extract | None:
        """What its own syntax says; None where nothing is known of it."""

    def text_of(self, path: str) -> bytes | None:
        """Asked only of settings: package.json, tsconfig*.json and their kind."""

    def manifests(self) -> Iterable[str]:
        """Every path whose name is one of MANIFESTS, in order."""

    def inside(self, folder: str) -> Iterable[str]:
        """The files directly in a folder, in order; asked only where a folder is a package, as in Go."""


class Listed:
    """A tree whose files are all at hand."""

    def __init__(self, extracts: Mapping[str, Extract], text_of: Callable[[str], bytes | None]) -> None:
        """`extracts` names every file, also those that say nothing."""
        self.extracts = extracts
        self.text_of = text_of
        self.extract_of = extracts.get

    def exists(self, path: str) -> bool:
        return path in self.extracts

    def manifests(self) -> Iterable[str]:
        return self._manifests

    def inside(self, folder: str) -> Iterable[str]:
        return self._folders.get(folder, ())

    @cached_property
    def _manifests(self) -> list[str]:
        return sorted(path for path in self.extracts if path.rpartition("/")[2] in MANIFESTS)

    @cached_property
    def _folders(self) -> dict[str, list[str]]:
        folders: dict[str, list[str]] = {}
        for path in sorted(self.extracts):
            folders.setdefault(path.rpartition("/")[0], []).append(path)
        return folders
