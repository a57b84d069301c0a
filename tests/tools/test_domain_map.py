from typing import Any

import pytest

from toolpost.tools.domain_map import check
from toolpost.tools.verdict import Verdict

GOOD = {
    "domains": [{"name": "orders"}, {"name": "users"}],
    "layout": {"orders": "src/orders"},
    "summary": {"totalDomains": 2},
}


def test_a_whole_map_is_valid() -> None:
    assert check(GOOD) == Verdict(valid=True, errors=[], warnings=[])


@pytest.mark.parametrize(
    "data",
    [
        {"domains": [], "layout": {}, "summary": {}},
        {"layout": {}, "summary": {}},
        {**GOOD, "domains": {"orders": {}}},
        {**GOOD, "domains": None},
        [],
        None,
        "domains",
    ],
)
def test_without_domains_that_is_the_one_error(data: Any) -> None:
    assert check(data) == Verdict(valid=False, errors=["Missing 'domains' array"], warnings=[])


@pytest.mark.parametrize(
    ("change", "errors"),
    [
        ({"domains": [{"name": "orders"}, "users"]}, ["'domains[1]' is not an object"]),
        (
            {"domains": [{"name": " "}, {"title": "users"}]},
            ["Missing 'domains[0].name'", "Missing 'domains[1].name'"],
        ),
        ({"layout": []}, ["Missing 'layout' object"]),
        ({"layout": None, "summary": None}, ["Missing 'layout' object", "Missing 'summary' object"]),
        ({"summary": {}}, ["Missing 'summary.totalDomains'"]),
        ({"summary": {"totalDomains": True}}, ["Missing 'summary.totalDomains'"]),
        ({"summary": {"totalDomains": "2"}}, ["Missing 'summary.totalDomains'"]),
    ],
)
def test_with_domains_all_else_is_checked(change: dict[str, Any], errors: list[str]) -> None:
    assert check({**GOOD, **change}) == Verdict(valid=False, errors=errors, warnings=[])


@pytest.mark.parametrize(
    ("change", "warnings"),
    [
        ({"summary": {"totalDomains": 3}}, ["'summary.totalDomains' is 3, but there are 2 domains"]),
        ({"domains": [{"name": "orders"}, {"name": "orders "}]}, ["2 domains are named 'orders'"]),
    ],
)
def test_what_is_odd_is_a_warning_and_blocks_nothing(change: dict[str, Any], warnings: list[str]) -> None:
    assert check({**GOOD, **change}) == Verdict(valid=True, errors=[], warnings=warnings)


def test_of_very_many_errors_the_first_are_told_and_the_rest_counted() -> None:
    few = check({**GOOD, "domains": [1] * 25, "summary": {"totalDomains": 25}})
    many = check({**GOOD, "domains": [1] * 5_000, "summary": {"totalDomains": 5_000}})

    assert [len(few.errors), few.errors[-1]] == [21, "and 5 more"]
    assert [len(many.errors), many.errors[-1]] == [21, "and at least 980 more"]
