from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.index.build.trees import write
from tests.index.test_indexes import damage
from tests.workspace.repository import commit, make

from toolpost.index.disk.shelf import Shelf
from toolpost.index.finder import SCANNED, find
from toolpost.index.indexes import Indexes
from toolpost.workspace.git.root import GitRoot
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Root
from toolpost.workspace.walking.patterns import Pattern
from toolpost.workspace.walking.scope import Scope
from toolpost.workspace.walking.within import Hit, Question
from toolpost.workspace.workspace import Workspace

TREE = {"a.ts": b"one\nhit\n", "b/c.py": b"hit hit\n", "z": b"none\n"}
HIT = Question(pattern=Pattern("hit"))


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    write(tmp_path / "tree", TREE)
    with closing(Workspace({"tree": LocalRoot(tmp_path / "tree")})) as made:
        yield made


@pytest.fixture
def indexes(tmp_path: Path) -> Iterator[Indexes]:
    with closing(Indexes(Shelf(tmp_path / "cache"), is_watching=False)) as made:
        yield made


def lines(hits: list[Hit]) -> list[tuple[str, int]]:
    return [(hit.path, hit.line) for hit in hits]


def searched(
    workspace: Workspace, indexes: Indexes | None, path: str = ""
) -> tuple[list[tuple[str, int]], str]:
    found = find(Scope(workspace, path), HIT, indexes=indexes, limit=50)
    return lines(found.answer.hits), found.freshness


BOTH = [("a.ts", 2), ("b/c.py", 1)]


def test_the_files_are_searched_until_there_is_an_index(workspace: Workspace, indexes: Indexes) -> None:
    (root,) = workspace.roots.values()
    assert searched(workspace, None) == (BOTH, SCANNED)
    assert searched(workspace, indexes) == (BOTH, SCANNED)
    indexes.build(root)
    assert searched(workspace, indexes) == (BOTH, "checked")
    assert searched(workspace, indexes, "b") == (BOTH[1:], "checked")


def test_a_question_no_index_can_answer_is_put_to_the_files(workspace: Workspace, indexes: Indexes) -> None:
    (root,) = workspace.roots.values()
    indexes.build(root)
    question = Question(pattern=Pattern("hit"), ignored=True)
    assert find(Scope(workspace, ""), question, indexes=indexes, limit=5).freshness == SCANNED


@pytest.mark.parametrize("kind", ["text", "tri"])
def test_a_damaged_index_is_let_go_of_and_mended(workspace: Workspace, tmp_path: Path, kind: str) -> None:
    (root,) = workspace.roots.values()
    shelf = Shelf(tmp_path / "cache")
    with closing(Indexes(shelf, is_watching=False)) as indexes:
        indexes.build(root)
    damage(shelf, kind)
    with closing(Indexes(shelf, is_watching=False)) as indexes:
        assert searched(workspace, indexes) == (BOTH, SCANNED)
        for thread in indexes._threads:
            thread.join(60)
        assert searched(workspace, indexes) == (BOTH, "checked")


def test_a_file_that_changed_since_the_last_look_is_shown_as_it_is(
    workspace: Workspace, indexes: Indexes, tmp_path: Path
) -> None:
    (root,) = workspace.roots.values()
    indexes.build(root)
    assert searched(workspace, indexes) == (BOTH, "checked")
    write(tmp_path / "tree", {"a.ts": b"hit\nhit\n"})  # nobody tells: there is no watcher
    (tmp_path / "tree/b/c.py").unlink()
    assert searched(workspace, indexes) == ([("a.ts", 1), ("a.ts", 2)], "checked")


@pytest.mark.parametrize("is_indexed", [True, False])
def test_a_page_can_be_ranked(workspace: Workspace, indexes: Indexes, *, is_indexed: bool) -> None:
    (root,) = workspace.roots.values()
    if is_indexed:
        indexes.build(root)
    found = find(Scope(workspace, ""), HIT, indexes=indexes, limit=50, rank=lambda hit: hit.path.count("/"))
    assert lines(found.answer.hits) == [("b/c.py", 1), ("a.ts", 2)]
    assert found.freshness == ("checked" if is_indexed else SCANNED)


def test_of_several_trees_the_least_sure_is_told(tmp_path: Path, indexes: Indexes) -> None:
    write(tmp_path / "tree", TREE)
    repository = make(tmp_path / "repository", {})
    write(repository, TREE)
    commit(repository, {}, "all")
    roots: dict[str, Root] = {"old": GitRoot(repository, "main"), "new": LocalRoot(tmp_path / "tree")}
    with closing(Workspace(roots)) as workspace:
        for root in roots.values():
            indexes.build(root)
        found, freshness = searched(workspace, indexes)
        assert found == [("new/a.ts", 2), ("new/b/c.py", 1), ("old/a.ts", 2), ("old/b/c.py", 1)]
        assert freshness == "built"
        assert searched(workspace, indexes, "new")[1] == "checked"
