"""Every call is recorded exactly once, wherever it ends."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import pytest

from toolpost import Bench, Call, Limits, Tool
from toolpost.authorize.ask import Answer, Question
from toolpost.authorize.profiles import PROFILES
from toolpost.budget.ledger import MemoryLedger, Units
from toolpost.define import Check, Output, from_schema
from toolpost.events import CallFinished, Event
from toolpost.problem import Problem
from toolpost.record.entry import Entry
from toolpost.record.sinks import MemorySink

WAIT_S = 20
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}


def _break(*_args: Any) -> Any:
    raise KeyError("broken")


class BrokenAsker:
    async def ask(self, _question: Question) -> Answer | None:
        return _break()  # type: ignore[no-any-return]


class BrokenLedger(MemoryLedger):
    async def reserve(self, scopes: Sequence[str], cost: Units) -> str:
        return _break()  # type: ignore[no-any-return]


class BrokenSettling(MemoryLedger):
    async def settle(self, lease: str, actual: Units) -> bool:
        return _break()  # type: ignore[no-any-return]


def _work(run: Any = lambda _args: "ran", **settings: Any) -> Tool:
    return from_schema("work", "", SCHEMA, run, **{"blocking": False, **settings})


LIMITED = Limits(run={"calls": 1})
CALL = Call(tool="work", args={"n": 1})
STAGES: dict[str, tuple[Tool, dict[str, Any], Call, str]] = {
    "the message": (_work(), {}, Call(tool="", fault=Problem(code="MALFORMED_MESSAGE")), "MALFORMED_MESSAGE"),
    "the name": (_work(), {}, Call(tool="wrok"), "TOOL_NOT_FOUND"),
    "the arguments": (_work(), {}, Call(tool="work", args={"n": "x"}), "INVALID_ARGUMENT"),
    "a check that breaks": (_work(checks=[Check(("n",), _break)]), {}, CALL, "TOOL_FAILED"),
    "the credentials": (_work(scopes=["s"]), {}, CALL, "AUTHENTICATION_REQUIRED"),
    "the rules": (_work(effects=["exec"]), {"profile": PROFILES["read-only"]}, CALL, "DENIED"),
    "an asker that breaks": (_work(effects=["exec"]), {"asker": BrokenAsker()}, CALL, "INTERNAL_ERROR"),
    "nobody to ask": (_work(effects=["exec"]), {}, CALL, "NEEDS_APPROVAL"),
    "a cost that breaks": (_work(cost=_break), {}, CALL, "INTERNAL_ERROR"),
    "the budget": (_work(cost={"calls": 2}), {"limits": LIMITED}, CALL, "BUDGET_EXCEEDED"),
    "a ledger that breaks": (_work(), {"limits": LIMITED, "ledger": BrokenLedger()}, CALL, "INTERNAL_ERROR"),
    "the tool": (_work(_break), {}, CALL, "TOOL_FAILED"),
    "the tool in a thread": (_work(_break, blocking=True), {}, CALL, "TOOL_FAILED"),
    "sys.exit in a tool": (_work(lambda _args: exit(3)), {}, CALL, "TOOL_FAILED"),  # noqa: PLR1722
    "no tool at all": (_work(None), {}, CALL, "TOOL_FAILED"),
    "the answer": (_work(lambda _args: object()), {}, CALL, "TOOL_FAILED"),
    "the answer's schema": (_work(output_schema={"type": "object"}), {}, CALL, "INVALID_OUTPUT"),
    "the answer's usage": (_work(lambda _args: Output(usage={"calls": -1})), {}, CALL, "TOOL_FAILED"),
    "the settling": (_work(), {"limits": LIMITED, "ledger": BrokenSettling()}, CALL, "INTERNAL_ERROR"),
}


@pytest.mark.parametrize(("tool", "parts", "call", "code"), STAGES.values(), ids=STAGES)
async def test_whatever_stage_fails_the_call_is_recorded_once(
    tool: Tool, parts: dict[str, Any], call: Call, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    sink, told = MemorySink(), list[Event]()
    bench = Bench([tool], sinks=[sink], **parts)
    bench.listen(told.append)
    with caplog.at_level(logging.CRITICAL, "toolpost"):
        result = await bench.call(call)
    assert [problem.code for problem in result.problems] == [code]
    assert [entry.codes for entry in sink] == [(code,)]
    assert [event for event in told if isinstance(event, CallFinished)] == [CallFinished(result)]


async def test_a_success_is_recorded_once() -> None:
    sink = MemorySink()
    await Bench([_work()], sinks=[sink]).call(CALL)
    assert [(entry.codes, entry.outcome) for entry in sink] == [((), "succeeded")]


async def test_a_call_that_runs_out_of_time_is_recorded_once() -> None:
    async def forever(_args: Any) -> None:
        await asyncio.Event().wait()

    sink = MemorySink()
    async with asyncio.timeout(WAIT_S):
        await Bench([_work(forever, timeout_s=0.01)], sinks=[sink]).call(CALL)
    assert [entry.codes for entry in sink] == [("TIMEOUT",)]


class Waiting:
    """Waits for ever at one stage, and says when it got there."""

    def __init__(self) -> None:
        self.there = asyncio.Event()

    async def wait(self, *_args: Any) -> Any:
        self.there.set()
        await asyncio.Event().wait()

    ask = wait


class WaitingLedger(MemoryLedger):
    def __init__(self, waiting: Waiting) -> None:
        super().__init__()
        self._waiting = waiting

    async def reserve(self, scopes: Sequence[str], cost: Units) -> str:
        return str(await self._waiting.wait())


@pytest.mark.parametrize("stage", ["asking", "reserving", "running", "running in a thread"])
async def test_a_task_that_is_cancelled_at_any_stage_is_recorded_once(stage: str) -> None:
    waiting, sink = Waiting(), MemorySink()
    loop = asyncio.get_running_loop()
    stages: dict[str, tuple[Tool, dict[str, Any]]] = {
        "asking": (_work(effects=["exec"]), {"asker": waiting}),
        "reserving": (_work(), {"limits": LIMITED, "ledger": WaitingLedger(waiting)}),
        "running": (_work(waiting.wait), {}),
        "running in a thread": (
            _work(lambda _args: loop.call_soon_threadsafe(waiting.there.set) and None, blocking=True), {}
        ),
    }  # fmt: skip
    tool, parts = stages[stage]
    calling = asyncio.ensure_future(Bench([tool], sinks=[sink], **parts).call(CALL))
    async with asyncio.timeout(WAIT_S):
        await waiting.there.wait()
        calling.cancel()
        await asyncio.wait([calling])
    assert len(sink) == 1
    if stage != "running in a thread":  # that one may have ended before it was cancelled
        assert calling.cancelled()
        assert sink.last.codes == ("CANCELLED",)


async def test_a_record_that_fails_is_told_and_the_other_calls_go_on() -> None:
    class Full:
        def __init__(self) -> None:
            self.fails = True

        def write(self, entry: Entry) -> None:
            if self.fails:
                raise OSError(28, "No space left on device")

        def close(self) -> None: ...

    sink = Full()
    bench = Bench([_work()], sinks=[sink])
    assert [problem.code for problem in (await bench.call(CALL)).problems] == ["RECORD_FAILED"]
    sink.fails = False
    assert (await bench.call(CALL)).ok
