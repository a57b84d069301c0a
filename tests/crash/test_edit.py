"""An edit, a change of several files or an undo, killed or failed at any system call: nothing torn, and a way back."""

import os
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

from tests.crash.points import Outcome, every_point

from toolpost.workspace.history.change import Changes, Request
from toolpost.workspace.history.journal import Journal
from toolpost.workspace.local.root import LocalRoot

SCRIPT = """
from toolpost.call import Call
from toolpost.tools import edits
from toolpost.tools.altering import Ground
from toolpost.workspace.history.change import Change, Changes, Request
from toolpost.workspace.editing.edit import Edit
from toolpost.workspace.history.journal import Act, Journal
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.history.seen import Seen
from toolpost.workspace.workspace import Workspace

NEW = b"new\\n" * 3_000
SEVERAL = [
    Change(path="a.txt", data=NEW),
    Change(path="b.txt", act=Act.DELETE),
    Change(path="c.txt", act=Act.MOVE, moved_to="d.txt"),
    Change(path="e/f.txt", data=NEW, create_dirs=True),
]

def ready(folder):
    root = LocalRoot(folder / "work")
    return Ground(Workspace({{"work": root}}), Changes(Journal(folder / "undo")), Seen())

def act(ground):
    (root,) = ground.workspace.roots.values()
    {act}
"""
EDIT = """\
edits.edited(
        ground,
        edits.EditFile(path="a.txt", edits=[Edit(old_text="old\\n", new_text="new\\n", replace_all=True)]),
        Call(tool="fs.edit", request_id="req-1"),
    )
"""
SEVERAL = 'ground.changes.apply(Request("req-1"), root, SEVERAL)'
UNDO = 'ground.changes.undo(Request("req-2"), ground.changes.journal.find("req-1"), root)'
OLD, NEW = b"old\n" * 2_000, b"new\n" * 3_000
EDITED = b"new\n" * 2_000

Tree = dict[str, bytes]
BEFORE: Tree = {"a.txt": OLD, "b.txt": OLD, "c.txt": OLD}
AFTER: Tree = {"a.txt": NEW, "d.txt": OLD, "e/f.txt": NEW}


def tree(place: Path) -> Tree:
    work = place / "work"
    files = (path for path in work.rglob("*") if path.is_file() and not path.name.startswith(".toolpost-"))
    return {str(path.relative_to(work)): path.read_bytes() for path in files}


def make(place: Path) -> None:
    (place / "work").mkdir()
    for path, data in BEFORE.items():
        (place / "work" / path).write_bytes(data)


def make_changed(place: Path) -> None:
    """As it is once the change of several files was made."""
    make(place)
    room: dict[str, Any] = {}
    exec(SCRIPT.format(act="pass"), room)
    changes = Changes(Journal(place / "undo"))
    root = LocalRoot(place / "work")
    changes.apply(Request("req-1"), root, room["SEVERAL"])
    root.close()


def undone(place: Path, request_id: str) -> bool:
    """Whether there was anything to undo; what there was is put back."""
    changes = Changes(Journal(place / "undo"))
    found = [entry for entry in changes.journal.entries() if entry.request_id == request_id]
    root = LocalRoot(place / "work")
    try:
        return None not in [changes.undo(Request("req-9"), entry, root) for entry in found] and bool(found)
    finally:
        root.close()


def leaves_no_litter(place: Path) -> None:
    """What a killed run left goes with the next sweep, once it is old; what is needed stays."""
    for path in (place / "undo").rglob(".*"):
        os.utime(path, (0, 0))
    if (place / "undo").exists():
        Journal(place / "undo").sweep()
    assert list((place / "undo").rglob(".*")) == []


class Check:
    """Whatever happened to the change `request_id`, all files are whole, and as before once it is undone."""

    def __init__(self, before: Tree, after: Tree, request_id: str = "req-1") -> None:
        self.before, self.after, self.request_id = before, after, request_id

    def __call__(self, place: Path, outcome: Outcome) -> None:
        left = tree(place)
        leaves_no_litter(place)
        if outcome is Outcome.DONE:
            assert left == self.after
        if outcome is Outcome.REFUSED:
            assert left == self.before
        assert set(left.items()) <= {*self.before.items(), *self.after.items()}
        assert undone(place, self.request_id) == (left != self.before)
        assert tree(place) == self.before
        assert (place / "work" / "a.txt").stat().st_mode & 0o777 == 0o644


def test_an_edit_can_be_undone_or_never_was(tmp_path: Path) -> None:
    after = {**BEFORE, "a.txt": EDITED}
    seen = every_point(SCRIPT.format(act=EDIT), tmp_path, make, Check(BEFORE, after))

    assert seen[Outcome.KILLED] > 20
    assert seen[Outcome.REFUSED] > 40


def test_a_change_of_several_files_can_be_undone_or_never_was(tmp_path: Path) -> None:
    seen = every_point(SCRIPT.format(act=SEVERAL), tmp_path, make, Check(BEFORE, AFTER))

    assert seen[Outcome.KILLED] > 20
    assert seen[Outcome.REFUSED] > 40


def test_an_undo_can_be_undone_or_never_was_and_one_cut_short_can_be_done_again(tmp_path: Path) -> None:
    taken_back = Check(AFTER, BEFORE, "req-2")

    def check(place: Path, outcome: Outcome) -> None:
        again = copytree(place, tmp_path / "again")
        taken_back(place, outcome)
        entry = Journal(again / "undo").find("req-1")
        root = LocalRoot(again / "work")
        Changes(Journal(again / "undo")).undo(Request("req-9"), entry, root)
        root.close()
        assert tree(again) == BEFORE
        rmtree(again)

    seen = every_point(SCRIPT.format(act=UNDO), tmp_path, make_changed, check)
    assert seen[Outcome.KILLED] > 20
    assert seen[Outcome.REFUSED] > 40
