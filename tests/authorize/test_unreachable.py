"""Rules that can never decide are told, and no others."""

import pytest

from toolpost.authorize.grammar import parse_rule
from toolpost.authorize.rule import Rule
from toolpost.authorize.unreachable import contains, unreachable
from toolpost.result import Decision

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY


def rule(decision: Decision, text: str, layer: str = "") -> Rule:
    return parse_rule(text, decision, layer)


def test_a_rule_below_a_stricter_one_is_told_with_both_places() -> None:
    rules = (
        rule(ALLOW, "read(src/a)", "user:policy.toml:3"),
        rule(DENY, "read(src/**)", "admin:policy.toml:1"),
    )
    told = (
        "user:policy.toml:3: allow read(src/a) can never decide: deny read(src/**) at admin:policy.toml:1 "
        "covers all of it. Leave it out, or narrow the other."
    )
    assert unreachable(rules) == (told,)


def test_the_same_rule_twice_is_told_once() -> None:
    rules = (rule(ASK, "exec(a)", "x:1"), rule(ASK, "exec(a)", "x:2"), rule(ALLOW, "exec(b)", "x:3"))
    assert unreachable(rules) == ("x:2: ask exec(a) stands at x:1 already. Leave one out.",)


@pytest.mark.parametrize(
    ("decision", "wide", "narrow"),
    [
        (DENY, "read", "read(a)"),
        (DENY, "read(**)", "read(src/*.py)"),
        (DENY, "read(.env)", "read!(a/.env)"),
        (DENY, "write(a/**)", "delete(a/b)"),
        (ASK, "exec(git push *)", "exec(git push)"),
        (ASK, "exec(git push *)", "exec(git push origin *)"),
        (ASK, "exec(*)", "exec(make)"),
        (DENY, "net(*)", "net(x.org)"),
        (DENY, "net(*.x.org)", "net(a.x.org)"),
        (DENY, "net(*.x.org)", "net(*.a.x.org)"),
        (DENY, "net(*.x.org)", "net(https://*.x.org)"),
        (DENY, "net(x.org/a)", "net(https://x.org/a/b)"),
        (DENY, "tool(*/drop_*)", "tool(db/drop_x)"),
        (DENY, "tool(db/*)", "tool(db/drop_*)"),
        (DENY, "tool", "tool(*)[readOnlyHint]"),
    ],
)
def test_a_stricter_rule_contains_another(decision: Decision, wide: str, narrow: str) -> None:
    assert contains(rule(decision, wide), rule(ALLOW, narrow))


@pytest.mark.parametrize(
    ("decision", "wide", "narrow"),
    [
        (DENY, "read(a/**)", "read(ab/c)"),
        (DENY, "read(a)", "write(a)"),
        (ASK, "write(a/**)", "delete(a/b)"),
        (ASK, "read(.env)", "read!(.env)"),
        (DENY, "exec(git push)", "exec(git push origin)"),
        (DENY, "exec(git p* *)", "exec(git push origin)"),
        (DENY, "exec(git push *)", "exec(git pull)"),
        (DENY, "net(*.x.org)", "net(x.org)"),
        (DENY, "net(x.org)", "net(*)"),
        (DENY, "net(x.org)", "net(*.x.org)"),
        (DENY, "net(https://x.org)", "net(x.org)"),
        (DENY, "net(x.org:80)", "net(x.org)"),
        (DENY, "net(x.org/a)", "net(x.org/ab)"),
        (DENY, "tool(db/drop?)", "tool(db/drop*)"),
        (DENY, "tool(*)[readOnlyHint]", "tool(a)"),
    ],
)
def test_a_rule_that_can_still_decide_is_not_contained(decision: Decision, wide: str, narrow: str) -> None:
    assert not contains(rule(decision, wide), rule(ALLOW, narrow))


def test_a_looser_rule_covers_nothing() -> None:
    assert unreachable((rule(ALLOW, "read(**)"), rule(DENY, "read(a)"), rule(ASK, "read(b)"))) == ()
