"""Contract 004, requirement by requirement, as far as calls, registration and permissions go."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.contracts.line import Line
from tests.contracts.scripted import Script

from toolpost.authorize.ask import Answer
from toolpost.content import Text
from toolpost.define import Tool, from_schema
from toolpost.dialects.acp import telemetry
from toolpost.errors import BadTool
from toolpost.lint import lint
from toolpost.testing import ScriptedAsker

PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
CHOICES = {  # the contract's dialog; its Deny holds for the session (C34, C35)
    "Allow Once": Answer.ALLOW_ONCE,
    "Always Allow": Answer.ALLOW_ALWAYS,
    "Deny": Answer.REJECT_ALWAYS,
}


def use(tool: str, session: str = "sess_123", call: str = "call_001", **given: Any) -> dict[str, Any]:
    params = {"sessionId": session, "toolCallId": call, "toolName": tool, "input": given}
    return {"jsonrpc": "2.0", "method": "tools/use", "params": params}


def text_of(answer: Any) -> str:
    (item,) = answer["params"]["content"]
    return str(item["text"])


def file_reader() -> Tool:
    async def execute(given: Any) -> str:
        return f"contents of {given['path']}"

    return from_schema("read_it", "Read file contents", PATH, execute)


async def test_a_tool_registered_by_schema_and_execute_answers_its_text() -> None:
    answer = await Line("acp", file_reader()).say(use("read_it", path="a.ts"))
    assert answer["params"]["content"] == [{"type": "text", "text": "contents of a.ts"}]
    assert answer["params"]["isError"] is False


def test_definitions_are_announced_without_execute() -> None:
    assert Line("acp", file_reader()).dialect.describe() == {
        "tools": {
            "definitions": [{"name": "read_it", "description": "Read file contents", "inputSchema": PATH}]
        }
    }


def test_the_real_tools_are_announced_with_the_contracts_words(real: Callable[..., Line]) -> None:
    announced = real("acp").dialect.describe()["tools"]["definitions"]
    words = {tool["name"]: set(tool["inputSchema"]["properties"]) for tool in announced}
    contract = {
        "read_file": {"path"},
        "write_file": {"path", "content"},
        "list_directory": {"path"},
        "search_files": {"query", "path", "includePattern"},
        "edit_file": {"path", "edits"},
    }
    assert [name for name, asked in contract.items() if not asked <= words[name]] == []
    assert all(tool["description"] for tool in announced)


def test_a_name_is_registered_once() -> None:
    line = Line("acp", file_reader())
    with pytest.raises(BadTool):
        line.bench.add(file_reader())


async def test_an_unknown_name_is_answered_with_tool_not_found() -> None:
    answer = await Line("acp", file_reader()).say(use("xyz"))
    assert text_of(answer) == "Error: Tool not found: xyz"
    assert answer["params"]["isError"] is True


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("read_file", {"path": "a.ts"}, "// TODO: all"),
        ("write_file", {"path": "b.ts", "content": "b"}, "File written successfully to b.ts (1 bytes)"),
        ("search_files", {"query": "TODO"}, "a.ts:1: // TODO: all"),
        ("search_in_files", {"query": "TODO"}, "a.ts:1: // TODO: all"),
    ],
)
async def test_the_contracts_good_names_all_work(
    name: str, given: dict[str, Any], said: str, real: Callable[..., Line]
) -> None:
    assert text_of(await real("acp", {"a.ts": "// TODO: all"}).say(use(name, **given))) == said


def found_in(name: str, parameter: dict[str, Any]) -> set[str]:
    schema = {"type": "object", "properties": parameter}
    return {
        finding.code for finding in lint(from_schema(name, "Reads one file of the workspace.", schema, None))
    }


@pytest.mark.parametrize("name", ["rf", "wf", "search"])
def test_the_contracts_bad_names_are_found_by_the_linter(name: str) -> None:
    assert found_in(name, {}) & {"cryptic-name", "generic-name"}


@pytest.mark.parametrize("name", ["read_file", "write_file", "search_in_files"])
def test_the_contracts_good_names_are_not(name: str) -> None:
    assert not found_in(name, {}) & {"cryptic-name", "generic-name"}


def test_the_contracts_bad_parameter_is_found_by_the_linter_and_its_good_one_is_not() -> None:
    bad = {"p": {"type": "string"}}
    good = {"path": {"type": "string", "description": "Path to file relative to workspace root"}}
    codes = {"cryptic-parameter", "undescribed-parameter"}
    assert found_in("read_file", bad) >= codes
    assert not found_in("read_file", good) & codes


async def test_a_result_carries_the_session_and_call_it_belongs_to() -> None:
    line = Line("acp", file_reader())
    for call in ("call_7", "call_8"):
        told = (await line.say(use("read_it", "sess_9", call, path="a")))["params"]
        assert (told["sessionId"], told["toolCallId"]) == ("sess_9", call)


async def test_each_result_message_has_an_id_of_its_own() -> None:
    line = Line("acp", file_reader())
    ids = [(await line.say(use("read_it", path="a")))["id"] for _ in range(3)]
    assert ids == [10, 11, 12]


async def test_calls_of_one_session_run_at_the_same_time() -> None:
    both_in = asyncio.Barrier(2)

    async def meet(_given: Any) -> str:
        await both_in.wait()
        return "met"

    line = Line("acp", from_schema("meet", "Wait for the other", {"type": "object"}, meet))
    async with asyncio.timeout(5):
        first, second = await asyncio.gather(
            line.say(use("meet", call="call_1")), line.say(use("meet", call="call_2"))
        )
    assert (text_of(first), text_of(second)) == ("met", "met")
    assert {told["params"]["toolCallId"] for told in (first, second)} == {"call_1", "call_2"}


async def test_a_tool_that_throws_is_a_descriptive_error_and_leaves_its_event() -> None:
    async def execute(_given: Any) -> str:
        raise RuntimeError("disk on fire")

    line = Line("acp", from_schema("burn", "", {"type": "object"}, execute))
    answer = await line.say(use("burn"))
    assert text_of(answer) == "Error: Failed to execute: RuntimeError: disk on fire"
    assert telemetry(line.results[-1]) == {
        "event": "tool_used",
        "tool": "burn",
        "duration_ms": 0,
        "success": False,
    }


async def test_an_error_is_marked_on_the_item_and_on_the_message() -> None:
    answer = await Line("acp", file_reader()).say(use("read_it"))
    assert answer["params"]["isError"] is True
    assert answer["params"]["content"][0]["isError"] is True


def writer(asker: ScriptedAsker, *effects: str) -> Line:
    async def execute(_given: Any) -> Text:
        return Text("done")

    tool = from_schema("change", "", {"type": "object"}, execute, effects=effects or ("write",))
    return Line("acp", tool, profile="ask", asker=asker)


def choosing(*choices: str) -> ScriptedAsker:
    return ScriptedAsker([CHOICES[choice] for choice in choices])


async def outcomes(line: Line, times: int, session: str = "sess_123") -> list[bool]:
    return [not (await line.say(use("change", session)))["params"]["isError"] for _ in range(times)]


async def test_allow_once_runs_once_and_asks_again() -> None:
    asker = choosing("Allow Once", "Allow Once")
    assert await outcomes(writer(asker), 2) == [True, True]
    assert len(asker.asked) == 2


async def test_always_allow_is_asked_once_and_then_runs_without_asking() -> None:
    asker = choosing("Always Allow")
    assert await outcomes(writer(asker), 3) == [True, True, True]
    assert len(asker.asked) == 1


async def test_deny_is_never_asked_again_and_refuses() -> None:
    asker = choosing("Deny")
    assert await outcomes(writer(asker), 3) == [False, False, False]
    assert len(asker.asked) == 1


async def test_an_answer_holds_in_its_session_and_can_be_taken_back() -> None:
    asker = choosing("Deny", "Allow Once", "Allow Once")
    line = writer(asker)
    assert await outcomes(line, 1) == [False]
    assert await outcomes(line, 1, "another") == [True]
    line.bench.revoke("change", line.results[0].call.caller)
    assert await outcomes(line, 1) == [True]


async def test_the_question_shows_the_tool_and_its_input() -> None:
    asker = choosing("Allow Once")
    await writer(asker).say(use("change", path="a.ts"))
    (question,) = asker.asked
    tool, call = question.tool, question.call
    assert (tool.name, call.words.tool, call.input) == ("change", "change", {"path": "a.ts"})


@pytest.mark.parametrize(
    ("says", "given"),
    [
        ("write_file", {"path": "a.ts", "content": ""}),
        ("edit_file", {"path": "a.ts", "edits": [{"type": "insert", "newText": "x", "line": 1}]}),
        ("delete_file", {"path": "a.ts"}),
        ("move_file", {"source": "a.ts", "target": "b.ts"}),
        ("run_command", {"command": "ls"}),
        ("web_request", {"url": "https://a.b/"}),
    ],
)
async def test_dangerous_tools_wait_for_the_user(
    says: str, given: dict[str, Any], real: Callable[..., Line]
) -> None:
    asker = choosing("Deny")
    scripted = [Script(name=name, answer={}).tool() for name in ("os.exec", "web.fetch")]
    line = real("acp", {"a.ts": "a"}, *scripted, profile="ask", asker=asker)
    answer = await line.say(use(says, **given))
    assert len(asker.asked) == 1
    assert "was denied by the user" in text_of(answer)
    assert [file.name for file in line.folder.iterdir()] == ["a.ts"]
    assert (line.folder / "a.ts").read_text(encoding="utf-8") == "a"


async def test_reading_asks_nobody() -> None:
    asker = choosing()
    assert await outcomes(writer(asker, "read"), 1) == [True]
    assert asker.asked == []


async def test_when_nobody_can_be_asked_the_call_is_refused() -> None:
    answer = await writer(ScriptedAsker([])).say(use("change"))
    assert "needs the user's approval" in text_of(answer)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (b"{", -32700),
        (b'{"jsonrpc": "1.0", "id": 3, "method": "tools/use"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "tools/list"}', -32601),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "tools/use", "params": []}', -32602),
    ],
)
async def test_what_is_no_tools_use_is_a_protocol_error_and_recorded(message: bytes, code: int) -> None:
    line = Line("acp", file_reader())
    answer = await line.say(message)
    assert answer["error"]["code"] == code
    assert answer["id"] == (None if code == -32700 else 3)
    assert len(line.records) == 1
