import os
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest
from tests.index.build.trees import built, told, write
from tests.workspace.memory import MemoryRoot
from tests.workspace.repository import commit, git, make

from toolpost.errors import GitFailed
from toolpost.index.build import revision
from toolpost.index.build.revision import revision_runs, tells_ids
from toolpost.limits import SEARCH_FILE_BYTES
from toolpost.workspace.git.root import GitRoot
from toolpost.workspace.root import Kind
from toolpost.workspace.walking.walk import walk


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = make(tmp_path / "repository", {})
    write(
        made,
        {
            "a-b": b"1\n",
            "a.c": b"2\n",
            "a/b": b"3\n",
            "a/d/e.ts": b"export const e = 1\n",
            "z": b"",
            ".env": b"",
        },
    )
    (made / "link").symlink_to("a")
    (made / os.fsdecode(b"caf\xe9")).mkdir()
    (made / os.fsdecode(b"caf\xe9") / "x").write_bytes(b"")
    commit(made, {}, "all")
    return made


@pytest.fixture
def root(folder: Path) -> Iterator[GitRoot]:
    with closing(GitRoot(folder, "main")) as made:
        yield made


def test_files_come_in_the_order_of_a_walk_with_their_ids(root: GitRoot, folder: Path) -> None:
    runs = list(revision_runs(root))
    found = dict(
        chain.from_iterable(
            (((run.path(at), run.blob_ids[at].hex())) for at in range(len(run.names))) for run in runs
        )
    )
    files = [entry.path for entry in walk(root) if entry.kind is Kind.FILE]
    assert list(found) == [path for path in files if not path.startswith("caf")]
    assert found["a/d/e.ts"] == git(folder, "rev-parse", "HEAD:a/d/e.ts")
    assert {stamp.modified_ns for run in runs for stamp in run.stamps} == {1767323045 * 10**9}


def test_contents_are_asked_for_in_batches(
    root: GitRoot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(root, tmp_path / "one")
    monkeypatch.setattr(revision, "INDEX_FETCH_FILES", 2)
    built(root, tmp_path / "two")
    monkeypatch.setattr(revision, "INDEX_FETCH_BYTES", 1)
    built(root, tmp_path / "three")
    assert told(tmp_path / "one") == told(tmp_path / "two") == told(tmp_path / "three")


def test_a_large_file_is_not_asked_for(folder: Path, tmp_path: Path) -> None:
    write(folder, {"huge.txt": b"x" * (SEARCH_FILE_BYTES + 1)})
    commit(folder, {}, "huge")
    with closing(GitRoot(folder, "main")) as root:
        built(root, tmp_path / "index")
    assert [(file["path"], file["passed"]) for file in told(tmp_path / "index") if file["passed"]] == [
        (".env", "secret"),
        ("huge.txt", "too_large"),
    ]


def test_a_missing_object_is_said(folder: Path, tmp_path: Path) -> None:
    sha = git(folder, "rev-parse", "HEAD:a.c")
    with closing(GitRoot(folder, "main")) as root:
        list(revision_runs(root))
        (folder / ".git/objects" / sha[:2] / sha[2:]).unlink()
        with pytest.raises(GitFailed):
            built(root, tmp_path / "index")


def test_a_repository_of_sha_256_is_read_file_by_file(tmp_path: Path) -> None:
    folder = tmp_path / "long"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main", "--object-format=sha256")
    commit(folder, {"a.ts": "export const a = 1\n"}, "first")
    with closing(GitRoot(folder, "main")) as root:
        assert not tells_ids(root)
        built(root, tmp_path / "index")
    assert [(file["path"], file["text"]) for file in told(tmp_path / "index")] == [
        ("a.ts", b"export const a = 1\n")
    ]
    assert not tells_ids(MemoryRoot({}))
