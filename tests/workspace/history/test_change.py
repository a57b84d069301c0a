from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.workspace.memory import MemoryRoot

from toolpost.errors import (
    Denied,
    DirectoryNotFound,
    FileExists,
    FileNotFound,
    FileTooLarge,
    InvalidArgument,
    InvalidPath,
    IoFailed,
    NotAFile,
    NotFound,
    ReadOnly,
    StaleFile,
    ToolError,
)
from toolpost.limits import WRITE_MAX
from toolpost.testing import FakeClock
from toolpost.workspace.history.change import Change, Changes, Request
from toolpost.workspace.history.journal import Act, Entry, Journal
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.reading.text import digest
from toolpost.workspace.root import Written

EDIT = Request("req-edit", "ana", "fs.edit")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def root(work: Path) -> Iterator[LocalRoot]:
    root = LocalRoot(work)
    yield root
    root.close()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def changes(tmp_path: Path, clock: FakeClock) -> Changes:
    return Changes(Journal(tmp_path / "undo", clock))


@pytest.fixture
def undo(changes: Changes, root: LocalRoot, clock: FakeClock) -> "Undo":
    return Undo(changes, root, clock)


class Undo:
    """Each time under an id of its own."""

    def __init__(self, changes: Changes, root: LocalRoot, clock: FakeClock) -> None:
        self.changes, self.root, self.clock = changes, root, clock

    def __call__(self, entry: Entry, *, force: bool = False) -> Entry | None:
        self.clock.advance(1)
        request = Request(self.clock.request_id(), entry.session, "fs.undo")
        return self.changes.undo(request, self.changes.journal.find(entry.request_id), self.root, force=force)


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def write(path: str, data: bytes, **more: Any) -> Change:
    return Change(path=path, data=data, **more)


def delete(path: str) -> Change:
    return Change(path=path, act=Act.DELETE)


def move(source: str, target: str) -> Change:
    return Change(path=source, act=Act.MOVE, moved_to=target)


def ids(changes: Changes) -> list[str]:
    return [entry.request_id for entry in changes.journal.entries()]


