"""Budgets in memory: all scopes and units of a reservation, or nothing."""

from collections.abc import Mapping, Sequence
from itertools import count
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


class Accounts:
    """What each scope may use, and has used.

    Safe between tasks and between threads: every method holds the one lock, and none waits in it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._limits: dict[str, Units] = {}
        self._used: dict[str, dict[str, int]] = {}

    def limit(self, scope: str, limits: Units) -> None:
        with self._lock:
            self._limits[scope] = dict(limits)
            self._used.setdefault(scope, {})

    def take(self, scopes: Sequence[str], cost: Units) -> None:
        with self._lock:
            for scope in scopes:  # every call comes through here: functions of their own would cost 0.5 us
                used, limits = self._used.get(scope, _NOTHING), self._limits.get(scope, _NOTHING)
                for unit, amount in cost.items():
                    if unit in limits and used.get(unit, 0) + amount > limits[unit]:
                        raise Spent(scope, unit, used.get(unit, 0), limits[unit])
            for scope in scopes:
                if scope in self._used:
                    _add(self._used[scope], cost)

    def correct(self, scopes: Sequence[str], taken: Units, actual: Units) -> None:
        """Replace what was taken by what was spent."""
        with self._lock:
            for scope in scopes:
                if scope in self._used:
                    _add(self._used[scope], {unit: -amount for unit, amount in taken.items()})
                    _add(self._used[scope], actual)

    def used(self, scope: str) -> dict[str, int]:
        with self._lock:
            return dict(self._used.get(scope, {}))


_NOTHING: Units = {}


def _add(used: dict[str, int], cost: Units) -> None:
    for unit, amount in cost.items():
        used[unit] = used.get(unit, 0) + amount


class MemoryLedger:
    """Accounts of this process, as a ledger that several benches can share."""

    def __init__(self) -> None:
        self._accounts = Accounts()
        self._leases: dict[str, tuple[Sequence[str], Units]] = {}
        self._numbers = count(1)

    async def limit(self, scope: str, limits: Units) -> None:
        self._accounts.limit(scope, limits)

    async def reserve(self, scopes: Sequence[str], cost: Units) -> str:
        self._accounts.take(scopes, cost)
        lease = f"lease-{next(self._numbers)}"
        self._leases[lease] = (scopes, cost)
        return lease

    async def settle(self, lease: str, actual: Units) -> bool:
        """Replace what was reserved by what was spent. The second settling of a lease changes nothing."""
        held = self._leases.pop(lease, None)
        if held is None:
            return False
        self._accounts.correct(*held, actual)
        return True

    async def used(self, scope: str) -> dict[str, int]:
        return self._accounts.used(scope)
