"""Holes a reviewer found, each named by what went wrong."""

import asyncio
import logging
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from toolpost import Bench, Call, Effect, Limits, Tool, codec, dialects
from toolpost.authorize.ask import Answer, Question
from toolpost.define import Output, from_schema
from toolpost.record.sinks import JsonlSink, MemorySink
from toolpost.testing import ScriptedAsker

WAIT_S = 10
ANY = {"type": "object"}


def _tool(run: Any, **settings: Any) -> Tool:
    return from_schema("work", "Work", ANY, run, **settings)


def test_a_grant_outlived_the_tool_it_was_given_to() -> None:
    asker = ScriptedAsker([Answer.ALLOW_ALWAYS, Answer.REJECT_ONCE])
    bench = Bench([_tool(lambda _args: "wrote", effects=[Effect.WRITE])], asker=asker)
    assert bench.call_sync("work").ok
    bench.remove("work")
    bench.add(_tool(lambda _args: "deleted", effects=[Effect.DELETE]))
    assert not bench.call_sync("work").ok
    assert len(asker.asked) == 2


@pytest.mark.parametrize("names", [["a.b", "a_b"], ["a_b", "a.b"]])
def test_the_order_of_tools_decided_what_a_name_meant(names: list[str]) -> None:
    tools = [from_schema(name, "", ANY, lambda _args, name=name: name, blocking=False) for name in names]
    bench = Bench(tools)
    functions = dialects.load("functions")(bench.tools)
    result = bench.call_sync(functions.parse(codec.encode(functions.ask("a_b", {}))))
    assert result.text == "a_b"


def test_a_record_after_closing_went_into_a_strangers_file(tmp_path: Path) -> None:
    bench = Bench([_tool(lambda _args: "x", blocking=False)], sinks=[JsonlSink(tmp_path / "a.jsonl")])
    bench.close()
    bench.close()
    stranger = os.open(tmp_path / "stranger", os.O_RDWR | os.O_CREAT)
    result = bench.call_sync("work")
    assert (result.problem and result.problem.code, os.fstat(stranger).st_size) == ("RECORD_FAILED", 0)
    os.close(stranger)


def test_a_record_file_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.touch(0o666)
    path.chmod(0o666)
    JsonlSink(path).close()
    assert path.stat().st_mode & 0o777 == 0o600


class Own(BaseException):
    """An exception nobody expects."""


@pytest.mark.parametrize("error", [Own("x"), BaseExceptionGroup("", [ValueError(), SystemExit()])])
def test_a_strange_exception_of_a_tool_left_no_record(error: BaseException) -> None:
    def run(_args: Any) -> None:
        raise error

    sink = MemorySink()
    result = Bench([_tool(run, blocking=False)], sinks=[sink]).call_sync("work")
    assert (result.problem and result.problem.code, len(sink)) == ("TOOL_FAILED", 1)


def test_an_interrupt_within_a_tool_is_recorded_and_goes_on() -> None:
    def run(_args: Any) -> None:
        raise KeyboardInterrupt

    sink = MemorySink()
    with pytest.raises(KeyboardInterrupt):
        Bench([_tool(run, blocking=False)], sinks=[sink]).call_sync("work")
    assert sink.last.codes == ("CANCELLED",)


def test_arguments_that_contain_themselves_are_recorded_without_them() -> None:
    endless: dict[str, Any] = {}
    endless["self"] = endless
    sink = MemorySink()
    result = Bench([_tool(lambda _args: "x", blocking=False)], sinks=[sink]).call_sync("work", a=endless)
    assert (result.ok, len(sink)) == (False, 1)


def test_the_suggestion_showed_the_secret_that_the_context_hid() -> None:
    schema = {"type": "object", "properties": {"password": {"type": "string", "maxLength": 8}}}
    tool = from_schema("login", "", schema, lambda _args: "x")
    result = Bench([tool]).call_sync("login", password="hunter2hunter2")
    assert "hunter2" not in codec.encode([result.problems, result.repaired]).decode()


def test_a_secret_under_a_misspelt_name_was_told() -> None:
    schema = {"type": "object", "properties": {"token": {"type": "string"}}, "additionalProperties": False}
    result = Bench([from_schema("login", "", schema, lambda _args: "x")]).call_sync(
        "login", tokn="s3cretvalue9"
    )
    assert "s3cret" not in codec.encode(result.problems).decode()


