"""Rules and profiles: what is allowed, asked or denied, by what a call does to the world."""

from fnmatch import fnmatchcase

from msgspec import Struct

from toolpost.define import Effect, Tool
from toolpost.result import Decision


class Rule(Struct, frozen=True):
    """One line of a profile: this decision, for this effect, of tools of this name."""

    decision: Decision
    effect: Effect | None = None
    """None means any effect, also none at all."""
    tool: str = "*"
    layer: str = "profile"

    def matches(self, tool: Tool, effect: Effect | None) -> bool:
        return self.effect in {None, effect} and fnmatchcase(tool.name, self.tool)

    def __str__(self) -> str:
        effect = self.effect or "tool"
        return effect if self.tool == "*" and self.effect else f"{effect}({self.tool})"


_STRICTEST = (Decision.DENY, Decision.ASK, Decision.ALLOW)


class Profile(Struct, frozen=True, kw_only=True):
    """A set of rules by its name. Deny beats ask beats allow; what no rule names is asked."""

    name: str
    rules: tuple[Rule, ...] = ()

    def strictest(self, tool: Tool, effect: Effect | None) -> Rule:
        matching = [rule for rule in self.rules if rule.matches(tool, effect)]
        for decision in _STRICTEST:
            for rule in matching:
                if rule.decision is decision:
                    return rule
        return Rule(Decision.ASK, effect, layer="default")


def _by_effect(name: str, decisions: dict[Effect, Decision]) -> Profile:
    rules = tuple(Rule(decision, effect, layer=f"profile:{name}") for effect, decision in decisions.items())
    return Profile(name=name, rules=rules)


_A, _K, _D = Decision.ALLOW, Decision.ASK, Decision.DENY
_E = Effect

PROFILES = {
    profile.name: profile
    for profile in (
        _by_effect(  # the default; contract 004 asks for write, run, delete and web requests
            "ask", {_E.READ: _A, _E.WRITE: _K, _E.DELETE: _K, _E.EXEC: _K, _E.NET: _K, _E.LAUNCH: _K}
        ),
        _by_effect(
            "read-only", {_E.READ: _A, _E.WRITE: _D, _E.DELETE: _D, _E.EXEC: _D, _E.NET: _D, _E.LAUNCH: _D}
        ),
        _by_effect(
            "edit", {_E.READ: _A, _E.WRITE: _A, _E.DELETE: _K, _E.EXEC: _K, _E.NET: _K, _E.LAUNCH: _K}
        ),
        _by_effect("open", dict.fromkeys(_E, _A)),
    )
}
ASK = PROFILES["ask"]
