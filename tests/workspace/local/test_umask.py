import os
from pathlib import Path

import pytest

from toolpost.workspace.local.umask import executable, umask


def test_the_umask_is_what_a_new_file_lacks(tmp_path: Path) -> None:
    os.close(os.open(tmp_path / "new", os.O_CREAT, 0o777))
    born = (tmp_path / "new").stat().st_mode & 0o777

    assert 0o777 & ~umask() == born
    assert executable(None) == born


def test_where_the_system_does_not_say_it_is_the_strict_one(tmp_path: Path) -> None:
    (tmp_path / "status").write_text("Name:\tpython\n")

    assert umask(tmp_path / "status") == 0o077
    assert umask(tmp_path / "none") == 0o077


@pytest.mark.parametrize(("mode", "runs"), [(0o644, 0o755), (0o640, 0o750), (0o600, 0o700), (0o755, 0o755)])
def test_who_may_read_may_execute(mode: int, runs: int) -> None:
    assert executable(mode) == runs
