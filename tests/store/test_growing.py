from hashlib import sha256
from pathlib import Path

import pytest

from toolpost.store.blobs import Blobs


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_content_written_piece_by_piece_is_kept_as_one(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    growing = blobs.begin()
    for piece in (b"one ", bytearray(b"two "), b"", b"three"):
        growing.write(piece)
    assert (growing.size_bytes, growing.read(4, 3)) == (13, b"two")
    (file,) = files(tmp_path / "blobs")
    assert file.stat().st_mode & 0o777 == 0o600
    digest = growing.keep()
    assert digest == sha256(b"one two three").hexdigest()
    assert blobs.get(digest) == b"one two three"
    assert [path.name for path in files(tmp_path / "blobs")] == [digest]
    growing.drop()
    assert blobs.has(digest)


def test_the_same_content_is_kept_once(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    digest = blobs.put(b"same")
    growing = blobs.begin()
    growing.write(b"same")
    assert growing.keep() == digest
    assert len(files(tmp_path / "blobs")) == 1


def test_what_is_dropped_leaves_nothing(tmp_path: Path) -> None:
    growing = Blobs(tmp_path / "blobs").begin()
    growing.write(b"x")
    growing.drop()
    growing.drop()
    assert files(tmp_path / "blobs") == []


def test_what_cannot_be_begun_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("in the way")
    with pytest.raises(OSError, match="blobs"):
        Blobs(tmp_path / "blobs").begin()
