import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolpost.errors import LimitExceeded
from toolpost.index.fresh.ground import Ground, Level
from toolpost.index.fresh.ladder import Ladder
from toolpost.workspace.local.root import LocalRoot


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    for name in ("a/b/c", "a/.git/info", "out"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("a/b/x", "a/b/c/y", "a/.git/config", "out/z", ".toolpost-" + "0" * 32 + ".tmp"):
        (tmp_path / name).touch()
    (tmp_path / ".gitignore").write_text("out/\n")
    (tmp_path / "link").symlink_to("a")
    root = LocalRoot(tmp_path)
    made = Ground(root)
    yield made
    made.close()
    made.close()
    root.close()


def _nothing(descriptor: int, folder: bytes) -> None:
    assert os.fstat(descriptor).st_ino


def test_folders_are_listed_as_the_index_lists_them(ground: Ground) -> None:
    entered: list[bytes] = []
    levels = list(ground.below(b"", lambda _, folder: entered.append(folder)))
    assert levels == [
        Level(b"", [b".gitignore"], [b"a"]),
        Level(b"a", [], [b"a/b"]),
        Level(b"a/b", [b"a/b/x"], [b"a/b/c"]),
        Level(b"a/b/c", [b"a/b/c/y"], []),
    ]
    assert entered == [level.folder for level in levels]


def test_a_folder_that_cannot_be_listed_has_no_level(ground: Ground) -> None:
    def fails(descriptor: int, folder: bytes) -> None:
        raise OSError

    with Ladder(ground.top) as ladder:
        assert ground.level(ladder, b"none", _nothing) is None
        assert ground.level(ladder, b"link", _nothing) is None
        assert ground.level(ladder, b"link/b", _nothing) is None
        assert ground.level(ladder, b"a", fails) is None
        assert ground.level(ladder, b"/".join([b"d"] * 64), _nothing) is None
    assert list(ground.below(b"none", _nothing)) == []


def test_what_is_kept_is_judged_by_the_rules_above_it(ground: Ground) -> None:
    assert ground.keeps(b"", is_dir=True)
    assert ground.keeps(b"a/new", is_dir=False)
    assert not ground.keeps(b"out", is_dir=True)
    assert not ground.keeps(b"a/.git", is_dir=True)
    assert not ground.keeps(b"a/\xff", is_dir=True)
    assert ground.keeps(b"a/\xff", is_dir=False)
    assert ground.keeps(b"gone/for/good", is_dir=False)


def test_too_many_entries_are_refused(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolpost.index.fresh.ground.WALK_ENTRIES", 2)
    with pytest.raises(LimitExceeded):
        list(ground.below(b"", _nothing))


def test_rules_of_a_folder_that_goes_meanwhile_are_those_above(
    ground: Ground, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a/.gitignore").write_text("x\n")
    gone = ground.root.scan

    def scan(path: str) -> object:
        (tmp_path / "a").rename(tmp_path / "moved")
        return gone(path)

    assert ground.rules(b"").tiers
    monkeypatch.setattr(ground.root, "scan", scan)
    assert ground.rules(b"a") == ground.rules(b"")


def test_what_is_reached_through_a_link_is_not_there(ground: Ground) -> None:
    with Ladder(ground.top) as ladder:
        assert ground.status(ladder, b"link/b/x") is None
        assert ground.status(ladder, b"a/b/x") is not None
