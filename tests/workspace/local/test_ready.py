import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from toolpost.errors import Denied, NotAFile
from toolpost.limits import READY_BYTES
from toolpost.workspace.local.descent import Descent
from toolpost.workspace.local.openat2 import Openat2, open_cached
from toolpost.workspace.local.ready import in_memory
from toolpost.workspace.local.root import LocalRoot


@pytest.fixture
def root(tmp_path: Path) -> Iterator[LocalRoot]:
    made = LocalRoot(tmp_path, beneath=Openat2())
    yield made
    made.close()


def read(root: LocalRoot, path: str) -> bytes:
    """As often as it takes: the kernel may forget a name at any time."""
    for _ in range(100):
        try:
            with root.open(path) as known, root.open_ready(path) as source:
                assert (source.entry, source.stamp, source.links) == (known.entry, known.stamp, known.links)
                return source.stream.read()
        except BlockingIOError:
            continue
    pytest.fail(f"{path} is never in memory")


@pytest.mark.parametrize("size", [0, 1, 4096, READY_BYTES])
def test_a_small_file_in_memory_is_read_as_any_other(root: LocalRoot, tmp_path: Path, size: int) -> None:
    data = os.urandom(size)
    (tmp_path / "a").write_bytes(data)
    assert read(root, "a") == data


def test_a_larger_file_is_left_to_a_thread(root: LocalRoot, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * (READY_BYTES + 1))
    with pytest.raises(BlockingIOError):
        root.open_ready("a")


def test_a_hole_that_was_never_read_is_left_to_a_thread_or_read_whole(
    root: LocalRoot, tmp_path: Path
) -> None:
    with (tmp_path / "a").open("wb") as file:
        file.truncate(READY_BYTES)
    with suppress(BlockingIOError):
        assert root.open_ready("a").stream.read() == bytes(READY_BYTES)


@pytest.mark.parametrize("path", ["nowhere", "a\0b", "out", "../a"])
def test_what_cannot_be_opened_is_left_to_whoever_can_say_why(
    root: LocalRoot, tmp_path: Path, path: str
) -> None:
    (tmp_path / "out").symlink_to("/etc/hostname")
    with pytest.raises(BlockingIOError):
        root.open_ready(path)


def test_what_is_no_file_is_refused_at_once(root: LocalRoot, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for path in ("pipe", "folder"):
        root.stat(path)
        with pytest.raises((NotAFile, BlockingIOError)):
            root.open_ready(path)


def test_a_secret_is_refused_also_by_its_real_name(root: LocalRoot, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("S=1")
    (tmp_path / "plain").symlink_to(".env")
    with pytest.raises(Denied):
        root.open_ready(".env")
    with pytest.raises((Denied, BlockingIOError)):
        root.open_ready("plain")


def test_where_the_kernel_does_not_hold_paths_nothing_is_read_at_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    root = LocalRoot(tmp_path, beneath=Descent())
    with pytest.raises(BlockingIOError):
        root.open_ready("a")
    root.close()


def test_a_descriptor_that_cannot_be_read_so_is_left_to_a_thread(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    with pytest.raises(BlockingIOError):
        in_memory(folder, 0)
    os.close(folder)


def test_a_file_that_changes_just_now_is_left_to_a_thread(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("longer than it was")
    file = os.open(tmp_path / "a", os.O_RDONLY)
    with pytest.raises(BlockingIOError):
        in_memory(file, 3)
    os.close(file)


def test_the_root_itself_can_be_opened(tmp_path: Path) -> None:
    root = os.open(tmp_path, os.O_PATH)
    os.close(open_cached(root, "", os.O_RDONLY | os.O_DIRECTORY))
    os.close(root)
