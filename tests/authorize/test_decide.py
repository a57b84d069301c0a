import pytest

from toolpost import Decision, Effect, Profile, Rule
from toolpost.authorize.decide import decide, settle
from toolpost.authorize.rules import PROFILES
from toolpost.define import make
from toolpost.result import Verdict

BOTH = make(name="fetch", effects=["read", "exec"])
PURE = make(name="add")


def test_the_strictest_of_all_effects_decides() -> None:
    assert decide(PROFILES["edit"], BOTH) == Verdict(Decision.ASK, "exec", "profile:edit", "exec fetch")
    assert decide(PROFILES["read-only"], BOTH) == Verdict(
        Decision.DENY, "exec", "profile:read-only", "exec fetch"
    )


def test_a_tool_that_only_computes_is_allowed() -> None:
    assert decide(PROFILES["read-only"], PURE) == Verdict(Decision.ALLOW, "tool(*)", "no effects", "tool add")


def test_unless_a_rule_names_it() -> None:
    rules = (
        Rule(Decision.ALLOW, tool="a*"),
        Rule(Decision.DENY, tool="add"),
        Rule(Decision.DENY, Effect.READ),
    )
    assert decide(Profile(name="p", rules=rules), PURE) == Verdict(
        Decision.DENY, "tool(add)", "profile", "tool add"
    )


ALLOW, ASK, DENY = (Verdict(decision, "exec", "profile", "exec x") for decision in Decision)


@pytest.mark.parametrize(
    ("verdict", "granted", "settled"),
    [
        (ASK, Decision.ALLOW, Decision.ALLOW),
        (ASK, Decision.DENY, Decision.DENY),
        (ALLOW, Decision.DENY, Decision.DENY),
        (DENY, Decision.ALLOW, Decision.DENY),
        (ASK, None, Decision.ASK),
        (ALLOW, None, Decision.ALLOW),
    ],
)
def test_an_earlier_answer_settles_an_ask_and_opens_nothing_that_is_denied(
    verdict: Verdict, granted: Decision | None, settled: Decision
) -> None:
    assert settle(verdict, PURE, granted).decision is settled


def test_a_settled_verdict_names_the_user_and_the_session() -> None:
    assert settle(ASK, PURE, Decision.ALLOW) == Verdict(
        Decision.ALLOW, "tool(add)", "session", "exec x", "user"
    )
