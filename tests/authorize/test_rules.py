import pytest

from toolpost import Decision, Effect, Profile, Rule
from toolpost.authorize.rules import ASK, PROFILES
from toolpost.define import make

TOOL = make(name="fs.write", effects=["write"])


@pytest.mark.parametrize(
    ("rule", "matches", "written"),
    [
        (Rule(Decision.ALLOW), True, "tool(*)"),
        (Rule(Decision.ALLOW, Effect.WRITE), True, "write"),
        (Rule(Decision.ALLOW, Effect.READ), False, "read"),
        (Rule(Decision.ALLOW, tool="fs.*"), True, "tool(fs.*)"),
        (Rule(Decision.ALLOW, Effect.WRITE, "web.*"), False, "write(web.*)"),
        (Rule(Decision.ALLOW, tool="FS.WRITE"), False, "tool(FS.WRITE)"),
    ],
)
def test_a_rule_matches_by_effect_and_name(rule: Rule, matches: bool, written: str) -> None:
    assert (rule.matches(TOOL, Effect.WRITE), str(rule)) == (matches, written)


def test_deny_beats_ask_beats_allow_whatever_the_order() -> None:
    allow, ask, deny = (
        Rule(decision, Effect.WRITE) for decision in (Decision.ALLOW, Decision.ASK, Decision.DENY)
    )
    assert Profile(name="p", rules=(allow, ask, deny)).strictest(TOOL, Effect.WRITE) is deny
    assert Profile(name="p", rules=(allow, ask)).strictest(TOOL, Effect.WRITE) is ask
    assert Profile(name="p", rules=(allow,)).strictest(TOOL, Effect.WRITE) is allow


def test_what_no_rule_names_is_asked() -> None:
    assert Profile(name="p").strictest(TOOL, Effect.WRITE) == Rule(
        Decision.ASK, Effect.WRITE, layer="default"
    )


@pytest.mark.parametrize(
    ("name", "decisions"),
    [
        (
            "ask",
            {"read": "allow", "write": "ask", "delete": "ask", "exec": "ask", "net": "ask", "launch": "ask"},
        ),
        (
            "read-only",
            {
                "read": "allow",
                "write": "deny",
                "delete": "deny",
                "exec": "deny",
                "net": "deny",
                "launch": "deny",
            },
        ),
        (
            "edit",
            {
                "read": "allow",
                "write": "allow",
                "delete": "ask",
                "exec": "ask",
                "net": "ask",
                "launch": "ask",
            },
        ),
        ("open", dict.fromkeys(Effect, "allow")),
    ],
)
def test_each_profile_decides_so(name: str, decisions: dict[str, str]) -> None:
    found = {effect: PROFILES[name].strictest(TOOL, effect).decision for effect in Effect}
    assert found == decisions


def test_the_default_asks() -> None:
    assert PROFILES["ask"] is ASK
    assert set(PROFILES) == {"ask", "read-only", "edit", "open"}
