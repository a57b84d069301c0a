"""What "always allow" offers."""

import pytest
from tests.authorize.commands.shown import SCENE

from toolpost.authorize.commands.arity import ARITY, NEVER, NEVER_PREFIXES
from toolpost.authorize.commands.interpreters import CODE_FLAGS, SHELLS
from toolpost.authorize.commands.line import line_atoms
from toolpost.authorize.commands.matching import allows
from toolpost.authorize.commands.offers import offers


def _offered(line: str) -> tuple[str, ...]:
    return offers(line_atoms(line, SCENE))


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("git status -s", ("exec(git status *)",)),
        ("git stash pop", ("exec(git stash pop *)",)),
        ("npm run build -- --fast", ("exec(npm run build *)",)),
        ("npm test", ("exec(npm test *)",)),
        ("docker compose up -d", ("exec(docker compose up *)",)),
        ("aws s3 ls", ("exec(aws s3 ls *)",)),
        ("cargo test -q", ("exec(cargo test *)",)),
        ("gh pr view 5", ("exec(gh pr view *)",)),
        ("python -m pytest -q", ("exec(python -m pytest *)",)),
        ("ls -la", ("exec(ls *)",)),
        ("cargo test && cargo build | wc -l", ("exec(cargo test *)", "exec(cargo build *)", "exec(wc *)")),
        ("cd src && make lint", ("exec(make lint *)",)),
        ("timeout 5 make lint", ("exec(make lint *)",)),
        ("bash -c 'make lint'", ("exec(make lint *)",)),
        ("./scripts/check now", ("exec(./scripts/check now)",)),
        ("stranger", ("exec(stranger)",)),
        ("git status; git status", ("exec(git status *)",)),
        ("cat a > b", ("exec(cat *)",)),
        ("echo hi", ()),
    ],
)
def test_one_prefix_a_command_is_offered(line: str, rules: tuple[str, ...]) -> None:
    assert _offered(line) == rules


@pytest.mark.parametrize(
    "line",
    [
        "git",
        "npm run",
        "bash x.sh",
        "python x.py",
        "python -c 1",
        "python -m pip install x",
        "sudo make lint",
        "rm x",
        "npx x",
        "uvx x",
        "pnpm dlx x",
        "find . -exec id ';'",
        "find . -delete",
        "xargs cat",
        "curl u",
        "ssh h",
        "eval $x",
        "docker run x",
        "docker exec x y",
        "git -C x status",
        "git -c a=b log",
        "$x y",
        "make $x",
        "stranger $x",
        "stranger 'a b'",
        "git log --output=x",
        "make lint && sudo make",
        "PATH=. make lint",
        "if true; then",
        "",
        "cd /etc && ls",
        "FOO=$(rm x) make lint",
    ],
)
def test_nothing_is_offered_where_one_command_may_never_be(line: str) -> None:
    assert _offered(line) == ()


@pytest.mark.parametrize("name", sorted({*NEVER, *SHELLS, *CODE_FLAGS} - {"eval", "exec", "trap"}))
def test_some_programs_are_never_offered(name: str) -> None:
    assert _offered(f"{name} x") == ()


@pytest.mark.parametrize("prefix", sorted(NEVER_PREFIXES))
def test_some_beginnings_are_never_offered(prefix: str) -> None:
    assert _offered(f"{prefix} x") == ()


@pytest.mark.parametrize("prefix", sorted(ARITY))
def test_what_is_offered_covers_the_command_it_was_offered_for(prefix: str) -> None:
    line = " ".join([*prefix.split(), "a", "b", "c", "d"])
    for rule in _offered(line):
        assert rule.startswith("exec(")
        assert allows(rule[5:-1], line_atoms(line, SCENE)[0])
        assert len(rule.split()) == ARITY[prefix] + 1
