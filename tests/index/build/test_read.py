import os
import resource
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.index.build.trees import unprivileged, write
from tests.workspace.memory import MemoryRoot

from toolpost.errors import IoFailed
from toolpost.index.build.listing import Run, stamp
from toolpost.index.build.read import SAME, blob_id_of, doc_of, of_data, read_local
from toolpost.index.model import Doc, Export, Extract, Stamp
from toolpost.index.tags.rules import Rules
from toolpost.limits import SEARCH_FILE_BYTES
from toolpost.workspace.local.bulk import Bulk
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Entry, Kind
from toolpost.workspace.walking.plain import plain

RULES = Rules()
OLD = (10**18, 10**18)


@pytest.fixture
def bulk(tmp_path: Path) -> Iterator[Bulk]:
    made = Bulk(tmp_path)
    yield made
    made.close()


def _one(bulk: Bulk, name: str, known: bytes = b"") -> Doc | None:
    return next(read_local(bulk, Run("", [name], [], [known] if known else []), RULES))


def test_a_file_of_any_root_is_told_in_full(tmp_path: Path, bulk: Bulk) -> None:
    data = b"export const a = 1\n"
    write(tmp_path, {"lib/a.ts": data})
    entry = Entry("lib/a.ts", Kind.FILE, len(data), 5)
    with closing(LocalRoot(tmp_path)) as root:
        docs = [doc_of(each, entry, RULES) for each in (bulk, root, MemoryRoot({"lib/a.ts": data}))]
    exports = (Export("a", "const", line=1),)
    for doc in docs:
        assert doc is not None
        assert (doc.path, doc.blob_id, doc.text, doc.passed) == ("lib/a.ts", blob_id_of(data), data, "")
        assert doc.extract.exports == doc.exports == exports
        assert "typescript" in doc.tags
    assert docs[2] is not None
    assert docs[2].stamp == Stamp(len(data), 5)


def test_what_is_gone_or_no_file_any_more_is_none(tmp_path: Path, bulk: Bulk) -> None:
    write(tmp_path, {"lib/a.ts": b"", "folder/x": b""})
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("lib/a.ts")
    names = ["pipe", "link", "gone", "folder", ".env"]
    assert list(read_local(bulk, Run("", names), RULES)) == [None] * 5
    assert list(read_local(bulk, Run("nowhere", ["a", "b"]), RULES)) == [None, None]
    assert doc_of(MemoryRoot({}), Entry("gone", Kind.FILE), RULES) is None


def test_a_secret_is_never_opened(tmp_path: Path, bulk: Bulk) -> None:
    os.mkfifo(tmp_path / ".env")
    write(tmp_path, {"key.pem": b"secret"})
    told = (tmp_path / "key.pem").stat()
    os.utime(tmp_path / "key.pem", ns=OLD)
    assert _one(bulk, ".env") is None
    found = _one(bulk, "key.pem")
    assert found is not None
    assert (found.blob_id, found.text, found.passed) == (b"", None, "secret")
    assert found.stamp == stamp((tmp_path / "key.pem").stat())
    assert (tmp_path / "key.pem").stat().st_atime_ns == OLD[0]
    assert told.st_size == found.stamp.size_bytes


def test_a_file_that_holds_what_it_held_is_not_looked_through(tmp_path: Path, bulk: Bulk) -> None:
    write(tmp_path, {"a.ts": b"export const a = 1\n"})
    known = blob_id_of(b"export const a = 1\n")
    found = _one(bulk, "a.ts", known)
    assert found is not None
    assert (found.passed, found.text, found.blob_id, found.extract) == (SAME, None, known, Extract())


def test_a_stamp_that_is_too_new_to_tell_a_later_change_has_no_inode(tmp_path: Path, bulk: Bulk) -> None:
    write(tmp_path, {"a.ts": b""})
    found = _one(bulk, "a.ts")
    assert found is not None
    assert found.stamp.inode == 0
    assert found.stamp.modified_ns == (tmp_path / "a.ts").stat().st_mtime_ns


def test_a_file_too_large_to_be_read_is_told_by_its_name_and_stamp(tmp_path: Path, bulk: Bulk) -> None:
    for name in ("huge.ts", "all.ts"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(SEARCH_FILE_BYTES + (name == "huge.ts"))
    docs = [
        _one(bulk, "huge.ts"),
        doc_of(MemoryRoot({"huge.ts": bytes(SEARCH_FILE_BYTES + 1)}), _entry(0), RULES),
    ]
    docs.append(doc_of(MemoryRoot({}), _entry(SEARCH_FILE_BYTES + 1), RULES))
    assert [(doc.passed, doc.blob_id) for doc in docs if doc] == [("too_large", b"")] * 3
    found = _one(bulk, "all.ts")
    assert found is not None
    assert found.passed == "binary"


def _entry(size: int) -> Entry:
    return Entry("huge.ts", Kind.FILE, size)


def test_a_file_we_may_not_read_is_told_without_its_text(tmp_path: Path, bulk: Bulk) -> None:
    write(tmp_path, {"closed.ts": b"x", "open.ts": b"y\n"})
    tmp_path.chmod(0o755)
    (tmp_path / "closed.ts").chmod(0)
    with unprivileged():
        found = list(read_local(bulk, Run("", ["closed.ts", "open.ts"]), RULES))
    assert [(doc.passed, doc.text, doc.stamp.size_bytes) for doc in found if doc] == [
        ("unreadable", None, 1),
        ("", b"y\n", 2),
    ]


def test_a_system_that_is_out_of_descriptors_is_not_taken_for_unreadable_files(
    tmp_path: Path, bulk: Bulk
) -> None:
    write(tmp_path, {"a.ts": b""})
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    found = read_local(bulk, Run("", ["a.ts", "a.ts"]), RULES)
    assert next(found)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        with pytest.raises(IoFailed):
            next(found)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\xff\xd8\xff\xe0\0\x10JFIF",
        b"GIF89a\1\0\1\0",
        b"wOF2\0\1\0\0",
        b"\0\0\0\x20ftypisom\0\0",
    ],
)
def test_a_picture_is_binary_by_its_first_bytes(data: bytes) -> None:
    assert of_data("a.bin", Stamp(), data, RULES).passed == "binary"
    assert plain(data) is None


def test_what_only_begins_as_a_picture_is_text() -> None:
    told = of_data("a.txt", Stamp(), b"GIF8 is how one begins", RULES)
    assert (told.passed, told.text) == ("", b"GIF8 is how one begins")
