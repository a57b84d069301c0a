from pathlib import Path

from tests.index.disk.samples import AT, DOCS, opened

from toolpost.index.disk.docs import doc_of, reason_of, text_of
from toolpost.index.disk.generations import Folder
from toolpost.index.disk.mapped import latest
from toolpost.index.disk.writer import write_generation


def test_every_file_comes_back_as_it_was_given(tmp_path: Path) -> None:
    base = opened(tmp_path)
    assert [doc_of(base, number) for number in range(base.count)] == DOCS
    assert text_of(base, 3) == b"one\ntwo"
    assert reason_of(base, 7) == "secret"
    assert reason_of(base, 8) == ""


def test_a_generation_made_of_the_one_before_is_the_same(tmp_path: Path) -> None:
    base = opened(tmp_path)
    folder = Folder(tmp_path)
    with folder.writing() as writing:
        docs = (doc_of(base, number) for number in range(base.count))
        again = write_generation(writing, docs, generated_at=AT, maker="test")
    assert (again.number, again.files) == (2, base.told.files)
    newer = latest(folder)
    assert newer is not None
    assert newer.repo_hash == base.repo_hash
