"""A write, a move or a deletion that is killed or fails at any system call leaves the old state or the new one."""

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.crash.points import Outcome, every_point

from toolpost.limits import TEMP_STALE_S
from toolpost.workspace.local.root import LocalRoot

SCRIPT = """
from toolpost.workspace.local.beneath import Descent, Openat2
from toolpost.workspace.local import rename
from toolpost.workspace.local.root import LocalRoot

def ready(folder):
    return LocalRoot(folder, beneath={way}())

def act(root):
    {change}
"""
log = logging.getLogger(__name__)  # `--log-cli-level=INFO` tells how many points there were
OLD = b"old\n" * 5_000
NEW = b"new\n" * 7_000

State = dict[str, bytes | None]
"""Every path below a folder with what is in it; None is a folder."""


def _state(folder: Path) -> State:
    return {
        str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes()
        for path in folder.rglob("*")
    }


def _make(folder: Path) -> None:
    (folder / "file.txt").write_bytes(OLD)
    (folder / "file.txt").chmod(0o640)
    (folder / "folder").mkdir()
    (folder / "empty").mkdir()


START: State = {"file.txt": OLD, "folder": None, "empty": None}


def _after_the_next_write(folder: Path) -> State:
    """What is there once somebody wrote again, later: what was left lying about is gone."""
    long_ago = time.time() - TEMP_STALE_S - 60
    for temporary in folder.rglob(".toolpost-*"):
        os.utime(temporary, (long_ago, long_ago))
    root = LocalRoot(folder)
    for place in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
        inner = str(place.relative_to(folder) / "next")
        root.write(inner, b"")
        root.delete(inner)
    root.close()
    return _state(folder)


def _whole(end: State, *between: State) -> Callable[[Path, Outcome], None]:
    """A check: the start, the end, or for a killed change what may lie between; and never half a file."""
    allowed = {
        Outcome.DONE: [end],
        Outcome.UNCONFIRMED: [end],
        Outcome.REFUSED: [START],
        Outcome.KILLED: [START, end, *between],
    }

    def check(folder: Path, outcome: Outcome) -> None:
        if outcome is not Outcome.KILLED:
            assert list(folder.rglob(".toolpost-*")) == []
        assert _after_the_next_write(folder) in allowed[outcome]
        for path in folder.rglob("*.txt"):
            assert path.stat().st_mode & 0o777 == 0o640 or path.read_bytes() != OLD

    return check


REPLACE = f'root.write("file.txt", {NEW!r})'
CREATE = f'root.write("folder/new.txt", {NEW!r})'
CREATE_WITH_FOLDERS = 'root.write("a/b/new.txt", b"new", create_dirs=True)'
MOVE = 'root.move("file.txt", "folder/moved.txt")'
MOVE_FOLDER = 'root.move("folder", "moved")'
DELETE = 'root.delete("file.txt")'
DELETE_FOLDER = 'root.delete("empty")'
TWO_STEPS = "rename._renameat2 = None; "

MOVED: State = {"folder": None, "empty": None, "folder/moved.txt": OLD}
FOLDER_MOVED: State = {"file.txt": OLD, "moved": None, "empty": None}
MADE: State = {**START, "a": None, "a/b": None}


@pytest.mark.parametrize(
    ("change", "end", "between"),
    [
        (REPLACE, {**START, "file.txt": NEW}, []),
        (CREATE, {**START, "folder/new.txt": NEW}, []),
        (CREATE_WITH_FOLDERS, {**MADE, "a/b/new.txt": b"new"}, [{**START, "a": None}, MADE]),
        (MOVE, MOVED, []),
        (MOVE_FOLDER, FOLDER_MOVED, []),
        (TWO_STEPS + MOVE, MOVED, [{**START, **MOVED}]),
        (TWO_STEPS + MOVE_FOLDER, FOLDER_MOVED, [{**START, **FOLDER_MOVED}]),
        (DELETE, {"folder": None, "empty": None}, []),
        (DELETE_FOLDER, {"file.txt": OLD, "folder": None}, []),
    ],
    ids=[
        *("replace", "create", "create with folders"),
        *("move", "move folder", "move in two steps", "move folder in two steps"),
        *("delete", "delete folder"),
    ],
)
def test_a_change_is_whole_at_every_point(
    tmp_path: Path, change: str, end: State, between: list[State]
) -> None:
    _run(tmp_path, "Openat2", change, _whole(end, *between))


def test_where_names_are_walked_a_write_is_whole_too(tmp_path: Path) -> None:
    check = _whole({**MADE, "a/b/new.txt": b"new"}, {**START, "a": None}, MADE)
    _run(tmp_path, "Descent", CREATE_WITH_FOLDERS, check)


def _run(folder: Path, way: str, change: str, check: Callable[[Path, Outcome], None]) -> None:
    seen = every_point(SCRIPT.format(way=way, change=change), folder, _make, check)
    log.info("%d points: %s", sum(seen.values()), {str(outcome): count for outcome, count in seen.items()})
    assert seen[Outcome.KILLED] >= 4
    assert seen[Outcome.REFUSED] >= 3
