from typing import Any

import pytest
from msgspec import UNSET

from toolpost import Bench, Call, Provenance, Result, Text, tool
from toolpost.content import Data
from toolpost.define import from_schema, make
from toolpost.errors import BadTool, ToolNotFound
from toolpost.record.sinks import MemorySink
from toolpost.result import Decision, Outcome, Verdict
from toolpost.testing import FakeClock


@tool(blocking=False)
def greet(name: str) -> str:
    return f"Hello {name}"


async def test_a_call_by_name_comes_back_whole() -> None:
    clock = FakeClock(step_ms=4.5)
    result = await Bench([greet], clock=clock).call("greet", name="Ada")
    assert result == Result(
        call=Call(tool="greet", args={"name": "Ada"}, request_id="req-1"),
        provenance=Provenance("local", clock.now(), 4.5, "req-1"),
        content=(Text("Hello Ada"),),
        verdict=Verdict(Decision.ALLOW, "tool(*)", "no effects", "tool greet"),
        usage={"calls": 1},
    )
    assert (result.ok, result.problem, result.text, result.data) == (True, None, "Hello Ada", UNSET)


async def test_a_call_that_brings_its_own_id_keeps_it() -> None:
    result = await Bench([greet]).call(Call(tool="greet", args={"name": "Ada"}, request_id="mine"))
    assert (result.call.request_id, result.provenance.request_id) == ("mine", "mine")


def test_a_call_can_be_made_without_a_loop() -> None:
    bench = Bench([make(name="data", run=lambda _args: {"a": 1})])
    assert bench.call_sync("data").data == {"a": 1}
    assert bench.call_sync("data").content == (Data({"a": 1}),)


def test_tools_come_and_go_and_whoever_shows_them_is_told() -> None:
    bench, changes = Bench([greet]), []
    bench.on_tools_changed(lambda: changes.append([known.name for known in bench.tools]))
    other = bench.add(make(name="other", output_schema={"type": "object"}))
    assert bench.remove("greet") is greet
    assert (bench.tools, changes) == ((other,), [["greet", "other"], ["other"]])
    with pytest.raises(ToolNotFound):
        bench.remove("greet")


def test_a_tool_can_be_replaced_by_another_of_its_name() -> None:
    bench = Bench([from_schema("x", "", {"required": ["a"]}, lambda _args: 1)])
    bench.call_sync("x")
    bench.remove("x")
    bench.add(from_schema("x", "", {}, lambda _args: "new", effects=["write"]))
    assert bench.call_sync("x").problems[0].code == "NEEDS_APPROVAL"


@pytest.mark.parametrize("settings", [
    {"input_schema": {"type": "nothing"}}, {"output_schema": {"type": "nothing"}}, {"name": "no name"}
])  # fmt: skip
def test_a_tool_that_cannot_work_is_refused_and_not_kept(settings: dict[str, Any]) -> None:
    bench = Bench()
    with pytest.raises(BadTool):
        bench.add(make(**{"name": "x", **settings}))
    assert bench.tools == ()


async def test_a_tool_that_changes_its_arguments_changes_neither_the_answer_nor_the_record() -> None:
    def spoil(args: dict[str, Any]) -> str:
        args["list"].append("spoilt")
        args.clear()
        return "done"

    sink = MemorySink()
    given = {"list": ["a"]}
    call = Call(tool="spoil", args=given, input=given)
    result = await Bench([from_schema("spoil", "", {}, spoil)], sinks=[sink]).call(call)
    assert (result.call.args, result.call.input, sink.last.args) == ({"list": ["a"]},) * 3


async def test_what_went_wrong_is_told_without_secrets_and_has_an_identity() -> None:
    def leak(_args: Any) -> None:
        raise ValueError("cannot log in with password=hunter2")

    result = await Bench([from_schema("leak", "", {}, leak)], clock=FakeClock()).call("leak")
    (problem,) = result.problems
    assert problem.detail == "Failed to execute: ValueError: cannot log in with password=[redacted]"
    assert (problem.instance, result.outcome) == ("00000000-0000-4000-8000-000000000002", Outcome.FAILED)


async def test_a_cloud_tool_says_where_it_ran() -> None:
    bench = Bench([from_schema("far", "", {}, lambda _args: 1, location="cloud")])
    assert (await bench.call("far")).provenance.location == "remote:in-process"
