"""The typed API, pinned: mypy reads this file, and so breaks when a public type changes."""

from typing import Any, assert_type

from toolpost import (
    Bench,
    BudgetExceeded,
    Call,
    Caller,
    Data,
    Decision,
    Denied,
    Diff,
    Effect,
    Image,
    InvalidArgument,
    Limits,
    NotFound,
    Problem,
    Profile,
    Provenance,
    Ref,
    Result,
    Rule,
    Text,
    Tool,
    ToolError,
    tool,
)
from toolpost.atom import Kind
from toolpost.define import Output, from_schema
from toolpost.dialects import Dialect, load
from toolpost.result import Outcome, Verdict


@tool
def bare(name: str) -> str:
    return name


@tool(name="with.settings", effects=[Effect.READ], tags=["a"], timeout_s=3)
async def configured(name: str, call: Call) -> Output:
    return Output(content=(Text(name),), usage={"calls": 1})


assert_type(bare, Tool)
assert_type(configured, Tool)
assert_type(from_schema("x", "", {"type": "object"}, lambda args: args), Tool)


async def calls(bench: Bench) -> None:
    assert_type(await bench.call("bare", name="Ada"), Result)
    assert_type(await bench.call(Call(tool="bare", args={"name": "Ada"}, caller=Caller(session="s"))), Result)
    assert_type(bench.call_sync("bare", name="Ada"), Result)
    assert_type(bench.add(bare), Tool)
    assert_type(bench.remove("bare"), Tool)
    assert_type(bench.tools, tuple[Tool, ...])
    assert_type(bench.cancel("req-1"), bool)
    assert_type(bench.revoke("bare"), bool)


def results(result: Result) -> None:
    assert_type(result.ok, bool)
    assert_type(result.text, str)
    assert_type(result.problem, Problem | None)
    assert_type(result.problems, tuple[Problem, ...])
    assert_type(result.content, tuple[Text | Image | Diff | Data | Ref, ...])
    assert_type(result.provenance, Provenance)
    assert_type(result.outcome, Outcome)
    assert_type(result.verdict, Verdict | None)
    assert_type(result.repaired, dict[str, Any] | None)
    assert_type(result.usage, dict[str, int])


def errors() -> None:
    assert_type(ToolError("a", parameter="p", suggested=5, anything="else").problem(), Problem)
    assert_type(Denied("x").problem(), Problem)
    assert_type(NotFound("x").retryable, bool)
    assert_type(InvalidArgument("x").problems(), tuple[Problem, ...])
    assert_type(BudgetExceeded.code, str)


def profiles() -> Bench:
    rules = (Rule(Decision.ALLOW, Kind.READ), Rule(Decision.DENY, Kind.TOOL, "os.*"))
    return Bench([bare], profile=Profile(name="mine", rules=rules), limits=Limits(run={"calls": 5}))


def dialects(bench: Bench) -> None:
    assert_type(load("mcp"), type[Dialect])
    assert_type(load("mcp")(bench.tools).parse(b"{}"), Call)
