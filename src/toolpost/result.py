"""What every call comes back as, whatever happened to it."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from msgspec import UNSET, Struct

from toolpost.call import Call
from toolpost.content import Content, Data, Text
from toolpost.problem import Problem


class Decision(StrEnum):
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Verdict(Struct, frozen=True, gc=False):
    """What was decided about a call, and by which rule."""

    decision: Decision
    rule: str = ""
    layer: str = ""
    atom: str = ""
    who: str = "rule"


class Outcome(StrEnum):
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    REFUSED = "refused"


class Provenance(Struct, frozen=True, gc=False):
    """Where a call ran, when it began and how long it took."""

    location: str
    """`local`, `remote:<name>` or `mcp:<server>` (C22)."""
    timestamp: datetime
    duration_ms: float
    request_id: str


class Result(Struct, frozen=True, kw_only=True, gc=False):
    call: Call
    provenance: Provenance
    content: tuple[Content, ...] = ()
    problems: tuple[Problem, ...] = ()
    outcome: Outcome = Outcome.SUCCEEDED
    verdict: Verdict | None = None
    usage: dict[str, int] = {}
    left: dict[str, int] = {}
    """What the budgets still have of the units this call was counted in."""
    notes: tuple[str, ...] = ()
    """What was changed or cut on the way, in a sentence each."""
    repaired: dict[str, Any] | None = None
    """Arguments that would have passed: offered, never applied."""
    cached: bool = False

    @property
    def ok(self) -> bool:
        return not self.problems

    @property
    def problem(self) -> Problem | None:
        return self.problems[0] if self.problems else None

    @property
    def data(self) -> Any:
        """The structured value, or UNSET when the tool gave none."""
        for part in self.content:
            if isinstance(part, Data):
                return part.value
        return UNSET

    @property
    def text(self) -> str:
        return "\n".join(part.text for part in self.content if isinstance(part, Text))
