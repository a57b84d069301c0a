import pytest

from toolpost import Bench, BudgetExceeded, Caller, Limits
from toolpost.budget.ledger import Ledger, MemoryLedger
from toolpost.errors import ToolFailed

ME = Caller(run="r1")
LIMITS = Limits(run={"turns": 2, "tokens": 100, "seconds": 60})


@pytest.fixture(params=[None, MemoryLedger], ids=["in process", "in a ledger"])
def bench(request: pytest.FixtureRequest) -> Bench:
    ledger: Ledger | None = request.param and request.param()
    return Bench(limits=LIMITS, ledger=ledger)


async def test_a_turn_is_reserved_before_and_settled_by_what_it_used(bench: Bench) -> None:
    turn = await bench.reserve(ME, turns=1, tokens=80)
    with pytest.raises(BudgetExceeded):
        await bench.reserve(ME, tokens=30)
    assert await turn.settle(tokens=50) == {"turns": 1, "tokens": 50}
    assert await (await bench.reserve(ME, tokens=30)).settle() == {"tokens": 20}


async def test_seconds_are_counted_like_any_unit(bench: Bench) -> None:
    assert await (await bench.reserve(ME, seconds=20)).settle(seconds=12) == {"seconds": 48}


async def test_the_last_turn_is_the_last(bench: Bench) -> None:
    for _ in range(2):
        await (await bench.reserve(ME, turns=1)).settle()
    with pytest.raises(BudgetExceeded, match="The turns budget of run:r1 is spent: 2 of 2"):
        await bench.reserve(ME, turns=1)
    assert await bench.reserve(Caller(run="r2"), turns=1)


async def test_settling_twice_counts_once(bench: Bench) -> None:
    held = await bench.reserve(ME, tokens=80)
    assert await held.settle(tokens=10) == await held.settle(tokens=90) == {"tokens": 90}


async def test_what_was_used_beyond_the_reserve_is_settled_too(bench: Bench) -> None:
    held = await bench.reserve(ME, tokens=10)
    assert await held.settle(tokens=130) == {"tokens": 0}
    with pytest.raises(BudgetExceeded):
        await bench.reserve(ME, tokens=1)


async def test_nobody_refills_a_budget(bench: Bench) -> None:
    with pytest.raises(ToolFailed):
        await bench.reserve(ME, tokens=-5)
    held = await bench.reserve(ME, tokens=5)
    with pytest.raises(ToolFailed):
        await held.settle(tokens=-5)


async def test_without_limits_everything_has_room() -> None:
    held = await Bench(limits=Limits(component={})).reserve(ME, tokens=10**9)
    assert await held.settle() == {}
