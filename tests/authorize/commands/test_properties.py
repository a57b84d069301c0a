"""For any text: never an error; for any wrapping, quoting or order of flags: what was denied stays denied."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.authorize.commands.shown import SCENE, alarms, denied

from toolpost.authorize.commands.line import argv_atoms, line_atoms
from toolpost.authorize.commands.matching import allows, catches
from toolpost.authorize.commands.offers import offers
from toolpost.limits import COMMAND_CHARS

PATTERNS = ("psql *", "git reset --hard *", "rm -rf *", "find * -delete", "*", "make lint")
TOKENS = st.sampled_from(
    [
        ";",
        "&",
        "&&",
        "|",
        "||",
        "(",
        ")",
        "{",
        "}",
        "$(",
        "`",
        '"',
        "'",
        "$",
        "${",
        "<",
        ">",
        "<<",
        "<<<",
        "EOF",
        "psql",
        "git",
        "reset",
        "--hard",
        "-c",
        "bash",
        "sudo",
        "env",
        "find",
        "-exec",
        "{}",
        "\\;",
        "x=",
        "$x",
        "for",
        "in",
        "do",
        "done",
        "if",
        "then",
        "fi",
        "case",
        "esac",
        "[[",
        "]]",
        "((",
        "))",
        "*",
        "?",
        "[",
        "~",
        "#",
        "!",
        "\\",
        "eval",
        "cd",
        "..",
        "xargs",
        "rm",
        "-rf",
        "sed",
        "s/a/b/e",
        "tar",
        "ssh",
        "-o",
        "@",
        "=",
        "{a,b}",
        "{1..3}",
        "function",
        "f()",
        "coproc",
        "time",
        "trap",
        "é",
        "2>",
        "&>",
        "<(",
        ">(",
        "$((",
        "kill",
        "-1",
        "curl",
        "-d",
        "@x",
        "dd",
        "of=",
        "docker",
        "run",
        "python",
        "-",
        "--",
        "select",
        "while",
        "alias",
        "export",
        "PATH=",
        '"$@"',
        "read",
        "unset",
        "source",
        ".",
        "watch",
        "timeout",
        "nice",
        "$'\\x70'",
        '$"a"',
        "~root",
        " ",
        "\n",
        "\\\n",
        "\nEOF\n",
        "\t",
    ]
)
SHELL_TEXT = st.lists(TOKENS, max_size=40).flatmap(
    lambda tokens: st.sampled_from(["", " "]).map(lambda joint: joint.join(tokens))
)


def _judge(line: str) -> None:
    for atom in line_atoms(line, SCENE, {"PATH": line}):
        for pattern in PATTERNS:
            allows(pattern, atom)
            catches(pattern, atom)
    offers(line_atoms(line, SCENE))


@given(st.one_of(SHELL_TEXT, st.text(max_size=200)))
def test_no_text_raises(line: str) -> None:
    _judge(line)
    assert line_atoms(line, SCENE)


@given(st.lists(st.one_of(TOKENS, st.text(max_size=20)), max_size=12))
def test_no_argument_list_raises(argv: list[str]) -> None:
    assert argv_atoms(argv, SCENE)


@given(st.text(alphabet=st.characters(codec=None, categories=["Cs", "Cc", "Cf", "Zs", "Lu"]), max_size=60))
def test_neither_surrogates_nor_controls_raise(line: str) -> None:
    _judge(line)


@given(st.text(max_size=20), st.text(max_size=20), SHELL_TEXT)
def test_no_pattern_raises(first: str, second: str, line: str) -> None:
    for atom in line_atoms(line, SCENE):
        allows(f"{first} {second}", atom)
        catches(f"{first} {second}", atom)


@pytest.mark.parametrize(
    "part",
    [
        *(
            "(",
            "$(",
            '"$(',
            "{ ",
            "`",
            "if ",
            "<<a ",
            "<<a\n",
            "${x:-",
            "[[ ",
            "case x in a) ",
            "'",
            "\\",
            "| ",
        ),
        *(
            "a ",
            "$x ",
            "f(){ ",
            ">a ",
            "a=(",
            "! ",
            "[",
            "a[",
            "$[",
            "a&&",
            ";",
            ")",
            "((1+",
            "$((1+",
            "for((;;",
        ),
        *(
            "{a,",
            "{a,b}",
            "sudo ",
            "bash -c ",
            "ssh h ",
            "npx -x ",
            "cat a;",
            "x=`a` ",
            "a|",
            "eval ",
            "cd a;",
        ),
        *("for x in a b c; do ", "git -c a=b ", "parallel bash -c a ", "find . -exec a ; ", "a\\\n", "time "),
    ],
)
def test_the_longest_lines_are_judged(part: str) -> None:
    assert line_atoms((part * COMMAND_CHARS)[:COMMAND_CHARS], SCENE)


COMMANDS = st.sampled_from(["psql -l", "psql", "/usr/bin/psql -c 'select 1'", 'psql "a b"'])
NAMES = st.sampled_from(
    ["psql", '"psql"', "'psql'", "\\psql", 'p"sq"l', "p'sq'l", "$'psql'", "ps\\\nql", "./psql"]
)


def _quoted(line: str) -> str:
    return shlex.quote(line)


WRAPS = st.sampled_from(
    [
        lambda line: f"true; {line}",
        lambda line: f"true && {line}",
        lambda line: f"false || {line}",
        lambda line: f"true | {line}",
        lambda line: f"true\n{line}",
        lambda line: f"{line}; true",
        lambda line: f"{line} | cat",
        lambda line: f"( {line} )",
        lambda line: f"{{ {line}\n}}",
        lambda line: f"echo $( {line} )",
        lambda line: f'echo "$( {line} )"',
        lambda line: f"f() {{ {line}\n}}",
        lambda line: f"if true; then {line}\nfi",
        lambda line: f"for x in a; do {line}\ndone",
        lambda line: f"while true; do {line}\ndone",
        lambda line: f"case a in a) {line}\n;; esac",
        lambda line: f"! {{ {line}\n}}",
        lambda line: f"bash -c {_quoted(line)}",
        lambda line: f"sh -euc {_quoted(line)}",
        lambda line: f"eval {_quoted(line)}",
        lambda line: f"sudo -u x sh -c {_quoted(line)}",
        lambda line: f"timeout 5 env A=b bash -c {_quoted(line)}",
        lambda line: f"xargs -0 sh -c {_quoted(line)}",
        lambda line: f"find . -exec sh -c {_quoted(line)} ';'",
        lambda line: f"ssh host {_quoted(line)}",
        lambda line: f"trap {_quoted(line)} EXIT",
        lambda line: f"diff <( {line} ) x",
        lambda line: f"x=$( {line} )",
    ]
)


@given(COMMANDS, st.lists(WRAPS, max_size=4))
def test_no_wrapping_hides_a_denied_program(line: str, wraps: list[object]) -> None:
    for wrap in wraps:
        assert callable(wrap)
        line = wrap(line)
    assert denied("psql *", line) or "NESTING" in alarms(line)


PREFIXES = st.lists(
    st.sampled_from(
        [
            "sudo",
            "sudo -u x",
            "timeout 5",
            "env",
            "env -i A=b",
            "nice -n 5",
            "nohup",
            "xargs",
            "command",
            "exec",
        ]
    ),
    max_size=4,
)


@given(PREFIXES, NAMES, st.sampled_from(["-l", "", "'a b'", "> out -l"]))
def test_no_prefix_and_no_spelling_hides_a_denied_program(prefixes: list[str], name: str, rest: str) -> None:
    assert denied("psql *", " ".join([*prefixes, name, rest]))


@given(
    st.permutations(["-r", "-f", "a", "-v"]),
    st.sampled_from([str, lambda flag: {"-r": "--recursive", "-f": "--force"}.get(flag, flag)]),
)
def test_no_order_of_flags_hides_a_denied_one(words: list[str], spell: object) -> None:
    assert callable(spell)
    assert denied("rm -rf *", " ".join(["rm", *(spell(word) for word in words)]))


@given(st.permutations(["--hard", "HEAD~3", "-q"]), st.sampled_from(["", "-C x", "--no-pager", "-c a=b"]))
def test_no_place_of_a_flag_hides_a_denied_one(words: list[str], before: str) -> None:
    assert denied("git reset --hard *", f"git {before} reset {' '.join(words)}")


@given(SHELL_TEXT)
def test_a_denied_program_before_any_text_is_found(text: str) -> None:
    assert denied("psql *", f"psql -l; {text}")