def test_a_secret_in_a_note_or_a_tool_name_reached_the_record() -> None:
    token = "ghp_" + "a1B2" * 9
    sink = MemorySink()
    bench = Bench([_tool(lambda _args: Output(data=1, notes=(f"used {token}",)))], sinks=[sink])
    bench.call_sync("work")
    bench.call_sync(token)
    assert token not in codec.encode(list(sink)).decode()


class Leaking:
    async def ask(self, _question: Question) -> Answer | None:
        raise ValueError("cannot ask with password=hunter2hunter2")


def test_a_secret_in_an_askers_error_reached_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        result = Bench([_tool(lambda _args: "x", effects=["write"])], asker=Leaking()).call_sync("work")
    assert (result.problem and result.problem.code) == "INTERNAL_ERROR"
    assert "hunter2" not in caplog.text
    assert "ValueError" in caplog.text


def test_a_place_was_given_back_while_its_thread_still_ran() -> None:
    let_go, inside, most = threading.Event(), [], []

    def run(_args: Any) -> None:
        inside.append(1)
        most.append(len(inside))
        let_go.wait(WAIT_S)
        inside.pop()

    bench = Bench([_tool(run, concurrency=1, timeout_s=0.05)])
    codes = [bench.call_sync("work").problems[0].code for _ in range(3)]
    let_go.set()
    assert (codes, most) == (["TIMEOUT"] * 3, [1])


def test_calls_from_several_threads_with_loops_of_their_own_wait_for_each_other() -> None:
    async def run(_args: Any) -> str:
        await asyncio.sleep(0.01)
        return "x"

    bench = Bench([_tool(run)], limits=Limits(concurrent_calls=1, timeout_s=WAIT_S))
    answers: list[bool] = []
    threads = [threading.Thread(target=lambda: answers.append(bench.call_sync("work").ok)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_S)
    assert answers == [True] * 6


async def test_a_call_can_be_cancelled_from_another_thread() -> None:
    started = asyncio.Event()

    async def run(_args: Any) -> None:
        started.set()
        await asyncio.Event().wait()

    bench = Bench([_tool(run)])
    async with asyncio.timeout(WAIT_S):
        calling = asyncio.ensure_future(bench.call(Call(tool="work", request_id="r")))
        await started.wait()
        assert await asyncio.to_thread(bench.cancel, "r")
        assert (await calling).problems[0].code == "CANCELLED"


class Slow:
    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def ask(self, _question: Question) -> Answer | None:
        self.asked.set()
        await asyncio.Event().wait()
        return Answer.ALLOW_ONCE


async def test_a_call_cancelled_while_the_user_was_asked_ran_all_the_same() -> None:
    ran: list[int] = []
    asker = Slow()
    bench = Bench([_tool(lambda _args: ran.append(1), effects=["write"])], asker=asker)
    async with asyncio.timeout(WAIT_S):
        calling = asyncio.ensure_future(bench.call(Call(tool="work", request_id="r")))
        await asker.asked.wait()
        assert bench.cancel("r")
        assert ((await calling).problems[0].code, ran) == ("CANCELLED", [])


@pytest.mark.parametrize("settings", [{"cost": {"calls": 0}}, {}])
def test_a_tool_refilled_the_budget_of_calls(settings: dict[str, Any]) -> None:
    def run(_args: Any) -> Output:
        return Output(data=1, usage={"calls": 0})

    bench = Bench([_tool(run, blocking=False, **settings)], limits=Limits(session={"calls": 2}))
    assert [bench.call_sync("work").ok for _ in range(4)] == [True, True, False, False]


def test_a_cost_function_changed_the_record() -> None:
    def cost(args: Any) -> dict[str, int]:
        args["x"] = "hacked"
        return {}

    sink = MemorySink()
    Bench([_tool(lambda _args: "x", cost=cost)], sinks=[sink], limits=Limits(session={"calls": 9})).call_sync(
        "work", x=1
    )
    assert sink.last.args == {"x": 1}


class Broken:
    def write(self, _entry: Any) -> None:
        raise ValueError("no")

    def close(self) -> None:
        """Nothing."""


def test_one_broken_sink_kept_the_record_from_the_others() -> None:
    sink = MemorySink()
    result = Bench([_tool(lambda _args: "x")], sinks=[Broken(), sink]).call_sync("work")
    assert (result.problem and result.problem.code, len(sink)) == ("RECORD_FAILED", 1)


def test_what_a_thread_hands_back_to_be_awaited_is_awaited() -> None:
    async def later() -> str:
        return "later"

    assert Bench([_tool(lambda _args: later())]).call_sync("work").text == "later"
