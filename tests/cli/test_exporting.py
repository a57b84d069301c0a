import json
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.desk import Run

from toolpost.cli import exporting, indexing
from toolpost.cli.trouble import Trouble
from toolpost.index.ask.export import checked
from toolpost.index.disk.sections import Sections


@pytest.fixture
def cache(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(work.parent / "cache"))
    return work.parent / "cache" / "toolpost" / "index"


@pytest.fixture
def built(work: Path, cache: Path, run: Run) -> Path:
    for name in ("a.py", "b.py", "c.py"):
        (work / name).write_text(f"{name[0]} = 1\n")
    assert run("index", "build").code == 0
    return work


def flip_one_bit_of_the_records(cache: Path) -> None:
    (file,) = cache.glob("*/*.meta")
    sections = Sections.open(file)
    records = bytes(sections.array("records"))
    sections.close()
    data = bytearray(file.read_bytes())
    data[data.index(records) + len(records) // 2] ^= 1
    file.write_bytes(data)


def names(told: str) -> list[str]:
    return [file["path"] for file in json.loads(told)["files"]]


def test_a_damaged_index_is_built_anew_before_the_first_byte_is_written(
    run: Run, built: Path, cache: Path
) -> None:
    flip_one_bit_of_the_records(cache)
    shown = run("index", "export")

    assert (shown.code, names(shown.out), shown.err) == (0, ["a.py", "b.py", "c.py"], "")


def test_a_damaged_index_is_built_anew_before_a_file_is_written(run: Run, built: Path, cache: Path) -> None:
    flip_one_bit_of_the_records(cache)
    shown = run("index", "export", "--out", "../index.json")

    assert (shown.code, shown.err) == (0, "note: written to ../index.json\n")
    assert names((built.parent / "index.json").read_text()) == ["a.py", "b.py", "c.py"]


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """As if the disk were full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_file_is_the_old_one_until_the_new_one_is_whole(built: Path) -> None:
    folder = built.parent / "out"
    folder.mkdir()
    (folder / "index.json").write_text("old")
    with indexing.grounds() as (workspace, indexes):
        snapshot = indexes.ask(indexing.one_root(workspace), checked)
        with (
            pytest.raises(Trouble, match=r"index\.json cannot be written: File too large\."),
            no_file_beyond(10),
        ):
            exporting.to_file(snapshot, folder / "index.json")

    assert {path.name: path.read_text() for path in folder.iterdir()} == {"index.json": "old"}


def test_a_replaced_file_keeps_its_mode_and_a_link_to_it_stays(built: Path) -> None:
    folder = built.parent / "out"
    folder.mkdir()
    (folder / "real.json").write_text("old")
    (folder / "real.json").chmod(0o640)
    (folder / "link.json").symlink_to("real.json")
    with indexing.grounds() as (workspace, indexes):
        snapshot = indexes.ask(indexing.one_root(workspace), checked)
        exporting.to_file(snapshot, folder / "link.json")

    assert (folder / "link.json").is_symlink()
    assert (folder / "real.json").stat().st_mode & 0o777 == 0o640
    assert names((folder / "real.json").read_text()) == ["a.py", "b.py", "c.py"]


def test_a_device_is_written_to_and_a_folder_refuses(run: Run, built: Path) -> None:
    assert run("index", "export", "--out", os.devnull).code == 0
    assert not Path(os.devnull).is_file()

    refused = run("index", "export", "--out", "..")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err == "error: .. cannot be written: Is a directory.\n  next: Name another file.\n"
