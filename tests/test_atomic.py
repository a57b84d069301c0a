"""A file replaced whole."""

from pathlib import Path

import pytest

from toolpost.atomic import replace_file


def test_a_new_file_is_its_owners_alone_unless_said_otherwise(tmp_path: Path) -> None:
    replace_file(tmp_path / "a", b"1")
    replace_file(tmp_path / "b", b"1", mode=0o644)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in "ab"] == [0o600, 0o644]


def test_a_replaced_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to(real)
    replace_file(link, b"new")
    assert (link.is_symlink(), real.read_bytes(), real.stat().st_mode & 0o777) == (True, b"new", 0o640)


def test_a_write_that_fails_leaves_the_old_file_and_no_litter(tmp_path: Path) -> None:
    folder = tmp_path / "target"
    folder.mkdir()
    with pytest.raises(OSError, match="directory"):
        replace_file(folder, b"x")
    assert list(tmp_path.iterdir()) == [folder]
