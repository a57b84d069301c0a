from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.tools.git_desk import Desk
from tests.workspace.repository import commit, git, make, write

from toolpost.errors import GitFailed, InvalidArgument, TimedOut
from toolpost.limits import SNIPPET_CHARS
from toolpost.tools.git import grep as git_grep
from toolpost.workspace.git.command import Git
from toolpost.workspace.git.process import GitOutput


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make(
        tmp_path / "repository",
        {
            "a.py": "def main():\n    x: int = 1\n",
            "src/b.py": "# Main\nmain()\n",
            "src/c.txt": "main\n",
            ".env": "main=1\n",
        },
    )


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    made = Desk(folder)
    yield made
    made.close()


def hits(desk: Desk, **args: object) -> list[str]:
    return [f"{hit['path']}:{hit['line']}" for hit in desk.data("grep", **args)["hits"]]


def test_hits_come_with_path_line_column_and_text(folder: Path, desk: Desk) -> None:
    found = desk.data("grep", query="main", path="a.py")
    assert found == {
        "commit": git(folder, "rev-parse", "HEAD"),
        "hits": [{"path": "a.py", "line": 1, "column": 5, "text": "def main():"}],
        "truncated": False,
    }
    assert desk.text("grep", query="main", path="a.py") == "a.py:1: def main():"


def test_a_hit_in_a_secret_file_is_not_even_counted_so_that_no_secret_can_be_guessed(desk: Desk) -> None:
    assert desk.call("grep", query="main=") == desk.call("grep", query="nowhere to be found")


def test_any_commit_can_be_searched_and_working_files_are_not(folder: Path, desk: Desk) -> None:
    commit(folder, {"a.py": "changed\n"}, "second")
    write(folder, {"a.py": "not committed\n"})
    assert hits(desk, query="def main", ref="HEAD~1") == ["a.py:1"]
    assert hits(desk, query="not committed") == []


def test_folders_globs_case_and_patterns_narrow_it(desk: Desk) -> None:
    assert hits(desk, query="main", path="src") == ["src/b.py:2", "src/c.txt:1"]
    assert hits(desk, query="main", glob="*.py") == ["a.py:1", "src/b.py:2"]
    assert hits(desk, query="main", path="src", glob="/*.txt") == ["src/c.txt:1"]
    assert hits(desk, query="MAIN", case_sensitive=False, path="src/b.py") == ["src/b.py:1", "src/b.py:2"]
    assert hits(desk, query=r"\bx: \w+ = \d$", regex=True) == ["a.py:2"]
    assert hits(desk, query="main()", path="src/b.py") == ["src/b.py:2"]


def test_a_query_that_looks_like_an_option_is_a_query(folder: Path, desk: Desk) -> None:
    commit(folder, {"o.txt": "--open-files-in-pager=touch\n"}, "odd")
    assert hits(desk, query="--open-files-in-pager=touch") == ["o.txt:1"]


def test_more_hits_than_asked_for_are_said_to_be(desk: Desk) -> None:
    answer = desk.call("grep", query="main", limit=1)
    assert desk.data("grep", query="main", limit=1)["truncated"]
    assert answer.notes[-1] == "There are more hits: name a path or a glob, or raise limit."


def test_a_long_line_is_cut_around_the_hit(folder: Path, desk: Desk) -> None:
    commit(folder, {"long.txt": "x" * 10_000 + "needle" + "y" * 10_000}, "long")
    (hit,) = desk.data("grep", query="needle")["hits"]
    assert (hit["column"], len(hit["text"]), "needle" in hit["text"]) == (10_001, SNIPPET_CHARS, True)


@pytest.mark.parametrize("query", ["(?=a)b", "(a", "a\\nb", r"(a)\1"])
def test_a_pattern_re2_cannot_read_is_refused(desk: Desk, query: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        desk.call("grep", query=query, regex=True)
    assert caught.value.parameter == "query"


def test_text_over_several_lines_is_refused(desk: Desk) -> None:
    with pytest.raises(InvalidArgument, match="line by line"):
        desk.call("grep", query="a\nb")


def test_a_pattern_that_never_ends_is_stopped(
    folder: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(folder, {"bomb.txt": ("a" * 60 + "!\n") * 200}, "bomb")
    monkeypatch.setattr(git_grep, "GIT_GREP_S", 0.2)
    with pytest.raises((TimedOut, GitFailed)):
        desk.call("grep", query="(a|aa|aaa|aaaa)+$", regex=True)


def test_a_git_without_such_patterns_says_so(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "fatal: cannot use Perl-compatible regexes when not compiled with USE_LIBPCRE"
    ordinary = Git.run

    def run(self: Git, *args: str, **settings: Any) -> GitOutput:
        return GitOutput(b"", False, 128, said) if args[0] == "grep" else ordinary(self, *args, **settings)

    monkeypatch.setattr(Git, "run", run)
    with pytest.raises(GitFailed, match="without regular expressions"):
        desk.call("grep", query="a+", regex=True)
