import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.tools.git_desk import Desk
from tests.workspace.repository import commit, git, make, write

from toolpost import meter
from toolpost.errors import GitFailed, InvalidArgument, NotFound, ReadBudgetExceeded
from toolpost.tools.git import patch as git_patch
from toolpost.workspace.git.root import GitRoot


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make(
        tmp_path / "repository", {"a.txt": "one\ntwo\n", "src/b.txt": "x\n" * 20, ".env": "TOKEN=1\n"}
    )


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    made = Desk(folder)
    yield made
    made.close()


def test_the_working_files_are_compared_with_what_is_staged(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "one\nstaged\n"})
    git(folder, "add", "a.txt")
    write(folder, {"a.txt": "one\nchanged\n"})
    assert desk.data("diff") == {
        "repository": ".",
        "compared": "what is staged and the files",
        "files": [
            {
                "path": "a.txt",
                "change": "modified",
                "old_path": "",
                "added": 1,
                "removed": 1,
                "binary": False,
                "withheld": False,
            }
        ],
        "total": 1,
        "withheld": 0,
        "truncated": False,
        "patch": git(folder, "diff") + "\n",
    }
    assert desk.data("diff", staged=True)["patch"] == git(folder, "diff", "--cached") + "\n"
    assert desk.data("diff", base="HEAD")["patch"] == git(folder, "diff", "HEAD") + "\n"
    assert desk.data("diff", base="HEAD", staged=True)["compared"] == "HEAD and what is staged"


@pytest.mark.parametrize(
    "args",
    [
        {"base": "HEAD~1", "target": "HEAD"},
        {"base": "HEAD~1..HEAD"},
        {"base": "HEAD~1.."},
        {"target": "HEAD", "base": "HEAD~1"},
    ],
)
def test_two_commits_are_compared(folder: Path, desk: Desk, args: dict[str, str]) -> None:
    commit(folder, {"a.txt": "one\nthree\n"}, "second")
    found = desk.data("diff", **args)
    assert (found["compared"], found["patch"]) == (
        "HEAD~1 and HEAD",
        git(folder, "diff", "HEAD~1", "HEAD") + "\n",
    )


def test_three_dots_compare_with_where_a_branch_left(folder: Path, desk: Desk) -> None:
    git(folder, "checkout", "-q", "-b", "topic")
    commit(folder, {"topic.txt": "t\n"}, "topic")
    git(folder, "checkout", "-q", "main")
    commit(folder, {"main.txt": "m\n"}, "main")
    assert [file["path"] for file in desk.data("diff", base="main...topic")["files"]] == ["topic.txt"]
    assert [file["path"] for file in desk.data("diff", base="main..topic")["files"]] == [
        "main.txt",
        "topic.txt",
    ]


def test_branches_with_nothing_in_common_have_no_such_place(folder: Path, desk: Desk) -> None:
    git(folder, "checkout", "-q", "--orphan", "other")
    commit(folder, {"a.txt": "other\n"}, "other")
    with pytest.raises(GitFailed, match="no commit in common"):
        desk.call("diff", base="main...other")


def test_a_rename_a_new_file_a_deleted_one_and_a_binary_one(folder: Path, desk: Desk) -> None:
    git(folder, "mv", "src/b.txt", "src/c.txt")
    (folder / "a.txt").unlink()
    (folder / "data.bin").write_bytes(bytes(range(256)))
    git(folder, "add", "-A")
    assert [
        (file["change"], file["path"], file["old_path"], file["binary"])
        for file in desk.data("diff", staged=True)["files"]
    ] == [
        ("deleted", "a.txt", "", False),
        ("added", "data.bin", "", True),
        ("renamed", "src/c.txt", "src/b.txt", False),
    ]
    assert "renamed: src/c.txt (from src/b.txt), +0 -0" in desk.text("diff", staged=True)


