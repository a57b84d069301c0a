import os
import time
from pathlib import Path

import pytest
from tests.workspace.repository import commit, git, make, write

from toolpost.errors import GitFailed, InvalidArgument, NotFound
from toolpost.workspace.git.command import Git, GitOutput


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make(tmp_path / "repository")


def test_a_command_gives_what_git_says(folder: Path) -> None:
    output = Git(folder).run("log", "--format=%s")
    assert output == GitOutput(stdout=b"first\n", truncated=False, exit_code=0, stderr="")


def test_a_command_that_fails_says_why(folder: Path) -> None:
    output = Git(folder).run("cat-file", "blob", "0" * 40)
    assert (output.exit_code, output.stdout) == (128, b"")
    with pytest.raises(GitFailed) as caught:
        Git(folder).ask("cat-file", "blob", "0" * 40)
    assert caught.value.context == {"exit_code": 128, "said": output.stderr.removeprefix("fatal: ")}
    assert caught.value.detail.startswith("git cat-file failed: ")


def test_output_past_its_limit_is_cut_and_said_to_be(folder: Path) -> None:
    commit(folder, {"large.txt": "x" * 300_000}, "large")
    output = Git(folder).run("cat-file", "blob", "HEAD:large.txt", max_bytes=1000)
    assert (len(output.stdout), output.truncated) == (1000, True)
    exact = Git(folder).run("cat-file", "blob", "HEAD:a.txt", max_bytes=4)
    assert (exact.stdout, exact.truncated) == (b"one\n", False)


def test_input_larger_than_a_pipe_arrives(folder: Path) -> None:
    names = b"".join(b"%06d/a.txt\0" % number for number in range(30_000))
    output = Git(folder).ask("check-attr", "-z", "--stdin", "filter", stdin=names)
    assert output.stdout.count(b"unspecified") == 30_000


def test_nothing_of_our_own_environment_reaches_git(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/somewhere/else")
    monkeypatch.setenv("GIT_INDEX_FILE", "/somewhere/else")
    monkeypatch.setenv("GIT_TRACE", "1")
    monkeypatch.setenv("SECRET_TOKEN", "hush")
    git_here = Git(folder)
    assert git_here.ask("log", "--format=%s").stderr == ""
    assert not {"SECRET_TOKEN", "GIT_TRACE", "GIT_INDEX_FILE"} & set(git_here.job("log").environment)


def test_the_users_own_configuration_is_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder.parent / ".gitconfig").write_text("[log]\n\tdate = raw\n[alias]\n\tx = y\n[core]\n\tabbrev = 4\n")
    monkeypatch.setenv("HOME", str(folder.parent))
    assert len(Git(folder).ask("log", "--format=%h").stdout.strip()) >= 7


@pytest.mark.parametrize("revision", ["HEAD", "main", "topic~0", "v1", "HEAD@{0}", "@"])
def test_a_revision_is_resolved_to_a_commit(folder: Path, revision: str) -> None:
    git(folder, "branch", "topic")
    git(folder, "tag", "-a", "v1", "-m", "one")
    oid = git(folder, "rev-parse", "HEAD")
    assert Git(folder).commit(revision) == oid
    assert Git(folder).commit(oid) == Git(folder).commit(oid[:8]) == oid


