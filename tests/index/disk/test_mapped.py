"""A mapped base tells what the writer was given."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.index.disk.samples import AT, DOCS, build, doc, opened

from toolpost.index.disk import repo_hash
from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.generations import Folder, Generation
from toolpost.index.disk.mapped import Base, grown, latest
from toolpost.index.disk.records import encode_file, file_of
from toolpost.index.disk.sections import write
from toolpost.index.disk.writer import add_trigrams
from toolpost.index.model import Statistics

PATHS = [known.path.encode() for known in DOCS]


@pytest.fixture
def base(tmp_path: Path) -> Iterator[Base]:
    base = opened(tmp_path / "tree")
    yield base
    base.close()


def test_it_tells_of_the_whole(base: Base) -> None:
    total = 0
    for known in DOCS:
        total = repo_hash.add(total, known)
    assert (base.count, base.generation, base.generated_at, base.maker) == (len(DOCS), 1, AT, "test")
    assert base.repo_hash == repo_hash.shown(total)
    assert base.statistics == Statistics(
        total_files=len(DOCS),
        total_exports=3,
        by_tag={"barrel": 1, "docs": 1, "react-component": 1, "typescript": 2},
    )
    assert base.folders == [b"", b"src", b"src/deep", b"src/deep/er"]
    assert base.trigrams is None
    assert base.symbols is None


def test_it_tells_of_every_file(base: Base) -> None:
    every = range(base.count)
    assert [base.path(number) for number in every] == base.paths() == PATHS
    assert [base.stamp(number) for number in every] == [known.stamp for known in DOCS]
    assert [base.blob_id(number) for number in every] == [known.blob_id for known in DOCS]
    assert [base.extract(number) for number in every] == [known.extract for known in DOCS]
    assert [base.exports(number) for number in every] == [known.exports for known in DOCS]
    assert [base.file(number) for number in every] == [file_of(known) for known in DOCS]


def test_stamps_are_four_numbers_a_file(base: Base) -> None:
    stamp = DOCS[4].stamp
    assert base.stamps[16:20].tolist() == [stamp.size_bytes, stamp.modified_ns, stamp.changed_ns, stamp.inode]
    assert len(base.stamps) == 4 * len(DOCS)


def test_texts_lie_one_after_another_each_ended(base: Base) -> None:
    texts = [known.text or b"" for known in DOCS]
    ended = [text if not text or text.endswith(b"\n") else text + b"\n" for text in texts]
    assert base.text.read(0, len(base.text.view)) == b"".join(ended)
    assert [
        bytes(base.text.view[base.starts[number] : base.starts[number + 1]]) for number in range(base.count)
    ] == ended
    assert base.no_newline.tolist() == [3, 8]
    assert base.wide.tolist() == [0, 8]


def test_what_was_passed_over_is_listed_by_its_reason(base: Base) -> None:
    assert {reason: ids.tolist() for reason, ids in base.passed.items()} == {"binary": [2, 5], "secret": [7]}


@pytest.mark.parametrize(
    "ids", [[], [0], [3, 4, 5], range(2, 6), (5, 1, 3), [0, 2, 1, 3], [4, 4], range(6, 2, -1)]
)
def test_records_come_in_the_order_asked_for(base: Base, ids: list[int]) -> None:
    told = [file_of(DOCS[number]) for number in ids]
    assert base.files(ids) == told
    assert base.encoded(ids) == b",".join(map(encode_file, told))


def test_a_range_of_paths_comes_at_once(base: Base) -> None:
    assert base.paths(2, 4) == PATHS[2:4]
    assert base.paths(4, 4) == []
    assert base.paths(7) == PATHS[7:]


def test_every_path_is_found_and_no_other(base: Base) -> None:
    assert [base.find(path) for path in PATHS] == list(range(len(PATHS)))
    for absent in (b"", b"A", b"src", b"src/", b"src/button.ts", b"src/button.tsx2", b"zzz", b"\xff"):
        assert base.find(absent) == -1


def test_a_prefix_spans_the_files_that_begin_so(base: Base) -> None:
    assert base.span(b"") == (0, len(DOCS))
    assert base.span(b"src/") == (4, 8)
    assert base.span(b"src/button.tsx") == (4, 5)
    assert base.span(b"src/button.tsx/") == (5, 5)
    assert base.span(b"zzz") == (len(DOCS), len(DOCS))
    assert base.span(b"\xff") == (len(DOCS), len(DOCS))


NAME = st.text(st.sampled_from("ab/.\u00e9\U0001f600\udcff"), min_size=1, max_size=4)


@settings(max_examples=60, deadline=None)
@given(names=st.sets(NAME, max_size=12), prefix=st.text(st.sampled_from("ab/\udcff"), max_size=3))
def test_find_and_span_agree_with_a_plain_list(
    tmp_path_factory: pytest.TempPathFactory, names: set[str], prefix: str
) -> None:
    paths = sorted(name.encode("utf-8", "surrogateescape") for name in names)
    docs = [doc(path.decode("utf-8", "surrogateescape"), b"x") for path in paths]
    base = opened(tmp_path_factory.mktemp("tree"), docs)
    sought = prefix.encode("utf-8", "surrogateescape")

    assert base.paths() == paths
    assert [base.find(path) for path in paths] == list(range(len(paths)))
    begin, end = base.span(sought)
    assert paths[begin:end] == [path for path in paths if path.startswith(sought)]
    assert base.find(sought) == (paths.index(sought) if sought in paths else -1)
    base.close()


def test_an_empty_tree_has_an_index_too(tmp_path: Path) -> None:
    base = opened(tmp_path, [])
    assert (base.count, base.paths(), base.find(b"a"), base.span(b"")) == (0, [], -1, (0, 0))
    assert base.starts.tolist() == [0]
    assert base.folders == [b""]
    assert base.repo_hash == "0" * 32
    base.close()


def test_there_is_no_latest_before_the_first(tmp_path: Path) -> None:
    assert latest(Folder(tmp_path)) is None


def test_a_reader_keeps_its_state_while_newer_ones_come_and_old_ones_go(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    base = opened(tmp_path)
    build(folder, [doc("other.txt", b"other\n")])
    assert folder.gc() > 0
    assert [file.path for file in base.files(range(base.count))] == [known.path for known in DOCS]
    assert base.text.read(0, 6) == "grün\n".encode()
    newer = latest(folder)
    assert newer is not None
    assert newer.paths() == [b"other.txt"]


def test_a_generation_that_goes_while_it_is_opened_is_followed_by_the_newer_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Folder(tmp_path)
    build(folder)
    really = Base.open

    def superseded(within: Folder, generation: Generation) -> Base:
        if generation.number == 1:
            build(folder, [doc("newer.txt")])
            folder.gc()
        return really(within, generation)

    monkeypatch.setattr(Base, "open", superseded)
    base = latest(folder)
    assert base is not None
    assert base.paths() == [b"newer.txt"]


def test_a_file_that_is_missing_is_damage(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    build(folder)
    (tmp_path / "1.text").unlink()
    with pytest.raises(Damaged, match=r"1\.text is not there"):
        latest(folder)


def test_files_that_came_later_are_added_and_what_was_checked_stays_checked(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    base = opened(tmp_path)
    base.text.check(0, len(base.text.view))
    with folder.writing() as writing:
        generation = add_trigrams(writing, base.told, {"tri": b"x"})
    assert generation is not None

    more = grown(base, folder, generation)
    assert more.trigrams is not None
    assert more.text is base.text
    assert more.text.whole
    assert grown(more, folder, generation).trigrams is more.trigrams

    newer = grown(more, folder, build(folder, [doc("other.txt")]))
    assert newer.paths() == [b"other.txt"]


def test_facts_that_cannot_be_read_are_damage(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    generation = build(folder)
    mark = write(tmp_path / "1.meta", {"facts": b"{}"})
    told = Generation(1, 0, {**generation.files, "meta": mark})
    with pytest.raises(Damaged, match=r"The facts in .* cannot be read"):
        Base.open(folder, told)


def test_opening_says_when_it_was_last_used(tmp_path: Path) -> None:
    build(Folder(tmp_path))
    (tmp_path / "root").write_bytes(b"{}")
    os.utime(tmp_path / "root", (0, 0))
    latest(Folder(tmp_path))
    assert (tmp_path / "root").stat().st_mtime > 0
