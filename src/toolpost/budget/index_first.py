"""Contract 001's policy: ask the index first; before listing, or reading on, say why it was not enough.

`off` says nothing, `warn` adds a hint to the answer, `strict` refuses until `justification` is given (C72).
It holds for calls that name a component.
"""

from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import Any

from toolpost.call import Call
from toolpost.errors import PolicyViolation
from toolpost.limits import READS_UNJUSTIFIED, SESSIONS_KEPT

OFF, WARN, STRICT = "off", "warn", "strict"


class IndexFirst:
    def __init__(self, policy: str = WARN) -> None:
        self._policy = policy
        self._reads: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._lock = Lock()

    def admit(self, cost: Mapping[str, int], args: Mapping[str, Any], call: Call) -> str:
        """A hint for the answer, or nothing; under `strict` the refusal."""
        if self._policy == OFF or not call.caller.component:
            return ""
        why = self._lacking(cost, call)
        if not why or _text(args.get("justification")):
            return ""
        said = f"{why} Query the index first, or say in `{call.said('justification')}` what it cannot answer."
        if self._policy == STRICT:
            raise PolicyViolation(said, parameter="justification", component=call.caller.component)
        return said

    def _lacking(self, cost: Mapping[str, int], call: Call) -> str:
        if "lists" in cost:
            return f"{call.said_tool} explores folders."
        if "reads" in cost and self._count(call, cost["reads"]) > READS_UNJUSTIFIED:
            return f"This component has read {READS_UNJUSTIFIED} files."
        return ""

    def _count(self, call: Call, reads: int) -> int:
        """How many reads this component has asked for, these included."""
        component = (call.caller.run, call.caller.component)
        with self._lock:
            count = self._reads[component] = self._reads.pop(component, 0) + reads
            if len(self._reads) > SESSIONS_KEPT:
                self._reads.popitem(last=False)
        return count


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
