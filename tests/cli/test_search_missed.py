"""What a search could not look at is told, and is not taken for what does not match."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.desk import Run, process

from toolpost.cli.searching.missed import Missed
from toolpost.errors import IoFailed
from toolpost.index.limits import SEARCH_TOLD
from toolpost.limits import SEARCH_FILE_BYTES

SLOW = ".{0,40}hello.{0,40}"
LONG = 1_500_000


@pytest.fixture(autouse=True)
def project(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(work.parent / "cache"))
    (work / "a.txt").write_text("hello\nworld\n")
    return work


@pytest.fixture(params=["scanned", "indexed"])
def is_indexed(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "indexed")


def built(run: Run, *, is_indexed: bool) -> None:
    if is_indexed:
        assert run("index", "build").code == 0


# Lines that are too long for a pattern.


def test_a_line_too_long_for_a_pattern_is_told_of(run: Run, project: Path) -> None:
    (project / "min.js").write_text("hello".rjust(LONG))

    shown = run("search", "-o", SLOW, "min.js")

    said = "1 line of 1,500,000 bytes was passed over: this pattern could take too long on it"
    assert shown == (2, "", f"note: min.js: {said}\n")


def test_what_is_passed_over_does_not_count_as_searched(run: Run, project: Path) -> None:
    (project / "min.js").write_text("hello".rjust(LONG))
    (project / "two.js").write_text(f"{'x' * LONG}\n{'y' * LONG}\nhello\n")

    whole = run("search", "--stats", SLOW, "min.js")
    part = run("search", "--stats", SLOW, "two.js")

    assert "\n0 files searched\n" in whole.out
    assert "\n0 bytes searched\n" in whole.out
    assert (part.code, part.out.splitlines()[0]) == (0, "3:hello")
    assert "\n1 files searched\n" in part.out
    assert "\n6 bytes searched\n" in part.out
    assert "two.js: 2 lines of 3,000,002 bytes were passed over" in part.err


def test_it_is_told_of_in_a_tree_too(run: Run, project: Path, *, is_indexed: bool) -> None:
    (project / "min.js").write_text("hello".rjust(LONG))
    built(run, is_indexed=is_indexed)

    shown = run("search", SLOW)

    assert (shown.code, shown.out) == (0, "a.txt:1:hello\n")
    assert shown.err.startswith("note: min.js: 1 line of")


def test_it_is_not_among_the_lines_that_do_not_match(run: Run, project: Path) -> None:
    (project / "min.js").write_text(f"{'hello'.rjust(LONG)}\nother\n")

    assert run("search", "-v", SLOW, "min.js").out == "2:other\n"


# Names that are not UTF-8, and none at all.


def test_a_name_that_is_not_utf8_is_told_of(project: Path) -> None:
    (project / os.fsdecode(b"bad\xff.txt")).write_text("hello\n")

    named = process("search", "hello", os.fsdecode(b"bad\xff.txt"), "a.txt", folder=project)

    said = "error: bad\\xff.txt cannot be opened: its name is not UTF-8.\n"
    assert named == (2, "a.txt:1:hello\n", said)


def test_files_with_such_names_in_a_tree_are_counted(run: Run, project: Path, *, is_indexed: bool) -> None:
    for name in (b"bad\xff.txt", b"bad\xfe.txt"):
        (project / os.fsdecode(name)).write_text("hello\n")
    built(run, is_indexed=is_indexed)

    said = "note: 2 files were left out: their names are not UTF-8.\n"
    assert run("search", "hello") == (0, "a.txt:1:hello\n", said)
    assert run("search", "--files") == (0, "a.txt\n", said)


def test_an_empty_path_is_refused(run: Run) -> None:
    said = "error: An empty path names nothing; . is the folder you are in.\n"

    assert run("search", "hello", "") == (2, "", said)


# What may not be read.


def unprivileged(*args: str, folder: Path) -> tuple[int, str, str]:
    """A run whose user may not read everything, as root may."""
    drop = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    if drop and shutil.which(drop[0]) is None:
        pytest.skip("root cannot give up its rights without setpriv")
    command = [*drop, sys.executable, "-m", "toolpost", *args]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


DENIED = "Permission denied (EACCES)"


def test_files_and_folders_that_cannot_be_read_are_told_of(project: Path, *, is_indexed: bool) -> None:
    (project / "no").mkdir()
    (project / "no/b.txt").write_text("hello\n")
    (project / "no.txt").write_text("hello\n")
    (project / "no.txt").chmod(0)
    (project / "no").chmod(0)
    if is_indexed:
        assert unprivileged("index", "build", folder=project)[0] == 0

    tree = unprivileged("search", "hello", folder=project)
    named = unprivileged("search", "hello", "no", folder=project)
    quiet = unprivileged("search", "-q", "hello", folder=project)

    assert tree[:2] == (2, "a.txt:1:hello\n")
    folder = [] if is_indexed else [f"error: no: {DENIED}"]  # an index knows files alone
    assert tree[2].splitlines() == [*folder, f"error: no.txt: {DENIED}"]
    assert named == (2, "", f"error: no: {DENIED}\n")
    assert quiet[:2] == (0, "")


def test_what_lies_in_a_folder_that_may_not_be_entered_is_told_of(project: Path) -> None:
    outside = project.parent / "outside"
    (outside / "deep").mkdir(parents=True)
    outside.chmod(0)

    shown = unprivileged("search", "hello", "../outside", "../outside/deep", folder=project)

    assert shown == (2, "", f"error: ../outside: {DENIED}\nerror: ../outside/deep: {DENIED}\n")


def test_each_thing_is_told_once_and_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    missed = Missed()
    for number in range(SEARCH_TOLD + 3):
        for _ in range(2 if number < SEARCH_TOLD else 1):
            missed.unreadable(f"{number}.txt", IoFailed("It broke.", parameter="path", errno="EIO"))
    missed.end()
    other = Missed()
    other.unreadable("a.txt", IoFailed("The remote is tired.", parameter="path"))

    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == [f"error: {number}.txt: Input/output error (EIO)" for number in range(2)]
    assert lines[SEARCH_TOLD:] == [
        "note: 3 more could not be searched.",
        "error: a.txt: The remote is tired.",
    ]
    assert (missed.is_unreadable, missed.is_passed) == (True, False)


def test_only_some_are_told_one_by_one(project: Path) -> None:
    for number in range(SEARCH_TOLD + 3):
        (project / f"{number}.txt").touch(mode=0)

    code, out, err = unprivileged("search", "hello", folder=project)

    assert (code, out) == (2, "a.txt:1:hello\n")
    assert len(err.splitlines()) == SEARCH_TOLD + 1
    assert err.endswith("note: 3 more could not be searched.\n")


# What is named is searched.


def test_an_ignored_folder_that_is_named_is_searched(run: Run, project: Path, *, is_indexed: bool) -> None:
    (project / ".gitignore").write_text("ignored/\n")
    (project / "ignored/deep").mkdir(parents=True)
    (project / "ignored/deep/b.txt").write_text("hello\n")
    built(run, is_indexed=is_indexed)

    assert run("search", "hello") == (0, "a.txt:1:hello\n", "")
    assert run("search", "hello", "ignored") == (0, "ignored/deep/b.txt:1:hello\n", "")
    assert run("search", "hello", "ignored/deep") == (0, "ignored/deep/b.txt:1:hello\n", "")


def test_json_tells_the_lines_of_a_binary_file_that_is_named(run: Run, project: Path) -> None:
    (project / "x.bin").write_bytes(b"ab\0hello\nhello x\n")

    told = [json.loads(line) for line in run("search", "--json", "hello", "x.bin").out.splitlines()]

    assert [one["type"] for one in told] == ["begin", "match", "match", "end", "summary"]
    assert told[1]["data"]["lines"] == {"text": "ab\0hello\n"}
    assert told[3]["data"]["binary_offset"] == 2
    assert run("search", "-c", "hello", "x.bin").out == "2\n"


def test_a_dash_is_stdin(run: Run, project: Path) -> None:
    alone = process("search", "hello", "-", stdin=b"x\nhello\n", folder=project)
    beside = run("search", "hello", "-", "a.txt", stdin=b"hello\n")
    large = run("search", "hello", "-", stdin=b"x" * (SEARCH_FILE_BYTES + 1))

    assert run("search", "--files", "-") == (0, "<stdin>\n", "")
    assert alone == (0, "2:hello\n", "")
    assert beside == (0, "<stdin>:1:hello\na.txt:1:hello\n", "")
    assert (large.code, large.out) == (2, "")
    assert large.err.startswith("error: More than 8,388,608 bytes came on stdin")
