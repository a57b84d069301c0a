import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.tools.git_desk import Desk
from tests.workspace.repository import commit, git, make, write

from toolpost.errors import Denied, GitFailed, InvalidPath, LimitExceeded
from toolpost.workspace.git.command import Git


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make(tmp_path / "repository", {"a.txt": "one\n", "src/b.txt": "two\n", ".gitignore": "*.log\n"})


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    made = Desk(folder)
    yield made
    made.close()


def staged(folder: Path) -> list[str]:
    return git(folder, "diff", "--cached", "--name-status").split("\n")


def test_changed_new_and_deleted_files_are_staged(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n", "new.txt": "new\n"})
    (folder / "src" / "b.txt").unlink()
    assert desk.data("add", paths=["a.txt", "new.txt", "src"]) == {
        "repository": ".",
        "added": ["new.txt", "a.txt", "src/b.txt"],
        "total": 3,
        "withheld": 0,
    }
    assert staged(folder) == ["M\ta.txt", "A\tnew.txt", "D\tsrc/b.txt"]


def test_everything_means_everything_but_what_is_ignored_secret_or_another_repository(
    folder: Path, desk: Desk
) -> None:
    write(folder, {"a.txt": "changed\n", "x.log": "log\n", ".env": "TOKEN=1\n"})
    make(folder / "vendor")
    assert desk.text("add", paths=[""]) == "1 file staged. 2 left out.\n  a.txt"
    assert staged(folder) == ["M\ta.txt"]


def test_names_are_taken_literally(folder: Path, desk: Desk) -> None:
    write(folder, {"*.txt": "star\n", "a.txt": "changed\n", ":(top)x": "magic\n", "-n": "dash\n"})
    desk.call("add", paths=["*.txt", ":(top)x", "-n"])
    assert staged(folder) == ["A\t*.txt", "A\t-n", "A\t:(top)x"]


def test_names_that_are_not_utf_8_are_staged_with_their_folder(folder: Path, desk: Desk) -> None:
    (folder / "odd").mkdir()
    (folder / "odd" / os.fsdecode(b"caf\xe9")).write_text("x")
    assert desk.data("add", paths=["odd"])["added"] == ["odd/caf\\xe9"]


def test_a_secret_file_is_refused_by_name(folder: Path, desk: Desk) -> None:
    write(folder, {".env": "TOKEN=1\n"})
    with pytest.raises(Denied):
        desk.call("add", paths=["a.txt", ".env"])
    assert staged(folder) == [""]


def test_a_file_that_passes_through_a_filter_is_refused(folder: Path, desk: Desk) -> None:
    write(
        folder, {".gitattributes": "*.psd filter=lfs\n*.raw -filter\n", "x.psd": "large\n", "x.raw": "raw\n"}
    )
    with pytest.raises(GitFailed, match=r"x\.psd pass through the filter lfs") as caught:
        desk.call("add", paths=[""])
    assert (caught.value.context["reason"], caught.value.context["files"]) == ("filter", ["x.psd"])
    assert staged(folder) == [""]
    desk.call("add", paths=["x.raw", ".gitattributes"])


def test_a_filter_only_the_index_knows_of_is_found_too(folder: Path, desk: Desk) -> None:
    commit(folder, {".gitattributes": "*.txt filter=lfs\n"}, "attributes")
    (folder / ".gitattributes").unlink()
    write(folder, {"a.txt": "changed\n"})
    with pytest.raises(GitFailed, match="filter lfs"):
        desk.call("add", paths=["a.txt"])


def test_attributes_kept_elsewhere_are_refused_because_nobody_can_tell(folder: Path, desk: Desk) -> None:
    git(folder, "config", "core.attributesFile", "/somewhere")
    write(folder, {"a.txt": "changed\n"})
    with pytest.raises(GitFailed, match=r"core\.attributesFile"):
        desk.call("add", paths=["a.txt"])


def test_many_filtered_files_are_not_all_named(folder: Path, desk: Desk) -> None:
    write(folder, {".gitattributes": "*.psd filter=lfs\n", **{f"{number}.psd": "x" for number in range(5)}})
    with pytest.raises(GitFailed, match="and 2 more"):
        desk.call("add", paths=[""])


def test_a_path_git_does_not_know_is_refused_and_an_unchanged_one_is_not(folder: Path, desk: Desk) -> None:
    write(folder, {"x.log": "log\n"})
    for path in ("nothing.txt", "x.log"):
        with pytest.raises(GitFailed, match="not there, or ignored"):
            desk.call("add", paths=[path])
    assert desk.data("add", paths=["a.txt"])["total"] == 0
    assert desk.text("add", paths=[""]) == "0 files staged."


def test_a_path_out_of_the_root_is_refused(desk: Desk) -> None:
    for path in ("../x", "/etc/passwd"):
        with pytest.raises(InvalidPath):
            desk.call("add", paths=[path])


def test_more_files_than_can_be_looked_over_are_refused(
    folder: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, {f"many/{number}": "" for number in range(20)})
    defaults = Git.ask.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "max_bytes", 20)
    with pytest.raises(LimitExceeded):
        desk.call("add", paths=["many"])
