import os
from collections.abc import Callable
from hashlib import sha1
from pathlib import Path

import pytest
from tests.workspace.repository import git, make

from toolpost.errors import GitFailed
from toolpost.workspace.git import vet as git_vet
from toolpost.workspace.git.command import Git
from toolpost.workspace.git.vet import vet_index


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make(tmp_path / "root" / "repository", {"aa/secret.txt": "one\n", "k.txt": "two\n"})


def refused(folder: Path, *command: str, root: Path | None = None) -> str:
    with pytest.raises(GitFailed) as caught:
        Git(folder, root=root).ask(*command)
    assert caught.value.context["reason"] == "leaves_root"
    return caught.value.detail


def forge(folder: Path, old: bytes, new: bytes) -> None:
    """An index as git would never write it."""
    file = folder / ".git" / "index"
    body = file.read_bytes()[:-20].replace(old, new)
    file.write_bytes(body + sha1(body, usedforsecurity=False).digest())


@pytest.mark.parametrize(
    "name", [b"../secret.txt", b".git/hooks/ab", b"/tmp/ab.txtab", b"aa/../k.txtab", b"./aa/a.txtxab"]
)
def test_an_index_with_a_name_that_leaves_the_tree_is_refused(folder: Path, name: bytes) -> None:
    (folder.parent / "secret.txt").write_text("outside\n")
    forge(folder, b"aa/secret.txt", name[:13])
    for command in (("status",), ("diff",), ("restore", "--", "."), ("stash", "push"), ("commit", "-m", "x")):
        assert "index" in refused(folder, *command)
    assert (folder.parent / "secret.txt").read_text() == "outside\n"


def test_plain_git_shows_a_file_outside_by_such_an_index(folder: Path) -> None:
    """So that the case above is known to be real."""
    (folder.parent / "secret.txt").write_text("outside\n")
    forge(folder, b"aa/secret.txt", b"../secret.txt")
    assert "+outside" in git(folder, "diff")


def test_names_git_itself_allows_are_fine() -> None:
    vet_index(b"")
    vet_index("..a\0a..\0.gitignore\0a/.github/x\0git~x\0.gitmodules\0...\0a/b/.c/d ..\0ñ\0".encode())


@pytest.mark.parametrize(
    "name",
    [
        b"..",
        b"a/..",
        b"../a",
        b"a/../b",
        b".git/x",
        b"a/.GIT/x",
        b"/a",
        b"a//b",
        b".",
        b"git~1/x",
        b".git ./x",
    ],
)
def test_names_git_never_writes_are_refused(name: bytes) -> None:
    with pytest.raises(GitFailed):
        vet_index(b"fine\0" + name + b"\0fine too\0")


def _link(name: str) -> Callable[[Path, Path], None]:
    def plant(folder: Path, outside: Path) -> None:
        file = folder / ".git" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.is_dir():
            file.rename(file.with_name("was"))
        file.unlink(missing_ok=True)
        file.symlink_to(outside)

    return plant


@pytest.mark.parametrize(
    "name",
    ["packed-refs", "shallow", "info/attributes", "info/grafts", "objects/info/alternates", "objects", "objects/pack",
     "objects/pack/pack-1.pack", "objects/17", "refs", "refs/heads", "config", "HEAD", "index"],
)  # fmt: skip
def test_a_link_in_gits_own_folder_that_leaves_the_root_is_refused(
    folder: Path, tmp_path: Path, name: str
) -> None:
    outside = tmp_path / "outside"
    outside.write_text("not to be seen\n")
    _link(name)(folder, outside)
    assert "not to be seen" not in refused(folder, "log")


def test_a_link_in_gits_own_folder_that_stays_inside_is_fine_for_reading(folder: Path) -> None:
    (folder / ".git" / "objects").rename(folder / "objects")
    (folder / ".git" / "objects").symlink_to("../objects")
    (folder / ".git" / "circle").symlink_to("circle")
    assert Git(folder).ask("log", "--format=%s").stdout == b"first\n"
    assert "is a link" in refused(folder, "add", "k.txt")


