"""Budgets never go negative and are never overdrawn, whoever calls at once."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from toolpost import Bench, Limits
from toolpost.budget.ledger import MemoryLedger, Spent
from toolpost.define import from_schema

SCOPES = ["run", "session", "component"]
UNITS = ["calls", "bytes"]
costs = st.dictionaries(st.sampled_from(UNITS), st.integers(0, 6), max_size=2)


def _now(coroutine: Any) -> Any:
    """A ledger in memory never waits, so its coroutines end at their first step."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    pytest.fail("the ledger waited")


class LedgerAgainstModel(RuleBasedStateMachine):
    """The ledger and a dict do the same things, and must agree after each."""

    leases = Bundle("leases")

    def __init__(self) -> None:
        super().__init__()
        self.ledger = MemoryLedger()
        self.limits = {scope: {"calls": 10, "bytes": 15} for scope in SCOPES[:2]}
        self.open: dict[str, tuple[list[str], dict[str, int]]] = {}
        self.spent = {scope: dict.fromkeys(UNITS, 0) for scope in self.limits}
        for scope, limits in self.limits.items():
            _now(self.ledger.limit(scope, limits))

    def _used(self, scope: str, unit: str) -> int:
        held = sum(cost.get(unit, 0) for scopes, cost in self.open.values() if scope in scopes)
        return self.spent[scope][unit] + held

    @rule(target=leases, scopes=st.lists(st.sampled_from(SCOPES), unique=True), cost=costs)
    def reserve(self, scopes: list[str], cost: dict[str, int]) -> str:
        fits = all(
            self._used(scope, unit) + amount <= self.limits[scope][unit]
            for scope in scopes
            if scope in self.limits
            for unit, amount in cost.items()
        )
        if not fits:
            with pytest.raises(Spent) as caught:
                _now(self.ledger.reserve(scopes, cost))
            assert caught.value.used == self._used(caught.value.scope, caught.value.unit)
            return ""
        lease: str = _now(self.ledger.reserve(scopes, cost))
        self.open[lease] = (scopes, cost)
        return lease

    @rule(lease=consumes(leases), part=st.floats(0, 1))
    def settle(self, lease: str, part: float) -> None:
        scopes, cost = self.open.pop(lease, ([], {}))
        actual = {unit: int(amount * part) for unit, amount in cost.items()}
        assert _now(self.ledger.settle(lease, actual)) is (lease != "")
        for scope in set(scopes) & set(self.limits):
            for unit, amount in actual.items():
                self.spent[scope][unit] += amount

    @rule(lease=leases)
    def settle_twice(self, lease: str) -> None:
        if lease not in self.open:
            assert _now(self.ledger.settle(lease, {"calls": 5})) is False

    @invariant()
    def agrees_and_is_within_its_limits(self) -> None:
        for scope in self.limits:
            used = _now(self.ledger.used(scope))
            for unit in UNITS:
                assert used.get(unit, 0) == self._used(scope, unit)
                assert 0 <= used.get(unit, 0) <= self.limits[scope][unit]
        assert _now(self.ledger.used("component")) == {}


TestLedgerAgainstModel = LedgerAgainstModel.TestCase
TestLedgerAgainstModel.settings = settings(max_examples=30, stateful_step_count=30)

CALLS, LIMIT = 60, 20


async def _turn(_args: Any) -> None:
    for _ in range(3):
        await asyncio.sleep(0)


def _bench(ledger: MemoryLedger, run: Any = _turn) -> Bench:
    tool = from_schema("work", "", {"type": "object"}, run)
    return Bench([tool], ledger=ledger, limits=Limits(run={"calls": LIMIT}))


async def test_of_sixty_calls_at_once_exactly_twenty_succeed() -> None:
    ledger = MemoryLedger()
    bench = _bench(ledger)
    async with asyncio.timeout(20):
        results = await asyncio.gather(*(bench.call("work") for _ in range(CALLS)))
    assert sum(result.ok for result in results) == LIMIT
    assert {problem.code for result in results for problem in result.problems} == {"BUDGET_EXCEEDED"}
    assert await ledger.used("run:") == {"calls": LIMIT}


async def test_also_when_every_call_runs_in_a_thread() -> None:
    ledger = MemoryLedger()
    bench = _bench(ledger, lambda _args: threading.current_thread().name)
    async with asyncio.timeout(20):
        results = await asyncio.gather(*(bench.call("work") for _ in range(CALLS)))
    assert sum(result.ok for result in results) == LIMIT
    assert await ledger.used("run:") == {"calls": LIMIT}


def test_also_from_several_threads_that_share_a_ledger() -> None:
    ledger = MemoryLedger()
    together = threading.Barrier(6, timeout=20)

    def callers(_name: int) -> int:
        bench = _bench(ledger)
        together.wait()
        return sum(bench.call_sync("work").ok for _ in range(CALLS // 6))

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(callers, range(6))) == LIMIT
    assert asyncio.run(ledger.used("run:")) == {"calls": LIMIT}


def test_also_from_several_threads_that_share_a_bench() -> None:
    bench = Bench([from_schema("work", "", {"type": "object"}, _turn)], limits=Limits(run={"calls": LIMIT}))
    together = threading.Barrier(6, timeout=20)

    def callers(_name: int) -> int:
        together.wait()
        return sum(bench.call_sync("work").ok for _ in range(CALLS // 6))

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(callers, range(6))) == LIMIT


async def test_a_ledger_that_calls_itself_empty_is_asked_all_the_same() -> None:
    class Empty(MemoryLedger):
        def __len__(self) -> int:
            return 0

    ledger = Empty()
    results = [await _bench(ledger).call("work") for _ in range(LIMIT + 1)]
    assert [result.ok for result in results] == [True] * LIMIT + [False]
    assert await ledger.used("run:") == {"calls": LIMIT}


async def test_a_call_that_fails_settles_what_it_held() -> None:
    ledger = MemoryLedger()

    def fail(_args: Any) -> None:
        raise KeyError("x")

    tool = from_schema("work", "", {"type": "object"}, fail, cost={"bytes": 5})
    bench = Bench([tool], ledger=ledger, limits=Limits(run={"bytes": 12}))
    codes = [(await bench.call("work")).problems[0].code for _ in range(3)]
    assert codes == ["TOOL_FAILED", "TOOL_FAILED", "BUDGET_EXCEEDED"]
    assert await ledger.used("run:") == {"calls": 2, "bytes": 10}
