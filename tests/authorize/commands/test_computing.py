"""Arithmetic over what is not known may run commands; numbers that a line tells may not."""

import pytest
from tests.authorize.commands.shown import alarms

_ASKED = (
    "read x < f; echo $((x))",
    "read x < f; echo $[x]",
    "read x < f; [[ $x -eq 1 ]]",
    "read x < f; [[ x -lt 1 ]]",
    "read x < f; [[ -v $x ]]",
    'read x < f; test -v "$x"',
    "read x < f; echo ${x@P}",
    "read x < f; echo ${!x}",
    "read x < f; echo ${y:x:1}",
    "read x < f; echo ${y[x]}",
    "read x < f; a=([$x]=1)",
    "read x < f; a[x]=2",
    "read x < f; let y=x+1",
    "read x < f; y=$x; ((y++))",
    "read x < f; (( y = x ))",
    'read x < f; unset "$x"',
    "a[$(cat f)]=1",
    "echo $(( $(cat f) ))",
    "for ((i=$(cat f);;)); do ls; done",
    "declare -i n; read n < f",
    "x=1; while ((x)); do read x < f; done",
    "x=1; declare -n r=x; read r < f; echo $((x))",
    "x=1; v=x; read $v < f; echo $((x))",
    "x=; : ${x:=$(cat f)}; echo $((x))",
    "mapfile -t a < f; echo $((a[0]))",
    "getopts a: o; echo $((OPTARG))",
    'f() { echo $(($1)); }; f "$(cat y)"',
    "cat f | while read -r n; do echo $((n + 1)); done",
    "for n in $(cat f); do echo $((n)); done",
    'printf -v "a[$x]" y',
    "printf -va[x] y",
    "echo $((HOST))",
    "mapfile -C eval -c 1 < f",
    "bash -c 'read x < f; echo $((x))'",
)
_FREE = (
    "echo $((1+2))",
    "i=1; echo $((i + 1))",
    "i=0x1f; echo $((i))",
    "for i in 1 2 3; do echo $((i*2)); done",
    "for ((i=0;i<3;i++)); do echo $i; done",
    "i=0; while ((i<3)); do i=$((i+1)); done",
    "n=0; n+=1; ((n++))",
    "local i; i=2; echo $((i))",
    "declare -i n=3; echo $n",
    "x=abc; echo ${x:0:2} ${#x}",
    "n=${#x}; echo $((n))",
    "ls; [[ $? -eq 0 ]] && echo ok",
    "if [ $(ls | wc -l) -gt 3 ]; then echo many; fi",
    "let i=1+2",
    "echo $((RANDOM % 6))",
    'mapfile -t a < f; echo "${a[@]}" ${!a[@]}',
    "printf -v y %s 1; echo $y",
    "read -p name x; echo $x",
)


@pytest.mark.parametrize("line", _ASKED)
def test_what_is_computed_from_the_unknown_raises_an_alarm(line: str) -> None:
    assert "RUN_TIME" in alarms(line)


@pytest.mark.parametrize("line", _FREE)
def test_numbers_that_the_line_tells_raise_none(line: str) -> None:
    assert alarms(line) == set()


def test_a_variable_of_the_call_is_known_by_its_value() -> None:
    assert alarms("x=1; echo $((x))", {"x": "a[$(id)]"}) == {"RUN_TIME"}
    assert alarms("x=1; echo $((x))", {"x": "7"}) == set()
