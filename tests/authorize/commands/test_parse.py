"""Every place in shell text where a command may stand is found, and words come out as bash would read them."""

import pytest
from tests.authorize.commands.shown import SCENE, alarms, denied, sure, told

from toolpost.authorize.commands.line import line_atoms
from toolpost.authorize.commands.parse import parse
from toolpost.limits import COMMAND_DEPTH, COMMAND_HEREDOCS

PLACES = [
    "psql -l",
    "true; psql -l",
    "true\npsql -l",
    "true && psql -l",
    "false || psql -l",
    "true & psql -l",
    "true | psql -l",
    "true |& psql -l",
    "! psql -l",
    "! ! psql -l",
    "time psql -l",
    "time -p psql -l",
    "time { psql -l; }",
    "time (psql -l)",
    "coproc psql -l",
    "coproc { psql -l; }",
    "coproc NAME { psql -l; }",
    "(psql -l)",
    "{ psql -l; }",
    "foo ( psql -l )",
    "echo $(psql -l)",
    "echo `psql -l`",
    'echo "$(psql -l)"',
    'echo "`psql -l`"',
    'echo "$(echo ")" ; psql -l)"',
    "echo `echo \\`psql -l\\``",
    "echo ${x:-$(psql -l)}",
    "echo ${x:-`psql -l`}",
    "echo ${x//a/$(psql -l)}",
    "echo $(( $(psql -l) ))",
    "echo $(( a[$(psql -l)] ))",
    "x=$(psql -l)",
    "x=`psql -l` true",
    "x=(a $(psql -l))",
    "x[$(psql -l)]=1",
    "export X=$(psql -l)",
    'local X="$(psql -l)"',
    "diff <(psql -l) b",
    "tee >(psql -l)",
    "cat <<< $(psql -l)",
    "cat <<EOF\n$(psql -l)\nEOF",
    "cat <<EOF\n`psql -l`\nEOF",
    "cat <<EOF\nhello $(true) `psql -l`\nEOF",
    "cat <<-EOF\n\t$(psql -l)\n\tEOF\n",
    "cat <<EOF | psql -l\na\nEOF",
    "cat <<EOF && psql -l\na\nEOF",
    "cat <<EOF\na\nEOF\npsql -l",
    "bash <<EOF\npsql -l\nEOF",
    "bash <<'EOF'\npsql -l\nEOF",
    "bash <<< 'psql -l'",
    "cat < $(psql -l)",
    "cat > $(psql -l)",
    "> out psql -l",
    "2>x psql -l",
    "if psql -l; then :; fi",
    "if true; then psql -l; fi",
    "if false; then :; elif psql -l; then :; fi",
    "if false; then :; else psql -l; fi",
    "while psql -l; do :; done",
    "until true; do psql -l; done",
    "for x in a; do psql -l; done",
    "for x in $(psql -l); do :; done",
    "for ((i=0; i<$(psql -l); i++)); do :; done",
    "for ((;;)); do psql -l; done",
    "select x in a; do psql -l; done",
    "case a in a) psql -l;; esac",
    "case $(psql -l) in a) :;; esac",
    "case a in $(psql -l)) :;; esac",
    "case a in (b) :;& a) psql -l;; esac",
    "[[ -n $(psql -l) ]]",
    '[ -n "$(psql -l)" ]',
    "test -n $(psql -l)",
    "[[ -v 'x[$(psql -l)]' ]]",
    "(( x = $(psql -l) ))",
    "let 'x[$(psql -l)]=1'",
    "f() { psql -l; }",
    "function f { psql -l; }",
    "f() ( psql -l )",
    "f() { $1 -l; }; f psql",
    "x='a[$(psql -l)]'; echo $((x))",
    "eval psql -l",
    "eval 'psql -l'",
    "trap 'psql -l' EXIT",
    "alias x='psql -l'",
    "psql $",
    "exec psql -l",
    "psql > out -l",
    "psql 2>&1 -l",
    "psql -l &",
    "while :; do psql -l; done & wait",
    "source <(psql -l)",
    "echo a; # b\npsql -l",
    "python3 - <<'EOF'\nimport os\nos.system('psql -l')\nEOF",
]


