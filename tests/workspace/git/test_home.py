import os
from pathlib import Path

import pytest
from tests.workspace.repository import git, make

from toolpost.errors import GitFailed, InvalidPath
from toolpost.limits import GIT_POINTER_BYTES
from toolpost.workspace.git.home import Home, find


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make(tmp_path / "repository")


def refused(folder: Path, root: Path | None = None) -> str:
    with pytest.raises(GitFailed) as caught:
        find(folder, root or folder)
    return str(caught.value.context.get("reason", caught.value.detail))


def test_a_repository_is_found_from_any_folder_in_it(folder: Path) -> None:
    home = Home(folder, folder / ".git", folder / ".git", folder)
    assert find(folder, folder) == find(folder / "src", folder) == home
    assert (home.is_inside, home.cwd) == (True, folder)


def test_the_nearest_repository_is_the_one(folder: Path) -> None:
    make(folder / "vendor" / "inner")
    assert find(folder / "vendor" / "inner" / "src", folder).top == folder / "vendor" / "inner"
    assert find(folder / "vendor", folder).top == folder


def test_a_repository_above_the_root_is_not_looked_for(folder: Path) -> None:
    assert refused(folder / "src") == "not_a_repository"


def test_a_bare_repository_is_found_only_as_the_root_itself(folder: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(folder), "bare.git")
    bare = tmp_path / "bare.git"
    assert find(bare, bare) == Home(None, bare, bare, bare)
    assert refused(bare, tmp_path) == "not_a_repository"


def test_a_folder_reached_through_a_link_out_of_the_root_is_refused(folder: Path, tmp_path: Path) -> None:
    root = make(tmp_path / "root")
    (root / "link").symlink_to(folder)
    with pytest.raises(InvalidPath):
        find(root / "link", root)


def test_a_linked_worktree_is_opened_where_its_repository_names_it_back(folder: Path, tmp_path: Path) -> None:
    git(folder, "worktree", "add", "-q", str(tmp_path / "tree"))
    home = find(tmp_path / "tree", tmp_path / "tree")
    assert home == Home(
        tmp_path / "tree", folder / ".git" / "worktrees" / "tree", folder / ".git", tmp_path / "tree"
    )
    assert not home.is_inside


def test_a_worktree_file_somebody_else_wrote_is_refused(folder: Path, tmp_path: Path) -> None:
    git(folder, "worktree", "add", "-q", str(tmp_path / "tree"))
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    (stranger / ".git").write_text((tmp_path / "tree" / ".git").read_text())
    assert refused(stranger) == "leaves_root"


def test_a_git_file_that_names_a_strangers_repository_is_refused(folder: Path, tmp_path: Path) -> None:
    for at in (str(folder / ".git"), "../repository/.git", str(tmp_path / "nothing")):
        stranger = tmp_path / "stranger"
        stranger.mkdir(exist_ok=True)
        (stranger / ".git").write_text(f"gitdir: {at}\n")
        assert refused(stranger) == "leaves_root"


def test_a_git_link_that_leaves_the_root_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "stranger").mkdir()
    (tmp_path / "stranger" / ".git").symlink_to(folder / ".git")
    assert refused(tmp_path / "stranger") == "leaves_root"
    assert find(tmp_path / "stranger", tmp_path).folder == folder / ".git"


def test_a_submodule_is_opened_where_its_repository_works_in_it(folder: Path, tmp_path: Path) -> None:
    above = make(tmp_path / "above")
    git(above, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(folder), "sub")
    home = find(above / "sub", above / "sub")
    assert (home.folder, home.common) == (
        above / ".git" / "modules" / "sub",
        above / ".git" / "modules" / "sub",
    )
    (above / "other").mkdir()
    (above / "other" / ".git").write_text("gitdir: ../.git/modules/sub\n")
    assert refused(above / "other") == "leaves_root"
    assert find(above / "other", above).folder == home.folder


def test_a_common_folder_outside_the_root_is_refused(folder: Path, tmp_path: Path) -> None:
    own = make(tmp_path / "own")
    (own / ".git" / "commondir").write_text(f"{folder}/.git\n")
    assert refused(own) == "leaves_root"
    (own / ".git" / "commondir").write_text(".\n")
    assert find(own, own).common == own / ".git"


@pytest.mark.parametrize(
    "text", ["", "nothing", "gitdir", "gitdir: a\0b", "gitdir: " + "x" * GIT_POINTER_BYTES]
)
def test_a_git_file_that_says_nothing_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / ".git").write_text(text)
    assert "git" in refused(tmp_path)


def test_a_git_file_that_is_a_fifo_or_a_circle_keeps_nobody_waiting(tmp_path: Path) -> None:
    for name in ("fifo", "circle"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "fifo" / ".git")
    (tmp_path / "circle" / ".git").symlink_to(".git")
    assert "does not say" in refused(tmp_path / "fifo")
    assert "cannot be read" in refused(tmp_path / "circle")