def test_objects_borrowed_from_outside_the_root_are_refused(folder: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "other")
    alternates = folder / ".git" / "objects" / "info" / "alternates"
    for line in (
        str(other / ".git" / "objects"),
        "../../../../other/.git/objects",
        f'"{other}/.git/objects"',
    ):
        alternates.write_text(f"# a comment\n\n{line}\n")
        assert "borrows" in refused(folder, "log")


def test_objects_borrowed_within_the_root_are_fine(folder: Path) -> None:
    root = folder.parent
    git(root, "clone", "-q", "--shared", str(folder), "shared")
    assert Git(root / "shared", root=root).ask("log", "--format=%s").stdout == b"first\n"
    assert "borrows" in refused(root / "shared", "log")


def test_objects_borrowed_by_a_lender_are_looked_over_too(folder: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "other")
    lender = folder / "lender"
    (lender / "info").mkdir(parents=True)
    (folder / ".git" / "objects" / "info" / "alternates").write_text("../../lender\n")
    (lender / "info" / "alternates").write_text(f"{other}/.git/objects\n")
    assert "borrows" in refused(folder, "log")
    (lender / "info" / "alternates").unlink()
    (lender / "pack").symlink_to(other / ".git" / "objects" / "pack")
    assert "is a link" in refused(folder, "log")


def test_lenders_that_borrow_in_a_circle_come_to_an_end(folder: Path) -> None:
    (folder / ".git" / "objects" / "info" / "alternates").write_text(".\n")
    assert "borrows" in refused(folder, "log")


@pytest.mark.parametrize("name", ["logs/HEAD", "COMMIT_EDITMSG", "refs/heads/main", "refs/tags", "ORIG_HEAD"])
def test_nothing_is_written_through_a_link(folder: Path, tmp_path: Path, name: str) -> None:
    outside = folder.parent / "precious"
    outside.write_text("precious\n")
    _link(name)(folder, outside)
    assert "link" in refused(folder, "commit", "--allow-empty", "-m", "x", root=folder.parent)
    assert outside.read_text() == "precious\n"


@pytest.mark.parametrize("name", ["logs/HEAD", "COMMIT_EDITMSG"])
def test_nothing_is_written_into_a_file_with_a_second_name(folder: Path, name: str) -> None:
    outside = folder.parent / "precious"
    outside.write_text("precious\n")
    (folder / ".git" / name).unlink(missing_ok=True)
    os.link(outside, folder / ".git" / name)
    assert "second name" in refused(folder, "commit", "--allow-empty", "-m", "x")
    assert outside.read_text() == "precious\n"


def test_hard_links_to_objects_are_fine(folder: Path) -> None:
    git(folder.parent, "clone", "-q", str(folder), "copy")
    Git(folder.parent / "copy").ask("stash", "list")


def test_more_files_than_can_be_looked_over_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_vet, "GIT_FILES_VETTED", 3)
    with pytest.raises(GitFailed, match="more than 3 files"):
        Git(folder).ask("stash", "list")


def test_a_worktree_whose_repository_lies_outside_is_not_looked_over_for_reading(
    folder: Path, tmp_path: Path
) -> None:
    git(folder, "worktree", "add", "-q", str(tmp_path / "tree"))
    (folder / ".git" / "description").unlink(missing_ok=True)
    (folder / ".git" / "description").symlink_to(tmp_path)
    assert Git(tmp_path / "tree").ask("log", "--format=%s").stdout == b"first\n"


def test_a_folder_of_gits_that_cannot_be_listed_is_said_to_be(folder: Path) -> None:
    (folder / ".git" / "info" / "attributes").unlink(missing_ok=True)
    target = folder / ".git" / "refs"
    target.rename(target.with_name("was"))
    target.symlink_to("refs")
    with pytest.raises(GitFailed, match="refs"):
        Git(folder).ask("log")


@pytest.mark.parametrize(
    "name", ["HEAD", "packed-refs", "index", "info/exclude", "config", "objects/info/alternates"]
)
def test_a_fifo_among_gits_own_files_keeps_nobody_waiting(folder: Path, name: str) -> None:
    (folder / ".git" / name).parent.mkdir(exist_ok=True)
    (folder / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(folder / ".git" / name)
    with pytest.raises(GitFailed, match="FIFO"):
        Git(folder).ask("log")
