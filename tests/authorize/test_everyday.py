"""What the everyday rules let run, and what beside it they do not."""

import pytest
from bench.permission_cases import BOXED, Case, verdict

from toolpost.result import Decision

_RUN = (
    "git branch new",
    "git tag v1",
    "git reset",
    "git merge x",
    "git rebase x",
    "git cherry-pick x",
    "git clean -n",
    "git config user.name",
    "git -C . status",
    "git -C sub log -3",
    "git --no-pager log -3",
    "make -n",
    "make -C sub",
    "chmod +x f",
    "tar tzf a.tgz",
    "tar czf a.tgz src",
    "unzip -l a.zip",
    "gzip -k f",
    "python3 src/calc.py",
    "node test.js",
    "./script.sh",
    "./sub/script.sh --fast",
    "python3 -m venv v",
    "cmake --version",
)
_HELD = (
    "git branch -D new",
    "git branch new -D",
    "git tag -d v1",
    "git reset --hard",
    "git reset HEAD --hard",
    "git merge --strategy=x y",
    "git rebase -x id main",
    "git rebase main -x id",
    "git clean -fd",
    "git clean -n -f",
    "git config user.name x",
    "git config core.pager",
    "git config core.pager x",
    "git -C .. status",
    "git -C /etc status",
    "git -C . -c core.pager=x status",
    "git -C . log --output=x",
    "git -c a=b log",
    "git --no-pager -c core.fsmonitor=x status",
    "git --no-pager diff --ext-diff",
    "git --no-pager grep -O x",
    "make -n -f x",
    "make -C /tmp/evil",
    "make -C ..",
    "make -C sub SHELL=x",
    "make -C sub deploy",
    "chmod +x /usr/bin/x",
    "chmod +x .git/hooks/pre-commit",
    "chmod -R +x .",
    "chmod u+s f",
    "tar czf /tmp/a.tgz src",
    "tar czf a.tgz /etc",
    "tar czf a.tgz --checkpoint-action=exec=id src",
    "tar czf a.tgz -I id src",
    "gzip -k /etc/passwd",
    "python3 /tmp/evil.py",
    "python3 ../x.py",
    "python3 -c 'x.py'",
    "python3 -mx.py",
    "node /tmp/evil.js",
    "node -r ./x.js y.js",
    "node --require=./x.js",
    "./../x",
    "./a/../../x",
    "cd /tmp && ./x.sh",
    "./psql -l",
    "./sudo id",
    "./bash -c id",
    "./env id",
    "python3 -m venv /etc/x",
    "python3 -m venv ../x",
    "python3 -m http.server",
    "cmake --build /tmp/evil",
    "x=../y; ./$x",
    "cd sub && ./../../x",
    "PATH=. ./x",
    "/tmp/bash -c ls",
    "/tmp/timeout 5 ls",
    "/tmp/eval ls",
)


def _decided(line: str) -> Decision:
    return verdict(Case(line, "everyday", Decision.ALLOW), BOXED).decision


@pytest.mark.parametrize("line", _RUN)
def test_it_runs_unasked(line: str) -> None:
    assert _decided(line) is Decision.ALLOW


@pytest.mark.parametrize("line", _HELD)
def test_what_goes_further_does_not(line: str) -> None:
    assert _decided(line) is not Decision.ALLOW
