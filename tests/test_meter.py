import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from toolpost import Bench, Call, Caller, Limits, Result
from toolpost.budget.ledger import Ledger, MemoryLedger
from toolpost.define import Output, Tool, from_schema
from toolpost.errors import BudgetExceeded, ToolFailed
from toolpost.meter import need

CALL = Call(tool="read", caller=Caller(component="Button"))
LIMITS = Limits(component={"reads": 5, "read_bytes": 100, "concurrent_reads": 2})
COST = {"reads": 1, "concurrent_reads": 1}


def reader(run: Callable[[Any], Any], *, blocking: bool = True) -> Tool:
    return from_schema("read", "", {"type": "object"}, run, cost=COST, blocking=blocking)


def reads(size: int) -> Callable[[Any], Output]:
    def run(_args: Any) -> Output:
        need(read_bytes=size)
        return Output(usage={"read_bytes": size - 10})

    return run


@pytest.fixture(params=[None, MemoryLedger], ids=["in process", "in a ledger"])
def ledger(request: pytest.FixtureRequest) -> Ledger | None:
    made: Ledger | None = request.param and request.param()
    return made


async def ask(bench: Bench) -> Result:
    return await bench.call(CALL)


async def test_what_is_asked_for_as_a_call_goes_is_settled_by_what_it_used(ledger: Ledger | None) -> None:
    bench = Bench([reader(reads(60))], limits=LIMITS, ledger=ledger)
    result = await ask(bench)
    assert result.usage == {"calls": 1, "reads": 1, "concurrent_reads": 0, "read_bytes": 50}
    assert result.left == {"reads": 4, "read_bytes": 50}


async def test_without_room_the_call_is_refused_and_keeps_nothing(ledger: Ledger | None) -> None:
    bench = Bench([reader(reads(60))], limits=LIMITS, ledger=ledger)
    assert [(await ask(bench)).ok for _ in range(3)] == [True, False, False]
    (problem,) = (await ask(bench)).problems
    assert (problem.code, problem.context) == (
        "READ_BUDGET_EXCEEDED",
        {"bytes_read": 50, "limit_bytes": 100, "files_read": 1},
    )


async def test_a_call_that_fails_gives_back_what_it_did_not_use(ledger: Ledger | None) -> None:
    def run(_args: Any) -> None:
        need(read_bytes=90)
        raise ToolFailed("broken")

    bench = Bench([reader(run)], limits=LIMITS, ledger=ledger)
    for _ in range(7):
        result = await ask(bench)
        assert (result.problems[0].code, result.usage) == (
            "TOOL_FAILED",
            {"calls": 1, "reads": 0, "concurrent_reads": 0, "read_bytes": 0},
        )


async def test_no_more_run_at_once_than_may_and_the_next_may_again(ledger: Ledger | None) -> None:
    gate = asyncio.Event()

    async def run(_args: Any) -> None:
        await gate.wait()

    bench = Bench([reader(run, blocking=False)], limits=LIMITS, ledger=ledger)
    waiting = [asyncio.create_task(ask(bench)) for _ in range(3)]
    async with asyncio.timeout(20):
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        (refused,) = [task.result() for task in done]
        assert (refused.problems[0].code, refused.problems[0].context["limit"]) == ("READ_BUDGET_EXCEEDED", 2)
        gate.set()
        results = await asyncio.gather(*waiting)
        assert sorted(result.ok for result in results) == [False, True, True]
        assert (await ask(bench)).ok


async def test_a_tool_on_the_loop_cannot_wait_for_a_ledger() -> None:
    async def run(_args: Any) -> None:
        need(read_bytes=1)

    bench = Bench([reader(run, blocking=False)], limits=LIMITS, ledger=MemoryLedger())
    (problem,) = (await ask(bench)).problems
    assert "must be a plain function" in problem.detail


async def test_a_thread_that_outlives_its_call_gets_nothing_more() -> None:
    from threading import Event

    go, done, told = Event(), Event(), []

    def run(_args: Any) -> None:
        go.wait(20)
        try:
            need(read_bytes=1)
        except BudgetExceeded as error:
            told.append(str(error))
        done.set()

    bench = Bench([reader(run)], limits=LIMITS)
    result = await bench.call(Call(tool="read", caller=Caller(component="Button"), timeout_s=0.05))
    assert result.problems[0].code == "TIMEOUT"
    go.set()
    assert await asyncio.to_thread(done.wait, 20)
    assert told == ["The call is over: nothing more can be set aside for it."]


def test_outside_a_call_it_asks_nobody() -> None:
    need(read_bytes=10**9)
