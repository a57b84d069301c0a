from pathlib import Path

import pytest

from toolpost.sandbox import homes


def test_an_untouched_home_serves_the_next_command() -> None:
    first = homes.take()
    homes.give_back(first)
    second = homes.take()
    assert second == first
    homes.discard(second.folder)


@pytest.mark.parametrize("name", ["home/x", "temp/x"])
def test_a_home_that_was_written_to_is_gone(name: str) -> None:
    home = homes.take()
    Path(home.folder, name).write_text("left")
    homes.give_back(home)
    assert not Path(home.folder).exists()


def test_a_kept_home_that_somebody_removed_is_not_given_out() -> None:
    home = homes.take()
    homes.give_back(home)
    homes.discard(home.folder)
    other = homes.take()
    assert other.folder != home.folder
    assert Path(other.home).is_dir()
    homes.discard(other.folder)


def test_nobody_else_looks_into_a_home() -> None:
    home = homes.take()
    assert [Path(path).stat().st_mode & 0o777 for path in (home.folder, home.home, home.temp)] == [0o700] * 3
    homes.discard(home.folder)


def test_toolchains_are_linked_into_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".cargo" / "bin").mkdir(parents=True)
    (tmp_path / ".pyenv").mkdir()
    (tmp_path / ".ssh").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    homes.real_home.cache_clear()
    try:
        home = homes._fresh()
    finally:
        monkeypatch.undo()
        homes.real_home.cache_clear()
    assert sorted(path.name for path in Path(home.home).iterdir()) == [".cargo", ".pyenv"]
    assert Path(home.home, ".cargo", "bin").resolve() == (tmp_path / ".cargo" / "bin").resolve()
    homes.discard(home.folder)


def test_a_tree_nested_to_vex_us_goes_too(tmp_path: Path) -> None:
    import os

    here = os.open(tmp_path, os.O_RDONLY)
    os.mkdir("deep", dir_fd=here)
    for _ in range(1500):
        below = os.open("deep", os.O_RDONLY, dir_fd=here)
        os.close(here)
        os.mkdir("deep", dir_fd=below)
        here = below
    os.close(here)
    homes.discard(str(tmp_path / "deep"))
    assert list(tmp_path.iterdir()) == []
