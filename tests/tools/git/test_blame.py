from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.tools.git_desk import Desk
from tests.workspace.repository import commit, git, make, write

from toolpost.errors import Denied, FileNotFound, FileTooLarge, InvalidArgument, InvalidPath
from toolpost.tools.git import blame as git_blame
from toolpost.tools.git.blame import parse


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = make(
        tmp_path / "repository", {"a.txt": "one\ntwo\nthree\n", ".env": "TOKEN=1\n", "sub/p": "1\n"}
    )
    commit(folder, {"a.txt": "one\n2\n3\n"}, "Second")
    return folder


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    made = Desk(folder)
    yield made
    made.close()


def test_lines_of_one_commit_come_together_and_new_ones_are_marked(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "new\none\n2\n3\n"})
    second, first = git(folder, "log", "--format=%H").split()
    when = "2026-01-02T03:04:05Z"
    found = desk.data("blame", path="a.txt")
    assert found["blocks"] == [
        {
            "start_line": 1,
            "end_line": 1,
            "commit": "",
            "author": "",
            "date": "",
            "subject": "not committed yet",
        },
        {"start_line": 2, "end_line": 2, "commit": first, "author": "Ada", "date": when, "subject": "first"},
        {
            "start_line": 3,
            "end_line": 4,
            "commit": second,
            "author": "Ada",
            "date": when,
            "subject": "Second",
        },
    ]
    assert (found["total_lines"], found["truncated"], found["next_start_line"]) == (4, False, None)
    assert desk.text("blame", path="a.txt").splitlines()[:2] == [
        "     1 not committed yet: new",
        f"     2 {first[:10]} 2026-01-02 Ada: one",
    ]


def test_a_commit_can_be_asked_for(folder: Path, desk: Desk) -> None:
    write(folder, {"a.txt": "changed\n"})
    assert [block["subject"] for block in desk.data("blame", path="a.txt", ref="HEAD~1")["blocks"]] == [
        "first"
    ]


def test_a_range_is_kept_to_and_cut_where_it_is_too_long(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    found = desk.data("blame", path="a.txt", start_line=2, end_line=2)
    assert [(block["start_line"], block["end_line"]) for block in found["blocks"]] == [(2, 2)]
    assert desk.data("blame", path="a.txt", start_line=3, end_line=1)["blocks"][0]["start_line"] == 3
    assert desk.data("blame", path="a.txt", end_line=99)["total_lines"] == 3
    monkeypatch.setattr(git_blame, "GIT_BLAME_LINES", 2)
    cut = desk.call("blame", path="a.txt")
    assert (desk.data("blame", path="a.txt")["next_start_line"], cut.notes) == (
        3,
        ("There are more lines: go on with start_line=3.",),
    )


def test_lines_past_the_end_are_refused_with_one_that_is_there(folder: Path, desk: Desk) -> None:
    with pytest.raises(InvalidArgument) as caught:
        desk.call("blame", path="a.txt", start_line=4)
    assert caught.value.suggested == 3
    write(folder, {"a.txt": ""})
    with pytest.raises(InvalidArgument):
        desk.call("blame", path="a.txt")


def test_a_secret_or_missing_file_is_refused(desk: Desk) -> None:
    for args in ({}, {"ref": "HEAD"}):
        with pytest.raises(Denied):
            desk.call("blame", path=".env", **args)
        with pytest.raises(FileNotFound):
            desk.call("blame", path="nothing.txt", **args)


def test_a_folder_that_became_a_link_out_of_the_root_is_not_read_through(
    folder: Path, desk: Desk, tmp_path: Path
) -> None:
    """Plain git shows the file behind it as lines not committed yet."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "p").write_text("not to be seen\n")
    (folder / "sub" / "p").unlink()
    (folder / "sub").rmdir()
    (folder / "sub").symlink_to(tmp_path / "outside")
    assert "not to be seen" in git(folder, "blame", "sub/p", check=False)
    with pytest.raises(InvalidPath):
        desk.call("blame", path="sub/p")


def test_a_file_too_large_is_refused(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_blame, "SEARCH_FILE_BYTES", 3)
    with pytest.raises(FileTooLarge):
        desk.call("blame", path="a.txt")


def test_a_commit_that_claims_no_time_or_poses_as_a_header_is_told_as_it_is() -> None:
    oid = "a" * 40
    text = (
        f"{oid} 1 1 1\nauthor {oid} 9 9\nauthor-time 99999999999999999\nsummary {oid} 1 7\n\tline\n".encode()
    )
    (line,) = parse(text)
    assert (line.number, line.author, line.date, line.subject, line.text) == (
        1,
        f"{oid} 9 9",
        "",
        f"{oid} 1 7",
        "line",
    )
