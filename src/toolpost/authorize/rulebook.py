"""All rules in force, laid out so that an atom meets only those of its own kind."""

from collections.abc import Iterable

from toolpost.atom import Atom, Kind
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
        self._programs: dict[str, list[Rule]] = {}
        for rule in self.of(Decision.ALLOW, Kind.EXEC):
            self._programs.setdefault(_program(rule.pattern), []).append(rule)

    @property
    def mode(self) -> Mode:
        return self.profile.mode

    def of(self, decision: Decision, kind: Kind) -> list[Rule]:
        return self._by.get((decision, kind, False), [])

    def allowing(self, command: Atom) -> list[Rule]:
        """The rules that could allow a command: an allow names its program, so no other needs to be tried."""
        named = [word.text.rpartition("/")[2] for word in command.words[:1]]
        keys = dict.fromkeys(("*", *(word.text for word in command.words[:1]), *named, *command.via))
        return [rule for key in keys for rule in self._programs.get(key, ())]

    def opening(self, kind: Kind) -> list[Rule]:
        """What passes a guard: by a rule that allows it as well, or by one that leaves it to be asked about."""
        return [
            *self._by.get((Decision.ALLOW, kind, True), ()),
            *self._by.get((Decision.ASK, kind, True), ()),
        ]

    def with_rules(self, more: Iterable[Rule]) -> "Rulebook":
        return Rulebook(self.profile, (*self.rules, *more), self.servers)


def _program(pattern: str) -> str:
    """The first word of an exec pattern; `*` where it holds a wildcard or is quoted."""
    first = pattern.partition(" ")[0]
    return "*" if set(first) & set("*?[\\'\"") else first
