"""What a user answered for good: one record a grant, in memory for a session, in a file for longer."""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import lru_cache

from msgspec import Struct

from toolpost.authorize.ask import Scope
from toolpost.authorize.grammar import RuleError, parse_rule
from toolpost.authorize.rule import Rule
from toolpost.result import Decision


class Grant(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    rule: str
    """Word for word what the user was shown."""
    decision: Decision
    scope: Scope
    tool: str
    """The tool whose call was asked about."""
    definition: str = ""
    """The hash of that tool's definition: a rule that names the tool ends with it."""
    project: str = ""
    agent: str = ""
    made: datetime | None = None
    expires: datetime | None = None
    reason: str = ""

    def rule_in_force(self) -> Rule | None:
        """None for a text that is no rule any more: it grants nothing."""
        try:
            return _parsed(self.rule, self.decision, f"grant:{self.scope}:{self.id}")
        except RuleError:
            return None


@lru_cache(1024)
def _parsed(text: str, decision: Decision, layer: str) -> Rule:
    return parse_rule(text, decision, layer)


class Grants:
    """Those of one session."""

    def __init__(self) -> None:
        self._grants: dict[str, Grant] = {}
        self.version = 0

    def __iter__(self) -> Iterator[Grant]:
        return iter(self._grants.values())

    def __len__(self) -> int:
        return len(self._grants)

    def add(self, grant: Grant) -> None:
        self._grants[grant.id] = grant
        self.version += 1

    def drop(self, is_gone: Callable[[Grant], bool]) -> bool:
        """Whether there was one to drop."""
        gone = [grant.id for grant in self if is_gone(grant)]
        for key in gone:
            del self._grants[key]
        self.version += bool(gone)
        return bool(gone)
