"""Paths within a tree, put together as text: `/` between names, no file system asked."""

from collections.abc import Iterator


def parent(path: str) -> str:
    return path.rpartition("/")[0]


def join(folder: str, relative: str) -> str | None:
    """Where `relative` leads from a folder; None where it leads out of the tree."""
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part and part != ".":
            parts.append(part)
    return "/".join(parts)


def below(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def upward(folder: str) -> Iterator[str]:
    """A folder and those above it, the nearest first, the tree's own (empty) last."""
    while folder:
        yield folder
        folder = parent(folder)
    yield ""
