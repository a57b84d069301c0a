import multiprocessing
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from toolpost.errors import IoFailed, NotFound
from toolpost.store.blobs import Blobs

LATER = datetime.now(UTC) + timedelta(days=1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state" / "blobs"


@pytest.fixture
def blobs(folder: Path) -> Blobs:
    return Blobs(folder)


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_nothing_is_made_before_the_first_content_comes(blobs: Blobs, folder: Path) -> None:
    assert blobs.has("0" * 64) is False
    assert blobs.sweep(set(), LATER) == 0
    assert not folder.parent.exists()


@pytest.mark.parametrize("data", [b"", b"text\n", bytes(range(256)) * 4_096])
def test_a_content_comes_back_by_its_hash(blobs: Blobs, folder: Path, data: bytes) -> None:
    digest = blobs.put(data)

    assert digest == sha256(data).hexdigest()
    assert blobs.get(digest) == data
    assert (blobs.has(digest), blobs.size(digest)) == (True, len(data))
    assert files(folder) == [f"{digest[:2]}/{digest}"]


def test_a_range_can_be_read_of_an_open_content(blobs: Blobs) -> None:
    with blobs.open(blobs.put(b"0123456789")) as file:
        file.seek(4)
        assert file.read(3) == b"456"


def test_everything_is_for_its_owner_alone(blobs: Blobs, folder: Path) -> None:
    digest = blobs.put(b"secret")
    made = [folder.parent, folder, folder / digest[:2]]

    assert [path.stat().st_mode & 0o777 for path in made] == [0o700] * 3
    assert (folder / digest[:2] / digest).stat().st_mode & 0o777 == 0o600


def test_the_same_content_is_kept_once_and_newly_dated(blobs: Blobs, folder: Path) -> None:
    digest = blobs.put(b"same")
    path = folder / digest[:2] / digest
    inode = path.stat().st_ino
    os.utime(path, (0, 0))

    assert blobs.put(b"same") == digest
    assert path.stat().st_ino == inode
    assert path.stat().st_mtime > 0


def test_a_damaged_content_is_refused_and_mended_by_the_next_put(blobs: Blobs, folder: Path) -> None:
    digest = blobs.put(b"whole")
    (folder / digest[:2] / digest).write_bytes(b"whale")

    with pytest.raises(IoFailed, match="damaged"):
        blobs.get(digest)
    blobs.put(b"whole")
    assert blobs.get(digest) == b"whole"


@pytest.mark.parametrize("digest", ["0" * 64, "", "../../../etc/passwd", "A" * 64, "0" * 63 + "\n", "0" * 65])
def test_what_is_not_kept_is_not_found(blobs: Blobs, digest: str) -> None:
    with pytest.raises(NotFound):
        blobs.get(digest)


@pytest.mark.parametrize("digest", ["0" * 64, "ff" * 32])
def test_what_is_not_kept_has_no_size(blobs: Blobs, digest: str) -> None:
    assert (blobs.has(digest), blobs.size(digest)) == (False, None)


def test_a_sweep_takes_what_is_old_and_kept_by_nobody(blobs: Blobs, folder: Path) -> None:
    kept, old, new = (blobs.put(data) for data in (b"kept", b"older", b"new"))
    (folder / old[:2] / f".{old}.abcdef").write_bytes(b"left by a killed write")
    for path in (*folder.glob(f"*/{kept}"), *folder.glob(f"*/*{old}*")):
        os.utime(path, (0, 0))

    assert blobs.sweep({kept}, datetime(2000, 1, 1, tzinfo=UTC)) == len(b"older") + 22
    assert files(folder) == sorted(f"{digest[:2]}/{digest}" for digest in (kept, new))


def test_a_folder_that_is_none_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    blobs = Blobs(tmp_path / "file")

    with pytest.raises(IoFailed, match=r"Not a directory|File exists"):
        blobs.put(b"data")
    with pytest.raises(IoFailed, match="Not a directory"):
        blobs.get("0" * 64)


def test_what_cannot_be_read_is_said(blobs: Blobs, folder: Path) -> None:
    digest = blobs.put(b"data")
    (folder / digest[:2] / digest).unlink()
    (folder / digest[:2] / digest).symlink_to("/proc/self/mem")

    with pytest.raises(IoFailed, match="Input/output error"):
        blobs.get(digest)


@contextmanager
def little_room() -> Iterator[None]:
    """No longer than it must be: the limit holds for a log this very run may write to."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_content_that_has_no_room_leaves_nothing(blobs: Blobs, folder: Path) -> None:
    with pytest.raises(IoFailed, match="cannot keep 2,000 bytes: File too large"), little_room():
        blobs.put(b"x" * 2_000)
    assert files(folder) == []


def _put_many(folder: Path, start: "multiprocessing.synchronize.Barrier") -> None:
    start.wait(timeout=60)
    for number in range(50):
        Blobs(folder).put(b"%d" % number * 1_000)


def test_processes_that_keep_the_same_at_once_do_not_disturb_each_other(folder: Path) -> None:
    fresh = multiprocessing.get_context("spawn")
    start = fresh.Barrier(3)
    workers = [fresh.Process(target=_put_many, args=(folder, start)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=60)

    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    contents = [b"%d" % number * 1_000 for number in range(50)]
    digests = [sha256(data).hexdigest() for data in contents]
    assert [Blobs(folder).get(digest) for digest in digests] == contents
    assert len(files(folder)) == 50
