"""A generation is written from docs in order, their texts let go of as they are written."""

from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from tests.index.disk.samples import AT, DOCS, build, doc

from toolpost.index.disk.generations import Folder
from toolpost.index.disk.mapped import latest
from toolpost.index.disk.writer import write_generation
from toolpost.index.model import Doc


def lengths(docs: Iterable[tuple[int, Doc]]) -> dict[str, bytes]:
    return {"names.lengths": array("I", [len(known.path) for _, known in docs]).tobytes()}


def numbers(docs: Iterable[tuple[int, Doc]]) -> dict[str, bytes]:
    return {"tags.numbers": bytes(number for number, known in docs if known.tags)}


def test_tables_are_made_of_every_doc_and_read_as_sections(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    with folder.writing() as writing:
        write_generation(writing, iter(DOCS), generated_at=AT, tables=[lengths, numbers])
    base = latest(folder)
    assert base is not None
    assert base.sections.array("names.lengths", "I").tolist() == [len(known.path) for known in DOCS]
    assert bytes(base.sections.array("tags.numbers")) == bytes([0, 4, 6])


def test_tables_see_docs_without_their_texts(tmp_path: Path) -> None:
    seen: list[Doc] = []

    def make(docs: Iterable[tuple[int, Doc]]) -> dict[str, bytes]:
        seen.extend(known for _, known in docs)
        return {}

    with Folder(tmp_path).writing() as writing:
        write_generation(writing, iter(DOCS), generated_at=AT, tables=[make])
    assert [known.path for known in seen] == [known.path for known in DOCS]
    assert {known.text for known in seen} == {None}


def test_a_text_is_let_go_of_once_it_is_written(tmp_path: Path) -> None:
    alive = peak = 0

    class Text(bytes):
        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    def docs() -> Iterator[Doc]:
        nonlocal alive, peak
        for number in range(50):
            alive += 1
            peak = max(peak, alive)
            yield doc(f"{number:03}", Text(b"x" * 1000))

    with Folder(tmp_path).writing() as writing:
        write_generation(writing, docs(), generated_at=AT)
    assert peak <= 2


@pytest.mark.parametrize("paths", [["b", "a"], ["a", "a"], ["a\0b"], ["é", "z"], [""]])
def test_docs_out_of_order_are_refused_and_nothing_changes(tmp_path: Path, paths: list[str]) -> None:
    folder = Folder(tmp_path)
    before = build(folder)
    with pytest.raises(ValueError, match="in the order of bytes"):
        build(folder, [doc(path) for path in paths])
    assert folder.current() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.meta", "1.text", "current", "lock"]