def test_only_a_folder_is_compared(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n", "src/b.txt": "changed\n"})
    assert [file["path"] for file in desk.data("diff", path="src")["files"]] == ["src/b.txt"]


def test_the_content_of_a_secret_file_is_withheld_and_that_is_said(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n", ".env": "TOKEN=hush\n"})
    for args in ({}, {"path": ".env"}):
        answer = desk.call("diff", **args)
        assert "hush" not in str(answer)
        assert "TOKEN" not in str(answer)
        assert answer.notes == ("Withheld, as they may hold secrets: 1 file.",)
    assert "+changed" in desk.data("diff")["patch"]


def test_a_secret_file_is_withheld_whatever_its_name_and_folder(folder: Path, desk: Desk) -> None:
    odd = os.fsdecode(b"src/.env.caf\xe9")
    commit(folder, {odd: "TOKEN=0\n", "src/:(top).key": "TOKEN=0\n", "src/*.pem": "TOKEN=0\n"}, "odd")
    write(
        folder,
        {odd: "TOKEN=1\n", "src/:(top).key": "TOKEN=1\n", "src/*.pem": "TOKEN=1\n", "src/b.txt": "new\n"},
    )
    for path in ("", "src"):
        found = desk.data("diff", path=path)
        assert {file["path"]: file["withheld"] for file in found["files"]} == {
            "src/.env.caf\\xe9": True,
            "src/:(top).key": True,
            "src/*.pem": True,
            "src/b.txt": False,
        }
        assert "TOKEN" not in found["patch"]
        assert "+new" in found["patch"]


def test_a_secret_file_under_a_new_name_is_withheld_too(folder: Path, desk: Desk) -> None:
    write(folder, {".env": "TOKEN=hush\n" * 20})
    commit(folder, {}, "longer")
    git(folder, "mv", ".env", "settings.txt")
    found = desk.data("diff", staged=True)
    assert (found["files"][0]["withheld"], found["patch"]) == (True, "")


def test_more_secret_files_than_can_be_left_out_leave_no_patch(
    folder: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_patch, "GIT_WITHHELD_MAX", 0)
    write(folder, {"a.txt": "changed\n", ".env": "TOKEN=hush\n"})
    found = desk.data("diff")
    assert (found["patch"], found["truncated"], found["total"]) == ("", True, 2)


def test_a_long_patch_is_cut_at_a_line_and_said_to_be(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "".join(f"line {number}\n" for number in range(500))})
    answer = desk.call("diff", max_bytes=300)
    patch = desk.data("diff", max_bytes=300)["patch"]
    assert len(patch) <= 300
    assert patch.endswith("\n")
    assert answer.notes == ("The answer is cut: name a path, or raise max_bytes, to see the rest.",)
    only_files = desk.data("diff", max_bytes=0)
    assert (only_files["patch"], only_files["truncated"], only_files["total"]) == ("", False, 1)


def test_more_files_than_are_listed_are_said_to_be(
    folder: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_patch, "GIT_FILES_MAX", 1)
    write(folder, {"a.txt": "changed\n", "src/b.txt": "changed\n"})
    found = desk.data("diff")
    assert (len(found["files"]), found["total"], found["truncated"]) == (1, 2, True)


def test_context_lines_are_as_many_as_asked_for(folder: Path, desk: Desk) -> None:
    lines = [f"{number}\n" for number in range(20)]
    commit(folder, {"n.txt": "".join(lines)}, "numbers")
    write(folder, {"n.txt": "".join([*lines[:10], "new\n", *lines[10:]])})
    assert "@@ -10,2 +10,3 @@" in desk.data("diff", context=1)["patch"]


def test_what_cannot_be_compared_is_refused(desk: Desk) -> None:
    with pytest.raises(InvalidArgument):
        desk.call("diff", staged=True, target="HEAD")
    with pytest.raises(InvalidArgument):
        desk.call("diff", base="--no-index")
    with pytest.raises(NotFound) as caught:
        desk.call("diff", base="HEAD", target="nothing")
    assert caught.value.parameter == "target"


def test_on_a_revision_the_base_is_compared_with_it(folder: Path) -> None:
    commit(folder, {"a.txt": "second\n"}, "second")
    desk = Desk(rev=GitRoot(folder, "HEAD"))
    assert [file["path"] for file in desk.data("diff", base="HEAD~1")["files"]] == ["a.txt"]
    assert (
        desk.data("diff", base="HEAD~1")["compared"] == f"HEAD~1 and {git(folder, 'rev-parse', 'HEAD')[:10]}"
    )
    with pytest.raises(InvalidArgument, match="no working tree"):
        desk.call("diff")
    desk.close()


def test_a_patch_counts_against_the_budget_of_reading(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n"})
    assert desk.call("diff").usage == {"read_bytes": len(desk.data("diff")["patch"])}

    def refuse(_units: Mapping[str, int]) -> None:
        raise ReadBudgetExceeded("spent")

    token = meter.RESERVE.set(refuse)
    try:
        with pytest.raises(ReadBudgetExceeded):
            desk.call("diff")
    finally:
        meter.RESERVE.reset(token)


def test_how_the_repository_likes_its_diffs_changes_nothing(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n"})
    plain = desk.data("diff")["patch"]
    for key, value in {
        "diff.noprefix": "true", "diff.mnemonicPrefix": "true", "color.diff": "always", "color.ui": "always",
        "diff.context": "9", "diff.orderFile": "/nothing", "diff.relative": "true", "core.quotePath": "true",
    }.items():  # fmt: skip
        git(folder, "config", key, value)
    assert desk.data("diff")["patch"] == plain
