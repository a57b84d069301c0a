"""A writer killed or failed at any system call: readers have the old state or the new one, and gc tidies up."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.crash.points import WAIT_S, Outcome, every_point
from tests.index.disk.samples import build, doc

from toolpost.index.disk.docs import doc_of
from toolpost.index.disk.generations import Busy, Folder
from toolpost.index.disk.mapped import latest
from toolpost.index.model import Doc

OLD = [doc("a.txt", b"old\n"), doc("b.txt", b"old\n" * 5_000)]
NEW = [doc("a.txt", b"new\n" * 3_000), doc("c.txt", b"new\n")]

SCRIPT = """
from tests.index.disk.samples import AT
from tests.index.disk.test_crash import NEW
from toolpost.index.disk.generations import Folder
from toolpost.index.disk.writer import add_trigrams, write_generation

def ready(folder):
    return Folder(folder / "{name}")

def act(folder):
    {act}
"""
WRITE = """\
with folder.writing() as writing:
        write_generation(writing, iter(NEW), generated_at=AT)
        writing.sweep()
"""
ADD = """\
with folder.writing() as writing:
        assert add_trigrams(writing, folder.current(), {{"tri.grams": b"abc" * 50_000}}) is not None
"""
GC = "folder.gc()"
CLEAR = """\
with folder.writing() as writing:
        writing.clear()
"""
NAME = "0" * 32


def script(act: str) -> str:
    return SCRIPT.format(name=NAME, act=act.format())


def make(place: Path) -> None:
    build(Folder(place / NAME), OLD)


def make_superseded(place: Path) -> None:
    make(place)
    build(Folder(place / NAME), NEW)


def docs(place: Path) -> list[Doc]:
    """All that is read there; none where there is nothing."""
    base = latest(Folder(place / NAME))
    return [] if base is None else [doc_of(base, number) for number in range(base.count)]


def is_tidy(place: Path) -> bool:
    """After gc only what `current` names is left, and somebody else can write."""
    folder = Folder(place / NAME)
    folder.gc()
    now = folder.current()
    named = set() if now is None else {"current", *(folder.file(now, kind).name for kind in now.files)}
    left = {path.name for path in folder.path.iterdir()} if folder.path.exists() else set()
    build(folder, OLD)
    return left - {"lock"} == named and docs(place) == OLD


def test_a_generation_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    def check(place: Path, outcome: Outcome) -> None:
        left = docs(place)
        assert left in (OLD, NEW)
        assert left == NEW or outcome is not Outcome.DONE
        assert is_tidy(place)

    seen = every_point(script(WRITE), tmp_path, make, check)
    assert seen[Outcome.KILLED] > 20
    assert seen[Outcome.REFUSED] > 40


def test_a_first_generation_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    def check(place: Path, outcome: Outcome) -> None:
        left = docs(place)
        assert left in ([], NEW)
        assert left == NEW or outcome is not Outcome.DONE
        assert is_tidy(place)

    seen = every_point(script(WRITE), tmp_path, lambda _: None, check)
    assert seen[Outcome.KILLED] > 20


def test_trigrams_are_there_whole_or_not_at_all(tmp_path: Path) -> None:
    def check(place: Path, outcome: Outcome) -> None:
        base = latest(Folder(place / NAME))
        assert base is not None
        assert docs(place) == OLD
        if base.trigrams is None:
            assert outcome is not Outcome.DONE
        else:
            assert bytes(base.trigrams.array("tri.grams")) == b"abc" * 50_000
        assert is_tidy(place)

    seen = every_point(script(ADD), tmp_path, make, check)
    assert seen[Outcome.KILLED] > 10


def test_gc_that_is_cut_short_takes_nothing_that_is_needed(tmp_path: Path) -> None:
    def check(place: Path, _outcome: Outcome) -> None:
        assert docs(place) == NEW
        assert is_tidy(place)

    seen = every_point(script(GC), tmp_path, make_superseded, check)
    assert seen[Outcome.KILLED] >= 4


def test_a_removal_that_is_cut_short_leaves_the_state_or_none(tmp_path: Path) -> None:
    def check(place: Path, outcome: Outcome) -> None:
        left = docs(place)
        assert left in (OLD, [])
        assert left == [] or outcome is not Outcome.DONE
        assert is_tidy(place)

    seen = every_point(script(CLEAR), tmp_path, make, check)
    assert seen[Outcome.KILLED] >= 5


HOLDING = """
import sys
from pathlib import Path
from toolpost.index.disk.generations import Folder

with Folder(Path(sys.argv[1])).writing():
    print("writing", flush=True)
    sys.stdin.read()
"""


def test_another_process_that_writes_is_seen_and_one_that_was_killed_does_not_hold_anybody_up(
    tmp_path: Path,
) -> None:
    folder = Folder(tmp_path / "tree")
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDING, os.fspath(folder.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == b"writing\n"
        with pytest.raises(Busy):
            build(folder)
        assert folder.gc() == 0
    finally:
        other.kill()
        other.communicate(timeout=WAIT_S)
    assert build(folder).number == 1


BUILDING = """
import sys
from pathlib import Path
from tests.index.disk.samples import build
from tests.index.disk.test_crash import NEW, OLD
from toolpost.index.disk.generations import Busy, Folder

folder = Folder(Path(sys.argv[1]))
for number in range(20):
    try:
        build(folder, OLD if number % 2 else NEW)
    except Busy:
        pass
    folder.gc()
print("done", flush=True)
"""


def test_readers_always_see_one_whole_state_while_others_write_and_tidy_up(tmp_path: Path) -> None:
    """Two processes build and tidy up in turn; what is opened meanwhile is one of the states, never a mix."""
    make(tmp_path)
    command = [sys.executable, "-c", BUILDING, os.fspath(tmp_path / NAME)]
    writers = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    seen = 0
    try:
        while any(writer.poll() is None for writer in writers):
            assert docs(tmp_path) in (OLD, NEW)
            seen += 1
    finally:
        ended = [writer.communicate(timeout=WAIT_S)[0] for writer in writers]
    assert ended == [b"done\n", b"done\n"]
    assert seen > 0
    assert is_tidy(tmp_path)
