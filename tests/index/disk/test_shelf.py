"""The indexes of many trees in one cache."""

import os
import time
from hashlib import sha256
from pathlib import Path

import pytest
from tests.index.disk.samples import DOCS, build

from toolpost.index.disk import about
from toolpost.index.disk.generations import Busy, Folder
from toolpost.index.disk.mapped import latest
from toolpost.index.disk.shelf import Listed, Shelf
from toolpost.version import __version__


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "cache")


def kept(shelf: Shelf, key: str, used_at: float = 0.0, place: str = "") -> Folder:
    folder = shelf.folder(key, f"at {key}", place)
    build(folder)
    os.utime(folder.path / "root", (used_at, used_at))
    return folder


def test_nothing_is_made_before_something_is_built(shelf: Shelf) -> None:
    assert shelf.folder("key").current() is None
    assert shelf.all() == []
    assert shelf.remove("key") == 0
    assert shelf.gc(older_than_days=0, max_bytes=0) == 0
    assert not shelf.cache.exists()


def test_a_tree_has_a_folder_named_by_its_key(shelf: Shelf) -> None:
    folder = shelf.folder("key")
    assert folder.path == shelf.cache / sha256(b"key").hexdigest()[:32]


def test_every_index_is_listed_the_last_used_first(shelf: Shelf, tmp_path: Path) -> None:
    first, second = kept(shelf, "one", 100.0, str(tmp_path)), kept(shelf, "two", 200.0)
    (shelf.cache / "something else").mkdir()
    (shelf.cache / ("0" * 32)).touch()
    assert shelf.all() == [
        Listed(second.path.name, "two", "at two", "", len(DOCS), size(second), 1, 200.0),
        Listed(first.path.name, "one", "at one", str(tmp_path), len(DOCS), size(first), 1, 100.0),
    ]
    assert about.read(first.path) == about.About("one", "at one", str(tmp_path), __version__)


def size(folder: Folder) -> int:
    return sum(path.stat().st_size for path in folder.path.iterdir())


def test_what_cannot_be_read_is_listed_as_such_and_goes_by_its_name(shelf: Shelf) -> None:
    folder = kept(shelf, "one")
    (folder.path / "root").unlink()
    (folder.path / "current").write_bytes(b"nonsense")
    name = folder.path.name
    assert shelf.all() == [Listed(name, "", "", "", 0, size(folder), 0, 0.0)]
    assert shelf.drop("../" + name) == 0
    assert shelf.drop(name) > 0
    assert shelf.all() == []


def test_an_index_is_removed_while_a_reader_keeps_what_it_has(shelf: Shelf) -> None:
    folder = kept(shelf, "one")
    kept(shelf, "two")
    base = latest(folder)
    assert base is not None
    expected = size(folder)
    assert shelf.remove("one") == expected
    assert [listed.key for listed in shelf.all()] == ["two"]
    assert base.paths() == [known.path.encode() for known in DOCS]


def test_an_index_somebody_writes_is_not_removed(shelf: Shelf) -> None:
    folder = kept(shelf, "one", 0.0, "/nowhere at all")
    with folder.writing():
        with pytest.raises(Busy):
            shelf.remove("one")
        assert shelf.gc(older_than_days=0, max_bytes=0) == 0
    assert folder.current() is not None


def test_gc_takes_trees_that_are_no_more(shelf: Shelf, tmp_path: Path) -> None:
    here, gone = tmp_path / "here", tmp_path / "gone"
    here.mkdir()
    kept(shelf, "here", 0.0, str(here))
    kept(shelf, "gone", 0.0, str(gone))
    kept(shelf, "remote")
    (kept(shelf, "unknown").path / "root").unlink()
    assert shelf.gc() > 0
    assert sorted(listed.key for listed in shelf.all()) == ["here", "remote"]


def test_gc_takes_what_was_superseded(shelf: Shelf) -> None:
    folder = kept(shelf, "one")
    old = folder.current()
    build(folder)
    assert old is not None
    assert shelf.gc() == sum(mark.size_bytes for mark in old.files.values())


def test_gc_takes_what_was_not_used_for_days(shelf: Shelf) -> None:
    now = time.time()
    kept(shelf, "old", now - 11 * 86_400)
    kept(shelf, "new", now - 9 * 86_400)
    assert shelf.gc(older_than_days=10) > 0
    assert [listed.key for listed in shelf.all()] == ["new"]


def test_gc_takes_the_least_lately_used_until_the_rest_is_small_enough(shelf: Shelf) -> None:
    for number in range(4):
        kept(shelf, str(number), 100.0 + number)
    shelf.folder("0")
    each = shelf.all()[0].size_bytes
    assert shelf.gc(max_bytes=2 * each) == 2 * each
    assert [listed.key for listed in shelf.all()] == ["3", "2"]
    assert shelf.gc(max_bytes=0) == 2 * each
    assert shelf.all() == []


def test_what_goes_while_it_is_listed_has_no_size(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    path = kept(shelf, "one").path
    monkeypatch.setattr(Shelf, "_folders", lambda _: iter([path]))
    shelf.remove("one")
    assert [(listed.size_bytes, listed.generation) for listed in shelf.all()] == [(0, 0)]


def test_a_cache_that_cannot_be_written_to_is_read_all_the_same(tmp_path: Path) -> None:
    about.touch(tmp_path / "nowhere")
    assert about.used_at(tmp_path / "nowhere") == 0.0


def test_what_the_system_refuses_is_told_and_the_others_are_looked_after(shelf: Shelf) -> None:
    unread, unlocked, other = kept(shelf, "one"), kept(shelf, "two"), kept(shelf, "three")
    (unread.path / "current").unlink()
    (unread.path / "current").symlink_to("current")
    (unlocked.path / "lock").unlink()
    (unlocked.path / "lock").mkdir()
    refusal = "Too many levels of symbolic links."
    sentence = f"{unread.path / 'current'} cannot be read: {refusal}"
    told: list[str] = []

    assert {listed.name: listed.trouble for listed in shelf.all()} == {
        unread.path.name: sentence,
        unlocked.path.name: "",
        other.path.name: "",
    }
    assert shelf.gc(max_bytes=0) > 0
    assert shelf.gc(max_bytes=0, tell=told.append) == 0
    assert sorted(told) == sorted(
        [sentence, f"The index cannot be written in {unlocked.path}: Is a directory."]
    )
    assert {path.name for path in shelf.cache.iterdir()} == {unread.path.name, unlocked.path.name}
