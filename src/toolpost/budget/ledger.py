"""Budgets in memory: all scopes and units of a reservation, or nothing."""

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Protocol

from toolpost.errors import BudgetExceeded

Units = Mapping[str, int]


class Ledger(Protocol):
    """What a budget is kept in. One process keeps it here; many share one store."""

    async def limit(self, scope: str, limits: Units) -> None: ...
    async def reserve(self, scopes: Sequence[str], cost: Units) -> str: ...
    async def settle(self, lease: str, actual: Units) -> bool: ...
    async def used(self, scope: str) -> dict[str, int]: ...


class Spent(BudgetExceeded):
    """Which unit of which scope has no room, for whoever words the refusal."""

    def __init__(self, scope: str, unit: str, used: int, limit: int) -> None:
        super().__init__(
            f"The {unit} budget of {scope} is spent: {used} of {limit}.",
            scope=scope,
            unit=unit,
            used=used,
            limit=limit,
        )
        self.scope, self.unit, self.used, self.limit = scope, unit, used, limit


class MemoryLedger:
    """Safe between tasks and between threads: every method holds the one lock, and none waits in it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._limits: dict[str, dict[str, int]] = {}
        self._used: dict[str, dict[str, int]] = {}
        self._leases: dict[str, tuple[Sequence[str], Units]] = {}
        self._next = 0

    async def limit(self, scope: str, limits: Units) -> None:
        with self._lock:
            self._limits[scope] = dict(limits)

    async def reserve(self, scopes: Sequence[str], cost: Units) -> str:
        with self._lock:
            for scope in scopes:
                self._refuse_overdraft(scope, cost)
            for scope in scopes:
                self._add(scope, cost, 1)
            self._next += 1
            lease = f"lease-{self._next}"
            self._leases[lease] = (scopes, cost)
            return lease

    async def settle(self, lease: str, actual: Units) -> bool:
        """Replace what was reserved by what was spent. The second settling of a lease changes nothing."""
        with self._lock:
            held = self._leases.pop(lease, None)
            if held is None:
                return False
            scopes, cost = held
            if actual != cost:
                for scope in scopes:
                    self._add(scope, cost, -1)
                    self._add(scope, actual, 1)
            return True

    async def used(self, scope: str) -> dict[str, int]:
        with self._lock:
            return dict(self._used.get(scope, {}))

    def _refuse_overdraft(self, scope: str, cost: Units) -> None:
        limits = self._limits.get(scope)
        if not limits:
            return
        used = self._used.get(scope, {})
        for unit, amount in cost.items():
            limit = limits.get(unit)
            if limit is not None and used.get(unit, 0) + amount > limit:
                raise Spent(scope, unit, used.get(unit, 0), limit)

    def _add(self, scope: str, cost: Units, sign: int) -> None:
        if scope not in self._limits:
            return
        used = self._used.setdefault(scope, {})
        for unit, amount in cost.items():
            used[unit] = used.get(unit, 0) + sign * amount
