import asyncio
import contextvars
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from toolpost import Bench, Call, Limits, Problem, Result, Tool
from toolpost.define import from_schema
from toolpost.errors import FileNotFound, InvalidArgument

WAIT_S = 20  # far more than any of these take; only a bug waits so long


def _tool(run: Callable[[Any], Any] | None, **settings: Any) -> Tool:
    return from_schema("work", "", {"type": "object"}, run, **settings)


def _bench(run: Callable[[Any], Any] | None, limits: Limits | None = None, **settings: Any) -> Bench:
    return Bench([_tool(run, **settings)], limits=limits)


def _problem(result: Result) -> Problem:
    (problem,) = result.problems
    return problem


async def _forever(_args: Any) -> None:
    await asyncio.Event().wait()


async def test_a_tool_that_takes_too_long_is_stopped() -> None:
    async with asyncio.timeout(WAIT_S):
        result = await _bench(_forever, timeout_s=0.01).call("work")
    problem = _problem(result)
    assert (problem.code, problem.detail) == ("TIMEOUT", "work took longer than 0.01 s.")
    assert problem.context == {"limit_s": 0.01, "tool": "work"}


@pytest.mark.parametrize(
    ("call_s", "tool_s", "limits", "used"),
    [
        (None, None, Limits(timeout_s=0.01), 0.01),
        (None, 0.01, Limits(timeout_s=9), 0.01),
        (0.01, 9, Limits(timeout_s=9), 0.01),
        (9, 9, Limits(timeout_max_s=0.01), 0.01),
    ],
)
async def test_the_call_then_the_tool_then_the_bench_say_how_long_and_the_owner_how_long_at_most(
    call_s: float | None, tool_s: float | None, limits: Limits, used: float
) -> None:
    bench = _bench(_forever, limits, timeout_s=tool_s)
    async with asyncio.timeout(WAIT_S):
        result = await bench.call(Call(tool="work", timeout_s=call_s))
    assert _problem(result).context["limit_s"] == used


async def test_a_timeout_inside_the_tool_is_the_tools_own_failure() -> None:
    def late(_args: Any) -> None:
        raise TimeoutError

    for blocking in (False, True):
        problem = _problem(await _bench(late, blocking=blocking).call("work"))
        assert (problem.code, problem.context) == ("TOOL_FAILED", {"error": "TimeoutError"})


async def test_a_running_call_is_cancelled_by_its_request_id() -> None:
    started = asyncio.Event()

    async def run(_args: Any) -> None:
        started.set()
        await asyncio.Event().wait()

    bench = _bench(run)
    async with asyncio.timeout(WAIT_S):
        calling = asyncio.ensure_future(bench.call(Call(tool="work", request_id="r1")))
        await started.wait()
        assert bench.cancel("r2") is False
        assert bench.cancel("r1") is True
        assert bench.cancel("r1") is True  # asking twice does no harm
        result = await calling
    assert (_problem(result).code, _problem(result).detail) == ("CANCELLED", "work was cancelled.")
    assert bench.cancel("r1") is False


async def test_two_calls_under_one_id_are_both_cancelled_and_both_forgotten() -> None:
    running = asyncio.Semaphore(0)

    async def run(_args: Any) -> None:
        running.release()
        await asyncio.Event().wait()

    bench = _bench(run)
    async with asyncio.timeout(WAIT_S):
        calls = [asyncio.ensure_future(bench.call(Call(tool="work", request_id="same"))) for _ in range(2)]
        await running.acquire()
        await running.acquire()
        assert bench.cancel("same")
        results = await asyncio.gather(*calls)
    assert [_problem(result).code for result in results] == ["CANCELLED", "CANCELLED"]
    assert bench.cancel("same") is False


async def test_a_call_that_is_already_stopping_cannot_be_cancelled() -> None:
    stopping, let_go = asyncio.Event(), asyncio.Event()

    async def run(_args: Any) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopping.set()
            await let_go.wait()

    bench = _bench(run, timeout_s=0.01)
    async with asyncio.timeout(WAIT_S):
        calling = asyncio.ensure_future(bench.call(Call(tool="work", request_id="r1")))
        await stopping.wait()
        assert bench.cancel("r1") is False
        let_go.set()
        assert _problem(await calling).code == "TIMEOUT"


