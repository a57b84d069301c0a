"""The working folder moves through a line."""

import pytest
from tests.authorize.commands.shown import alarms, sure, told

from toolpost.limits import COMMAND_FOLDERS


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("cd src && cat a", "read /w/src/a"),
        ("cd src && cd .. && cat a", "read /w/a"),
        ("cd src/x/../y; cat a", "read /w/src/y/a"),
        ("(cd src); cat a", "read /w/a"),
        ("(cd src && cat a)", "read /w/src/a"),
        ("cd src | cat a", "read /w/a"),
        ("cd src & cat a", "read /w/a"),
        ("false | 'false' || cd src && cat a", "read /w/src/a"),
        ("a | b | 'c' || cd src; cat a", "read /w/src/a"),
        ("a | b | 'c' && cd src && cat a", "read /w/src/a"),
        ("cd src; { cd x; }; cat a", "read /w/src/x/a"),
        ("x=$(cd src); cat a", "read /w/a"),
        ("cd /w/src && cat a", "read /w/src/a"),
        ("pushd src && cat a", "read /w/src/a"),
        ("pushd src && popd && cat a", "read /w/a"),
        ("cd src && cd - && cat a", "read /w/a"),
        ("cd -P src && cat $PWD/a", "read /w/src/a"),
        ("bash -c 'cd src && cat a'", "read /w/src/a"),
        ("FOO=1 cd src && cat a", "read /w/src/a"),
    ],
)
def test_later_paths_start_where_the_line_has_gone(line: str, read: str) -> None:
    assert [text for text in sure(line) if text.startswith("read")] == [read]


@pytest.mark.parametrize(
    "line", ["cd /etc", "cd ..", "cd", "cd ~", "cd src/../..", "cd $X", "cd $(x)", "cd sr*"]
)
def test_leaving_the_workspace_is_asked_about(line: str) -> None:
    assert alarms(line) == {"ELSEWHERE"}


@pytest.mark.parametrize("line", ["cd .", "cd src", "cd /w", "cd /w/a/../b", "cd $PWD/src"])
def test_staying_in_it_is_not(line: str) -> None:
    assert alarms(line) == set()


def test_a_folder_known_only_when_it_runs_makes_later_paths_so() -> None:
    assert "read  ~" in told("cd $X && cat a")
    assert "?read /w/a" in told("cd $X && cat a")


def test_a_folder_that_may_not_be_there_leaves_a_doubt() -> None:
    assert told("cd nowhere; cat customers/a")[2:] == ["read /w/nowhere/customers/a", "?read /w/customers/a"]
    assert told("cd a && cat b; cat c")[-2:] == ["read /w/a/c", "?read /w/c"]
    assert "?read /w/b/x" in told("cd a; cd b; cat x")


def test_more_doubts_than_are_followed_are_too_long() -> None:
    assert "TOO_LONG" in alarms("".join(f"cd a{number}; " for number in range(COMMAND_FOLDERS)))
