"""The life of a call.

resolve -> validate -> authorize -> reserve -> route -> execute -> normalize -> settle -> record

A failure at any stage becomes a Result like any other: recorded once, then rendered. The pipeline never
sees a dialect, and no dialect sees the pipeline.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from traceback import format_exc
from typing import Any

from msgspec import UNSET, Struct, structs

from toolpost import progress, redact
from toolpost.authorize.gate import Gate, permit
from toolpost.budget.charge import Budget, Charge, sane
from toolpost.call import Call
from toolpost.clock import Clock
from toolpost.define import Output
from toolpost.errors import Broken, Cancelled, Several, ToolError
from toolpost.events import CallFinished, CallProgressed, CallStarted, Event
from toolpost.execute import Executor
from toolpost.normalize.shape import Shaper
from toolpost.opened import opening
from toolpost.problem import Problem
from toolpost.record.recorder import Recorder
from toolpost.result import Decision, Outcome, Provenance, Result, Verdict
from toolpost.route.registry import Registry
from toolpost.route.router import Lane, choose
from toolpost.session import Session
from toolpost.validate.arguments import Arguments

log = logging.getLogger("toolpost")


class Stages(Struct, frozen=True, kw_only=True):
    """The parts a bench is built of, in the order a call meets them."""

    registry: Registry
    arguments: Arguments
    gate: Gate
    budget: Budget
    executor: Executor
    shaper: Shaper
    recorder: Recorder
    clock: Clock
    listeners: list[Callable[[Event], None]]


class Progress(Struct, gc=False):
    """What is known of a call so far; a Result is made of it wherever the call ends."""

    call: Call
    began: datetime
    began_ns: int
    notes: tuple[str, ...] = ()
    verdict: Verdict | None = None
    lane: Lane | None = None
    """Where it runs, once it was admitted."""
    usage: Mapping[str, int] = {}
    left: dict[str, int] = {}

    def admitted(self, lane: Lane, charge: Charge) -> None:
        self.lane = lane
        self.usage = charge.cost
        if charge.note:
            self.notes += (charge.note,)


_NOTHING = Output()


async def run(stages: Stages, call: Call, session: Session) -> Result:
    for listener in stages.listeners:
        listener(CallStarted(call))
    so_far = Progress(call, stages.clock.now(), stages.clock.monotonic_ns())
    try:
        tool = stages.registry.find(call)
        args = stages.arguments.check(tool, call)
        so_far.notes = args.notes
        ruling = stages.gate.judge(tool, call, args.plain, session)
        so_far.verdict = verdict = ruling.verdict
        if verdict.decision is Decision.ASK:
            asked = stages.gate.ask(tool, call, ruling, session)
            so_far.verdict = verdict = await stages.executor.cancellable(call, asked)
        permit(verdict, call)
        passed = stages.gate.let_through(ruling, session)
        charge = stages.budget.charge(tool, args.plain, call)
        if charge.ledger is not None:
            await stages.budget.lease(charge, call, charge.ledger)
        try:
            lane = choose(tool)
            so_far.admitted(lane, charge)
            work = stages.executor.run(tool, args.typed, call, in_thread=lane.in_thread)
            work = _past_guards(passed, work) if passed else work
            work = _telling(stages, call, work) if stages.listeners else work
            raw = await (stages.budget.metered(charge, call, work) if tool.cost else work)
            output = stages.shaper.shape(tool, raw)
            charge.spent = output.usage and sane(output.usage)
        finally:
            so_far.usage = stages.budget.close(charge)
            if charge.ledger is not None:
                await stages.budget.settle(charge, charge.ledger)
        if tool.cost and charge.scopes:
            so_far.left = await stages.budget.left(charge)
    except ToolError as error:
        return _finish(stages, _failed(stages, so_far, error))
    except (asyncio.CancelledError, KeyboardInterrupt, GeneratorExit):
        _finish(stages, _failed(stages, so_far, Cancelled(f"{call.said_tool} was cancelled.")))
        raise
    except Exception as error:
        log.error("a stage broke on %s: %s", call.request_id, redact.text(format_exc()))
        return _finish(stages, _failed(stages, so_far, Broken(f"toolpost broke: {type(error).__name__}.")))
    return _finish(stages, _result(stages, so_far, output))


async def _past_guards(passed: frozenset[tuple[str, str]], work: Awaitable[Any]) -> Any:
    with opening(passed):
        return await work


async def _telling(stages: Stages, call: Call, work: Awaitable[Any]) -> Any:
    """What the tool tells on its way reaches whoever listens to the bench."""

    def tell(so_far: progress.Progress) -> None:
        for listener in stages.listeners:
            listener(CallProgressed(call, so_far))

    token = progress.TELL.set(tell)
    try:
        return await work
    finally:
        progress.TELL.reset(token)


def _result(stages: Stages, so_far: Progress, output: Output) -> Result:
    call, lane, notes = so_far.call, so_far.lane, so_far.notes
    elapsed_us = (stages.clock.monotonic_ns() - so_far.began_ns + 500) // 1000
    location = lane.location if lane else "local"
    return Result(
        call=call,
        provenance=Provenance(location, so_far.began, elapsed_us / 1000, call.request_id),
        content=output.content,
        verdict=so_far.verdict,
        usage=dict(so_far.usage),
        left=so_far.left,
        notes=notes + tuple(redact.text(note) for note in output.notes) if output.notes else notes,
        cached=output.cached,
    )


def _failed(stages: Stages, so_far: Progress, error: ToolError) -> Result:
    problems = tuple(_stamped(problem, stages.clock) for problem in error.problems())
    return structs.replace(
        _result(stages, so_far, _NOTHING),
        problems=problems,
        outcome=Outcome.FAILED if so_far.lane else Outcome.REFUSED,
        repaired=_repair_of(error),
    )


def _repair_of(error: ToolError) -> dict[str, Any] | None:
    repaired = error.repaired if isinstance(error, Several) else None
    return None if repaired is None or _unless_secret(repaired, "") is UNSET else repaired


def _stamped(problem: Problem, clock: Clock) -> Problem:
    """With an identity of its own, and nothing secret in what it tells."""
    return structs.replace(
        problem,
        instance=problem.instance or clock.uuid(),
        title=redact.text(problem.title),
        detail=redact.text(problem.detail),
        suggested=_unless_secret(problem.suggested, problem.parameter or ""),
        context=_safe_context(problem) if problem.context else problem.context,
    )


def _safe_context(problem: Problem) -> dict[str, Any]:
    context: dict[str, Any] = redact.value(problem.context)
    meant = problem.suggested
    if isinstance(meant, str) and redact.is_secret_name(meant) and "provided_value" in context:
        context["provided_value"] = redact.HIDDEN  # a secret under a misspelt name
    return context


def _unless_secret(value: Any, parameter: str) -> Any:
    """A value to offer; UNSET for one that would show a secret."""
    if value is UNSET:
        return UNSET
    name = parameter.rsplit(".", 1)[-1]
    return value if redact.value(value, name) == value else UNSET


def _finish(stages: Stages, result: Result) -> Result:
    try:
        stages.recorder.record(result)
    except ToolError as error:
        problems = tuple(_stamped(problem, stages.clock) for problem in error.problems())
        result = structs.replace(result, content=(), problems=problems, outcome=Outcome.FAILED)
    for listener in stages.listeners:
        listener(CallFinished(result))
    return result
