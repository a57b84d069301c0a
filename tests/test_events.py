import logging

import pytest

from toolpost import Bench, Call, codec, tool
from toolpost.events import CallFinished, CallStarted, Event
from toolpost.testing import FakeClock


@tool(blocking=False)
def greet(name: str) -> str:
    return f"Hello {name}"


async def test_a_call_is_told_when_it_begins_and_when_it_ends() -> None:
    told: list[Event] = []
    bench = Bench([greet], clock=FakeClock())
    bench.listen(told.append)
    result = await bench.call("greet", name="Ada")
    assert told == [
        CallStarted(Call(tool="greet", args={"name": "Ada"}, request_id="req-1")),
        CallFinished(result),
    ]


async def test_an_event_can_be_written_as_json_and_says_what_it_is() -> None:
    told: list[Event] = []
    bench = Bench([greet], clock=FakeClock())
    bench.listen(told.append)
    await bench.call("greet", name="Ada")
    assert [codec.decode(codec.encode(event))["type"] for event in told] == ["CallStarted", "CallFinished"]


async def test_a_listener_that_breaks_is_logged_and_the_call_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    told: list[Event] = []

    def broken(_event: Event) -> None:
        raise KeyError("listener")

    bench = Bench([greet])
    bench.listen(broken)
    bench.listen(told.append)
    with caplog.at_level(logging.ERROR, "toolpost"):
        assert (await bench.call("greet", name="Ada")).text == "Hello Ada"
    assert (len(told), [record.getMessage() for record in caplog.records]) == (
        2,
        ["A listener broke; the call goes on without it."] * 2,
    )
