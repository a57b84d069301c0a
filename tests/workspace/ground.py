"""A folder to be a root, with neighbours that must stay as they are, and both ways to open beneath it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from toolpost.workspace.local.beneath import Beneath, Descent, Openat2

WAYS: tuple[Beneath, ...] = (Openat2(), Descent())
NAMES = [way.name for way in WAYS]
SECRET = b"from outside"


class Ground:
    """`root` is the root; `root2` and `outside` are not in it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.outside = folder / "outside"
        for neighbour in (self.outside, folder / "root2", folder / "root ", folder / "root."):
            neighbour.mkdir()
            (neighbour / "secret.txt").write_bytes(SECRET)
        self.root.mkdir()
        (self.root / "src").mkdir()
        (self.root / "src" / "main.py").write_bytes(b"main")
        (self.root / "README.md").write_bytes(b"read me")

    def link(self, name: str, target: str | Path) -> None:
        (self.root / name).symlink_to(target)


def everything(folder: Path, *, but: Path) -> dict[str, str]:
    """Each file below a folder and what is in it, leaving one folder out."""
    found: dict[str, str] = {}
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if Path(where, name) != but]
        for name in names:
            found[str(Path(where, name))] = sha256(Path(where, name).read_bytes()).hexdigest()
        found.update(dict.fromkeys((str(Path(where, name)) for name in folders), "folder"))
    return found


@contextmanager
def untouched_outside(folder: Path) -> Iterator[Ground]:
    """A ground whose neighbours are the same afterwards, to the byte."""
    ground = Ground(folder)
    before = everything(folder, but=ground.root)
    yield ground
    assert everything(folder, but=folder / "root") == before


def open_descriptors() -> int:
    """How many this process holds; the one that looks is always one of them."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())
