"""Variables that change which code runs."""

import pytest
from tests.authorize.commands.shown import alarms

from toolpost.authorize.commands.environment import is_guarded

GUARDED = [
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "DYLD_INSERT_LIBRARIES",
    "PATH",
    "IFS",
    "BASH_ENV",
    "ENV",
    "PS4",
    "PROMPT_COMMAND",
    "GIT_SSH_COMMAND",
    "GIT_DIR",
    "SSH_ASKPASS",
    "PAGER",
    "GIT_PAGER",
    "EDITOR",
    "VISUAL",
    "NODE_OPTIONS",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PERL5LIB",
    "PERL5OPT",
    "RUBYOPT",
    "RUBYLIB",
    "JAVA_TOOL_OPTIONS",
    "LESSOPEN",
    "HOME",
    "XDG_CONFIG_HOME",
    "PIP_INDEX_URL",
    "CARGO_HOME",
    "CARGO_BUILD_RUSTC",
    "RUSTC_WRAPPER",
    "CC",
    "CXX",
    "MAKEFLAGS",
    "HTTP_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "SHELL",
    "DOCKER_HOST",
    "KUBECONFIG",
]
FREE = [
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "CI",
    "DEBUG",
    "FOO",
    "NO_COLOR",
    "TERM",
    "TZ",
    "RUST_LOG",
    "RUST_BACKTRACE",
    "CARGO_TERM_COLOR",
    "PYTHONUNBUFFERED",
    "VERBOSE",
]


@pytest.mark.parametrize("name", GUARDED)
def test_a_guarded_variable_is_an_alarm_however_it_is_set(name: str) -> None:
    lines = [
        f"{name}=x make",
        f"{name}=x; make",
        f"{name}+=x make",
        f"export {name}=x; make",
        f"export {name}",
        f"declare -x {name}=x",
        f"typeset {name}=x",
        f"local {name}=x",
        f"readonly {name}=x",
        f"env {name}=x make",
        f"sudo {name}=x make",
        f"env -i {name}=x make",
        f"for {name} in x; do make; done",
        f"read {name} < x",
        f"printf -v {name} x",
        f"unset {name}",
        f"time {name}=x make",
    ]
    assert [line for line in lines if "ENVIRONMENT" not in alarms(line)] == []
    assert alarms("make", {name: "x"}) == {"ENVIRONMENT"}


@pytest.mark.parametrize("name", FREE)
def test_a_free_variable_is_none(name: str) -> None:
    assert not is_guarded(name)
    assert alarms(f"{name}=x make && export {name}=y && env {name}=z", {name: "x"}) == set()


def test_a_remapped_command_is_an_alarm() -> None:
    assert alarms("hash -p ./x ls") == {"ENVIRONMENT"}
    assert alarms("hash -r; read line; printf '%s' x; getopts ab c") == set()
