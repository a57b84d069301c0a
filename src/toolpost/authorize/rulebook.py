"""All rules in force, laid out so that an atom meets only those of its own kind."""

from collections.abc import Iterable

from toolpost.atom import Kind
from toolpost.authorize.profiles import ASK, Mode, Profile
from toolpost.authorize.rule import Rule
from toolpost.result import Decision


class Rulebook:
    """A profile and the rules of every layer; nothing in it ever changes."""

    def __init__(
        self, profile: Profile = ASK, rules: Iterable[Rule] = (), servers: frozenset[str] = frozenset()
    ) -> None:
        """`servers` are those whose own hints about their tools count."""
        self.profile = profile
        self.rules = tuple(rules)
        self.servers = servers
        self._by: dict[tuple[Decision, Kind, bool], list[Rule]] = {}
        for rule in (*self.rules, *profile.rules):
            self._by.setdefault((rule.decision, rule.kind, rule.opens), []).append(rule)

    @property
    def mode(self) -> Mode:
        return self.profile.mode

    def of(self, decision: Decision, kind: Kind) -> list[Rule]:
        return self._by.get((decision, kind, False), [])

    def opening(self, kind: Kind) -> list[Rule]:
        return self._by.get((Decision.ALLOW, kind, True), [])

    def denies_targets(self) -> bool:
        """Whether what a call is about can decide, not only which tool it is."""
        return any(self.of(Decision.DENY, kind) for kind in (Kind.READ, Kind.WRITE, Kind.DELETE, Kind.NET))

    def with_rules(self, more: Iterable[Rule]) -> "Rulebook":
        return Rulebook(self.profile, (*self.rules, *more), self.servers)
