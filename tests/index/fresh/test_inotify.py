import os
import resource
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolpost.index.fresh import inotify
from toolpost.index.fresh.happened import Happened
from toolpost.index.fresh.inotify import Inotify, decode
from toolpost.index.fresh.watcher import NoRoom


@pytest.fixture
def top(tmp_path: Path) -> Iterator[int]:
    for name in ("a", "b/c"):
        (tmp_path / name).mkdir(parents=True)
    descriptor = os.open(tmp_path, os.O_PATH | os.O_DIRECTORY)
    yield descriptor
    os.close(descriptor)


@pytest.fixture
def watcher(top: int) -> Iterator[Inotify]:
    made = Inotify()
    made.add(top, [b"", b"a", b"b", b"b/c"])
    yield made
    made.close()


def _event(watch: int, kind: int, name: bytes = b"") -> bytes:
    padded = name + b"\0" * (-len(name) % 16)
    return struct.pack("=iIII", watch, kind, 0, len(padded)) + padded


def test_nothing_happened_is_nothing(watcher: Inotify) -> None:
    assert watcher.drain() is None


def test_a_change_is_told_by_the_path_it_happened_to(watcher: Inotify, tmp_path: Path) -> None:
    (tmp_path / "b/c/file").write_text("x")
    (tmp_path / "a/new").mkdir()
    assert watcher.drain() == Happened({b"b/c/file"}, {b"a/new"})
    assert watcher.drain() is None


def test_more_events_than_one_read_holds_are_all_told(watcher: Inotify, tmp_path: Path) -> None:
    names = {f"{number:0200}" for number in range(1000)}
    for name in names:
        (tmp_path / "a" / name).touch()
    assert watcher.drain() == Happened({b"a/" + name.encode() for name in names})


def test_events_are_read_as_the_kernel_writes_them() -> None:
    data = _event(3, inotify.CREATE, b"name") + _event(4, inotify.IGNORED)
    assert list(decode(data)) == [(3, inotify.CREATE, b"name"), (4, inotify.IGNORED, b"")]


@pytest.mark.parametrize("kind", [inotify.OVERFLOW, inotify.UNMOUNT])
def test_events_that_were_lost_are_told(watcher: Inotify, kind: int) -> None:
    happened = Happened()
    watcher.note(_event(-1, kind) + _event(99, inotify.CREATE, b"of a watch nobody knows"), happened)
    assert happened == Happened(is_lost=True)


def test_the_end_of_a_folder_is_told_by_the_one_above(watcher: Inotify, tmp_path: Path) -> None:
    (tmp_path / "b/c").rmdir()
    assert watcher.drain() == Happened(folders={b"b/c"})
    assert watcher.folders == {b"", b"a", b"b"}
    (tmp_path / "b").rmdir()
    (tmp_path / "a").rmdir()
    tmp_path.rmdir()
    assert watcher.drain() == Happened(folders={b"a", b"b"})
    tmp_path.mkdir()


def test_a_change_of_the_trees_own_mode_is_told_and_that_of_a_folder_once(
    watcher: Inotify, tmp_path: Path
) -> None:
    tmp_path.chmod(0o700)
    assert watcher.drain() == Happened(folders={b""})
    (tmp_path / "a").chmod(0o700)
    assert watcher.drain() == Happened(folders={b"a"})


def test_a_folder_that_was_left_tells_nothing_more(watcher: Inotify, tmp_path: Path) -> None:
    watcher.leave([b"a", b"never watched"])
    (tmp_path / "a/file").touch()
    assert watcher.drain() == Happened()
    assert watcher.folders == {b"", b"b", b"b/c"}


def test_a_folder_that_moved_tells_by_the_name_it_was_entered_with_last(
    watcher: Inotify, top: int, tmp_path: Path
) -> None:
    (tmp_path / "b").rename(tmp_path / "d")
    watcher.add(top, [b"d", b"d/c"])
    watcher.leave([b"b", b"b/c"])
    assert watcher.drain() == Happened(folders={b"b", b"d"})
    (tmp_path / "d/c/file").touch()
    assert watcher.drain() == Happened({b"d/c/file"})


def test_no_watch_goes_through_a_link(top: int, tmp_path: Path) -> None:
    outside = tmp_path.parent / "outside"
    (outside / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(outside)
    (tmp_path / "inner").symlink_to("b")
    watcher = Inotify()
    watcher.add(top, [b"link", b"link/deep", b"inner", b"inner/c", b"nothing", b"../outside"[3:]])
    assert watcher.folders == frozenset()
    watcher.close()
    watcher.close()


def test_what_cannot_be_watched_is_passed(watcher: Inotify, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    held = os.open(file, os.O_PATH)
    watcher.enter(held, b"a file is no folder")
    os.close(held)
    assert watcher.folders == {b"", b"a", b"b", b"b/c"}


def test_where_the_system_watches_no_more_that_is_said(top: int) -> None:
    watcher = Inotify()
    watcher.close()  # any other failure looks the same from here: the kernel does not watch
    with pytest.raises(NoRoom):
        watcher.add(top, [b"a"])


def test_without_inotify_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    with pytest.raises(OSError, match="not implemented"):
        Inotify()


def test_no_more_descriptors_is_an_error_of_the_system() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    held = os.open("/", os.O_PATH)
    resource.setrlimit(resource.RLIMIT_NOFILE, (held, hard))
    try:
        with pytest.raises(OSError, match="open files"):
            Inotify()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        os.close(held)