async def test_cancelling_the_task_stops_the_tool_and_reaches_the_caller() -> None:
    started, stopped = asyncio.Event(), asyncio.Event()

    async def run(_args: Any) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    calling = asyncio.ensure_future(_bench(run).call("work"))
    async with asyncio.timeout(WAIT_S):
        await started.wait()
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
    assert stopped.is_set()


async def test_a_blocking_tool_runs_in_a_thread_with_the_callers_context() -> None:
    who = contextvars.ContextVar("who", default="nobody")

    def run(_args: Any) -> list[str]:
        return [threading.current_thread().name, who.get()]

    who.set("ada")
    assert (await _bench(run).call("work")).data == ["toolpost-tool", "ada"]


async def test_the_loop_goes_on_while_a_blocking_tool_blocks() -> None:
    go = threading.Event()
    calling = asyncio.ensure_future(_bench(lambda _args: go.wait(WAIT_S)).call("work"))
    await asyncio.sleep(0)
    go.set()  # could not be reached if the tool held the loop
    async with asyncio.timeout(WAIT_S):
        assert (await calling).data is True


async def test_a_hung_thread_keeps_its_place_until_it_really_ends() -> None:
    hang, is_hung = threading.Event(), threading.Event()

    def run(args: Any) -> str:
        if args.get("hang"):
            is_hung.set()
            hang.wait(WAIT_S)
        return "done"

    bench = _bench(run, Limits(concurrent_threads=1, timeout_s=0.05))
    async with asyncio.timeout(WAIT_S):
        assert _problem(await bench.call("work", hang=True)).code == "TIMEOUT"
        assert is_hung.is_set()
        assert _problem(await bench.call("work")).code == "TIMEOUT"  # no place is free
        hang.set()
        assert (await bench.call(Call(tool="work", timeout_s=WAIT_S))).text == "done"


def test_a_hung_thread_does_not_keep_the_process_alive() -> None:
    script = """
import threading
from toolpost import Bench, tool

@tool(timeout_s=0.05)
def hang() -> None:
    threading.Event().wait()

print(Bench([hang]).call_sync("hang").problem.code)
"""
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "TIMEOUT\n", "")


def test_a_thread_that_outlives_its_loop_harms_nobody() -> None:
    hang = threading.Event()
    bench = _bench(
        lambda args: hang.wait(WAIT_S) if args else "free", Limits(concurrent_threads=2, timeout_s=0.05)
    )
    assert _problem(bench.call_sync("work", hang=True)).code == "TIMEOUT"
    assert bench.call_sync(Call(tool="work", timeout_s=WAIT_S)).text == "free"
    hang.set()
    assert [bench.call_sync(Call(tool="work", timeout_s=WAIT_S)).text for _ in range(2)] == ["free"] * 2


@pytest.mark.parametrize(("limits", "settings", "most"), [
    (Limits(concurrent_calls=3), {}, 3),
    (None, {"concurrency": 2}, 2),
    (Limits(concurrent_calls=2), {"concurrency": 5}, 2),
])  # fmt: skip
async def test_no_more_calls_run_at_once_than_allowed(
    limits: Limits | None, settings: dict[str, Any], most: int
) -> None:
    running, peak = 0, 0

    async def run(_args: Any) -> None:
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        for _ in range(5):
            await asyncio.sleep(0)
        running -= 1

    bench = _bench(run, limits, **settings)
    async with asyncio.timeout(WAIT_S):
        results = await asyncio.gather(*(bench.call("work") for _ in range(20)))
    assert (peak, all(result.ok for result in results)) == (most, True)


def test_a_bench_serves_one_event_loop_after_another_also_when_calls_had_to_wait() -> None:
    async def run(_args: Any) -> None:
        await asyncio.sleep(0)

    bench = _bench(run, Limits(concurrent_calls=1), concurrency=1)

    async def crowd() -> list[bool]:
        async with asyncio.timeout(WAIT_S):
            return [result.ok for result in await asyncio.gather(*(bench.call("work") for _ in range(5)))]

    assert asyncio.run(crowd()) == asyncio.run(crowd()) == [True] * 5


