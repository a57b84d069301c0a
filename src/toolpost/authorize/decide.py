"""The decision itself: a pure function of the rules, the tool and what was granted before."""

from toolpost.authorize.rules import Profile, Rule
from toolpost.define import Effect, Tool
from toolpost.result import Decision, Verdict

_ORDER = {Decision.ALLOW: 0, Decision.ASK: 1, Decision.DENY: 2}


def decide(profile: Profile, tool: Tool) -> Verdict:
    """The strictest verdict over everything the tool does."""
    verdicts = [_judge(profile, tool, effect) for effect in sorted(tool.effects)]
    return max(verdicts or [_harmless(profile, tool)], key=lambda judged: _ORDER[judged.decision])


def settle(verdict: Verdict, tool: Tool, granted: Decision | None) -> Verdict:
    """An earlier answer settles an ask, and a standing refusal holds; none opens what a rule denies."""
    if granted is Decision.DENY or (granted is not None and verdict.decision is Decision.ASK):
        return Verdict(granted, f"tool({tool.name})", "session", verdict.atom, "user")
    return verdict


def _judge(profile: Profile, tool: Tool, effect: Effect) -> Verdict:
    rule = profile.strictest(tool, effect)
    return Verdict(rule.decision, str(rule), rule.layer, f"{effect} {tool.name}")


def _harmless(profile: Profile, tool: Tool) -> Verdict:
    """A tool that only computes is allowed, unless a rule names it."""
    named = [rule for rule in profile.rules if rule.effect is None and rule.matches(tool, None)]
    rule = max(named or [Rule(Decision.ALLOW, layer="no effects")], key=lambda rule: _ORDER[rule.decision])
    return Verdict(rule.decision, str(rule), rule.layer, f"tool {tool.name}")