class TestUndone:
    def test_a_new_file_goes_again(self, changes: Changes, root: LocalRoot, work: Path, undo: Undo) -> None:
        entry = changes.apply(EDIT, root, [write("a.txt", b"new")])
        assert tree(work) == {"a.txt": b"new"}
        assert undo(entry)
        assert tree(work) == {}

    def test_a_changed_file_has_its_content_and_mode_back(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        (work / "a.sh").write_bytes(b"old\r\n\xff")
        (work / "a.sh").chmod(0o751)
        entry = changes.apply(EDIT, root, [write("a.sh", b"new")])
        assert (work / "a.sh").stat().st_mode & 0o777 == 0o751
        (work / "a.sh").chmod(0o600)

        assert undo(entry)
        assert (work / "a.sh").read_bytes() == b"old\r\n\xff"
        assert (work / "a.sh").stat().st_mode & 0o777 == 0o751

    def test_a_deleted_file_is_there_again_with_its_mode(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        (work / "run").write_bytes(b"#!/bin/sh")
        (work / "run").chmod(0o700)
        entry = changes.apply(EDIT, root, [delete("run")])
        assert tree(work) == {}

        assert undo(entry)
        assert tree(work) == {"run": b"#!/bin/sh"}
        assert (work / "run").stat().st_mode & 0o777 == 0o700

    def test_a_deleted_file_is_there_again_when_its_folder_went_too(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        (work / "a").mkdir()
        (work / "a" / "b.txt").write_bytes(b"text")
        entry = changes.apply(EDIT, root, [delete("a/b.txt")])
        (work / "a").rmdir()

        assert undo(entry)
        assert tree(work) == {"a/b.txt": b"text"}

    @pytest.mark.parametrize("size", [4, WRITE_MAX + 1])
    def test_a_moved_file_is_back_whatever_its_size(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo, size: int
    ) -> None:
        (work / "a.txt").write_bytes(b"x" * size)
        entry = changes.apply(EDIT, root, [move("a.txt", "b.txt")])
        assert [path.name for path in work.iterdir()] == ["b.txt"]

        assert undo(entry)
        assert [(path.name, path.stat().st_size) for path in work.iterdir()] == [("a.txt", size)]

    def test_a_moved_folder_is_back(self, changes: Changes, root: LocalRoot, work: Path, undo: Undo) -> None:
        (work / "old").mkdir()
        (work / "old" / "a.txt").write_bytes(b"text")
        entry = changes.apply(EDIT, root, [move("old", "new")])
        assert tree(work) == {"new/a.txt": b"text"}

        assert undo(entry)
        assert tree(work) == {"old/a.txt": b"text"}

    def test_folders_made_for_a_file_go_with_it_unless_something_came_in(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        entry = changes.apply(EDIT, root, [write("a/b/c.txt", b"new", create_dirs=True)])
        assert entry.steps[0].made == ("a", "a/b")
        (work / "a" / "other.txt").write_bytes(b"mine")

        assert undo(entry)
        assert tree(work) == {"a/other.txt": b"mine"}
        assert not (work / "a" / "b").exists()

    def test_folders_made_for_a_moved_file_go_when_it_moves_back_and_come_again_with_it(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        (work / "a.txt").write_bytes(b"text")
        there = Change(path="a.txt", act=Act.MOVE, moved_to="x/y/a.txt", create_dirs=True)
        entry = changes.apply(EDIT, root, [there])
        assert entry.steps[0].made == ("x", "x/y")

        undone = undo(entry)
        assert undone
        assert [path.name for path in work.iterdir()] == ["a.txt"]
        assert undo(undone)
        assert tree(work) == {"x/y/a.txt": b"text"}

    def test_a_name_no_new_file_could_have_comes_back_all_the_same(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        (work / "aux").mkdir()
        for path in ("con", "aux/nul", "a", "A"):
            (work / path).write_bytes(path.encode())
        before = tree(work)
        entry = changes.apply(
            EDIT, root, [delete("con"), move("aux/nul", "nul.txt"), delete("aux"), delete("A")]
        )
        assert tree(work) == {"a": b"a", "nul.txt": b"aux/nul"}

        assert undo(entry)
        assert tree(work) == before

    def test_several_files_are_put_back_together(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        before = {"a.txt": b"a", "b.txt": b"b", "c.txt": b"c"}
        for name, data in before.items():
            (work / name).write_bytes(data)
        made = [write("a.txt", b"A"), delete("b.txt"), move("c.txt", "d.txt"), write("e.txt", b"E")]
        entry = changes.apply(EDIT, root, made)
        assert tree(work) == {"a.txt": b"A", "d.txt": b"c", "e.txt": b"E"}

        assert undo(entry)
        assert tree(work) == before

    def test_an_undo_can_be_undone_and_that_too(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        (work / "a.txt").write_bytes(b"old")
        first = changes.apply(EDIT, root, [write("a.txt", b"new"), write("x/b.txt", b"b", create_dirs=True)])
        seen = [tree(work)]
        entry: Entry | None = first
        for _ in range(3):
            assert entry
            entry = undo(entry)
            seen.append(tree(work))

        new, old = {"a.txt": b"new", "x/b.txt": b"b"}, {"a.txt": b"old"}
        assert seen == [new, old, new, old]
        assert len(set(ids(changes))) == 4

    def test_an_undo_says_who_did_it(self, changes: Changes, root: LocalRoot, work: Path, undo: Undo) -> None:
        undone = undo(changes.apply(EDIT, root, [write("a.txt", b"new")]))

        assert undone
        assert (undone.tool, undone.session, undone.root_key, undone.where) == (
            "fs.undo",
            "ana",
            root.key,
            str(work),
        )
        assert undone.steps[0].act is Act.DELETE


class TestNothingToUndo:
    def test_a_change_that_was_journalled_and_never_made(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        for name in ("a.txt", "b.txt", "c.txt"):
            (work / name).write_bytes(b"old")
        made = [write("a.txt", b"new"), delete("b.txt"), move("c.txt", "d.txt"), write("e.txt", b"")]
        entry = changes.apply(EDIT, root, made)
        for name in ("a.txt", "b.txt", "c.txt"):
            (work / name).write_bytes(b"old")
        for name in ("d.txt", "e.txt"):
            (work / name).unlink()

        assert undo(entry) is None
        assert ids(changes) == ["req-edit"]

    def test_of_a_change_that_was_cut_short_only_what_happened_is_undone(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        before = {"a.txt": b"a", "b.txt": b"b"}
        for name, data in before.items():
            (work / name).write_bytes(data)
        entry = changes.apply(EDIT, root, [write("a.txt", b"A"), write("b.txt", b"B")])
        (work / "b.txt").write_bytes(b"b")

        undone = undo(entry)
        assert undone
        assert [step.path for step in undone.steps] == ["a.txt"]
        assert tree(work) == before

    def test_the_same_undo_twice(self, changes: Changes, root: LocalRoot, work: Path, undo: Undo) -> None:
        entry = changes.apply(EDIT, root, [write("a.txt", b"new")])

        assert undo(entry)
        assert undo(entry) is None

    def test_a_write_that_changed_nothing(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        (work / "a.txt").write_bytes(b"same")

        assert undo(changes.apply(EDIT, root, [write("a.txt", b"same")])) is None


class TestRefusedUndo:
    @pytest.mark.parametrize("now", [b"mine", None])
    def test_a_file_that_changed_since(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo, now: bytes | None
    ) -> None:
        (work / "a.txt").write_bytes(b"old")
        entry = changes.apply(EDIT, root, [write("a.txt", b"new"), write("b.txt", b"b")])
        (work / "a.txt").unlink()
        if now:
            (work / "a.txt").write_bytes(now)
        left = tree(work)

        with pytest.raises(StaleFile) as raised:
            undo(entry)
        assert raised.value.detail.startswith("a.txt is not what that change left:")
        assert raised.value.context == {
            "path": "a.txt",
            "expected": digest(b"new"),
            "found": digest(now) if now else None,
        }
        assert tree(work) == left

    def test_force_puts_back_all_the_same_and_that_can_be_undone(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        (work / "a.txt").write_bytes(b"old")
        entry = changes.apply(EDIT, root, [write("a.txt", b"new")])
        (work / "a.txt").write_bytes(b"mine")

        forced = undo(entry, force=True)
        assert tree(work) == {"a.txt": b"old"}
        assert forced
        undo(forced)
        assert tree(work) == {"a.txt": b"mine"}

    def test_a_new_file_where_one_was_deleted(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        (work / "a.txt").write_bytes(b"old")
        entry = changes.apply(EDIT, root, [delete("a.txt")])
        (work / "a.txt").write_bytes(b"another")

        with pytest.raises(StaleFile):
            undo(entry)
        undo(entry, force=True)
        assert tree(work) == {"a.txt": b"old"}

    def test_a_moved_file_that_was_changed_since(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        (work / "a.txt").write_bytes(b"old")
        entry = changes.apply(EDIT, root, [move("a.txt", "b.txt")])
        (work / "b.txt").write_bytes(b"edited")

        with pytest.raises(StaleFile):
            undo(entry)
        undo(entry, force=True)
        assert tree(work) == {"a.txt": b"edited"}

    @pytest.mark.parametrize("force", [False, True])
    def test_a_moved_file_whose_old_place_is_taken_or_that_is_gone(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo, force: bool
    ) -> None:
        (work / "a.txt").write_bytes(b"old")
        entry = changes.apply(EDIT, root, [move("a.txt", "b.txt")])
        (work / "a.txt").write_bytes(b"another")
        with pytest.raises(StaleFile) as raised:
            undo(entry, force=force)
        assert raised.value.detail.startswith("a.txt is in the way: ")
        assert raised.value.detail.endswith("Move a.txt away, then undo again; force does not help.")
        assert raised.value.context == {"path": "a.txt", "moved_to": "b.txt"}

        (work / "a.txt").unlink()
        (work / "b.txt").unlink()
        with pytest.raises(StaleFile, match=r"b\.txt is not there any more"):
            undo(entry, force=force)
        assert tree(work) == {}

    def test_a_move_is_undone_once_what_was_in_the_way_is_moved_away(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        (work / "a.txt").write_bytes(b"old")
        entry = changes.apply(EDIT, root, [move("a.txt", "b.txt")])
        (work / "a.txt").write_bytes(b"another")
        (work / "a.txt").rename(work / "c.txt")

        assert undo(entry)
        assert tree(work) == {"a.txt": b"old", "c.txt": b"another"}

    def test_a_content_that_is_not_kept_any_more(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo, tmp_path: Path
    ) -> None:
        (work / "a.txt").write_bytes(b"old")
        entry = changes.apply(EDIT, root, [write("a.txt", b"new")])
        for path in (tmp_path / "undo" / "blobs").glob("*/*"):
            path.unlink()

        with pytest.raises(NotFound, match="not any more"):
            undo(entry)
        assert tree(work) == {"a.txt": b"new"}

    def test_folders_links_and_large_files_are_deleted_without_being_kept(
        self, changes: Changes, root: LocalRoot, work: Path, undo: Undo
    ) -> None:
        (work / "folder").mkdir()
        (work / "link").symlink_to("large")
        (work / "large").write_bytes(b"x" * (WRITE_MAX + 1))
        entry = changes.apply(EDIT, root, [delete("folder"), delete("link"), delete("large")])
        assert list(work.iterdir()) == []

        with pytest.raises(NotFound) as raised:
            undo(entry)
        assert raised.value.context == {"lost": ["folder", "link", "large"]}


class TestRefusedChange:
    def test_a_file_that_is_not_what_the_change_was_made_from(
        self, changes: Changes, root: LocalRoot, work: Path
    ) -> None:
        (work / "a.txt").write_bytes(b"mine")
        for change in (
            write("a.txt", b"new", base=digest(b"old")),
            write("a.txt", b"new", base=None),
            write("b.txt", b"new", base=digest(b"old")),
            Change(path="a.txt", act=Act.DELETE, base=digest(b"old")),
            Change(path="a.txt", act=Act.MOVE, moved_to="c.txt", base=digest(b"old")),
        ):
            with pytest.raises(StaleFile, match="changed while it was being changed"):
                changes.apply(EDIT, root, [write("z.txt", b"z"), change])
        assert tree(work) == {"a.txt": b"mine"}
        assert ids(changes) == []

    def test_a_base_that_is_right(self, changes: Changes, root: LocalRoot, work: Path) -> None:
        (work / "a.txt").write_bytes(b"old")
        changes.apply(
            EDIT, root, [write("a.txt", b"new", base=digest(b"old")), write("b.txt", b"b", base=None)]
        )

        assert tree(work) == {"a.txt": b"new", "b.txt": b"b"}

    @pytest.mark.parametrize(
        ("change", "error"),
        [
            (delete("gone.txt"), FileNotFound),
            (move("gone.txt", "b.txt"), FileNotFound),
            (move("a.txt", "folder"), FileExists),
            (write("no/folder.txt", b""), NotFound),
            (write("folder", b""), NotAFile),
            (write("link", b""), InvalidPath),
            (write("large", b""), FileTooLarge),
            (write("a.txt", b"x" * (WRITE_MAX + 1)), FileTooLarge),
            (write(".git/config", b""), Denied),
            (delete(".env"), Denied),
        ],
    )
    def test_what_the_root_refuses_leaves_no_entry_behind(
        self, changes: Changes, root: LocalRoot, work: Path, change: Change, error: type[ToolError]
    ) -> None:
        (work / "a.txt").write_bytes(b"a")
        (work / ".env").write_bytes(b"TOKEN=1")
        (work / "folder").mkdir()
        (work / "link").symlink_to("a.txt")
        (work / "large").write_bytes(b"x" * (WRITE_MAX + 1))
        before = tree(work)

        with pytest.raises(error):
            changes.apply(EDIT, root, [change])
        assert tree(work) == before
        assert ids(changes) == []

    def test_one_path_twice_in_a_change(self, changes: Changes, root: LocalRoot, work: Path) -> None:
        with pytest.raises(InvalidArgument, match=r"names b\.txt twice"):
            changes.apply(EDIT, root, [write("b.txt", b""), move("a.txt", "b.txt")])
        assert tree(work) == {}

    def test_a_root_that_cannot_be_written_to(self, changes: Changes) -> None:
        with pytest.raises(ReadOnly, match="memory cannot be written to"):
            changes.apply(EDIT, MemoryRoot({"a.txt": b""}), [write("a.txt", b"")])

    def test_what_cannot_be_kept_is_not_changed(
        self, changes: Changes, root: LocalRoot, work: Path, tmp_path: Path
    ) -> None:
        (work / "a.txt").write_bytes(b"old")
        (tmp_path / "undo").write_bytes(b"a file where a folder should be")

        with pytest.raises(IoFailed):
            changes.apply(EDIT, root, [write("a.txt", b"new")])
        with pytest.raises(IoFailed, match="Nothing was changed"):
            changes.apply(EDIT, root, [write("b.txt", b"new")])
        assert tree(work) == {"a.txt": b"old"}


class Meddled(LocalRoot):
    """A root in which something else happens around the writing of one file."""

    before: dict[str, Callable[[], object]] = {}
    after: dict[str, Callable[[], object]] = {}

    def write(
        self,
        path: str,
        data: bytes,
        *,
        create_dirs: bool = False,
        mode: int | None = None,
        any_name: bool = False,
    ) -> Written:
        self.before.get(path, nothing)()
        written = super().write(path, data, create_dirs=create_dirs, mode=mode, any_name=any_name)
        self.after.get(path, nothing)()
        return written

    def delete(self, path: str) -> None:
        self.before.get(path, nothing)()
        super().delete(path)


def nothing() -> None: ...


@pytest.fixture
def meddled(work: Path) -> Iterator[Meddled]:
    root = Meddled(work)
    yield root
    root.close()


def fail() -> None:
    raise IoFailed("No space left on device (ENOSPC).", errno="ENOSPC")


class TestPutBack:
    def test_files_already_written_are_put_back_when_one_fails(
        self, changes: Changes, meddled: Meddled, work: Path
    ) -> None:
        before = {"a.txt": b"a", "b.txt": b"b", "c.txt": b"c"}
        for name, data in before.items():
            (work / name).write_bytes(data)
        meddled.before = {"z.txt": fail}
        made = [
            write("a.txt", b"A"),
            delete("b.txt"),
            move("c.txt", "d.txt"),
            write("x/e.txt", b"E", create_dirs=True),
            write("z.txt", b"Z"),
        ]

        with pytest.raises(IoFailed) as raised:
            changes.apply(EDIT, meddled, made)
        assert raised.value.detail == (
            "No space left on device (ENOSPC). What was already written was put back: nothing is changed."
        )
        assert raised.value.context == {"errno": "ENOSPC", "changed": False}
        assert tree(work) == before
        assert not (work / "x").exists()
        assert ids(changes) == []

    def test_a_write_that_happened_and_was_called_failed_is_put_back_too(
        self, changes: Changes, meddled: Meddled, work: Path
    ) -> None:
        (work / "a.txt").write_bytes(b"old")

        def fail_once() -> None:
            meddled.after = {}
            raise IoFailed("The disk did not confirm it.", changed=True)

        meddled.after = {"a.txt": fail_once}

        with pytest.raises(IoFailed) as raised:
            changes.apply(EDIT, meddled, [write("a.txt", b"new")])
        assert raised.value.detail.endswith("was put back: nothing is changed.")
        assert tree(work) == {"a.txt": b"old"}
        assert ids(changes) == []

    def test_what_was_put_back_counts_though_the_disk_did_not_confirm_it(
        self, changes: Changes, meddled: Meddled, work: Path
    ) -> None:
        (work / "a.txt").write_bytes(b"old")

        def not_confirmed() -> None:
            raise IoFailed("a.txt was written, but the disk did not confirm it.", changed=True)

        meddled.after = {"a.txt": not_confirmed}
        with pytest.raises(IoFailed) as raised:
            changes.apply(EDIT, meddled, [write("a.txt", b"new")])
        assert raised.value.context == {"changed": False}
        assert tree(work) == {"a.txt": b"old"}
        assert ids(changes) == []

    def test_a_delete_that_failed_puts_nothing_into_a_folder_that_was_renamed_meanwhile(
        self, changes: Changes, meddled: Meddled, work: Path
    ) -> None:
        (work / "in").mkdir()
        (work / "in" / "a.txt").write_bytes(b"old")
        meddled.before = {"in/a.txt": lambda: (work / "in").rename(work / "tmp")}

        with pytest.raises(DirectoryNotFound) as raised:
            changes.apply(EDIT, meddled, [delete("in/a.txt")])
        assert "changed" not in raised.value.context
        assert tree(work) == {"tmp/a.txt": b"old"}
        assert not (work / "in").exists()
        assert ids(changes) == []

    @pytest.mark.parametrize("change", [delete("in/a.txt"), write("in/new.txt", b"new")])
    def test_a_folder_that_is_gone_is_not_made_again_to_put_a_file_back(
        self, changes: Changes, meddled: Meddled, work: Path, change: Change
    ) -> None:
        (work / "in").mkdir()
        (work / "in" / "a.txt").write_bytes(b"old")

        def meddle() -> None:
            (work / "in").rename(work / "tmp")
            fail()

        meddled.before = {"z.txt": meddle}
        with pytest.raises(IoFailed) as raised:
            changes.apply(EDIT, meddled, [change, write("z.txt", b"z")])
        assert raised.value.context == {"errno": "ENOSPC", "changed": True, "not_put_back": [change.path]}
        assert not (work / "in").exists()
        assert ids(changes) == ["req-edit"]

    def test_a_folder_somebody_else_made_stays_when_the_write_into_it_fails(
        self, changes: Changes, meddled: Meddled, work: Path
    ) -> None:
        def meddle() -> None:
            (work / "x").mkdir()
            fail()

        meddled.before = {"x/a.txt": meddle}
        with pytest.raises(IoFailed):
            changes.apply(EDIT, meddled, [write("x/a.txt", b"new", create_dirs=True)])
        assert (work / "x").is_dir()
        assert ids(changes) == []

    def test_what_could_not_be_put_back_is_named_and_can_be_undone(
        self, changes: Changes, meddled: Meddled, work: Path
    ) -> None:
        (work / "a.txt").write_bytes(b"old")

        def meddle() -> None:
            (work / "a.txt").write_bytes(b"mine")
            fail()

        meddled.before = {"b.txt": meddle}
        with pytest.raises(IoFailed) as raised:
            changes.apply(EDIT, meddled, [write("a.txt", b"new"), write("b.txt", b"b")])
        assert raised.value.detail.endswith("Not put back: a.txt; undo req-edit once that is mended.")
        assert raised.value.context["not_put_back"] == ["a.txt"]
        assert tree(work) == {"a.txt": b"mine"}
        assert ids(changes) == ["req-edit"]

    def test_what_was_not_kept_is_not_said_to_be_back(
        self, changes: Changes, meddled: Meddled, work: Path
    ) -> None:
        (work / "folder").mkdir()
        meddled.before = {"b.txt": fail}

        with pytest.raises(IoFailed) as raised:
            changes.apply(EDIT, meddled, [delete("folder"), write("b.txt", b"b")])
        assert raised.value.context["not_put_back"] == ["folder"]

    def test_a_file_that_changes_while_others_are_written_is_left_alone(
        self, changes: Changes, meddled: Meddled, work: Path
    ) -> None:
        (work / "b.txt").write_bytes(b"old")
        meddled.before = {"a.txt": lambda: (work / "b.txt").write_bytes(b"mine")}

        with pytest.raises(StaleFile) as raised:
            changes.apply(EDIT, meddled, [write("a.txt", b"new"), write("b.txt", b"new")])
        assert raised.value.detail.endswith("was put back: nothing is changed.")
        assert tree(work) == {"b.txt": b"mine"}
        assert ids(changes) == []

    def test_a_move_that_loses_its_target_to_another_leaves_both(
        self, changes: Changes, meddled: Meddled, work: Path
    ) -> None:
        (work / "b.txt").write_bytes(b"old")
        meddled.before = {"a.txt": lambda: (work / "c.txt").write_bytes(b"mine")}

        with pytest.raises(FileExists):
            changes.apply(EDIT, meddled, [write("a.txt", b"new"), move("b.txt", "c.txt")])
        assert tree(work) == {"b.txt": b"old", "c.txt": b"mine"}
        assert ids(changes) == []


def test_threads_that_change_one_file_at_once_lose_nothing(
    changes: Changes, root: LocalRoot, work: Path
) -> None:
    (work / "count.txt").write_bytes(b"0")
    stale: list[int] = []

    def count(worker: int) -> None:
        done = 0
        while done < 10:
            old = (work / "count.txt").read_bytes()
            try:
                changes.apply(
                    Request(f"req-{worker}-{done}"),
                    root,
                    [write("count.txt", b"%d" % (int(old) + 1), base=digest(old))],
                )
                done += 1
            except StaleFile:
                stale.append(worker)

    threads = [Thread(target=count, args=(worker,)) for worker in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)

    assert (work / "count.txt").read_bytes() == b"40"
    assert len(list(changes.journal.entries())) == 40


def test_every_path_that_may_be_another_now_is_told(tmp_path: Path, root: LocalRoot, work: Path) -> None:
    told: list[tuple[str, str]] = []
    changes = Changes(Journal(tmp_path / "told"), lambda changed, path: told.append((changed.key, path)))
    (work / "old").write_text("old")
    moved = Change(path="old", act=Act.MOVE, moved_to="new")
    entry = changes.apply(EDIT, root, [Change(path="a", data=b"a"), moved])
    assert told == [(root.key, path) for path in ("a", "old", "new")]
    told.clear()
    changes.undo(Request("req-undo"), entry, root)
    assert told == [(root.key, path) for path in ("new", "old", "a")]


def test_paths_of_a_change_that_failed_half_way_are_told_too(
    tmp_path: Path, root: LocalRoot, work: Path
) -> None:
    told: list[str] = []
    changes = Changes(Journal(tmp_path / "told"), lambda _, path: told.append(path))
    with pytest.raises(DirectoryNotFound):
        changes.apply(EDIT, root, [Change(path="a", data=b"a"), Change(path="no/where", data=b"b")])
    assert told == ["a", "no/where"]
    assert list(work.iterdir()) == []
