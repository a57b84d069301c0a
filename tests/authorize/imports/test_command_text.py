import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.authorize.commands.line import argv_atoms, line_atoms
from toolpost.authorize.commands.matching import allows
from toolpost.authorize.imports.command_text import glob, literal, prefix, text_prefix
from toolpost.authorize.scene import Scene
from toolpost.result import Decision

ALLOW, DENY = Decision.ALLOW, Decision.DENY
HERE = Scene(roots=("/work",))


@pytest.mark.parametrize(
    ("text", "allow", "deny"),
    [
        ("*", "exec(*)", "exec(*)"),
        ("", "exec(*)", "exec(*)"),
        ("npm run build", "exec(npm run build)", "exec(npm run build)"),
        ("git status *", "exec(git status *)", "exec(git status *)"),
        ("npm run test*", "exec(npm run test* *)", "exec(npm run test* *)"),
        ("ls*", "exec(ls *)", "exec(ls* *)"),
        ("git * main", "exec(git * main)", "exec(git * main)"),
        ("* --version", None, "exec(* --version)"),
        ("ls* x", None, "exec(ls* x)"),
        ("cat a?b[c]", "exec(cat a[?]b[[]c])", "exec(cat a[?]b[[]c])"),
        ("git commit -m 'a b'", r"exec(git commit -m a\ b)", r"exec(git commit -m a\ b)"),
        ("grep '' x", "exec(grep '' x)", "exec(grep '' x)"),
        ("a && b", None, None),
        ("A=1 make", None, None),
        ("echo 'open", None, None),
    ],
)
def test_a_glob_of_text_becomes_words(text: str, allow: str | None, deny: str | None) -> None:
    assert glob(text, ALLOW).rules == ((allow,) if allow else ())
    assert glob(text, DENY).rules == ((deny,) if deny else ())


def test_what_a_rule_covers_less_of_is_told() -> None:
    assert glob("git * main", DENY).less == "a `*` within it takes several words there, and one here."
    assert glob("ls*", ALLOW).less == "an allow names its program in so many letters."
    assert glob("ls*", DENY).less == ""
    assert glob("git push * -f", DENY).start == ("git", "push")


def test_a_question_mark_is_a_letter_or_not_as_the_other_program_has_it() -> None:
    assert glob("cat a?", DENY, wild="*?").rules == ("exec(cat a?)",)


def test_a_prefix_is_words() -> None:
    assert prefix(["git", "push"]).rules == ("exec(git push *)",)
    assert prefix([]).rules == ("exec(*)",)
    assert prefix(["*"]).less == "an allow names its program in so many letters."
    assert prefix(["A=1", "make"]).rules == ()


def test_a_blank_at_the_end_wants_one_more_word_to_be_allowed() -> None:
    assert text_prefix("git ", ALLOW).rules == ("exec(git ?* *)",)
    assert text_prefix("git ", DENY).rules == ("exec(git *)",)
    assert text_prefix("git", ALLOW).rules == ("exec(git *)",)
    assert text_prefix("a; b", ALLOW).rules == ()
    (bare,) = line_atoms("git", HERE)
    assert not allows("git ?* *", bare)


@given(st.text(st.sampled_from("ab*?[]!{}()'\"\\ #~-"), min_size=1, max_size=6))
def test_a_literal_word_means_itself_and_nothing_else(word: str) -> None:
    pattern = f"prog {literal(word)}"
    (same, *_), (other, *_) = argv_atoms(["prog", word], HERE), argv_atoms(["prog", f"{word}x"], HERE)

    assert allows(pattern, same)
    assert not allows(pattern, other)
