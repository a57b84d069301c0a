"""One call's reservation: made before it runs, settled by what it really cost."""

import asyncio
from collections.abc import Awaitable, Mapping
from functools import partial
from operator import attrgetter
from threading import Lock
from typing import Any

from msgspec import Struct, to_builtins

from toolpost.budget.index_first import OFF, IndexFirst
from toolpost.budget.ledger import Accounts, Ledger, Spent, Units
from toolpost.budget.wording import worded
from toolpost.call import Call, Caller
from toolpost.define import Tool
from toolpost.errors import BudgetExceeded, ToolFailed
from toolpost.limits import Limits
from toolpost.meter import RESERVE

HELD = ("concurrent_reads",)
"""Units a call has only while it runs."""
RETURNED = ("reads", "read_bytes", "lists")
"""Units a call that failed did not use: nothing was read."""


class MustWait(ToolFailed, BlockingIOError):
    """A ledger has to be asked, which nothing on the event loop can wait for."""


class Charge(Struct, gc=False):
    """What is set aside for one call, until it is closed with what it really cost."""

    cost: Units
    scopes: tuple[str, ...] = ()
    ledger: Ledger | None = None
    """Who has to be asked for it, and told what became of it; None where it is taken already."""
    leases: tuple[str, ...] = ()
    spent: Units | None = None
    """What the call says it cost; None until it says so, and for one that failed."""
    note: str = ""
    is_closed: bool = False


class Budget:
    """Knows which scopes a call counts in and what they may use: run, then session, then component.

    They are counted here, without waiting, unless a ledger is given to count them in. A component is a scope
    only of calls that name one.
    """

    def __init__(self, ledger: Ledger | None, limits: Limits, policy: str = OFF) -> None:
        self._ledger = ledger
        self._limits = {"run": limits.run, "session": limits.session, "component": limits.component}
        parts = sorted({part for name, units in self._limits.items() if units for part in _PARTS[name]})
        self._has_limits = bool(parts)
        self._key = attrgetter(*parts or ("run",))
        self._scopes: dict[str | tuple[str, ...], tuple[str, ...]] = {}
        self._told: set[str] = set()
        self._accounts = Accounts()
        self._lock = Lock()
        self._index_first = None if policy == OFF else IndexFirst(policy)

    def charge(self, tool: Tool, args: Mapping[str, Any], call: Call) -> Charge:
        """What the call costs, in every limited scope; taken already where no ledger has to be asked."""
        cost = cost_of(tool, args) if tool.cost else _ONE_CALL
        note = self._index_first.admit(cost, args, call) if self._index_first and tool.cost else ""
        if not self._has_limits:
            return Charge(cost, note=note)
        scopes = self._scopes.get(self._key(call.caller))
        if scopes is None:
            scopes = self._meet(call.caller)
        if self._ledger is None:
            self._take(scopes, cost, call, {})
        return Charge(cost, scopes, self._ledger, note=note)

    async def reserve(self, call: Call, units: Units) -> Charge:
        """The same for units that no tool costs, leased already where a ledger has to be asked."""
        scopes = self._meet(call.caller) if self._has_limits else ()
        charge = Charge(units, scopes, self._ledger)
        if charge.ledger is None:
            self._take(scopes, units, call, {})
        else:
            await self.lease(charge, call, charge.ledger)
        return charge

    async def replace(self, charge: Charge, cost: Units) -> None:
        """End a reservation with what was used; the second time changes nothing."""
        if charge.is_closed:
            return
        charge.is_closed = True
        if charge.ledger is None:
            self._accounts.correct(charge.scopes, charge.cost, cost)
        charge.cost = cost
        if charge.ledger is not None:
            await self.settle(charge, charge.ledger)

    def _take(self, scopes: tuple[str, ...], cost: Units, call: Call, own: Units) -> None:
        try:
            self._accounts.take(scopes, cost)
        except Spent as spent:
            raise worded(spent, _without(self._accounts.used(spent.scope), own), call) from None

    def _meet(self, caller: Caller) -> tuple[str, ...]:
        """The scopes of a caller that comes for the first time."""
        names = {"run": f"run:{caller.run}", "session": f"session:{caller.session}"}
        if caller.component:
            names["component"] = f"component:{caller.run}/{caller.component}"
        limited = {name: scope for name, scope in names.items() if self._limits[name]}
        if self._ledger is None:
            for name, scope in limited.items():
                self._accounts.limit(scope, self._limits[name])
        scopes = self._scopes[self._key(caller)] = tuple(limited.values())
        return scopes

    async def lease(self, charge: Charge, call: Call, ledger: Ledger) -> None:
        """Reserve it in a ledger, which is told the limits of a scope it has not seen yet."""
        for scope in charge.scopes:
            if scope not in self._told:
                await ledger.limit(scope, self._limits[scope.partition(":")[0]])
                self._told.add(scope)
        charge.leases = (await _reserved(ledger, charge.scopes, charge.cost, call, {}),)

    async def metered(self, charge: Charge, call: Call, work: Awaitable[Any]) -> Any:
        """Run it where `meter.need` asks for this call, also in the thread that begins here."""
        token = RESERVE.set(partial(self._more, charge, call, asyncio.get_running_loop()))
        try:
            return await work
        finally:
            RESERVE.reset(token)

    def _more(self, charge: Charge, call: Call, loop: asyncio.AbstractEventLoop, units: Units) -> None:
        """Set more aside for a call that runs, from the thread it runs in."""
        with self._lock:
            if charge.is_closed:
                raise BudgetExceeded("The call is over: nothing more can be set aside for it.")
            if charge.ledger is None:
                self._take(charge.scopes, units, call, charge.cost)
            else:
                asked = _reserved(charge.ledger, charge.scopes, units, call, charge.cost)
                charge.leases += (_waited_for(asked, loop),)
            charge.cost = _sum(charge.cost, units)

    def close(self, charge: Charge) -> Units:
        """What the call really cost, which is what the charge holds from here on."""
        if charge.cost is _ONE_CALL and not charge.spent:
            return _ONE_CALL
        with self._lock:
            charge.is_closed = True
            cost = _at_least_one_call({**charge.cost, **_final(charge)})
            if charge.ledger is None:
                self._accounts.correct(charge.scopes, charge.cost, cost)
            charge.cost = cost
        return cost

    async def settle(self, charge: Charge, ledger: Ledger) -> None:
        """The first lease takes the whole cost; what was set aside later is given back."""
        for lease in charge.leases[1:]:
            await ledger.settle(lease, {})
        for lease in charge.leases[:1]:
            await ledger.settle(lease, charge.cost)

    async def left(self, charge: Charge) -> dict[str, int]:
        """What the scopes of a call still have of the units it is counted in."""
        left: dict[str, int] = {}
        for scope in charge.scopes:
            used = await charge.ledger.used(scope) if charge.ledger else self._accounts.used(scope)
            for unit, limit in self._limits[scope.partition(":")[0]].items():
                if unit in charge.cost and unit not in HELD:
                    left[unit] = min(left.get(unit, limit), max(0, limit - used.get(unit, 0)))
        return left


