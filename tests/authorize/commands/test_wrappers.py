"""Every program that runs another is seen through, row by row."""

import pytest
from tests.authorize.commands.shown import alarms, denied, sure, told

from toolpost.authorize.commands.interpreters import CODE_FLAGS, SHELLS
from toolpost.authorize.commands.options import flags
from toolpost.authorize.commands.unwrap import unwrap
from toolpost.authorize.commands.wrappers import COMMAND_FLAGS, SUB_COMMANDS, TRANSPARENT, WRAPPERS

_WORDS = {"!": "true; !", "{": "time {", "then": "time then", "do": "time do", "else": "time else"}
_PLAIN = sorted(name for name in WRAPPERS if name not in {*_WORDS, "if", "elif", "while", "until"})


@pytest.mark.parametrize("name", _PLAIN)
def test_a_wrapper_hides_nothing(name: str) -> None:
    operands = "x " * WRAPPERS[name].operands
    assert denied("psql *", f"{name} {operands}psql -l")


@pytest.mark.parametrize("name", _PLAIN)
def test_a_wrapper_hides_nothing_behind_an_option_that_is_not_known(name: str) -> None:
    operands = "x " * WRAPPERS[name].operands
    assert denied("psql *", f"{name} --not-known value {operands}psql -l")


@pytest.mark.parametrize("name", _PLAIN)
def test_a_wrapper_hides_no_script(name: str) -> None:
    operands = "x " * WRAPPERS[name].operands
    assert denied("psql *", f"{name} {operands}bash -c 'true; psql -l'")


@pytest.mark.parametrize("name", _PLAIN)
def test_an_option_with_a_value_is_passed_over(name: str) -> None:
    operands = "x " * WRAPPERS[name].operands
    options = WRAPPERS[name].values.split()
    lines = [f"{name} {option} value {operands}psql -l" for option in options]
    assert [line for line in lines if not denied("psql *", line)] == []


@pytest.mark.parametrize(
    ("name", "option"), [(name, option) for name in _PLAIN for option in WRAPPERS[name].script.split()]
)
def test_an_option_that_takes_a_script_is_read(name: str, option: str) -> None:
    assert denied("psql *", f"{name} {option} 'true; psql -l'")


@pytest.mark.parametrize(("name", "before"), sorted(_WORDS.items()))
def test_a_reserved_word_hides_nothing(name: str, before: str) -> None:
    assert denied("psql *", f"{before} psql -l")


@pytest.mark.parametrize(
    "line", ["time if psql -l; then :; fi", "time while psql -l; do :; done", "time X=1 psql -l"]
)
def test_a_timed_condition_is_read(line: str) -> None:
    assert denied("psql *", line)


@pytest.mark.parametrize(
    ("name", "sub"), [(name, sub) for name, subs in SUB_COMMANDS.items() for sub in sorted(subs)]
)
def test_a_sub_command_that_runs_programs_hides_nothing(name: str, sub: str) -> None:
    assert denied("psql *", f"{name} {sub} -it box psql -l")
    assert denied("psql *", f"{name} {sub} box sh -c 'true; psql -l'")


@pytest.mark.parametrize("name", sorted(COMMAND_FLAGS))
def test_an_option_that_takes_a_command_hides_nothing(name: str) -> None:
    lines = [f"{name} {flag} 'psql -l' x" for flag in COMMAND_FLAGS[name].split()]
    assert [line for line in lines if not denied("psql *", line)] == []


@pytest.mark.parametrize("shell", sorted(SHELLS))
def test_a_shell_hides_nothing(shell: str) -> None:
    assert denied("psql *", f"{shell} -c 'psql -l'")
    assert denied("psql *", f"{shell} -euxc 'psql -l'")
    assert denied("psql *", f"/bin/{shell} -o pipefail -c 'psql -l'")


@pytest.mark.parametrize("name", sorted(name for name, code in CODE_FLAGS.items() if code))
def test_code_that_starts_a_shell_is_looked_at(name: str) -> None:
    assert denied("psql *", f"{name} {CODE_FLAGS[name].split()[0]} \"system('psql -l')\"")


