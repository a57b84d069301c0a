import pytest
from tests.cli.desk import Run

from toolpost.cli import exits
from toolpost.cli.exits import MEANING, Exit
from toolpost.errors import every_error
from toolpost.problem import HTTP_STATUS


def test_a_code_is_explained_however_it_is_spelled(run: Run) -> None:
    shown = run("explain", "needs-approval", "--text")

    assert shown.code == 0
    assert shown.out.startswith("NEEDS_APPROVAL: Approval Needed\n\nThe call needs a person's approval")
    assert "a kind of      DENIED, TOOL_ERROR\n" in shown.out


def test_json_has_every_fact(run: Run) -> None:
    assert run("explain", "TIMEOUT", "--json").json == {
        "code": "TIMEOUT",
        "title": "Timed Out",
        "meaning": "The tool took longer than it was given.",
        "fix": "Ask for less at once, or give the call more time within the limit.",
        "retryable": True,
        "http_status": 504,
        "exit_code": 6,
        "type": "timeout",
        "parents": ["TOOL_ERROR"],
    }


def test_an_unknown_code_says_the_nearest(run: Run) -> None:
    assert run("explain", "BUDGET") == (
        4, "", "error: There is no error 'BUDGET'.\n  next: toolpost explain BUDGET_EXCEEDED\n"
    )  # fmt: skip
    assert run("explain", "%").err.endswith("next: toolpost explain lists them all.\n")


def test_without_a_code_all_are_listed_once(run: Run) -> None:
    codes = [one["code"] for one in run("explain", "--json").json]

    assert sorted(codes) == sorted({error.code for error in every_error()})
    assert run("explain", "--text").out.count("\n") == len(codes) + 1


@pytest.mark.parametrize("slug", HTTP_STATUS)
def test_every_kind_of_error_has_a_documented_exit_code(slug: str) -> None:
    assert exits.of_error("ANY", slug) in MEANING
    assert exits.of_error("ANY", slug) is not Exit.OK


def test_a_cancelled_call_is_an_interruption() -> None:
    assert exits.of_error("CANCELLED", "timeout") is Exit.INTERRUPTED
