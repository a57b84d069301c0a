import subprocess
from pathlib import Path

import pytest

from toolpost.limits import SNAPSHOT_FILE_BYTES
from toolpost.sandbox.repositories import inside, is_harmless


@pytest.fixture(name="git")
def _git(tmp_path: Path) -> Path:
    subprocess.run(("git", "init", "-q", str(tmp_path / "new")), check=True)
    return tmp_path / "new" / ".git"


def _add(git: Path, text: str) -> None:
    with (git / "config").open("a") as config:
        config.write(text)


def test_a_new_repository_and_a_clone_name_no_programs(git: Path, tmp_path: Path) -> None:
    subprocess.run(("git", "clone", "-q", str(git), str(tmp_path / "clone")), check=True, capture_output=True)
    _add(git, '# mine\n\n[user]\n\tname = A B\n[branch "x"]\n\tmerge = refs/heads/x\n')
    assert [is_harmless(str(path)) for path in (git, tmp_path / "clone" / ".git")] == [True, True]


@pytest.mark.parametrize(
    "text",
    [
        '[core]\n\tfsmonitor = "touch x"\n',
        "[core] fsmonitor = x\n",
        "\tsshCommand = x\n",
        "[include]\n\tpath = ../evil\n",
        '[filter "a"]\n\tclean = x\n',
        '[remote "a"]\n\turl = ext::sh -c x\n',
        "[user]\n\tname = a\\\n[core]\n",
        "not a line\n",
    ],
)
def test_a_config_that_says_more_is_not_trusted(git: Path, text: str) -> None:
    _add(git, text)
    assert not is_harmless(str(git))


@pytest.mark.parametrize(
    "name",
    ["hooks/pre-commit", "commondir", "info/attributes", "objects/info/alternates", "modules/x/config"],
)
def test_a_file_that_leads_elsewhere_is_not_trusted(git: Path, name: str) -> None:
    (git / name).parent.mkdir(parents=True, exist_ok=True)
    (git / name).write_text("x")
    assert not is_harmless(str(git))


def test_links_and_what_cannot_be_read_are_not_trusted(git: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(git)
    said = [is_harmless(str(tmp_path / name)) for name in ("link", "gone")]
    (git / "hooks").rename(tmp_path / "hooks")
    without_hooks = is_harmless(str(git))
    (git / "hooks").symlink_to(tmp_path / "hooks")
    said.append(is_harmless(str(git)))
    (git / "hooks").unlink()
    _add(git, "#" * SNAPSHOT_FILE_BYTES)
    assert ([*said, is_harmless(str(git))], without_hooks) == ([False, False, False, False], True)


def test_submodules_and_worktrees_are_looked_into(git: Path) -> None:
    for name in (
        "modules/a/b/config",
        "modules/a/b/objects/ab/config",
        "worktrees/w/gitdir",
        "worktrees/w/HEAD",
    ):
        (git / name).parent.mkdir(parents=True, exist_ok=True)
        (git / name).write_text("x")
    assert inside(str(git), 100) == (f"{git}/modules/a/b/config", f"{git}/worktrees/w/gitdir")
    assert inside(str(git), 2) == ()
