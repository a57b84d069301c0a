"""A final `*` covers no argument that runs, writes or reconfigures; row by row."""

import pytest
from tests.authorize.commands.shown import SCENE

from toolpost.atom import Atom, Kind, Word
from toolpost.authorize.commands.escapes import ESCAPES
from toolpost.authorize.commands.line import line_atoms
from toolpost.authorize.commands.matching import allows

SPECIFIED = {
    "find": "-exec -execdir -ok -okdir -delete -fprint -fprintf -fls -fprint0",
    "fd": "-x -X",
    "rg": "--pre --hostname-bin -z",
    "sort": "-o -T --compress-program",
    "sed": "-i -s -f",
    "tar": "--checkpoint-action --to-command -I -F",
    "git": "-c -C --git-dir --work-tree --exec-path --output -O --ext-diff --textconv --upload-pack",
    "curl": "-o -O -T -K",
    "wget": "-O -e --post-file",
    "make": "-f -C --eval SHELL=",
    "npm": "--prefix --script-shell",
    "pytest": "-p -c -o --rootdir",
    "cargo": "--config --manifest-path -Z",
    "docker": "-H --context",
    "man": "-P -H",
    "ssh": "-o -F",
    "awk": "-f -i -l -E",
    "less": "x",
    "vi": "x",
    "vim": "x",
    "xargs": "x",
    "env": "x",
}


def _covers(pattern: str, *words: str) -> bool:
    return allows(pattern, Atom(kind=Kind.EXEC, target="", words=tuple(map(Word, words))))


@pytest.mark.parametrize(
    ("program", "flag"), [(name, flag) for name, flags in SPECIFIED.items() for flag in flags.split()]
)
def test_the_flags_that_were_asked_for_are_there(program: str, flag: str) -> None:
    assert not _covers(f"{program} *", program, flag, "x")


def _flags(name: str) -> list[str]:
    return f"{ESCAPES[name].flags} {ESCAPES[name].first}".split()


def _line(name: str, flag: str, *rest: str) -> tuple[str, ...]:
    """The flag where it counts: some only before the sub-command."""
    program, *subs = name.split()
    if flag.partition("=")[0] in ESCAPES[name].first.split():
        return (program, flag, *rest, *subs)
    return (program, *subs, flag, *rest)


@pytest.mark.parametrize("name", sorted(ESCAPES))
def test_a_flag_of_the_table_needs_a_rule_that_names_it(name: str) -> None:
    program = name.split(maxsplit=1)[0]
    lines = [_line(name, flag.replace("*", ""), "p") for flag in _flags(name)]
    assert [line for line in lines if _covers(f"{name} *", *line) or _covers(f"{program} *", *line)] == []
    assert [line for line in lines if not _covers("*", *line)] == []
    named = [_line(name, flag, "p") for flag in _flags(name) if "*" not in flag]
    assert [line for line in named if not _covers(f"{' '.join(line[:-1])} *", *line)] == []


@pytest.mark.parametrize("name", sorted(ESCAPES))
def test_a_long_flag_counts_with_its_value_and_abbreviated(name: str) -> None:
    program = name.split(maxsplit=1)[0]
    long = [flag for flag in _flags(name) if flag.startswith("--") and "*" not in flag]
    valued = [_line(name, f"{flag}=0") for flag in long]
    assert [line for line in valued if _covers(f"{program} *", *line)] == []
    short = [_line(name, flag[:-1]) for flag in long if len(flag) > 5 and flag in ESCAPES[name].flags.split()]
    assert [line for line in short if _covers(f"{program} *", *line)] == []


@pytest.mark.parametrize("name", sorted(name for name, row in ESCAPES.items() if row.words))
def test_a_word_of_the_table_needs_a_rule_that_names_it(name: str) -> None:
    words = ESCAPES[name].words.split()
    assert [word for word in words if _covers(f"{name} *", *name.split(), word)] == []
    assert [word for word in words if not _covers(f"{name} {word} *", *name.split(), word)] == []


@pytest.mark.parametrize("name", [name for name, row in ESCAPES.items() if row.everything])
def test_some_programs_are_not_covered_with_any_argument(name: str) -> None:
    assert not _covers(f"{name} *", *name.split(), "x")
    assert not _covers(f"{name.split(maxsplit=1)[0]} *", *name.split(), "x")


@pytest.mark.parametrize(
    "line",
    [
        "git log --oneline -n 5",
        "git log -c -p",
        "git diff -C HEAD~1",
        "git switch -c topic",
        "git commit -am message",
        "sort -t, -k2,2 -u a",
        "sort -- -o",
        "grep -rn --include=*.py needle src",
        "rg -tpy -g '*.py' -A3 needle",
        "tar tzvf a.tgz",
        "tar xzf a.tgz",
        "curl -sSL -H 'a: o' https://x.y",
        "make -j4 all",
        "cargo test --workspace -- --nocapture",
        "npm test",
        "pytest -x -k name -q tests",
        "docker ps -a",
        "find . -name '*.py' -type f",
        "fd -e py -t f pattern",
        "jq -r .a x.json",
        "ls -lao src",
        "go test -v -run X ./...",
        "ruff check --fix .",
        "sed -n 1,5p a",
        "tree -L 2",
        "wc -l *.py",
    ],
)
def test_everyday_flags_are_covered(line: str) -> None:
    (atom,) = [atom for atom in line_atoms(line, SCENE) if atom.kind is Kind.EXEC]
    assert allows(f"{atom.words[0].text} *", atom)


def test_a_bare_glob_may_be_a_flag_of_some_programs() -> None:
    assert not allows("tar *", line_atoms("tar cf a.tar *", SCENE)[0])
    assert allows("tar *", line_atoms("tar cf a.tar src/*", SCENE)[0])
    assert allows("ls *", line_atoms("ls *", SCENE)[0])
