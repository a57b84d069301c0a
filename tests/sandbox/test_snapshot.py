import tempfile
from pathlib import Path

import pytest

from toolpost.limits import SNAPSHOT_FILE_BYTES
from toolpost.sandbox import snapshot
from toolpost.sandbox.placeholders import Placeholders
from toolpost.sandbox.snapshot import Snapshot


def _taken(root: Path, *names: str) -> Snapshot:
    return Snapshot(str(root), [f"{root}/{name}" for name in names])


@pytest.fixture(name="private", autouse=True)
def _private(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where private folders are made."""
    folder = tmp_path_factory.mktemp("private")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def _aside(private: Path) -> list[str]:
    return sorted(path.name for folder in private.iterdir() for path in folder.iterdir())


def _paths(told: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(violation.partition(" (what was there is now ")[0] for violation in told)


def test_nothing_that_is_unchanged_is_touched(tmp_path: Path) -> None:
    (tmp_path / "hooks").mkdir()
    (tmp_path / "hooks" / "a").write_text("a")
    before = _taken(tmp_path, "hooks", "absent")
    (tmp_path / "other").write_text("free")
    assert before.revert() == ()
    assert before.complete


def test_text_mode_and_kind_come_back(tmp_path: Path, private: Path) -> None:
    for name in ("text", "mode", "kind"):
        (tmp_path / name).write_text(name)
    (tmp_path / "mode").chmod(0o640)
    before = _taken(tmp_path, "text", "mode", "kind")
    (tmp_path / "text").write_text("other")
    (tmp_path / "mode").chmod(0o777)
    (tmp_path / "kind").unlink()
    (tmp_path / "kind").mkdir()
    assert _paths(before.revert()) == tuple(f"{tmp_path}/{name}" for name in ("text", "mode", "kind"))
    assert [(tmp_path / name).read_text() for name in ("text", "mode", "kind")] == ["text", "mode", "kind"]
    assert (tmp_path / "mode").stat().st_mode & 0o777 == 0o640
    assert (_aside(private), len(list(tmp_path.iterdir()))) == (["kind", "mode", "text"], 3)


def test_a_file_written_anew_with_the_same_text_is_no_change(tmp_path: Path, private: Path) -> None:
    (tmp_path / "same").write_text("same")
    before = _taken(tmp_path, "same")
    (tmp_path / "same").unlink()
    (tmp_path / "same").write_text("same")
    assert (before.revert(), _aside(private)) == ((), [])


def test_a_folder_comes_back_with_all_in_it(tmp_path: Path) -> None:
    (tmp_path / "f" / "deep").mkdir(parents=True)
    (tmp_path / "f" / "deep" / "x").write_text("x")
    (tmp_path / "f" / "link").symlink_to("deep")
    before = _taken(tmp_path, "f")
    (tmp_path / "f").rename(tmp_path / "moved")
    (tmp_path / "f").write_text("in the way")
    assert _paths(before.revert()) == (f"{tmp_path}/f",)
    assert (tmp_path / "f" / "link" / "x").read_text() == "x"


def test_what_was_added_to_a_folder_is_taken_away_and_told_where(tmp_path: Path, private: Path) -> None:
    (tmp_path / "f").mkdir()
    before = _taken(tmp_path, "f")
    (tmp_path / "f" / "new").mkdir()
    (tmp_path / "f" / "new" / "x").write_text("kept")
    told = before.revert()
    (kept,) = private.glob("*/new")
    assert told == (f"{tmp_path}/f/new (what was there is now {kept})",)
    assert ((kept / "x").read_text(), list((tmp_path / "f").iterdir())) == ("kept", [])


def test_a_placeholder_is_nothing_new_and_nothing_that_was_there(tmp_path: Path) -> None:
    first = Placeholders(str(tmp_path), [f"{tmp_path}/a"])
    before = _taken(tmp_path, "a", "b")
    first.remove()
    second = Placeholders(str(tmp_path), [f"{tmp_path}/b"])
    assert before.revert() == ()
    second.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_path_whose_folder_became_a_link_is_made_anew_beside_it(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "g").mkdir(parents=True)
    outside.mkdir()
    (root / "g" / "config").write_text("mine")
    before = _taken(root, "g/config")
    (root / "g").rename(root / "away")
    (root / "g").symlink_to(outside)
    assert _paths(before.revert()) == (f"{root}/g/config",)
    assert ((root / "g" / "config").read_text(), list(outside.iterdir())) == ("mine", [])


def test_a_large_file_is_told_of_and_left(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(bytes(SNAPSHOT_FILE_BYTES + 1))
    before = _taken(tmp_path, "big")
    (tmp_path / "big").write_text("small")
    assert (before.complete, before.revert()) == (False, (f"{tmp_path}/big (changed, and not put back)",))


def test_what_cannot_be_put_back_is_told(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "x").write_text("x")
    before = _taken(root, "x")
    (root / "x").unlink()
    root.rmdir()
    assert before.revert() == (f"{root}/x (changed, and not put back: No such file or directory)",)


def test_too_many_files_are_not_all_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "SNAPSHOT_ENTRIES", 3)
    (tmp_path / "f").mkdir()
    for number in range(5):
        (tmp_path / "f" / str(number)).write_text("")
    assert _taken(tmp_path, "f").complete is False


def test_remembered_texts_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "SNAPSHOTS_KEPT", 2)
    for name in "abc":
        (tmp_path / name).write_text(name)
    _taken(tmp_path, "a", "b", "c")
    assert len(snapshot._kept) <= 2


def test_a_pipe_is_neither_read_nor_replaced(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe")
    before = _taken(tmp_path, "pipe")
    assert before.revert() == ()
    (tmp_path / "pipe").unlink()
    assert before.revert() == (f"{tmp_path}/pipe (changed, and not put back)",)
