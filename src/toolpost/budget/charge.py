"""One call's reservation: made before it runs, settled by what it really cost."""

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from toolpost.budget.ledger import Ledger, Spent, Units
from toolpost.call import Call
from toolpost.define import Tool
from toolpost.errors import BudgetExceeded, ListBudgetExceeded, ReadBudgetExceeded
from toolpost.limits import KIB, MIB, Limits


class Budget:
    """Knows which scopes a call counts in and what they may use: run, then session, then component."""

    def __init__(self, ledger: Ledger, limits: Limits) -> None:
        self._ledger = ledger
        self._limits = limits
        self._known: set[str] = set()

    def charge(self, tool: Tool, args: Mapping[str, Any], call: Call) -> "Charge":
        return Charge(self, self._ledger, call, cost_of(tool, args))

    async def scopes(self, call: Call) -> list[str]:
        """The limited scopes of this call, told to the ledger when they are first seen."""
        caller, limits = call.caller, self._limits
        found = [
            (f"run:{caller.run}", limits.run),
            (f"session:{caller.session}", limits.session),
            (f"component:{caller.run}/{caller.component}", limits.component),
        ]
        scopes = [(scope, units) for scope, units in found if units]
        for scope, units in scopes:
            if scope not in self._known:
                await self._ledger.limit(scope, units)
                self._known.add(scope)
        return [scope for scope, _ in scopes]


class Charge:
    """`async with` reserves and settles; `spend` says the real cost, else the reservation stands."""

    def __init__(self, budget: Budget, ledger: Ledger, call: Call, cost: Units) -> None:
        self._budget = budget
        self._ledger = ledger
        self._call = call
        self._lease = ""
        self.cost = dict(cost)

    async def __aenter__(self) -> Self:
        scopes = await self._budget.scopes(self._call)
        if scopes:
            try:
                self._lease = await self._ledger.reserve(scopes, self.cost)
            except Spent as spent:
                raise await self._worded(spent) from None
        return self

    def spend(self, actual: Units) -> None:
        self.cost = {**self.cost, **actual}

    async def __aexit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._lease:
            await self._ledger.settle(self._lease, self.cost)

    async def _worded(self, spent: Spent) -> BudgetExceeded:
        """The refusal in contract 001's words, where it has some."""
        component = self._call.caller.component
        whom = f" for component '{component}'" if component else ""
        used = await self._ledger.used(spent.scope)
        if spent.unit in {"read_bytes", "reads"}:
            return _read_refusal(spent, used, whom)
        if spent.unit == "lists":
            return ListBudgetExceeded(
                f"List limit ({spent.limit} operations) exceeded{whom}",
                lists=spent.used,
                limit=spent.limit,
            )
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


def cost_of(tool: Tool, args: Mapping[str, Any]) -> Units:
    own = tool.cost(args) if callable(tool.cost) else tool.cost
    return {"calls": 1, **own}


def size(count: int) -> str:
    """Bytes as contract 001 writes them: 5MB, 500KB."""
    if count >= MIB and count % MIB == 0:
        return f"{count // MIB}MB"
    return f"{count // KIB}KB" if count >= KIB else f"{count} bytes"
