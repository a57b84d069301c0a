"""A call that is refused, by whatever stage, never reaches its tool."""

from typing import Any

import pytest

from toolpost import Bench, Call, Denied, Limits
from toolpost.authorize.ask import Always, Answer, Asker, Nobody
from toolpost.authorize.profiles import PROFILES, Profile
from toolpost.define import Check, from_schema
from toolpost.problem import Problem
from toolpost.result import Outcome

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}


class Counted:
    """A tool that counts how often it ran."""

    def __init__(self, **settings: Any) -> None:
        self.runs = 0
        settings = {"effects": ["exec"], "blocking": False, **settings}
        self.tool = from_schema("work", "", SCHEMA, self._run, **settings)

    def _run(self, _args: Any) -> str:
        self.runs += 1
        return "ran"


def _no(_value: Any) -> None:
    raise Denied("Not this one.")


@pytest.mark.parametrize(
    ("profile", "asker"),
    [
        (PROFILES["read-only"], Always(Answer.ALLOW_ALWAYS)),
        (PROFILES["ask"], Nobody()),
        (PROFILES["ask"], Always(Answer.REJECT_ONCE)),
        (PROFILES["ask"], Always(Answer.REJECT_ALWAYS)),
        (Profile(name="empty"), Nobody()),
    ],
)
async def test_a_denied_call_does_not_execute(profile: Profile, asker: Asker) -> None:
    counted = Counted()
    bench = Bench([counted.tool], profile=profile, asker=asker)
    results = [await bench.call("work") for _ in range(3)]
    assert (counted.runs, {result.outcome for result in results}) == (0, {Outcome.REFUSED})


@pytest.mark.parametrize(
    ("settings", "call", "code"),
    [
        ({}, Call(tool="work", args={"n": "x"}), "INVALID_ARGUMENT"),
        ({}, Call(tool="wrok"), "TOOL_NOT_FOUND"),
        ({}, Call(tool="work", fault=Problem(code="MALFORMED_MESSAGE")), "MALFORMED_MESSAGE"),
        ({"scopes": ["s"]}, Call(tool="work"), "AUTHENTICATION_REQUIRED"),
        ({"checks": [Check(("n",), _no)]}, Call(tool="work", args={"n": 1}), "DENIED"),
        ({"cost": {"calls": 9}}, Call(tool="work"), "BUDGET_EXCEEDED"),
    ],
)
async def test_nor_does_one_that_another_stage_refuses(
    settings: dict[str, Any], call: Call, code: str
) -> None:
    counted = Counted(**settings)
    bench = Bench([counted.tool], profile=PROFILES["open"], limits=Limits(run={"calls": 5}))
    assert [problem.code for problem in (await bench.call(call)).problems] == [code]
    assert counted.runs == 0


async def test_an_allowed_one_does() -> None:
    counted = Counted()
    assert (await Bench([counted.tool], asker=Always(Answer.ALLOW_ONCE)).call("work")).text == "ran"
    assert counted.runs == 1