@pytest.mark.parametrize("line", PLACES)
def test_a_denied_program_is_found_wherever_it_stands(line: str) -> None:
    assert denied("psql *", line)


SPELLINGS = [
    '"psql" -l',
    "'psql' -l",
    "\\psql -l",
    'p"sq"l -l',
    "p'sq'l -l",
    "ps\\\nql -l",
    'ps"\\\n"ql -l',
    "$'psql' -l",
    "$'\\x70sql' -l",
    "$'\\160sql' -l",
    "$'\\u0070sql' -l",
    "p$'s'ql -l",
    '$"psql" -l',
    "{psql,-l}",
    "/usr/bin/psql -l",
    "./psql -l",
    '"$DIR"/psql -l',
    "PSQL -l",
    "psql.exe -l",
    "ps?l -l",
    "p*l -l",
    "[p]sql -l",
    "/usr/bin/p?ql -l",
    "p=psql; $p -l",
    'p=psql; "$p" -l',
    "p=psql; ${p} -l",
    "p=ps; ${p}ql -l",
    "p=ps; p+=ql; $p -l",
    "p='psql -l'; $p",
    "export p=psql; $p -l",
    "${p:-psql} -l",
    "${p:=psql} -l",
    "for p in true psql; do $p -l; done",
    "set -- psql; bash -c '\"$@\"' x psql -l",
    "bash -c '$0 -l' psql",
    "p=psql bash -c '$p -l'",
    "x{a,b}; psql -l",
    "psql$EMPTY -l",
]


@pytest.mark.parametrize("line", SPELLINGS)
def test_a_denied_program_is_found_however_it_is_spelt(line: str) -> None:
    assert denied("psql *", line)


DATA = [
    "echo psql",
    "echo 'psql -l'",
    "echo '$(psql -l)'",
    'echo "; psql -l"',
    "cargo test # && psql -l",
    "cat <<'EOF'\n$(psql -l)\nEOF",
    "cat <<EOF\npsql -l\nEOF",
    "grep psql a.txt",
    "sudo -n grep psql a.txt",
    "git commit -m 'psql -l'",
    "command -v psql",
    "cat psql",
    "echo \\$(psql)",
]


@pytest.mark.parametrize("line", DATA[:-1])
def test_what_is_data_is_not_taken_for_a_program(line: str) -> None:
    assert not denied("psql *", line)


WORDS = [
    ("a b  c", ["a", "b", "c"]),
    ("a 'b c' \"d e\"", ["a", "b c", "d e"]),
    ("a \\  b", ["a", " ", "b"]),
    ('a "x\\$y\\"z\\\\" \'\\n\'', ["a", 'x$y"z\\', "\\n"]),
    ("a $'b\\tc\\n\\'d'", ["a", "b\tc\n'd"]),
    ('a $"b c"', ["a", "b c"]),
    ('a " $HOME b"', ["a", " /home/u b"]),
    ("a {b,c}d e{1..3}", ["a", "bd", "cd", "e1", "e2", "e3"]),
    ("a {b,{c,d}}", ["a", "b", "c", "d"]),
    ("a {b} {} {b,c", ["a", "{b}", "{}", "{b,c"]),
    ("a '{b,c}' \\{d,e}", ["a", "{b,c}", "{d,e}"]),
    ("a {a..c} {3..1}", ["a", "a", "b", "c", "1", "2", "3"]),
    ("a ~ ~/x ~+ '~' b~", ["a", "/home/u", "/home/u/x", "/w", "~", "b~"]),
    ("a $PWD/x ${HOME}", ["a", "/w/x", "/home/u"]),
    ("a b\\\n c", ["a", "b", "c"]),
    ("a -b=c --d='e f'", ["a", "-b=c", "--d=e f"]),
    ("a HEAD@{1} @{u}", ["a", "HEAD@{1}", "@{u}"]),
    ("cat - <<X -\nX", ["cat", "-", "-"]),
    ("a '' \"\"", ["a", "", ""]),
]