_PARTS = {"run": ("run",), "session": ("session",), "component": ("run", "component")}
"""What of a caller names each scope: no more of it is remembered."""


async def _reserved(ledger: Ledger, scopes: tuple[str, ...], cost: Units, call: Call, own: Units) -> str:
    try:
        return await ledger.reserve(scopes, cost)
    except Spent as spent:
        raise worded(spent, _without(await ledger.used(spent.scope), own), call) from None


def _without(used: Units, own: Units) -> dict[str, int]:
    """What others used: a refused call is not among those that did."""
    return {unit: amount - own.get(unit, 0) for unit, amount in used.items()}


def _waited_for(asked: Any, loop: asyncio.AbstractEventLoop) -> str:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        lease: str = asyncio.run_coroutine_threadsafe(asked, loop).result()
        return lease
    asked.close()
    raise MustWait("A tool that asks for budget as it goes must be a plain function, run in a thread.")


def _final(charge: Charge) -> dict[str, int]:
    given_back = HELD if charge.spent is not None else (*HELD, *RETURNED)
    return {**dict.fromkeys((unit for unit in given_back if unit in charge.cost), 0), **(charge.spent or {})}


def _sum(cost: Units, more: Units) -> dict[str, int]:
    return {**cost, **{unit: cost.get(unit, 0) + amount for unit, amount in more.items()}}


_ONE_CALL = {"calls": 1}


def cost_of(tool: Tool, args: Mapping[str, Any]) -> Units:
    own = tool.cost(to_builtins(args)) if callable(tool.cost) else tool.cost
    refuse_nonsense(own)
    return _at_least_one_call({"calls": 1, **own})


def _at_least_one_call(cost: dict[str, int]) -> dict[str, int]:
    """A call is a call, whatever its tool says it cost."""
    return cost if cost["calls"] >= 1 else {**cost, "calls": 1}


def sane(usage: Units) -> Units:
    refuse_nonsense(usage)
    return usage


def refuse_nonsense(cost: Units) -> None:
    """A budget that a tool could refill, or count in texts, would be none."""
    for unit, amount in cost.items():
        if isinstance(amount, bool) or not isinstance(amount, int) or amount < 0:
            raise ToolFailed(
                f"The tool counts {amount!r} {unit}; a cost is a whole number from 0.", unit=unit
            )
