import shlex

import pytest

from toolpost.authorize.commands.awk import is_choosing


@pytest.mark.parametrize(
    "line",
    [
        "awk '{print $1}' data.csv",
        "awk -F, '$3 == \"x\" || NR >= 2 {print $1, $2}' a b",
        "awk -v n=3 'NR==n' a",
        "awk 'length > 80' a",
        "awk '/a|b/ {print \"x\"}' a",
    ],
)
def test_programs_that_choose_and_print_are_told_from_others(line: str) -> None:
    plain = ">" not in line.replace(">=", "") and "a|b" not in line
    assert is_choosing(shlex.split(line)) is plain


@pytest.mark.parametrize(
    "line",
    [
        "awk",
        "awk 'BEGIN{system(\"id\")}'",
        "awk '{print | \"sh\"}' a",
        "awk '{print > \"out\"}' a",
        "awk '{\"id\" | getline x}' a",
        "awk '@load \"x\"'",
        "awk -f prog.awk a",
        "awk --file=prog.awk a",
        "awk -i inplace '{print}' a",
        "awk '{print \"open}'",
    ],
)
def test_what_runs_or_writes_is_no_choice(line: str) -> None:
    assert not is_choosing(shlex.split(line))
