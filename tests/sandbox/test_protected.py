"""What other programs execute stays as it is, and what must not be read is not."""

import subprocess
from pathlib import Path
from shutil import rmtree

import pytest
from msgspec.structs import replace
from tests.sandbox.ground import Ground, Outcome

from toolpost.sandbox.model import Fence, Level
from toolpost.sandbox.protect import FIRST, LATER, protected


def _fence(ground: Ground, *masked: Path) -> Fence:
    root = str(ground.work)
    return Fence(roots=(root,), protected=protected((root,)), masked=tuple(str(path) for path in masked))


def _contents(ground: Ground) -> dict[str, str]:
    return {
        str(path.relative_to(ground.work)): path.read_text()
        for path in sorted(ground.work.rglob("*"))
        if path.is_file()
    }


def _refused(outcome: Outcome) -> dict[str, str]:
    """What was taken away, by where it was found; the private folders go."""
    found = {}
    for told in outcome.violations:
        path, _, place = told.removesuffix(")").partition(" (what was there is now ")
        kept = Path(place)
        found[path] = kept.read_text() if kept.is_file() else ""
        if place:
            rmtree(kept.parent, ignore_errors=True)
    return found


@pytest.fixture(name="repository")
def _repository(ground: Ground) -> dict[str, str]:
    ground.make(".git/config", "[core]\n")
    ground.make(".git/hooks/pre-push", "#!/bin/sh\n")
    ground.make(".git/HEAD", "ref: refs/heads/main\n")
    ground.make(".vscode/settings.json", "{}")
    ground.make(".github/workflows/ci.yml", "on: push")
    ground.make(".bashrc", "# mine")
    ground.make("src/main.py", "print()")
    return _contents(ground)


_DEEDS = (
    "echo x >> .git/config",
    "echo x > .git/hooks/pre-commit",
    "chmod +x .git/hooks/pre-push; echo evil > .git/hooks/pre-push",
    "rm -rf .git/hooks",
    "mv .git/hooks .git/hooks2 && mkdir .git/hooks && echo x > .git/hooks/post-checkout",
    "mv .git .away; mkdir .git; echo evil > .git/config",
    "rm -f .git/config; ln -s /etc/passwd .git/config",
    "rm -rf .vscode; ln -s src .vscode",
    "echo x > .vscode/tasks.json",
    "echo x > .bashrc",
    "mv src/main.py .bashrc",
    "echo x > .github/workflows/evil.yml",
    "ln src/main.py .mcp.json",
    "mkdir .claude; echo x > .claude/settings.json",
    "mkdir -p .husky/_; echo x > .husky/pre-commit",
    "echo x > .envrc; echo x > .gitmodules; echo x > .zshrc; echo x > Jenkinsfile",
)


@pytest.mark.parametrize("deed", _DEEDS)
def test_what_others_execute_is_as_before(ground: Ground, repository: dict[str, str], deed: str) -> None:
    outcome = ground.shell(deed, fence=_fence(ground))
    _refused(outcome)
    assert {name: text for name, text in _contents(ground).items() if name in repository} == {
        name: text for name, text in repository.items() if name in _contents(ground)
    }
    kept = [
        name
        for name in repository
        if name.startswith((".git/config", ".git/hooks", ".vscode", ".bashrc", ".github"))
    ]
    assert [name for name in kept if name not in _contents(ground)] == []
    created = [name for name in (*FIRST, *LATER) if (ground.work / name).exists() and name not in kept]
    assert [name for name in created if not any(old.startswith(name) for old in repository)] == []
    assert not (ground.work / ".git" / "config").is_symlink()
    assert outcome.code == 0 or outcome.out


def test_everyday_work_beside_them_is_free(ground: Ground, repository: dict[str, str]) -> None:
    outcome = ground.shell(
        "echo b > src/b.py; echo y >> .git/HEAD; mkdir .git/refs; echo z > .git/refs/x; mkdir .github/ISSUE_TEMPLATE; "
        "cat .git/config .vscode/settings.json; echo r > README.md; cat README.md",
        fence=_fence(ground),
    )
    assert (outcome.code, outcome.out, outcome.violations) == (0, "[core]\n{}r\n", ())
    added = {".git/refs/x": "z\n", "src/b.py": "b\n", "README.md": "r\n"}
    assert _contents(ground) == {**repository, ".git/HEAD": "ref: refs/heads/main\ny\n", **added}


