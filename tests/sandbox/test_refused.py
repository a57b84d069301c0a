import tempfile
from pathlib import Path

import pytest

from toolpost.sandbox.refused import ASIDE, Refused
from toolpost.sandbox.snapshot import take_away


@pytest.fixture(name="private")
def _private(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("private")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_things_of_the_same_name_are_all_kept(tmp_path: Path, private: Path) -> None:
    refused = Refused()
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x").write_text(folder)
        take_away(str(tmp_path), f"{tmp_path}/{folder}/x", refused)
    assert [Path(place).read_text() for place in refused.places] == ["a", "b"]
    assert {Path(place).parent.parent for place in refused.places} == {private}
    assert Path(refused.places[0]).parent.stat().st_mode & 0o777 == 0o700


def test_what_is_gone_needs_no_folder(tmp_path: Path, private: Path) -> None:
    gone = f"{tmp_path}/gone"
    assert [take_away(str(tmp_path), path, Refused()) for path in (gone, f"{gone}/x")] == [gone, f"{gone}/x"]
    assert list(private.iterdir()) == []


def test_what_cannot_be_moved_gets_a_name_that_nothing_executes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x").write_text("x")
    monkeypatch.setattr(tempfile, "tempdir", f"{tmp_path}/gone")
    told = take_away(str(tmp_path), f"{tmp_path}/x", Refused())
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(f"x{ASIDE}")
    assert told == f"{tmp_path}/x (what was there is now {left})"


def test_what_cannot_be_taken_away_is_told(tmp_path: Path, private: Path) -> None:
    name = "x" * 255  # with more to it no system takes it
    (tmp_path / name).write_text("x")
    private.rmdir()
    told = take_away(str(tmp_path), f"{tmp_path}/{name}", Refused())
    assert told == f"{tmp_path}/{name} (made, and not taken away: File name too long)"
