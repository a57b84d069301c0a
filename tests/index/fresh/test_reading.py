import os
import resource
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from toolpost.errors import IoFailed
from toolpost.index.build.listing import Run
from toolpost.index.build.read import blob_id_of, read_local
from toolpost.index.fresh.reading import read_again, read_run
from toolpost.index.model import Doc, Extract
from toolpost.index.tags.rules import Rules
from toolpost.limits import SEARCH_FILE_BYTES
from toolpost.workspace.guard import Guard
from toolpost.workspace.local.bulk import Bulk, Folder
from toolpost.workspace.local.root import LocalRoot


@contextmanager
def opened(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def read(folder: Path, *names: str) -> dict[bytes, Doc | None]:
    with opened(folder) as top:
        return dict(read_again(top, Guard(), map(os.fsencode, names), read_run))


def test_files_are_read_as_a_build_reads_them_but_not_looked_through(tmp_path: Path) -> None:
    files = {
        "a.ts": b"export const a = 1\n",
        "b/mark.ts": b"\xef\xbb\xbfexport const b = 1\n",
        "b/wide.ts": "export const w = 'ü'\n".encode("utf-16"),
        "b/binary": b"\0\0\0",
        "b/empty.py": b"",
        ".env": b"KEY=1",
        "\udcff.ts": b"export let x",
    }
    for name, data in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        os.utime(path, (1, 1))
    (tmp_path / "large.txt").touch()
    os.truncate(tmp_path / "large.txt", SEARCH_FILE_BYTES + 1)
    found = read(tmp_path, *files, "large.txt")
    with closing(LocalRoot(tmp_path)) as root:
        bulk = Bulk.of(root)
    for key, doc in found.items():
        folder, _, last = os.fsdecode(key).rpartition("/")
        [expected] = read_local(bulk, Run(folder, [last]), Rules())
        assert doc is not None
        assert expected is not None
        bare = replace(expected, extract=Extract(), exports=(), tags=())
        assert replace(doc, stamp=expected.stamp) == bare
        told = doc.stamp
        assert (told.size_bytes, told.modified_ns, told.inode) == (
            expected.stamp.size_bytes,
            expected.stamp.modified_ns,
            # Its status was changed just now: opened files are not sure to stay as they are.
            expected.stamp.inode if doc.passed == "secret" else 0,
        )
    bulk.close()


def test_what_went_or_is_no_file_is_none(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "away").symlink_to("folder")
    (tmp_path / "id_rsa").mkdir()
    os.mkfifo(tmp_path / "pipe")
    names = ["folder", "link", "pipe", "none", "id_rsa", ".env", "away/x", "none/x", "file/x"]
    assert read(tmp_path, *names) == dict.fromkeys(map(os.fsencode, names))


def test_a_file_that_was_not_changed_lately_has_a_stamp_that_proves_it(tmp_path: Path) -> None:
    source = Path(__file__)
    [doc] = read(source.parent, source.name).values()
    assert doc is not None
    assert doc.stamp.inode == source.stat().st_ino
    assert doc.blob_id == blob_id_of(source.read_bytes())


class Closed(Folder):
    """What its owner may not read."""

    def read(self, name: str, most: int) -> tuple[os.stat_result, bytes | None] | None:
        raise PermissionError(13, "Permission denied", name)


def test_a_file_that_cannot_be_opened_is_known_by_its_stamp_alone(tmp_path: Path) -> None:
    (tmp_path / "closed.ts").write_text("export let x")
    with opened(tmp_path) as folder:
        found = list(read_run(Guard(), Closed(folder), Run("", ["closed.ts", "gone.ts"])))
    assert [doc and (doc.passed, doc.text, doc.blob_id, doc.stamp.size_bytes) for doc in found] == [
        ("unreadable", None, b"", 12),
        None,
    ]


@pytest.mark.parametrize("name", ["a.ts", "deep/er/a.ts"])
def test_a_process_that_can_open_no_more_says_so_instead_of_losing_files(tmp_path: Path, name: str) -> None:
    (tmp_path / "deep/er").mkdir(parents=True)
    (tmp_path / name).touch()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with opened(tmp_path) as top:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (top + 1, hard))
            with pytest.raises(IoFailed):
                dict(read_again(top, Guard(), [os.fsencode(name)], read_run))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