def test_nothing_is_left_of_what_holds_absent_names(ground: Ground) -> None:
    outcome = ground.shell("true", fence=_fence(ground))
    assert (outcome.violations, list(ground.work.iterdir())) == ((), [])


def test_a_change_that_was_taken_back_is_told(ground: Ground, repository: dict[str, str]) -> None:
    outcome = ground.shell("echo x > .zshrc", fence=_fence(ground))
    assert _refused(outcome) == {str(ground.work / ".zshrc"): "x\n"}
    told = _refused(ground.shell("echo x >> .git/config", fence=_fence(ground)))
    changed = {str(ground.work / ".git" / "config"): "[core]\nx\n"}
    assert told == (changed if ground.level is Level.LANDLOCK else {})
    assert repository == _contents(ground)


def test_a_link_laid_for_whoever_puts_things_back_leads_nowhere(
    ground: Ground, repository: dict[str, str]
) -> None:
    outside = ground.outside / "config"
    outside.write_text("untouched")
    ground.own(outside)
    ground.shell(f"mv .git .moved; ln -s {ground.outside} .git", fence=_fence(ground))
    assert outside.read_text() == "untouched"
    assert sorted(path.name for path in ground.outside.iterdir()) == ["config", "secret.txt"]


def test_a_protected_link_is_put_back(ground: Ground) -> None:
    ground.make("shared/settings.json", "{}")
    (ground.work / ".vscode").symlink_to("shared")
    ground.own(ground.work / ".vscode")
    outcome = ground.shell("rm .vscode; mkdir .vscode; echo x > .vscode/tasks.json", fence=_fence(ground))
    assert list(_refused(outcome)) == [str(ground.work / ".vscode")]
    assert (ground.work / ".vscode").readlink() == Path("shared")


def test_a_worktrees_git_file_is_protected(ground: Ground) -> None:
    ground.make(".git", "gitdir: /elsewhere\n")
    ground.shell("echo evil > .git; rm .git; mkdir .git", fence=_fence(ground))
    assert (ground.work / ".git").read_text() == "gitdir: /elsewhere\n"


@pytest.mark.parametrize(
    "name",
    [
        "sub/.mcp.json",
        "sub/.toolpost/policy.toml",
        "sub/.git/hooks/pre-commit",
        "sub/.git/config",
        ".MCP.json",
    ],
)
def test_what_others_execute_is_as_before_at_any_depth(ground: Ground, name: str) -> None:
    ground.make("sub/readme", "")
    deed = f"mkdir -p $(dirname {name}); echo '[core] x = y' > {name}"
    assert len(_refused(ground.shell(deed, fence=_fence(ground)))) == 1
    assert _contents(ground) == {"sub/readme": ""}
    ground.make(name, "mine")
    moved = "mv sub away; mkdir -p sub" if name.startswith("sub/.mcp") else "true"
    _refused(ground.shell(f"echo evil > {name}; {moved}; {deed}", fence=_fence(ground)))
    assert _contents(ground)[name] == "mine"


