from pathlib import Path

import pytest
from tests.fakes.github import GitHubServer
from tests.workspace.repository import commit, make

from toolpost.errors import DirectoryNotFound, InvalidArgument
from toolpost.workspace.opening import Opener
from toolpost.workspace.root import Root


def read(root: Root, path: str) -> bytes:
    with root.open(path) as source:
        return source.stream.read()


def close(roots: dict[str, Root]) -> None:
    for root in roots.values():
        root.close()


def test_a_folder_is_a_root_named_after_it(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    roots = Opener(folder=tmp_path).open(["shop"])
    assert {name: root.location for name, root in roots.items()} == {"shop": str(tmp_path / "shop")}
    close(roots)


def test_folders_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for folder in ("a/src", "b/src", "c/src"):
        (tmp_path / folder).mkdir(parents=True)
    roots = Opener(folder=tmp_path).open(["a/src", "b/src", "c/src"])
    assert list(roots) == ["src", "src-2", "src-3"]
    close(roots)


def test_a_revision_is_read_without_checking_it_out(tmp_path: Path) -> None:
    repository = make(tmp_path / "re@po", {"a.txt": "first\n"})
    commit(repository, {"a.txt": "second\n"}, "second")
    roots = Opener(folder=tmp_path).open(["git:re@po@HEAD~1", "re@po"])
    assert [read(root, "a.txt") for root in roots.values()] == [b"first\n", b"second\n"]
    close(roots)


@pytest.mark.parametrize("spec", ["git:", "git:repo", "git:@main", "git:repo@"])
def test_a_revision_needs_a_repository_and_a_name(tmp_path: Path, spec: str) -> None:
    with pytest.raises(InvalidArgument, match="write git:PATH@REVISION"):
        Opener(folder=tmp_path).open([spec])


def test_a_repository_on_github_is_read_where_its_api_is_said_to_be(tmp_path: Path) -> None:
    with GitHubServer() as server:
        server.switches.tokens = {"ghp_valid"}
        server.repository("ada/shop", {"a.txt": b"far away\n"})
        opener = Opener(folder=tmp_path, github_url=server.url, environment={"GH_TOKEN": "ghp_valid"})
        roots = opener.open(["github:ada/shop"])
        assert {name: read(root, "a.txt") for name, root in roots.items()} == {"shop": b"far away\n"}
        assert {asked.token for asked in server.log} == {"Bearer ghp_valid"}
        close(roots)


def test_github_alone_is_a_workspace_that_nothing_is_connected_to_yet(tmp_path: Path) -> None:
    assert Opener(folder=tmp_path).open(["github:"]) == {}


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(DirectoryNotFound):
        Opener(folder=tmp_path).open(["nowhere"])
