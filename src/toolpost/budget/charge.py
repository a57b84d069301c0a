"""One call's reservation: made before it runs, settled by what it really cost."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from msgspec import Struct, to_builtins

from toolpost.budget.ledger import Accounts, Ledger, Spent, Units
from toolpost.call import Call, Caller
from toolpost.define import Tool
from toolpost.errors import BudgetExceeded, ListBudgetExceeded, ReadBudgetExceeded, ToolFailed
from toolpost.limits import KIB, MIB, Limits


class Charge(Struct, gc=False):
    """What is set aside for one call, until `Budget.spend` says what it really cost."""

    cost: Units
    scopes: tuple[str, ...] = ()
    ledger: Ledger | None = None
    """Who has to be asked for it, and told what became of it; None where it is taken already."""
    lease: str = ""


class Budget:
    """Knows which scopes a call counts in and what they may use: run, then session, then component.

    They are counted here, without waiting, unless a ledger is given to count them in.
    """

    def __init__(self, ledger: Ledger | None, limits: Limits) -> None:
        self._ledger = ledger
        scoped = ((_run, limits.run), (_session, limits.session), (_component, limits.component))
        self._limited = tuple((name, units) for name, units in scoped if units)
        self._scopes: dict[str | tuple[str, ...], tuple[str, ...]] = {}
        self._told: set[str] = set()
        self._accounts = Accounts()
        parts = {part for name, _ in self._limited for part in _PARTS[name]}
        self._key = attrgetter(*sorted(parts or {"run"}))

    def charge(self, tool: Tool, args: Mapping[str, Any], call: Call) -> Charge:
        """What the call costs, in every limited scope; taken already where no ledger has to be asked."""
        cost = cost_of(tool, args) if tool.cost else _ONE_CALL
        if not self._limited:
            return Charge(cost)
        scopes = self._scopes.get(self._key(call.caller)) or self._meet(call.caller)
        if self._ledger is None:
            try:
                self._accounts.take(scopes, cost)
            except Spent as spent:
                raise _worded(spent, self._accounts.used(spent.scope), call) from None
        return Charge(cost, scopes, self._ledger)

    def _meet(self, caller: Caller) -> tuple[str, ...]:
        """The scopes of a caller that comes for the first time."""
        scopes = tuple(name(caller) for name, _ in self._limited)
        if self._ledger is None:
            for scope, (_, units) in zip(scopes, self._limited, strict=True):
                self._accounts.limit(scope, units)
        self._scopes[self._key(caller)] = scopes
        return scopes

    async def lease(self, charge: Charge, call: Call, ledger: Ledger) -> None:
        """Reserve it in a ledger, which is told the limits of a scope it has not seen yet."""
        for scope, (_, units) in zip(charge.scopes, self._limited, strict=True):
            if scope not in self._told:
                await ledger.limit(scope, units)
                self._told.add(scope)
        try:
            charge.lease = await ledger.reserve(charge.scopes, charge.cost)
        except Spent as spent:
            raise _worded(spent, await ledger.used(spent.scope), call) from None

    def spend(self, charge: Charge, actual: Units) -> None:
        _refuse_nonsense(actual)
        cost = _at_least_one_call({**charge.cost, **actual})
        if self._ledger is None:
            self._accounts.correct(charge.scopes, charge.cost, cost)
        charge.cost = cost


def _run(caller: Caller) -> str:
    return f"run:{caller.run}"


def _session(caller: Caller) -> str:
    return f"session:{caller.session}"


def _component(caller: Caller) -> str:
    return f"component:{caller.run}/{caller.component}"


_PARTS = {_run: ("run",), _session: ("session",), _component: ("run", "component")}
"""What of a caller names each scope: no more of it is remembered."""


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