_ESCAPE = """cp -r .git evil
printf '[core]\\n repositoryformatversion=0\\n bare=false\\n fsmonitor="touch PWNED; false"\\n' > evil/config
echo ../evil > .git/commondir
echo '* filter=x' > .git/info/attributes
echo /x > .git/objects/info/alternates
mkdir -p .git/modules/x .git/worktrees/x; echo x > .git/modules/x/config; echo x > .git/worktrees/x/gitdir"""
_WORK = """set -e
git status --porcelain; echo 1 > f; git add f; git commit -qm one; git branch b; echo 2 >> f; git stash -q
git stash pop -q; git commit -qam two; git checkout -q b; echo 3 > g; git add g; git commit -qm three
git merge -q -m four main; git fetch -q . main; git gc -q; git log --format=%s | sort | tr '\\n' ' '"""
_WHO = {
    **{f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.directory",
    "GIT_CONFIG_VALUE_0": "*",
}


@pytest.fixture(name="checkout")
def _checkout(ground: Ground) -> Path:
    subprocess.run(("git", "init", "-q", "-b", "main", str(ground.work)), check=True)
    for path in ground.work.rglob("*"):
        ground.own(path)
    return ground.work / ".git"


def test_git_is_led_nowhere_else(ground: Ground, checkout: Path) -> None:
    before = sorted(str(path) for path in checkout.rglob("*"))
    told = _refused(ground.shell(_ESCAPE, fence=_fence(ground)))
    assert (sorted(str(path) for path in checkout.rglob("*")), len(told)) == (
        before,
        0 if ground.level is Level.NAMESPACES else 5,
    )


def test_git_works_and_nothing_is_left_of_what_holds_it(ground: Ground, checkout: Path) -> None:
    before = {path.name for path in checkout.iterdir()}
    outcome = ground.shell(_WORK, fence=_fence(ground), env=_WHO)
    assert (outcome.code, outcome.out, outcome.violations) == (0, "four one three two ", ())
    made = {*("COMMIT_EDITMSG", "FETCH_HEAD", "ORIG_HEAD", "AUTO_MERGE", "index", "logs", "packed-refs")}
    assert {path.name for path in checkout.iterdir()} - before - made == set()
    assert not any((checkout / name).exists() for name in ("info/attributes", "objects/info/alternates"))


def test_a_repository_can_be_made_but_none_that_names_programs(ground: Ground) -> None:
    outcome = ground.shell("git init -q . && git init -q sub", fence=_fence(ground), env=_WHO)
    assert (outcome.code, outcome.out, outcome.violations) == (0, "", ())
    evil = "git init -q evil && git -C evil config core.fsmonitor x"
    assert list(_refused(ground.shell(evil, fence=_fence(ground), env=_WHO))) == [f"{ground.work}/evil/.git"]
    left = [(ground.work / name / ".git").exists() for name in (".", "sub", "evil")]
    assert left == [True, True, False]


def test_masked_files_and_folders_cannot_be_read(ground: Ground) -> None:
    env, key = ground.make(".env", "TOKEN=1"), ground.make("keys/deep/id_rsa", "KEY")
    ground.make("src/a.txt", "open TOKEN")
    ground.make("keys/readme", "open KEY")
    fence = _fence(ground, env, key.parent)
    outcome = ground.shell(
        "cat .env; cat keys/deep/id_rsa; grep -rh -e TOKEN -e KEY . 2>/dev/null; cp .env copy; ln .env hard; cat hard; "
        "mv .env src/moved; cat src/moved; mv keys/deep src/; cat src/deep/id_rsa",
        fence=fence,
    )
    lines = [line for line in outcome.out.splitlines() if line.endswith(("TOKEN=1", "KEY", "TOKEN"))]
    assert sorted(line.lstrip("\0") for line in lines) == ["open KEY", "open TOKEN"]
    assert (env.read_text(), key.read_text()) == ("TOKEN=1", "KEY")


def test_a_masked_file_cannot_be_changed_for_good(ground: Ground) -> None:
    env = ground.make(".env", "TOKEN=1")
    ground.shell("echo x > .env; rm -f .env", fence=_fence(ground, env))
    assert env.read_text() == "TOKEN=1"


def test_a_masked_path_that_is_gone_is_not_made(ground: Ground) -> None:
    outcome = ground.shell("ls -A", fence=replace(ground.fence, masked=(str(ground.work / "gone"),)))
    assert (outcome.out, list(ground.work.iterdir())) == ("", [])


def test_new_files_beside_masked_ones_are_told_of_where_they_cannot_be_read(ground: Ground) -> None:
    env = ground.make(".env", "TOKEN=1")
    outcome = ground.shell("echo new > new; cat new", fence=_fence(ground, env))
    assert (ground.work / "new").read_text() == "new\n"
    if ground.level is Level.NAMESPACES:
        assert outcome.out == "new\n"
    else:
        assert (
            "new files beside masked ones can be written, but not read back by the same command"
            in outcome.report.gaps
        )