@pytest.mark.parametrize(
    "line",
    [
        "find . -exec psql -l ';'",
        "find . -execdir psql {} +",
        "find . -ok psql {} \\;",
        "find . -exec true ';' -exec psql ';'",
        "find . -exec sh -c 'psql -l' ';'",
        "fd a -x psql",
        "fd -X psql -l",
        "fd a --exec psql",
        "git -c alias.x='!psql -l' x",
        "git -c core.pager='psql -l' log",
        "git -c core.fsmonitor='psql -l' status",
        "git -c diff.external.command=psql diff",
        "git config alias.x '!psql -l'",
        "git rebase -x 'psql -l' main",
        "git rebase --exec 'psql -l' main",
        "git bisect run psql -l",
        "git submodule foreach 'psql -l'",
        "awk 'BEGIN{system(\"psql -l\")}'",
        "awk '{print | \"psql -l\"}'",
        "awk 'BEGIN{\"psql -l\" | getline}'",
        "sed '1e psql -l' x",
        "vim -c '!psql -l'",
        "tar cf x --checkpoint-action=exec='psql -l' .",
        "tar xf x --to-command='psql -l'",
        "ssh h psql -l",
        "ssh h 'cd x && psql -l'",
        "ssh -o ProxyCommand='psql -l' h",
        "socat - EXEC:'psql -l'",
        "rsync -e 'psql -l' a b",
        "env -S 'psql -l'",
        "env -i FOO=1 psql -l",
        "xargs -0 -n 1 psql -l",
        "xargs sh -c 'psql -l'",
        "sudo -u postgres -- psql -l",
        "sudo -nu postgres psql -l",
        "sudo FOO=1 psql -l",
        "watch -n 1 'true; psql -l'",
        "su - postgres -c 'psql -l'",
        "busybox sh -c 'psql -l'",
        "timeout -k 5 10 psql -l",
        "timeout -- 10 psql -l",
        "nice -5 psql -l",
        "flock /tmp/x -c 'psql -l'",
        "nohup setsid sudo env FOO=1 psql -l &",
        "echo x | parallel psql -l",
        "npx -c 'psql -l'",
        "docker run --rm -v /:/h image psql -l",
        "docker compose exec db psql -l",
        "kubectl exec -it pod -- psql -l",
        "uv run psql -l",
        "bundle exec psql -l",
        "python3 -c \"import os; os.system('psql -l')\"",
        "perl -e 'exec \"psql -l\"'",
        'node -e \'require("child_process").execSync("psql -l")\'',
    ],
)
def test_a_known_way_to_run_a_program_inside_another_is_seen(line: str) -> None:
    assert denied("psql *", line)


def test_an_inner_command_says_what_it_stands_in() -> None:
    assert sure("sudo timeout 5 make") == [
        "exec sudo timeout 5 make",
        "exec sudo>timeout>make",
    ]


def test_a_transparent_wrapper_is_only_a_guess_beside_what_it_runs() -> None:
    assert told("nice make") == ["?exec nice make", "exec nice>make"]
    assert denied("nice *", "nice make")
    assert told("command -v make") == ["exec command -v make"]
    assert told("nohup") == ["exec nohup"]


def test_nesting_deeper_than_the_limit_is_an_alarm() -> None:
    assert alarms("nice " * 8 + "make") == set()
    assert alarms("nice " * 9 + "make") == {"NESTING"}
    assert alarms("eval " * 9 + "make") == {"NESTING"}


def test_a_script_that_is_known_only_when_it_runs_is_asked_about() -> None:
    assert alarms('bash -c "$x"') == {"RUN_TIME"}
    assert alarms("eval $x") == {"RUN_TIME"}
    assert denied("psql *", 'bash -c "psql $x"')


@pytest.mark.parametrize(
    ("words", "start", "others"),
    [
        (["sudo", "make"], 1, []),
        (["sudo", "-u", "root", "make"], 3, []),
        (["sudo", "--user=root", "make"], 2, []),
        (["sudo", "-uroot", "make"], 2, []),
        (["sudo", "-n", "make", "x"], 2, []),
        (["sudo", "--odd", "make", "x"], 2, [3]),
        (["sudo", "--", "make"], 2, []),
        (["sudo"], 1, []),
        (["sudo", "-u"], 3, []),
    ],
)
def test_the_inner_command_begins_after_the_wrapper_s_own_words(
    words: list[str], start: int, others: list[int]
) -> None:
    inner = unwrap(words, WRAPPERS["sudo"])
    assert (inner.start, list(inner.others)) == (start, others)


def test_the_transparent_ones_are_these() -> None:
    named = "timeout time nice nohup stdbuf ionice chrt setsid taskset command builtin exec"
    assert flags(named) <= TRANSPARENT
    assert not {"sudo", "env", "xargs", "watch", "strace"} & TRANSPARENT
