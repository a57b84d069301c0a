from collections.abc import Mapping
from typing import Any

import pytest

from toolpost import Bench, Call, Caller, Limits, Problem, Tool
from toolpost.budget.wording import size
from toolpost.define import Output, from_schema
from toolpost.limits import KIB, MIB


def _reader(usage: Mapping[str, Any] | None = None, **settings: Any) -> Tool:
    return from_schema(
        "read", "", {"type": "object"}, lambda _args: Output(usage=usage or {}), blocking=False, **settings
    )


async def _refusal(bench: Bench, call: Call) -> Problem:
    (problem,) = (await bench.call(call)).problems
    return problem


CALL = Call(tool="read", caller=Caller(component="Button", run="r1", session="s1"))


async def test_every_call_costs_one_call() -> None:
    bench = Bench([_reader()], limits=Limits(run={"calls": 1}))
    assert (await bench.call(CALL)).usage == {"calls": 1}
    problem = await _refusal(bench, CALL)
    assert (problem.code, problem.detail) == (
        "BUDGET_EXCEEDED",
        "The calls budget of run:r1 is spent: 1 of 1.",
    )
    assert problem.context == {"scope": "run:r1", "unit": "calls", "used": 1, "limit": 1}


async def test_runs_sessions_and_components_are_counted_apart() -> None:
    bench = Bench([_reader()], limits=Limits(run={"calls": 9}, session={"calls": 2}, component={"calls": 1}))
    callers = [
        (Caller(run="r", session="a", component="x"), True),
        (Caller(run="r", session="a", component="x"), False),  # the component is spent
        (Caller(run="r", session="a", component="y"), True),
        (Caller(run="r", session="a", component="z"), False),  # the session is
        (Caller(run="r", session="b", component="z"), True),
        (Caller(run="other", session="c", component="x"), True),  # a component belongs to its run
    ]
    assert [(await bench.call(Call(tool="read", caller=caller))).ok for caller, _ in callers] == [
        passes for _, passes in callers
    ]


async def test_a_reservation_is_settled_by_what_the_call_really_cost() -> None:
    cost = {"read_bytes": 100}
    bench = Bench([_reader({"read_bytes": 10}, cost=cost)], limits=Limits(component={"read_bytes": 120}))
    assert [(await bench.call(CALL)).usage for _ in range(2)] == [{"calls": 1, "read_bytes": 10}] * 2
    assert (await bench.call(CALL)).ok
    assert not (await bench.call(CALL)).ok  # 30 are spent, and 100 more must be held


async def test_a_cost_can_depend_on_the_arguments() -> None:
    bench = Bench([_reader(cost=lambda args: {"bytes": args["n"]})], limits=Limits(run={"bytes": 5}))
    assert (await bench.call("read", n=5)).ok
    assert not (await bench.call("read", n=1)).ok


@pytest.mark.parametrize("amount", [-1, 1.5, "many", True, None])
async def test_a_tool_cannot_refill_a_budget_or_count_in_nonsense(amount: Any) -> None:
    bench = Bench(
        [
            _reader({"bytes": amount}, cost={"bytes": 2}),
            from_schema("guess", "", {}, None, cost=lambda _args: {"bytes": amount}),
        ],
        limits=Limits(run={"bytes": 3}),
    )
    for name in ("read", "guess"):
        (problem,) = (await bench.call(name)).problems
        assert (problem.code, problem.context) == ("TOOL_FAILED", {"unit": "bytes"})
    assert (await _refusal(bench, Call(tool="read"))).context[
        "used"
    ] == 2  # the reservation of the first stands


@pytest.mark.parametrize(
    ("limits", "cost", "code", "detail", "context"),
    [
        (
            {"read_bytes": 5 * MIB}, {"read_bytes": 5 * MIB, "reads": 1}, "READ_BUDGET_EXCEEDED",
            "Cumulative read limit (5MB) exceeded for component 'Button'",
            {"bytes_read": 5 * MIB, "limit_bytes": 5 * MIB, "files_read": 1},
        ),
        (
            {"reads": 1}, {"reads": 1}, "READ_BUDGET_EXCEEDED",
            "Read limit (1 files) exceeded for component 'Button'", {"files_read": 1, "limit_files": 1},
        ),
        (
            {"lists": 1}, {"lists": 1}, "LIST_BUDGET_EXCEEDED",
            "List limit (1 operations) exceeded for component 'Button'", {"lists": 1, "limit": 1},
        ),
    ],
)  # fmt: skip
async def test_a_refusal_speaks_the_contracts_words(
    limits: dict[str, int], cost: dict[str, int], code: str, detail: str, context: dict[str, int]
) -> None:
    bench = Bench([_reader(cost=cost)], limits=Limits(component=limits))
    await bench.call(CALL)
    problem = await _refusal(bench, CALL)
    assert (problem.code, problem.detail, problem.context) == (code, detail, context)


async def test_without_a_component_none_is_named() -> None:
    bench = Bench([_reader(cost={"reads": 2})], limits=Limits(run={"reads": 1}))
    assert (await _refusal(bench, Call(tool="read"))).detail == "Read limit (1 files) exceeded"


@pytest.mark.parametrize(
    ("count", "written"),
    [(5 * MIB, "5MB"), (500 * KIB, "500KB"), (MIB + KIB, "1025KB"), (1023, "1023 bytes")],
)
def test_sizes_are_written_as_the_contract_does(count: int, written: str) -> None:
    assert size(count) == written
