"""Whatever happens to a file of a generation, every read tells the truth or says that the file is damaged."""

from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.index.disk.samples import DOCS, build, doc

from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.docs import doc_of
from toolpost.index.disk.generations import Folder
from toolpost.index.disk.mapped import Base, latest
from toolpost.index.disk.writer import add_trigrams

MANY = [*DOCS, *(doc(f"z/{number:04}.txt", b"line %d\n" % number * 40) for number in range(400))]
FILES = ("current", "1.meta", "1.text", "1.tri")
Read = Callable[[Base], Any]

READS: dict[str, Read] = {
    "facts": lambda base: (base.count, base.generation, base.repo_hash, base.generated_at, base.statistics),
    "paths": lambda base: base.paths(),
    "path": lambda base: base.path(200),
    "find": lambda base: base.find(b"z/0123.txt"),
    "span": lambda base: base.span(b"src/"),
    "stamp": lambda base: (base.stamp(7), base.stamp(base.count - 1)),
    "stamps": lambda base: base.stamps.tolist(),
    "blob_id": lambda base: [base.blob_id(number) for number in (0, 2, 399)],
    "records": lambda base: base.files(range(base.count)),
    "scattered": lambda base: base.files([300, 2, 5]),
    "extract": lambda base: base.extract(4),
    "exports": lambda base: base.exports(6),
    "starts": lambda base: base.starts.tolist(),
    "text": lambda base: base.text.read(0, len(base.text.view)),
    "some text": lambda base: base.text.read(70_000, 70_100),
    "wide": lambda base: base.wide.tolist(),
    "no_newline": lambda base: base.no_newline.tolist(),
    "passed": lambda base: {reason: ids.tolist() for reason, ids in base.passed.items()},
    "folders": lambda base: base.folders,
    "docs": lambda base: [doc_of(base, number) for number in range(0, base.count, 50)],
    "trigrams": lambda base: base.trigrams and bytes(base.trigrams.array("tri.grams")),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Folder(tmp_path_factory.mktemp("whole"))
    generation = build(folder, MANY)
    with folder.writing() as writing:
        add_trigrams(writing, generation, {"tri.grams": b"abc" * 1000})
    return folder.path


@pytest.fixture(scope="module")
def truth(whole: Path) -> dict[str, Any]:
    base = latest(Folder(whole))
    assert base is not None
    return {name: read(base) for name, read in READS.items()}


@pytest.fixture(scope="module")
def place(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    copied = copytree(whole, tmp_path_factory.mktemp("copies") / "tree")
    yield copied
    rmtree(copied)


def told(folder: Path) -> dict[str, Any]:
    """What every read tells; nothing of those that say the file is damaged."""
    found: dict[str, Any] = {}
    try:
        base = latest(Folder(folder))
    except Damaged:
        return found
    assert base is not None
    for name, read in READS.items():
        try:
            found[name] = read(base)
        except Damaged:
            continue
    return found


def is_true(found: dict[str, Any], truth: dict[str, Any]) -> bool:
    return all(truth[name] == value for name, value in found.items())


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, Callable[[bytes], bytes]]:
    at = draw(st.integers(0, 2**20))
    other = draw(st.binary(min_size=1, max_size=40))
    bit = 1 << draw(st.integers(0, 7))

    def flip(data: bytes) -> bytes:
        where = at % len(data)
        return data[:where] + bytes([data[where] ^ bit]) + data[where + 1 :]

    def overwrite(data: bytes) -> bytes:
        where = at % len(data)
        return (data[:where] + other + data[where + len(other) :])[: len(data)]

    ways: list[Callable[[bytes], bytes]] = [
        flip,
        overwrite,
        lambda data: data[: at % len(data)],
        lambda data: data + other,
        lambda data: data[: at % len(data)] + bytes(len(data) - at % len(data)),
        lambda data: data[: at % len(data)] + other + data[at % len(data) :],
    ]
    return draw(st.sampled_from(FILES)), draw(st.sampled_from(ways))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(change=changes())
def test_a_changed_file_is_never_taken_for_what_was_written(
    whole: Path, place: Path, truth: dict[str, Any], change: tuple[str, Callable[[bytes], bytes]]
) -> None:
    name, changed = change
    (place / name).write_bytes(changed((whole / name).read_bytes()))
    try:
        assert is_true(told(place), truth)
    finally:
        (place / name).write_bytes((whole / name).read_bytes())


@pytest.mark.parametrize("name", FILES)
def test_a_flipped_bit_anywhere_is_never_taken_for_what_was_written(
    whole: Path, place: Path, truth: dict[str, Any], name: str
) -> None:
    """Every byte of the beginning and the end, where headers and tables are, and some of all between."""
    data = (whole / name).read_bytes()
    size = len(data)
    seen = 0
    for at in sorted(
        {*range(min(size, 64)), *range(max(0, size - 200), size), *range(0, size, size // 60 + 1)}
    ):
        (place / name).write_bytes(data[:at] + bytes([data[at] ^ (1 << at % 8)]) + data[at + 1 :])
        found = told(place)
        assert is_true(found, truth), f"byte {at}"
        seen += found.keys() != truth.keys()
    (place / name).write_bytes(data)
    assert seen > 60


def test_a_file_of_another_generation_is_never_taken_for_this_ones(
    whole: Path, place: Path, truth: dict[str, Any], tmp_path: Path
) -> None:
    build(Folder(tmp_path), [*MANY[:-1], doc("z/0399.txt", b"line 398\n" * 40)])
    for name in ("1.meta", "1.text"):
        (place / name).write_bytes((tmp_path / name).read_bytes())
        assert told(place) == {}
        (place / name).write_bytes((whole / name).read_bytes())
    assert told(place) == truth


def test_a_missing_file_is_damage(whole: Path, place: Path) -> None:
    for name in FILES[1:]:
        (place / name).unlink()
        assert told(place) == {}
        (place / name).write_bytes((whole / name).read_bytes())
