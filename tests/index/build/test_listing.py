import os
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.index.build.trees import full, unprivileged, write
from tests.workspace.memory import MemoryRoot

from toolpost.errors import IoFailed, LimitExceeded
from toolpost.index.build import listing
from toolpost.index.build.listing import LocalListing, Run, runs
from toolpost.index.model import Stamp
from toolpost.limits import WALK_DEPTH
from toolpost.workspace.local.bulk import Bulk
from toolpost.workspace.root import Kind
from toolpost.workspace.walking.walk import walk


@pytest.fixture
def bulk(tmp_path: Path) -> Iterator[Bulk]:
    made = Bulk(tmp_path)
    yield made
    made.close()


def paths(found: Iterator[Run]) -> list[str]:
    return list(chain.from_iterable((run.path(at) for at in range(len(run.names))) for run in found))


def walked(root: Bulk) -> list[str]:
    return [entry.path for entry in walk(root) if entry.kind is Kind.FILE]


def test_every_sort_of_file_is_listed_as_a_walk_lists_it(bulk: Bulk, tmp_path: Path) -> None:
    full(tmp_path)
    found = paths(LocalListing(bulk).runs())
    assert [path for path in found if path != "caf\udce9.ts"] == walked(bulk)
    assert "caf\udce9.ts" in found
    assert found == sorted(found, key=os.fsencode)


def test_runs_break_where_a_folder_comes_between(bulk: Bulk, tmp_path: Path) -> None:
    write(tmp_path, {"a-b": b"", "a.c": b"", "a/b": b"", "a/c": b"", "b": b"", "empty/.git/x": b""})
    assert list(LocalListing(bulk).runs()) == [Run("", ["a-b", "a.c"]), Run("a", ["b", "c"]), Run("", ["b"])]


def test_stamps_are_told_where_they_are_asked_for(bulk: Bulk, tmp_path: Path) -> None:
    write(tmp_path, {"a": b"one", "b": b""})
    told = [(tmp_path / name).stat() for name in "ab"]
    stamps = [Stamp(each.st_size, each.st_mtime_ns, each.st_ctime_ns, each.st_ino) for each in told]
    assert list(LocalListing(bulk, stamps=True).runs()) == [Run("", ["a", "b"], stamps)]


def test_a_folder_that_cannot_be_entered_is_passed_over(bulk: Bulk, tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9")).mkdir()
    write(
        tmp_path,
        {
            "x": b"",
            "/".join(["d"] * (WALK_DEPTH - 1)) + "/in": b"",
            "/".join(["d"] * WALK_DEPTH) + "/out": b"",
        },
    )
    (tmp_path / os.fsdecode(b"caf\xe9") / "y").write_bytes(b"")
    assert paths(LocalListing(bulk).runs()) == walked(bulk)


def test_a_folder_that_goes_meanwhile_is_passed_over(bulk: Bulk, tmp_path: Path) -> None:
    write(tmp_path, {"a": b"", "b/c": b"", "d/e": b"", "f": b""})
    found = LocalListing(bulk).runs()
    assert next(found) == Run("", ["a"])
    (tmp_path / "b/c").unlink()
    (tmp_path / "b").rmdir()
    (tmp_path / "b").symlink_to("d")
    assert paths(found) == ["d/e", "f"]


def test_a_folder_we_may_not_list_is_passed_over_unless_it_is_the_root(bulk: Bulk, tmp_path: Path) -> None:
    write(tmp_path, {"a": b"", "shut/x": b"", "z": b""})
    tmp_path.chmod(0o755)
    (tmp_path / "shut").chmod(0o311)
    with unprivileged():
        assert paths(LocalListing(bulk).runs()) == walked(bulk) == ["a", "z"]
    tmp_path.chmod(0o311)
    with unprivileged(), pytest.raises(IoFailed):
        list(LocalListing(bulk).runs())
    tmp_path.chmod(0o755)


def test_too_many_entries_are_said(bulk: Bulk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a/b": b"", "c": b""})
    monkeypatch.setattr(listing, "WALK_ENTRIES", 3)
    assert len(paths(LocalListing(bulk).runs())) == 2
    write(tmp_path, {"a/d": b""})
    with pytest.raises(LimitExceeded):
        list(LocalListing(bulk).runs())


def test_any_tree_is_listed_by_a_walk() -> None:
    root = MemoryRoot({"a/b": b"one", "a/c": b"", "d": b""}, kinds={"d": Kind.LINK})
    assert list(runs(root)) == [Run("a", ["b", "c"], [Stamp(3), Stamp(0)])]


NAMES = st.sampled_from(["a", "b", "ab", "a.log", "b.log", "src", "a-b", "ä", "x\ny", "__pycache__", ".a"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
RULE = st.sampled_from(
    [
        "*.log",
        "a",
        "/a",
        "src/",
        "!a.log",
        "a/b",
        "**/b",
        "a/**",
        "?",
        "*",
        "!*/",
        "[ab]",
        "src/*.log",
        "/src/a*",
        "\\ä",
        "x*y",
        "a/*/b",
    ]
)
IGNORES = st.dictionaries(
    st.tuples(PATHS | st.just(""), st.sampled_from([".gitignore", ".ignore", ".toolpostignore"])),
    st.lists(RULE, max_size=4).map("\n".join),
    max_size=3,
)


@given(st.lists(PATHS, max_size=12), IGNORES)
def test_ignore_files_leave_out_what_they_leave_out_of_a_walk(
    tmp_path_factory: pytest.TempPathFactory, files: list[str], ignores: dict[tuple[str, str], str]
) -> None:
    folder = tmp_path_factory.mktemp("listed")
    ruled = {f"{place}/{name}".lstrip("/"): rules.encode() for (place, name), rules in ignores.items()}
    for name, data in {**dict.fromkeys(files, b""), **ruled}.items():
        try:
            write(folder, {name: data})
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            continue
    with closing(Bulk(folder)) as bulk:
        assert paths(LocalListing(bulk).runs()) == walked(bulk)
