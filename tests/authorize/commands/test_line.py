"""What lines and argument lists become."""

import subprocess
import sys

import pytest
from tests.authorize.commands.shown import SCENE, alarms, allowed, allowed_argv, denied, shown, sure, told

from toolpost.atom import Alarm, Kind
from toolpost.authorize.commands.line import argv_atoms, line_atoms
from toolpost.limits import COMMAND_CHARS, COMMAND_COUNT


def test_a_line_is_told_command_by_command_with_what_follows_from_each() -> None:
    assert told("jq . a.json > out && curl -d @b https://x.y/z") == [
        "write /w/out",
        "exec jq . a.json",
        "read /w/a.json",
        "exec curl -d @b https://x.y/z",
        "read /w/b",
        "net https://x.y/z",
    ]


def test_a_command_allowed_by_its_prefix() -> None:
    assert allowed("cargo test *", "cargo test --workspace -q")


def test_an_escape_flag_is_not_covered_by_the_star() -> None:
    assert not allowed("cargo test *", "cargo test --config evil.toml")


def test_an_exact_rule_admits_no_more_arguments() -> None:
    assert not allowed("make lint", "make lint -j4")


def test_tee_needs_a_rule_of_its_own() -> None:
    line = "nice -n 5 cargo test | tee docs/t.log"
    assert sure(line) == ["exec nice>cargo test", "exec tee docs/t.log", "write /w/docs/t.log"]
    assert not allowed("cargo test *", line)


def test_a_program_in_a_folder_of_the_workspace_is_another_program() -> None:
    assert not allowed("cargo test *", "./tools/cargo test")


def test_flags_are_found_behind_operands_in_a_subshell() -> None:
    assert denied("git reset --hard *", "tree || (git fetch; git reset HEAD~3 --hard)")


def test_a_script_after_a_cluster_of_flags_is_read() -> None:
    assert denied("psql *", "bash -euo pipefail -c 'make lint && psql -l'")


def test_a_loop_that_reads_a_pipe_is_read() -> None:
    assert denied("psql *", 'fd . | while read f; do psql -f "$f"; done')


def test_names_are_unquoted_first() -> None:
    assert denied("psql *", 'make lint; p"sq"l -l')


def test_a_comment_is_data() -> None:
    assert told("cargo test # && psql") == ["exec cargo test"]


def test_an_argument_list_is_data() -> None:
    assert [shown(atom) for atom in argv_atoms(["cargo", "test", "&&", "psql"], SCENE)] == [
        "exec cargo test && psql"
    ]
    assert allowed_argv("cargo test *", "cargo", "test", "&&", "psql")


def test_what_a_substitution_reads_is_read() -> None:
    assert "read /w/customers/list" in told("tree $(<customers/list)")


def test_a_run_time_path_is_told_as_such() -> None:
    assert told('du -sh "$DIR"') == ["exec du -sh ", "read  ~ /"]
    assert not allowed("du *", 'du -sh "$DIR"')


def test_a_guarded_variable_raises_an_alarm_with_the_command_it_is_set_for() -> None:
    assert told("RUSTC_WRAPPER=./w cargo test") == ["!ENVIRONMENT cargo test", "exec cargo test"]


def test_a_forced_redirect_is_a_write_of_its_own() -> None:
    atoms = line_atoms("tree docs >| docs/tree.txt", SCENE)
    assert [(atom.kind, atom.target, atom.implied) for atom in atoms] == [
        (Kind.WRITE, "/w/docs/tree.txt", False),
        (Kind.EXEC, "tree docs", False),
        (Kind.READ, "/w/docs", True),
    ]


@pytest.mark.parametrize("line", ["", " ", "\n\t"])
def test_an_empty_line_is_asked_about(line: str) -> None:
    assert alarms(line) == {"EMPTY"}
    assert [atom.alarm for atom in argv_atoms([line], SCENE)] == [Alarm.EMPTY]


def test_an_empty_argument_list_is_asked_about() -> None:
    assert [atom.alarm for atom in argv_atoms([], SCENE)] == [Alarm.EMPTY]


def test_a_line_that_is_too_long_still_meets_what_denies() -> None:
    line = "true; " * (COMMAND_CHARS // 6 + 1) + "psql -l"
    assert "TOO_LONG" in alarms(line)
    assert denied("psql *", line)


def test_a_line_of_too_many_commands_still_meets_what_denies() -> None:
    line = "true; " * COMMAND_COUNT + "cat customers/a; psql -l"
    assert "TOO_LONG" in alarms(line)
    assert denied("psql *", line)
    assert "read /w/customers/a" in told(line)


def test_no_number_of_commands_hides_the_last() -> None:
    line = "a;" * (COMMAND_CHARS // 2 - 10) + "psql -l"
    assert "TOO_LONG" in alarms(line)
    assert denied("psql *", line)


def test_no_number_of_crude_parts_hides_the_last() -> None:
    assert denied("psql *", "a;" * COMMAND_CHARS + "psql -l")


def test_an_unreadable_line_is_asked_about_and_still_meets_what_denies() -> None:
    line = "if true; then psql -l"
    assert alarms(line) == {"UNREADABLE"}
    assert denied("psql *", line)


def test_the_environment_of_the_call_is_judged() -> None:
    assert alarms("make", {"LD_PRELOAD": "./x.so", "LANG": "C"}) == {"ENVIRONMENT"}
    assert [atom.alarm for atom in argv_atoms(["make"], SCENE, {"PATH": "."})] == [Alarm.ENVIRONMENT, None]
    assert alarms("make", {"FOO": "1"}) == set()


def test_a_plain_assignment_alone_is_harmless() -> None:
    assert told("FOO=bar") == ["exec FOO=bar"]
    assert [word.text for word in line_atoms("FOO=bar", SCENE)[0].words] == [":"]


def test_invisible_characters_are_found_in_argument_lists_too() -> None:
    assert [atom.alarm for atom in argv_atoms(["echo", "a\u200bb"], SCENE)] == [Alarm.INVISIBLE]
    assert [atom.alarm for atom in argv_atoms(["echo", "a\r\n"], SCENE)] == [None]


def test_a_denied_program_is_found_beside_invisible_characters() -> None:
    assert alarms("psql\u200b; psql -l") >= {"INVISIBLE"}
    assert denied("psql *", "psql\u200b; psql -l")


def test_the_parser_is_loaded_only_when_it_is_needed() -> None:
    script = (
        "import sys\n"
        "from toolpost.authorize.commands.line import line_atoms\n"
        "from toolpost.authorize.commands import matching, offers\n"
        "from toolpost.authorize.scene import Scene\n"
        "line_atoms('git status | wc -l && make lint', Scene(roots=('/w',)))\n"
        "before = 'tree_sitter' in sys.modules\n"
        "line_atoms('echo \"$x\"', Scene(roots=('/w',)))\n"
        "print(before, 'tree_sitter' in sys.modules)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert ran.stdout.split() == ["False", "True"]


def test_a_scene_without_a_home_leaves_it_unknown() -> None:
    scene = type(SCENE)(roots=("/w",))
    assert [shown(atom) for atom in line_atoms("cat ~/a", scene)] == [
        "exec cat ~/a",
        "read  ~",
        "?read /w/~/a",
    ]