@pytest.mark.parametrize(("line", "words"), WORDS)
def test_words_come_out_as_the_shell_reads_them(line: str, words: list[str]) -> None:
    atom = next(atom for atom in line_atoms(line, SCENE) if atom.words)
    assert [word.text for word in atom.words] == words


@pytest.mark.parametrize(
    ("line", "fixed", "glob"),
    [
        ("a b", True, False),
        ("a $x", False, False),
        ("a x$(y)", False, False),
        ("a `y`", False, False),
        ("a $((1))", False, False),
        ("a *.py", True, True),
        ("a '*.py'", True, False),
        ("a \\*.py", True, False),
        ("a [ab]c", True, True),
        ("a b?", True, True),
        ("a $HOME", True, False),
        ("a ~", True, False),
        ("a ~root/x", False, False),
        ("x=1; a $x", False, False),
        ("HOME=/x; a ~", False, False),
        ("a {1..500}", True, True),
    ],
)
def test_a_word_tells_what_is_known_of_it(line: str, *, fixed: bool, glob: bool) -> None:
    atom = next(
        atom for atom in reversed(line_atoms(line, SCENE)) if atom.words and atom.words[0].text == "a"
    )
    assert (atom.words[1].fixed, atom.words[1].glob) == (fixed, glob)


@pytest.mark.parametrize(
    "line",
    [
        "if true; then",
        'echo "open',
        "echo 'open",
        "echo $(open",
        "cat <<A; cat <<B\nA\nB",
        "exec 3<>x",
        "{a,b}",
        "echo $(" * (COMMAND_DEPTH + 5) + ")" * (COMMAND_DEPTH + 5),
        "(" * (COMMAND_DEPTH + 5) + "a" + ")" * (COMMAND_DEPTH + 5),
        "cat " + "<<A " * (COMMAND_HEREDOCS + 1),
        ")" * 2_000,
        "a=(" * 600,
        "ec\\\nho <<A\nA",
    ],
)
def test_what_cannot_be_read_wholly_is_said_so(line: str) -> None:
    assert parse(line).unreadable
    assert "UNREADABLE" in alarms(line)


def test_what_did_parse_of_an_unreadable_line_is_judged() -> None:
    assert "read /w/customers/a" in told("cat customers/a; if true; then")


def test_words_after_a_redirect_are_the_command_s_own() -> None:
    assert sure("git reset > log --hard 2>&1 HEAD") == ["write /w/log", "exec git reset --hard HEAD"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a < b", ["read /w/b", "exec a"]),
        ("a > b", ["write /w/b", "exec a"]),
        ("a >> b", ["write /w/b", "exec a"]),
        ("a >| b", ["write /w/b", "exec a"]),
        ("a &> b", ["write /w/b", "exec a"]),
        ("a &>> b", ["write /w/b", "exec a"]),
        ("a 2> b", ["write /w/b", "exec a"]),
        ("a >& b", ["write /w/b", "exec a"]),
        ("a 2>&1", ["exec a"]),
        ("a >&-", ["exec a"]),
        ("a > /dev/null 2>&1", ["exec a"]),
        ("a > /dev/stderr", ["exec a"]),
        ("> b", ["write /w/b"]),
        ("{ a; b; } > c", ["write /w/c", "exec a", "exec b"]),
        ("(a) < c", ["read /w/c", "exec a"]),
        ("for x in 1; do a; done > c", ["write /w/c", "exec a"]),
        ("f() { a; } > c", ["write /w/c", "exec a"]),
        ("cat <<E > c\nE", ["write /w/c", "exec cat"]),
        ("a > /dev/tcp/1.2.3.4/80", ["net 1.2.3.4", "exec a"]),
        ("a < /dev/udp/h/53", ["net h", "exec a"]),
    ],
)
def test_redirects_are_told(line: str, expected: list[str]) -> None:
    assert sure(line) == expected


def test_a_read_and_write_redirect_is_both() -> None:
    assert {"read /w/x", "write /w/x"} <= set(told("exec 3<>x"))
