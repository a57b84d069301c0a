"""One call's reservation: made before it runs, settled by what it really cost."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, to_builtins

from toolpost.budget.ledger import Ledger, Spent, Units
from toolpost.call import Call, Caller
from toolpost.define import Tool
from toolpost.errors import BudgetExceeded, ListBudgetExceeded, ReadBudgetExceeded, ToolFailed
from toolpost.limits import KIB, MIB, Limits


class Budget:
    """Knows which scopes a call counts in and what they may use: run, then session, then component."""

    def __init__(self, ledger: Ledger, limits: Limits) -> None:
        self.ledger = ledger
        scoped = ((_run, limits.run), (_session, limits.session), (_component, limits.component))
        self._limited = tuple((name, units) for name, units in scoped if units)
        self._known: set[str] = set()

    async def reserve(self, tool: Tool, args: Mapping[str, Any], call: Call) -> "Charge":
        """A lease on every limited scope; the ledger is told the limits of one it has not seen yet."""
        cost = cost_of(tool, args)
        if not self._limited:
            return Charge(cost)
        scopes = []
        for name, units in self._limited:
            scope = name(call.caller)
            scopes.append(scope)
            if scope not in self._known:
                await self.ledger.limit(scope, units)
                self._known.add(scope)
        try:
            return Charge(cost, await self.ledger.reserve(scopes, cost))
        except Spent as spent:
            raise _worded(spent, await self.ledger.used(spent.scope), call) from None


def _run(caller: Caller) -> str:
    return f"run:{caller.run}"


def _session(caller: Caller) -> str:
    return f"session:{caller.session}"


def _component(caller: Caller) -> str:
    return f"component:{caller.run}/{caller.component}"


class Charge(Struct, gc=False):
    """What is set aside for one call, until `spend` says what it really cost."""

    cost: Units
    lease: str = ""

    def spend(self, actual: Units) -> None:
        if actual:
            _refuse_nonsense(actual)
            self.cost = _at_least_one_call({**self.cost, **actual})


def _worded(spent: Spent, used: Units, call: Call) -> BudgetExceeded:
    """The refusal in contract 001's words, where it has some."""
    component = call.caller.component
    whom = f" for component '{component}'" if component else ""
    if spent.unit in {"read_bytes", "reads"}:
        return _read_refusal(spent, used, whom)
    if spent.unit == "lists":
        said = f"List limit ({spent.limit} operations) exceeded{whom}"
        return ListBudgetExceeded(said, lists=spent.used, limit=spent.limit)
    return spent


def _read_refusal(spent: Spent, used: Units, whom: str) -> ReadBudgetExceeded:
    if spent.unit == "reads":
        return ReadBudgetExceeded(
            f"Read limit ({spent.limit} files) exceeded{whom}", files_read=spent.used, limit_files=spent.limit
        )
    return ReadBudgetExceeded(
        f"Cumulative read limit ({size(spent.limit)}) exceeded{whom}",
        bytes_read=spent.used,
        limit_bytes=spent.limit,
        files_read=used.get("reads", 0),
    )


_ONE_CALL = {"calls": 1}


def cost_of(tool: Tool, args: Mapping[str, Any]) -> Units:
    if not tool.cost:
        return _ONE_CALL
    own = tool.cost(to_builtins(args)) if callable(tool.cost) else tool.cost
    _refuse_nonsense(own)
    return _at_least_one_call({"calls": 1, **own})


def _at_least_one_call(cost: dict[str, int]) -> dict[str, int]:
    """A call is a call, whatever its tool says it cost."""
    return cost if cost["calls"] >= 1 else {**cost, "calls": 1}


def _refuse_nonsense(cost: Units) -> None:
    """A budget that a tool could refill, or count in texts, would be none."""
    for unit, amount in cost.items():
        if isinstance(amount, bool) or not isinstance(amount, int) or amount < 0:
            raise ToolFailed(
                f"The tool counts {amount!r} {unit}; a cost is a whole number from 0.", unit=unit
            )


def size(count: int) -> str:
    """Bytes as contract 001 writes them: 5MB, 500KB."""
    if count >= MIB and count % MIB == 0:
        return f"{count // MIB}MB"
    return f"{count // KIB}KB" if count >= KIB else f"{count} bytes"
