from typing import Any

import pytest

from toolpost import Bench, Image
from toolpost.define import Output, from_schema
from toolpost.dialects.functions import ANTHROPIC, CHAT, FORMS, RESPONSES, Functions

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
WORK = from_schema("my.work", "Works", SCHEMA, lambda args: args, blocking=False)
PAINT = from_schema("paint", "", {}, lambda _args: Image(b"x"), blocking=False)
SAY = from_schema("say", "", {}, lambda _args: Output(data={"a": 1}, content=()), blocking=False)
BENCH = Bench([WORK, PAINT, SAY])


def _functions(form: str = CHAT) -> Functions:
    functions = Functions(BENCH.tools)
    functions.form = form
    return functions


def _answer(message: Any, form: str = CHAT) -> Any:
    functions = _functions(form)
    return functions.render(BENCH.call_sync(functions.parse(message)))


def _chat(name: str, arguments: Any) -> dict[str, Any]:
    return {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}


@pytest.mark.parametrize("arguments", ['{"n": 5}', {"n": 5}])
def test_a_chat_call_is_answered_as_a_tool_message(arguments: Any) -> None:
    assert _answer(_chat("my_work", arguments)) == {
        "role": "tool",
        "tool_call_id": "c1",
        "content": '{"n":5}',
    }


def test_a_responses_call_is_answered_as_its_output() -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "my_work", "arguments": '{"n": 5}'}
    assert _answer(call) == {"type": "function_call_output", "call_id": "c1", "output": '{"n":5}'}


def test_a_messages_call_is_answered_as_a_tool_result() -> None:
    call = {"type": "tool_use", "id": "c1", "name": "my_work", "input": {"n": 5}}
    content = [{"type": "text", "text": '{"n":5}'}]
    assert _answer(call) == {
        "type": "tool_result",
        "tool_use_id": "c1",
        "content": content,
        "is_error": False,
    }


def test_an_image_reaches_the_api_that_can_show_it() -> None:
    source = {"type": "base64", "media_type": "image/png", "data": "eA=="}
    answer = _answer({"type": "tool_use", "id": "c1", "name": "paint", "input": {}})
    assert answer["content"] == [{"type": "image", "source": source}]
    assert _answer(_chat("paint", ""))["content"] == ""


def test_a_refusal_is_said_as_an_error() -> None:
    assert (
        _answer(_chat("my_work", '{"n": "5"}'))["content"]
        == "Error: n must be of type integer; it was '5'. Try: 5"
    )
    refused = _answer({"type": "tool_use", "id": "c1", "name": "my_work", "input": {}})
    assert (refused["is_error"], refused["content"][0]["text"]) == (
        True,
        "Error: n is required and was not given.",
    )


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ([], "A call is a tool call object of a chat, responses or messages API."),
        ({"id": "c1"}, "`function` must be an object."),
        (_chat("my_work", "{"), "The message is not JSON: Input data was truncated."),
        (_chat("my_work", "[1]"), "The input of my_work must be an object."),
        ({"id": "c1", "function": {}}, "The message names no tool."),
    ],
)
def test_a_message_that_is_no_call_is_refused(message: Any, said: str) -> None:
    assert _answer(message)["content"] == f"Error: {said}"


def test_an_id_that_is_no_text_is_left_out() -> None:
    assert _answer({**_chat("say", ""), "id": 5}) == {
        "role": "tool",
        "tool_call_id": None,
        "content": '{"a":1}',
    }


@pytest.mark.parametrize("form", FORMS)
def test_what_cannot_be_read_is_answered_in_the_connections_own_form(form: str) -> None:
    keys = {CHAT: "role", RESPONSES: "output", ANTHROPIC: "is_error"}
    assert keys[form] in _answer(b"", form)


@pytest.mark.parametrize("form", FORMS)
def test_each_form_reads_what_it_asks(form: str) -> None:
    functions = _functions(form)
    call = functions.parse(functions.ask("my_work", {"n": 5}))
    assert (call.tool, call.args, call.form, call.reply_to) == ("my.work", {"n": 5}, form, "call_1")


@pytest.mark.parametrize(
    ("form", "announced"),
    [
        (
            CHAT,
            {
                "type": "function",
                "function": {"name": "my_work", "description": "Works", "parameters": SCHEMA},
            },
        ),
        (RESPONSES, {"type": "function", "name": "my_work", "description": "Works", "parameters": SCHEMA}),
        (ANTHROPIC, {"name": "my_work", "description": "Works", "input_schema": SCHEMA}),
    ],
)
def test_tools_are_announced_in_the_form(form: str, announced: dict[str, Any]) -> None:
    assert _functions(form).describe()[0] == announced