@pytest.mark.parametrize(
    "revision",
    ["--output=x", "-1", "HEAD:a.txt", ":a.txt", "", "a\0b", "a\nb", "x" * 5000, "HEAD:a.txt^{commit}"],
)
def test_what_cannot_be_a_revision_is_refused_before_git_sees_it(folder: Path, revision: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Git(folder).commit(revision, "base")
    assert caught.value.parameter == "base"


@pytest.mark.parametrize("revision", ["nothing", "HEAD^{tree}", "HEAD^{blob}", "main..main", "^main", "*"])
def test_what_names_no_commit_is_not_found(folder: Path, revision: str) -> None:
    with pytest.raises(NotFound):
        Git(folder).commit(revision)


def test_a_file_or_a_folder_is_no_commit_even_by_its_hash(folder: Path) -> None:
    for name in ("HEAD:a.txt", "HEAD:src", "HEAD^{tree}"):
        with pytest.raises(NotFound):
            Git(folder).commit(git(folder, "rev-parse", name))


def test_a_mistyped_branch_is_answered_with_the_nearest(folder: Path) -> None:
    git(folder, "branch", "release/2026")
    with pytest.raises(NotFound) as caught:
        Git(folder).commit("relase/2026")
    assert caught.value.suggested == "release/2026"


def test_a_repository_without_a_commit_says_so(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "new")
    with pytest.raises(GitFailed) as caught:
        Git(tmp_path / "new").commit("HEAD")
    assert caught.value.context == {"reason": "no_commits"}


@pytest.mark.parametrize("argument", ["a\0b", "\ud800"])
def test_an_argument_no_program_can_get_is_refused(folder: Path, argument: str) -> None:
    with pytest.raises(InvalidArgument):
        Git(folder).run("log", f"--author={argument}")


def test_a_command_that_is_not_listed_is_never_run(folder: Path) -> None:
    with pytest.raises(KeyError):
        Git(folder).run("push")


def test_a_bare_repository_has_no_working_tree(folder: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(folder), "bare.git")
    bare = Git(tmp_path / "bare.git")
    assert bare.ask("log", "--format=%s").stdout == b"first\n"
    with pytest.raises(GitFailed, match="bare"):
        bare.run("status")


def test_a_folder_that_poses_as_bare_does_not_move_the_working_tree(folder: Path, tmp_path: Path) -> None:
    (folder / ".git").rename(tmp_path / "posing")
    with (tmp_path / "posing" / "config").open("a") as config:
        config.write(f"[core]\n\tbare = false\n\tworktree = {folder}\n")
    posing = Git(tmp_path / "posing")
    shown = posing.ask("rev-parse", "--show-toplevel").stdout.decode().strip()
    assert shown == str(tmp_path / "posing")


def test_a_repository_of_another_owner_is_opened(folder: Path) -> None:
    if os.geteuid() == 0:
        for path in (folder, folder / ".git"):
            os.chown(path, 12345, 12345)
    assert Git(folder).ask("log", "--format=%s").stdout == b"first\n"


def test_the_index_is_looked_over_once_and_again_when_it_changed(folder: Path) -> None:
    here = Git(folder)
    _age(folder / ".git" / "index")
    here.ask("status", "--porcelain")
    vetted = here._index_vetted
    here.ask("status", "--porcelain")
    assert vetted is not None
    assert here._index_vetted is vetted
    write(folder, {"new.txt": "new\n"})
    git(folder, "add", "new.txt")
    assert here.ask("status", "--porcelain").stdout == b"A  new.txt\n"
    assert here._index_vetted != vetted


def test_a_broken_index_is_said_to_be(folder: Path) -> None:
    (folder / ".git" / "index").write_bytes(b"no index")
    with pytest.raises(GitFailed, match="ls-files"):
        Git(folder).run("status")


def test_replaced_objects_are_shown_as_they_were(folder: Path) -> None:
    old, new = git(folder, "rev-parse", "HEAD"), commit(folder, {"a.txt": "forged\n"}, "forged")
    git(folder, "replace", old, new)
    assert Git(folder).ask("log", "-1", "--format=%s", old).stdout == b"first\n"


def test_paths_are_taken_literally(folder: Path) -> None:
    commit(folder, {"[a].txt": "odd\n", "*.txt": "star\n"}, "odd names")
    listed = Git(folder).ask("ls-files", "-z", "--", "*.txt", "[a].txt").stdout
    assert listed == b"*.txt\0[a].txt\0"


def _age(file: Path) -> None:
    """Wait until its last change is long enough ago to be told from another; bounded."""
    until = time.monotonic() + 10
    while time.time_ns() - file.stat().st_ctime_ns < 150_000_000:
        assert time.monotonic() < until
        os.sched_yield()
