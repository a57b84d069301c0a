from io import BufferedReader, FileIO
from pathlib import Path

import pytest
from tests.workspace.memory import MemoryRoot

from toolpost.errors import Denied, FileTooLarge, IoFailed, NotAFile
from toolpost.limits import WRITE_MAX
from toolpost.workspace.history.states import NOTHING, State, kind, missing_folders, state
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.reading.text import digest
from toolpost.workspace.root import Kind, Source


@pytest.fixture
def local(tmp_path: Path) -> LocalRoot:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "run.sh").write_bytes(b"#!/bin/sh")
    (tmp_path / "a" / "run.sh").chmod(0o750)
    (tmp_path / "link").symlink_to("a/run.sh")
    return LocalRoot(tmp_path)


def test_a_file_has_content_mode_and_digest(local: LocalRoot) -> None:
    found = state(local, "a/run.sh")

    assert found == State(b"#!/bin/sh", 0o750)
    assert found.digest == digest(b"#!/bin/sh")


def test_a_tree_without_modes_gives_none() -> None:
    assert state(MemoryRoot({"a.txt": b"text"}), "a.txt") == State(b"text", None)


@pytest.mark.parametrize("path", ["gone", "gone/too", "a/run.sh/below"])
def test_where_nothing_is_there_is_nothing(local: LocalRoot, path: str) -> None:
    assert state(local, path) == NOTHING
    assert (NOTHING.digest, kind(local, path)) == (None, None)


def test_what_may_hold_secrets_is_not_looked_into_but_may_be_found_missing(
    local: LocalRoot, tmp_path: Path
) -> None:
    assert state(local, ".env") == NOTHING

    (tmp_path / ".env").write_text("TOKEN=1")
    with pytest.raises(Denied):
        state(local, ".env")


def test_a_folder_has_no_content(local: LocalRoot) -> None:
    with pytest.raises(NotAFile):
        state(local, "a")


def test_a_file_too_large_to_be_written_back_is_not_read() -> None:
    root = MemoryRoot({"small": b"x" * WRITE_MAX, "large": b"x" * (WRITE_MAX + 1)})

    assert len(state(root, "small").data or b"") == WRITE_MAX
    with pytest.raises(FileTooLarge, match="could not be put back"):
        state(root, "large")


class Broken(MemoryRoot):
    """A tree on a disk that fails while it is read."""

    def open(self, path: str) -> Source:
        source = super().open(path)
        source.stream = BufferedReader(FileIO("/proc/self/mem"))
        return source


def test_a_file_that_cannot_be_read_is_said() -> None:
    with pytest.raises(IoFailed, match=r"a\.txt could not be read: Input/output error"):
        state(Broken({"a.txt": b"text"}), "a.txt")


def test_a_name_is_judged_without_following_it(local: LocalRoot) -> None:
    found = [kind(local, path) for path in ("a", "a/run.sh", "link", "a/b")]

    assert found == [Kind.DIRECTORY, Kind.FILE, Kind.LINK, Kind.DIRECTORY]


@pytest.mark.parametrize(
    ("path", "missing"),
    [("x", ()), ("a/x", ()), ("a/b/x", ()), ("a/c/d/x", ("a/c", "a/c/d")), ("y/x", ("y",))],
)
def test_folders_a_file_would_need_are_named_outermost_first(
    local: LocalRoot, path: str, missing: tuple[str, ...]
) -> None:
    assert missing_folders(local, path) == missing
