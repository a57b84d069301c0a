"""Trees held in memory together with an index of them, made of a base and of what changed since."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha1
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.workspace.memory import MemoryRoot

from toolpost.index.disk.generations import Folder
from toolpost.index.disk.mapped import Base, latest
from toolpost.index.disk.writer import add_trigrams, write_generation
from toolpost.index.model import Doc, Stamp
from toolpost.index.search.ground import Ground
from toolpost.index.search.trigrams import sections
from toolpost.index.snapshot import Snapshot
from toolpost.limits import SEARCH_FILE_BYTES
from toolpost.workspace.guard import Guard
from toolpost.workspace.walking.plain import is_binary, plain
from toolpost.workspace.walking.scope import Scope
from toolpost.workspace.workspace import Workspace


class Guarded(MemoryRoot):
    guard = Guard()


def doc(path: str, data: bytes) -> Doc:
    """As a builder makes it."""
    text, passed = None, ""
    if Guard().hides(path):
        passed = "secret"
    elif len(data) > SEARCH_FILE_BYTES:
        passed = "too_large"
    elif is_binary(data, len(data)) or (text := plain(data)) is None:
        passed = "binary"
    return Doc(path, Stamp(len(data), 1, 1, 1), sha1(data).digest(), text, passed)


def _ordered(files: Mapping[str, bytes]) -> list[Doc]:
    return [doc(path, files[path]) for path in sorted(files, key=str.encode)]


@contextmanager
def based(files: Mapping[str, bytes], *, trigrams: bool = True) -> Iterator[Base]:
    with TemporaryDirectory() as made:
        folder = Folder(Path(made))
        with folder.writing() as writing:
            generation = write_generation(writing, _ordered(files), generated_at="2026-01-02T03:04:05Z")
        base = latest(folder)
        assert base is not None
        if trigrams:
            parts = dict(sections(base.text.view[: base.starts[base.count]]))
            with folder.writing() as writing:
                add_trigrams(writing, generation, parts)
            base.close()
            base = latest(folder)
            assert base is not None
        try:
            yield base
        finally:
            base.close()


def snapshot(base: Base, before: Mapping[str, bytes], now: Mapping[str, bytes]) -> Snapshot:
    """What the base says, and what has become of it."""
    changed = {path: data for path, data in now.items() if before.get(path) != data}
    gone = {path for path in before if path not in now} | (changed.keys() & before.keys())
    return Snapshot(base, frozenset(base.find(path.encode()) for path in gone), tuple(_ordered(changed)))


def ground(root: MemoryRoot, taken: Snapshot, path: str = "") -> Ground:
    workspace = Workspace({"root": root})
    scope = Scope(workspace, path)
    return Ground(taken, workspace.place(path), searched=scope.shown, is_file=scope.file is not None)
