from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.tools.git_desk import Desk
from tests.workspace.repository import commit, git, make

from toolpost.errors import (
    Denied,
    FileNotFound,
    FileTooLarge,
    InvalidArgument,
    InvalidPath,
    NotAFile,
    NotText,
)
from toolpost.tools.git import files as git_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = make(tmp_path / "repository", {"a.txt": "one\n", "src/b.txt": "1\n2\n3\n", ".env": "TOKEN=1\n"})
    commit(
        folder, {"a.txt": "two\n", "src/b.txt": "1\n2\n3\n4\n", ".env": "TOKEN=hush\n"}, "Second\n\nA body"
    )
    return folder


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    made = Desk(folder)
    yield made
    made.close()


def test_a_commit_is_shown_with_its_changes(folder: Path, desk: Desk) -> None:
    found = desk.data("show")
    assert found["kind"] == "commit"
    assert (found["commit"]["subject"], found["commit"]["body"]) == ("Second", "A body")
    assert [(file["path"], file["withheld"]) for file in found["files"]] == [
        (".env", True),
        ("a.txt", False),
        ("src/b.txt", False),
    ]
    assert found["patch"] == git(folder, "diff", "HEAD~1", "HEAD", "--", "a.txt", "src") + "\n"
    assert "hush" not in str(desk.call("show"))
    assert desk.text("show").startswith(f"{found['commit']['commit'][:10]} 2026-01-02 Ada: Second")


def test_a_folder_limits_what_is_shown_of_a_commit(desk: Desk) -> None:
    assert [file["path"] for file in desk.data("show", path="src")["files"]] == ["src/b.txt"]


def test_the_first_commit_is_compared_with_nothing(desk: Desk) -> None:
    assert [file["change"] for file in desk.data("show", ref="HEAD~1")["files"]] == ["added"] * 3


def test_a_merge_is_compared_with_its_first_parent(folder: Path, desk: Desk) -> None:
    git(folder, "checkout", "-q", "-b", "topic", "HEAD~1")
    commit(folder, {"topic.txt": "t\n"}, "topic")
    git(folder, "checkout", "-q", "main")
    git(folder, "merge", "-q", "--no-edit", "topic")
    assert [file["path"] for file in desk.data("show")["files"]] == ["topic.txt"]


def test_a_repository_with_longer_hashes_is_shown_too(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256", "-b", "main", "new")
    commit(tmp_path / "new", {"a.txt": "one\n"}, "first")
    desk = Desk(tmp_path / "new")
    found = desk.data("show")
    assert (len(found["commit"]["commit"]), found["files"][0]["path"]) == (64, "a.txt")
    desk.close()


def test_a_file_is_shown_as_it_was(folder: Path, desk: Desk) -> None:
    assert desk.data("show", ref="HEAD~1", path="src/b.txt") == {
        "kind": "file",
        "path": "src/b.txt",
        "commit": git(folder, "rev-parse", "HEAD~1"),
        "content": "1\n2\n3\n",
        "size_bytes": 6,
        "truncated": False,
        "start_line": 1,
        "end_line": 3,
        "next_start_line": None,
        "total_lines": 3,
    }
    assert desk.call("show", path="a.txt").usage == {"read_bytes": 4}


def test_a_part_of_a_file_says_how_to_go_on(desk: Desk) -> None:
    found = desk.call("show", path="src/b.txt", start_line=2, end_line=3)
    assert (desk.text("show", path="src/b.txt", start_line=2, end_line=3), found.notes) == (
        "2\n3\n",
        ("The file goes on: start_line=4.",),
    )


@pytest.mark.parametrize("path", [".env", "./.env", "src/../.env"])
def test_a_secret_file_is_refused_however_it_is_named(desk: Desk, path: str) -> None:
    with pytest.raises(Denied):
        desk.call("show", path=path)


@pytest.mark.parametrize(
    "ref", [":a.txt", ":0:a.txt", ":/Second", "HEAD:a.txt", "HEAD:.env", "HEAD:../x", "main:"]
)
def test_a_ref_that_names_a_file_or_what_is_staged_is_not_taken_for_a_commit(desk: Desk, ref: str) -> None:
    with pytest.raises(InvalidArgument, match="a file is named by `path`") as caught:
        desk.call("show", ref=ref)
    assert caught.value.parameter == "ref"


def test_what_is_no_file_of_the_commit_is_said_to_be(
    folder: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "data.bin").write_bytes(bytes(range(256)))
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{git(folder, 'rev-parse', 'HEAD')},sub")
    git(folder, "add", "data.bin")
    git(folder, "commit", "-q", "-m", "odd")
    with pytest.raises(FileNotFound):
        desk.call("show", path="nothing.txt")
    with pytest.raises(NotText):
        desk.call("show", path="data.bin")
    with pytest.raises(NotAFile, match="submodule"):
        desk.call("show", path="sub")
    with pytest.raises(InvalidPath):
        desk.call("show", path="../x")
    monkeypatch.setattr(git_files, "SEARCH_FILE_BYTES", 2)
    with pytest.raises(FileTooLarge):
        desk.call("show", path="a.txt")
