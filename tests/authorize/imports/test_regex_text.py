import pytest

from toolpost.authorize.imports.regex_text import Beginning, End, beginning, command
from toolpost.result import Decision

ALLOW, DENY = Decision.ALLOW, Decision.DENY


@pytest.mark.parametrize(
    ("pattern", "read"),
    [
        (r"^git\s+status", Beginning(("git status",), End.OPEN, True)),
        (r"^cargo\s+(build|test)\b", Beginning(("cargo build", "cargo test"), End.WORD, True)),
        (r"make$", Beginning(("make",), End.WHOLE, False)),
        (r"a\.b\-c(?:\s|$)", Beginning(("a.b-c",), End.WORD, False)),
        (r".*", Beginning(("",), End.OPEN, False)),
        (r"^ls .*$", Beginning(("ls ",), End.OPEN, True)),
    ],
)
def test_a_beginning_with_choices_is_read(pattern: str, read: Beginning) -> None:
    assert beginning(pattern) == read


@pytest.mark.parametrize(
    "pattern",
    [
        r"a+",
        r"a?b",
        r"a{2}",
        r"[ab]",
        r"a|b",
        r"\d",
        r"a\s*b",
        r"(a|b",
        r"(a|)",
        r"(a.*|b)x",
        r"(a|b)+",
        r"(?i)a",
        r"((a))b",
        r"(^a)b",
        "a.b",
        "a\\",
        "(a|b)" * 7,
    ],
)
def test_any_other_expression_is_not(pattern: str) -> None:
    assert beginning(pattern) is None
    assert command(pattern, ALLOW).rules == ()


@pytest.mark.parametrize(
    ("pattern", "allow", "deny"),
    [
        (r"^git\s+push", ("exec(git push* *)",), ("exec(git push* *)",)),
        (r"^rm -rf", ("exec(rm -rf *)", "exec(rm -rf* *)"), ("exec(rm -rf *)", "exec(rm -rf* *)")),
        (r"^cargo", ("exec(cargo *)",), ("exec(cargo* *)",)),
        (r"^cargo\b", ("exec(cargo *)",), ("exec(cargo *)",)),
        (r"^make lint$", ("exec(make lint)",), ("exec(make lint)",)),
        (r"^git\s", ("exec(git ?* *)",), ("exec(git *)",)),
        (r"^(a|b)$", ("exec(a)", "exec(b)"), ("exec(a)", "exec(b)")),
        (r"^\sgit", (), ("exec(git* *)",)),
        (r"^a\|b", (), ()),
        (r"^\*x", (), ()),
        ("^", ("exec(*)",), ("exec(*)",)),
        ("^$", (), ()),
        (r"^(\s|x)", ("exec(x *)",), ("exec(x* *)",)),
    ],
)
def test_a_command(pattern: str, allow: tuple[str, ...], deny: tuple[str, ...]) -> None:
    assert command(pattern, ALLOW).rules == allow
    assert command(pattern, DENY).rules == deny


def test_what_is_looked_for_anywhere_there_covers_less_here_when_it_denies() -> None:
    said = "it is looked for anywhere in a command there, and at its beginning here."

    assert command("rm -rf", DENY).less == said
    assert command("rm -rf", ALLOW).less == ""
    assert command("rm -rf", DENY, is_anchored=True).less == ""
    assert command("^rm -rf", DENY).start == ("rm",)
    assert command("^(rm|mv) x", DENY).start == ()
