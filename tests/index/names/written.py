"""A base written from docs, for tests of what is read from it."""

from collections.abc import Iterable
from pathlib import Path

from toolpost.index.disk.generations import Folder
from toolpost.index.disk.mapped import Base, latest
from toolpost.index.disk.writer import TableMaker, write_generation
from toolpost.index.model import Doc, Export, Extract, Stamp
from toolpost.index.names import tables


def doc(path: str, *exports: Export | str, tags: Iterable[str] = (), imports: Iterable[str] = ()) -> Doc:
    found = tuple(Export(one) if isinstance(one, str) else one for one in exports)
    return Doc(
        path=path,
        stamp=Stamp(size_bytes=len(path), modified_ns=1_700_000_000_000_000_000),
        blob_id=b"",
        text=b"",
        extract=Extract(exports=found, imports=tuple(imports)),
        exports=found,
        tags=tuple(sorted(tags)),
    )


def path_bytes(one: Doc) -> bytes:
    return one.path.encode("utf-8", "surrogateescape")


def base_of(folder: Path, docs: Iterable[Doc], *makers: TableMaker) -> Base:
    """The docs may come in any order."""
    shelf = Folder(folder)
    with shelf.writing() as writing:
        write_generation(
            writing,
            sorted(docs, key=path_bytes),
            generated_at="2026-01-01T00:00:00Z",
            tables=[tables.make, *makers],
        )
    base = latest(shelf)
    assert base is not None
    return base
