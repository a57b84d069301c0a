from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.tools.git_desk import Desk
from tests.workspace.repository import commit, git, make

from toolpost.errors import InvalidArgument, LimitExceeded, NotFound
from toolpost.limits import GIT_BODY_CHARS
from toolpost.tools.git import commits as git_commits


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = make(tmp_path / "repository", {"a.txt": "one\n" * 9, "src/b.txt": "two\n"})
    commit(folder, {"src/b.txt": "three\n"}, "Second\n\nWith a body\n\nof two parts")
    git(folder, "mv", "a.txt", "c.txt")
    commit(folder, {}, "Third: a [odd] (subject)")
    return folder


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    made = Desk(folder)
    yield made
    made.close()


def subjects(desk: Desk, **args: object) -> list[str]:
    return [told["subject"] for told in desk.data("log", **args)["commits"]]


def test_commits_come_newest_first_with_all_that_is_known_of_them(folder: Path, desk: Desk) -> None:
    git(folder, "tag", "v1", "HEAD~1")
    found = desk.data("log")
    third, second, first = git(folder, "log", "--format=%H").split()
    assert [told["commit"] for told in found["commits"]] == [third, second, first]
    assert found["commits"][1] == {
        "commit": second,
        "parents": [first],
        "author": "Ada",
        "email": "ada@example.com",
        "date": "2026-01-02T03:04:05Z",
        "committed": "2026-01-02T03:04:05Z",
        "refs": ["tag: v1"],
        "subject": "Second",
        "body": "With a body\n\nof two parts",
    }
    assert (found["truncated"], found["next_skip"]) == (False, None)
    assert desk.text("log").splitlines()[1] == f"{second[:10]} 2026-01-02 Ada: Second (tag: v1)"


def test_a_limit_cuts_and_skip_goes_on(desk: Desk) -> None:
    first = desk.data("log", limit=2)
    assert (len(first["commits"]), first["truncated"], first["next_skip"]) == (2, True, 2)
    assert subjects(desk, limit=2, skip=first["next_skip"]) == ["first"]
    assert desk.call("log", limit=2).notes == ("There are more: go on with skip=2.",)


def test_only_commits_of_a_path_past_renames_if_asked(desk: Desk) -> None:
    assert subjects(desk, path="src") == ["Second", "first"]
    assert subjects(desk, path="c.txt") == ["Third: a [odd] (subject)"]
    assert subjects(desk, path="c.txt", follow=True) == ["Third: a [odd] (subject)", "first"]
    with pytest.raises(InvalidArgument):
        desk.call("log", follow=True)


def test_a_range_is_what_the_second_adds(desk: Desk) -> None:
    assert subjects(desk, ref="HEAD~2..HEAD~1") == ["Second"]
    assert subjects(desk, ref="HEAD~1..") == ["Third: a [odd] (subject)"]
    assert subjects(desk, ref="HEAD~1...HEAD") == ["Third: a [odd] (subject)"]


def test_texts_are_looked_for_literally_case_aside(desk: Desk) -> None:
    assert subjects(desk, message="[ODD]") == ["Third: a [odd] (subject)"]
    assert subjects(desk, message=".*") == []
    assert len(subjects(desk, author="ADA@")) == 3
    assert subjects(desk, author="--all") == []


def test_dates_limit_it(desk: Desk) -> None:
    assert subjects(desk, since="2026-01-03") == []
    assert len(subjects(desk, until="2026-01-03", since="2026-01-01")) == 3
    assert desk.text("log", since="2026-01-03") == "No commit matches."


@pytest.mark.parametrize("parameter", ["since", "until"])
def test_a_word_git_would_take_for_now_is_no_date(desk: Desk, parameter: str) -> None:
    with pytest.raises(InvalidArgument, match="such as 2026-01-31") as caught:
        desk.call("log", **{parameter: "garbage"})
    assert caught.value.parameter == parameter


@pytest.mark.parametrize("ref", ["--all", "-p", "--output=x", "HEAD:a.txt"])
def test_an_option_is_no_revision(desk: Desk, ref: str) -> None:
    with pytest.raises(InvalidArgument):
        desk.call("log", ref=ref)


def test_an_unknown_branch_is_not_found(desk: Desk) -> None:
    with pytest.raises(NotFound):
        desk.call("log", ref="main..nothing")


def test_a_long_message_is_shortened_among_many(folder: Path, desk: Desk) -> None:
    commit(folder, {}, "Long\n\n" + "x" * (GIT_BODY_CHARS + 1))
    assert desk.data("log", limit=1)["commits"][0]["body"] == "x" * GIT_BODY_CHARS + "..."


def test_messages_too_long_for_one_answer_are_refused(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_commits, "GIT_LOG_BYTES", 10)
    with pytest.raises(LimitExceeded):
        desk.call("log")
