"""The harness itself: it counts every point, and it catches a change that is not whole."""

from pathlib import Path

import pytest
from tests.crash.points import Outcome, every_point

NAIVE = """
from toolpost.errors import IoFailed

def ready(folder):
    return folder / "file.txt"

def act(file):
    try:
        file.write_bytes(b"new")
    except OSError as failed:
        raise IoFailed(str(failed))
"""
NOTHING = """
def ready(folder):
    return None

def act(held):
    pass
"""
BROKEN = """
def ready(folder):
    return None

def act(held):
    raise KeyError("held")
"""


def _make(folder: Path) -> None:
    (folder / "file.txt").write_bytes(b"old")


def _whole(folder: Path, _outcome: Outcome) -> None:
    assert (folder / "file.txt").read_bytes() in {b"old", b"new"}


def test_a_naive_write_is_caught_where_it_tears_the_file(tmp_path: Path) -> None:
    with pytest.raises(AssertionError) as torn:
        every_point(NAIVE, tmp_path, _make, _whole)
    assert torn.value.__notes__[0].startswith("after write 1, signal=KILL, killed:")


def test_a_change_without_system_calls_has_no_points(tmp_path: Path) -> None:
    assert every_point(NOTHING, tmp_path, _make, _whole) == dict.fromkeys(Outcome, 0)


def test_a_child_that_breaks_otherwise_is_told(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="a child broke at None: exit 12"):
        every_point(BROKEN, tmp_path, _make, _whole)
