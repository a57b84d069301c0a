from typing import Any

import pytest

from toolpost import Bench, Call, Caller, Decision, Result, Tool, tool
from toolpost.authorize.ask import Always, Answer
from toolpost.authorize.profiles import PROFILES
from toolpost.events import Event, PermissionAsked
from toolpost.result import Outcome, Verdict
from toolpost.testing import ScriptedAsker


def _writer(**settings: Any) -> Tool:
    @tool(name="write", effects=["write"], blocking=False, **settings)
    def write() -> str:
        return "written"

    return write


def _ends(result: Result) -> tuple[Any, ...]:
    return result.text or tuple(problem.code for problem in result.problems), result.outcome, result.verdict


RULE = ("write", "profile:ask", "write write")


@pytest.mark.parametrize(
    ("answer", "ends"),
    [
        (Answer.ALLOW_ONCE, ("written", Outcome.SUCCEEDED, Verdict(Decision.ALLOW, *RULE, "user"))),
        (Answer.REJECT_ONCE, (("DENIED",), Outcome.REFUSED, Verdict(Decision.DENY, *RULE, "user"))),
    ],
)
async def test_the_users_answer_decides_and_is_kept_in_the_verdict(answer: Answer, ends: Any) -> None:
    assert _ends(await Bench([_writer()], asker=Always(answer)).call("write")) == ends


async def test_without_anybody_to_ask_the_call_needs_approval() -> None:
    result = await Bench([_writer()]).call("write")
    assert _ends(result) == (("NEEDS_APPROVAL",), Outcome.REFUSED, Verdict(Decision.ASK, *RULE))
    (problem,) = result.problems
    assert problem.detail == "write needs the user's approval, and nobody could be asked."
    assert problem.context == {"rule": "write", "layer": "profile:ask", "atom": "write write", "who": "rule"}


async def test_a_rule_denies_without_asking() -> None:
    asker = ScriptedAsker([Answer.ALLOW_ONCE])
    result = await Bench([_writer()], profile=PROFILES["read-only"], asker=asker).call("write")
    assert result.problems[0].detail == "write was denied by the rule write(*) (profile:read-only)."
    assert asker.asked == []


async def test_an_answer_for_good_holds_for_its_session_until_it_is_revoked() -> None:
    asker = ScriptedAsker([Answer.ALLOW_ALWAYS])
    bench = Bench([_writer()], asker=asker)
    ada = Caller(session="ada")
    assert [(await bench.call(Call(tool="write", caller=ada))).ok for _ in range(3)] == [True, True, True]
    assert not (await bench.call(Call(tool="write", caller=Caller(session="bob")))).ok
    assert (bench.revoke("write", ada), bench.revoke("write", ada)) == (True, False)
    assert not (await bench.call(Call(tool="write", caller=ada))).ok
    assert len(asker.asked) == 3


async def test_asking_is_told_to_whoever_listens() -> None:
    told: list[Event] = []
    bench = Bench([_writer()])
    bench.listen(told.append)
    await bench.call(Call(tool="write", request_id="r"))
    call = Call(tool="write", request_id="r")
    assert told[1] == PermissionAsked(call, Verdict(Decision.ASK, *RULE))


@pytest.mark.parametrize("held", [None, (), ("read",)])
async def test_credentials_without_the_scope_are_refused_before_anyone_is_asked(
    held: tuple[str, ...] | None,
) -> None:
    asker = ScriptedAsker([Answer.ALLOW_ONCE])
    bench = Bench([_writer(scopes=["files:write", "read"])], asker=asker)
    (problem,) = (await bench.call(Call(tool="write", caller=Caller(scopes=held)))).problems
    assert (problem.code, problem.parameter) == ("AUTHENTICATION_REQUIRED", "authentication")
    lacking = "files:write" if held else "files:write read"
    assert problem.context["required_scope"] == lacking
    assert problem.context["provided_scope"] == (" ".join(held or ()) or None)
    assert asker.asked == []


async def test_credentials_with_the_scope_pass() -> None:
    bench = Bench([_writer(scopes=["w"])], profile=PROFILES["open"])
    assert (await bench.call(Call(tool="write", caller=Caller(scopes=("w", "x"))))).ok
