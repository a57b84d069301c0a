import tracemalloc
from collections.abc import Iterator
from random import Random

import pytest
from tests.workspace.memory import MemoryRoot

from toolpost.errors import Denied, DirectoryNotFound, InvalidDirectory, LimitExceeded
from toolpost.limits import WALK_DEPTH
from toolpost.workspace.root import Entry, Kind
from toolpost.workspace.walking import walk as walking
from toolpost.workspace.walking.walk import Walk, first, folder, order, walk

TREE = {
    "a-b": b"",
    "a.c": b"",
    "a/b": b"",
    "a/.hid/x": b"",
    "z": b"",
    "ä": b"",
    "\udcff": b"",
    "\U0001f600": b"",
    ".git/config": b"",
    "empty/": b"",
}


class Crowd(MemoryRoot):
    """One folder of very many files, made up as they are listed."""

    def __init__(self, count: int) -> None:
        super().__init__({})
        self.count = count

    def scan(self, path: str) -> Iterator[Entry]:
        numbers = Random(7)
        return (
            Entry(f"{number:06d}-{numbers.random()}", Kind.FILE)
            for number in (numbers.randrange(1_000_000) for _ in range(self.count))
        )


def _paths(entries: Iterator[Entry]) -> list[str]:
    return [entry.path for entry in entries]


def test_entries_come_in_the_order_of_their_bytes_a_folder_with_its_slash() -> None:
    assert _paths(walk(MemoryRoot(TREE))) == [
        *("a-b", "a.c", "a", "a/.hid", "a/.hid/x", "a/b", "empty", "z", "ä", "\U0001f600", "\udcff"),
    ]


def test_the_git_folder_is_never_shown() -> None:
    root = MemoryRoot({".git/config": b"", "sub/.git": b"", "sub/a": b"", ".github/x": b""})
    assert _paths(walk(root, ignored=True)) == [".github", ".github/x", "sub", "sub/a"]


def test_names_with_a_dot_can_be_left_out() -> None:
    root = MemoryRoot({".a": b"", ".b/c": b"", "d/.e": b"", "d/f": b""})
    assert _paths(walk(root, hidden=False)) == ["d", "d/f"]


def test_a_walk_goes_as_deep_as_asked() -> None:
    root = MemoryRoot({"a/b/c/d": b""})
    assert _paths(walk(root, depth=2)) == ["a", "a/b"]
    assert _paths(folder(root)) == ["a"]
    assert _paths(folder(root, "a/b")) == ["a/b/c"]


def test_a_walk_that_begins_below_keeps_the_rules_from_above() -> None:
    root = MemoryRoot({
        ".gitignore": b"*.o\n/a/b/skip\n",
        "a/.gitignore": b"!good.o\n",
        "a/b/x.o": b"",
        "a/b/good.o": b"",
        "a/b/skip": b"",
        "a/b/keep": b"",
    })  # fmt: skip
    assert _paths(walk(root, "a/b")) == ["a/b/good.o", "a/b/keep"]
    assert _paths(folder(root, "a/b")) == ["a/b/good.o", "a/b/keep"]
    assert first(root, "a/b", 9, lambda _entry: True) == (list(walk(root, "a/b")), 2)


def test_an_ignored_folder_is_walked_when_it_is_where_the_walk_begins() -> None:
    root = MemoryRoot({".gitignore": b"build/\n*.o\n", "build/a": b"", "build/b.o": b""})
    assert _paths(walk(root)) == [".gitignore"]
    assert _paths(walk(root, "build")) == ["build/a"]


def test_a_large_folder_without_ignore_files_is_not_listed_to_learn_that() -> None:
    root = MemoryRoot({"a/b/c": b""})
    assert _paths(walk(root, "a/b")) == ["a/b/c"]
    assert root.scanned == ["a/b"]


def test_links_and_special_files_are_shown_and_not_entered() -> None:
    root = MemoryRoot({"link": b"", "pipe": b""}, kinds={"link": Kind.LINK, "pipe": Kind.OTHER})
    assert list(walk(root)) == [Entry("link", Kind.LINK), Entry("pipe", Kind.OTHER)]


def test_a_folder_that_cannot_be_listed_is_passed_over_unless_the_walk_begins_there() -> None:
    root = MemoryRoot({"a/x": b"", "b/y": b""}, closed=frozenset({"a"}))
    steps = Walk(root)
    assert _paths(steps.below("")) == ["a", "b", "b/y"]
    assert steps.unlisted == 1
    with pytest.raises(Denied):
        list(walk(root, "a"))


@pytest.mark.parametrize(("path", "error"), [("nowhere", DirectoryNotFound), ("a", InvalidDirectory)])
def test_a_walk_of_no_folder_says_so(path: str, error: type[Exception]) -> None:
    root = MemoryRoot({"a": b""})
    with pytest.raises(error):
        list(walk(root, path))
    with pytest.raises(error):
        first(root, path, 1, lambda _entry: True)


def test_a_tree_without_end_is_walked_down_to_the_limit() -> None:
    deep = "/".join(["d"] * (WALK_DEPTH + 5))
    steps = Walk(MemoryRoot({f"{deep}/x": b""}))
    assert len(list(steps.below(""))) == WALK_DEPTH
    assert steps.unlisted == 1


def test_a_walk_of_too_many_entries_ends_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "WALK_ENTRIES", 3)
    assert len(list(walk(MemoryRoot({"a/b": b"", "c": b""})))) == 3
    with pytest.raises(LimitExceeded) as refused:
        list(walk(MemoryRoot({"a/b": b"", "a/c": b"", "d": b""})))
    assert refused.value.parameter == "path"


def test_a_walk_can_go_on_from_any_place() -> None:
    root = MemoryRoot(TREE)
    whole = list(walk(root))
    for entry in whole:
        since = order(entry)
        assert list(Walk(root, since=since).below("")) == [other for other in whole if order(other) >= since]
    assert list(Walk(root, since=b"a/between").below("")) == whole[6:]


def test_a_walk_that_goes_on_enters_no_folder_that_is_done() -> None:
    root = MemoryRoot({"a/x": b"", "b/x": b"", "b/y": b"", "c/x": b""})
    assert _paths(Walk(root, since=b"b/y").below("")) == ["b/y", "c", "c/x"]
    assert "a" not in root.scanned


def test_entries_left_out_take_their_folder_with_them() -> None:
    root = MemoryRoot({"a/x": b"", "b/x": b"", "y": b""})
    steps = Walk(root, leaves=lambda entry: entry.name in {"a", "y"})
    assert _paths(steps.below("")) == ["b", "b/x"]


def test_the_first_entries_of_a_crowded_folder_take_little_memory() -> None:
    crowd = Crowd(100_000)
    tracemalloc.start()
    entries, total = first(crowd, "", 50, lambda entry: not entry.path.startswith("0"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    passing = [entry for entry in crowd.scan("") if not entry.path.startswith("0")]
    assert entries == sorted(passing, key=order)[:50]
    assert total == len(passing)
    assert peak < 1_000_000