def _raises(error: BaseException) -> Callable[[Any], None]:
    def run(_args: Any) -> None:
        raise error

    return run


@pytest.mark.parametrize("blocking", [False, True], ids=["loop", "thread"])
@pytest.mark.parametrize(
    ("error", "detail"),
    [
        (KeyError("gone"), "Failed to execute: KeyError: 'gone'"),
        (ValueError(), "Failed to execute: ValueError"),
        (SystemExit(3), "Failed to execute: SystemExit: 3"),
        (asyncio.CancelledError(), "Failed to execute: CancelledError"),
    ],
    ids=["KeyError", "ValueError", "SystemExit", "CancelledError"],
)
async def test_a_broken_tool_breaks_only_its_call(
    error: BaseException, detail: str, *, blocking: bool
) -> None:
    problem = _problem(await _bench(_raises(error), blocking=blocking).call("work"))
    assert (problem.code, problem.detail) == ("TOOL_FAILED", detail)
    assert problem.context == {"error": type(error).__name__}


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), GeneratorExit()], ids=["KeyboardInterrupt", "GeneratorExit"]
)
async def test_whatever_a_thread_raises_stays_in_its_call(error: BaseException) -> None:
    problem = _problem(await _bench(_raises(error)).call("work"))
    assert (problem.code, problem.context) == ("TOOL_FAILED", {"error": type(error).__name__})


async def test_a_stop_iteration_in_a_thread_does_not_hang_the_call() -> None:
    async with asyncio.timeout(WAIT_S):
        problem = _problem(await _bench(_raises(StopIteration())).call("work"))
    assert (problem.code, problem.detail) == (
        "TOOL_FAILED",
        "Failed to execute: RuntimeError: coroutine raised StopIteration",
    )


async def test_a_stop_iteration_on_the_loop_is_a_failure_too() -> None:
    problem = _problem(await _bench(_raises(StopIteration()), blocking=False).call("work"))
    assert (problem.code, problem.detail) == ("TOOL_FAILED", "Failed to execute: StopIteration")


async def test_errors_raised_together_are_several_problems() -> None:
    inner = ExceptionGroup("inner", [InvalidArgument("b", parameter="b")])
    group = ExceptionGroup("both", [FileNotFound("a", parameter="a"), inner])
    result = await _bench(_raises(group)).call("work")
    assert [(problem.code, problem.parameter) for problem in result.problems] == [
        ("FILE_NOT_FOUND", "a"),
        ("INVALID_ARGUMENT", "b"),
    ]


async def test_one_stranger_among_them_makes_it_a_broken_tool() -> None:
    group = ExceptionGroup("both", [FileNotFound("a"), ExceptionGroup("in", [KeyError("b")])])
    problem = _problem(await _bench(_raises(group)).call("work"))
    assert (problem.code, problem.detail) == ("TOOL_FAILED", "Failed to execute: KeyError: 'b'")


async def test_a_tool_error_is_told_as_it_is() -> None:
    problem = _problem(await _bench(_raises(FileNotFound("No a.", parameter="path"))).call("work"))
    assert (problem.code, problem.detail, problem.parameter) == ("FILE_NOT_FOUND", "No a.", "path")


async def test_a_tool_that_is_only_described_cannot_be_called() -> None:
    problem = _problem(await _bench(None).call("work"))
    assert (problem.code, problem.detail) == (
        "TOOL_FAILED",
        "work has no execute(): it is described, but cannot be called.",
    )


async def test_a_blocking_tool_is_tried_at_once_and_runs_in_a_thread_where_it_would_wait() -> None:
    ready = [True, False]

    def at_once(_args: Any) -> str:
        if not ready.pop(0):
            raise BlockingIOError
        return f"at once in {threading.current_thread().name}"

    bench = _bench(lambda _args: f"in {threading.current_thread().name}", at_once=at_once)
    assert (await bench.call("work")).text == "at once in MainThread"
    assert (await bench.call("work")).text == "in toolpost-tool"
