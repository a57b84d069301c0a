"""Contract 002, requirement by requirement, as far as calls, answers and routing go."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.contracts.line import Line
from tests.contracts.scripted import Script

from toolpost.define import Tool, from_schema
from toolpost.dialects.sandra import log

EXEC = {"stdout": " hi \n", "stderr": "", "exit_code": 0, "timed_out": False}
FILES = {"a": "hello", "src/": 0, "lib/a.ts": 7}


@pytest.fixture
def talk(real: Callable[..., Line]) -> Line:
    return real("sandra", FILES)


def hearing(name: str, answer: Any) -> tuple[Tool, list[Any]]:
    """A tool that keeps the arguments it got."""
    seen: list[Any] = []

    async def execute(args: Any) -> Any:
        seen.append(args)
        return answer

    return from_schema(name, "", Script(name=name).tool().input_schema, execute), seen


def test_the_eleven_tools_have_the_contracts_names_and_its_words_for_their_arguments(
    real: Callable[..., Line],
) -> None:
    names = [
        "os.exec",
        "audio.release_mic",
        "apps.find",
        "apps.launch",
        "github.read",
        "web.fetch",
        "render.logs",
        "pwa.query",
    ]
    line = real("sandra", {}, *(Script(name=name).tool() for name in names))
    told = {tool["tool"]: set(tool["args"]["properties"]) for tool in line.dialect.describe()}
    contract = {
        "local.fs.list": {"dir"},
        "local.fs.read": {"path"},
        "local.fs.search": {"dir", "pattern"},
        "local.os.exec": {"command", "cwd", "timeoutMs"},
        "local.audio.releaseMic": set(),
        "local.apps.find": {"name"},
        "local.apps.launch": {"path"},
        "cloud.github.readFile": {"owner", "repo", "ref", "path"},
        "cloud.web.fetch": {"url", "method", "headers", "body"},
        "cloud.render.logs": {"serviceId", "level", "limit", "startTime"},
        "cloud.pwa.query": {"endpoint", "body"},
    }
    assert [name for name, words in contract.items() if not words <= told[name]] == []
    assert set(told) - set(contract) == {"local.validate_data", "local.code.search"}


@pytest.mark.parametrize(
    ("says", "tool", "args", "heard"),
    [
        ("local.fs.list", "fs.list", {}, {"path": "."}),
        ("local.fs.list", "fs.list", {"dir": "src"}, {"path": "src"}),
        ("local.os.exec", "os.exec", {"command": "ls"}, {"timeout_ms": 10_000, "command": "ls"}),
        (
            "local.os.exec",
            "os.exec",
            {"command": "ls", "timeoutMs": 5},
            {"timeout_ms": 5, "command": "ls"},
        ),
        ("cloud.web.fetch", "web.fetch", {"url": "https://a.b/"}, {"method": "GET", "url": "https://a.b/"}),
        (
            "cloud.github.readFile",
            "github.read",
            {"owner": "o", "repo": "r", "path": "p"},
            {"ref": "main", "owner": "o", "repo": "r", "path": "p"},
        ),
        ("local.fs.search", "fs.search", {"dir": "src", "pattern": "*.ts"}, {"path": "src", "glob": "*.ts"}),
        (
            "local.fs.search",
            "fs.search",
            {"dir": "src", "pattern": "/^a.*/"},
            {"path": "src", "regex": "^a.*"},
        ),
        ("local.fs.search", "fs.search", {"pattern": "/"}, {"glob": "/"}),
    ],
)
async def test_the_contracts_defaults_and_words_reach_the_tool(
    says: str, tool: str, args: dict[str, Any], heard: dict[str, Any]
) -> None:
    made, seen = hearing(tool, {})
    await Line("sandra", made).say({"tool": says, "args": args})
    assert seen == [heard]


async def test_a_wrong_pattern_is_named_as_the_caller_spelled_it() -> None:
    made, _ = hearing("fs.search", {})
    answer = await Line("sandra", made).say({"tool": "local.fs.search", "args": {"pattern": 7}})
    assert answer["error"].startswith("pattern must be of type")


async def test_every_answer_carries_the_callers_request_id(talk: Line) -> None:
    said = {"tool": "local.fs.read", "args": {"path": "a"}, "requestId": "req-42"}
    for message in (said, {**said, "args": {}}, {**said, "tool": "local.fs.raed"}):
        assert (await talk.say(message))["provenance"]["requestId"] == "req-42"
    assert [record.request_id for record in talk.records] == ["req-42"] * 3


@pytest.mark.parametrize("given", [None, 7, "", "two words", "x" * 200, "a\nb"])
async def test_a_missing_or_unusable_request_id_is_replaced_by_one_of_the_contracts_form(
    given: Any, talk: Line
) -> None:
    answer = await talk.say({"tool": "local.fs.read", "args": {"path": "a"}, "requestId": given})
    assert answer["provenance"]["requestId"] == "req-1"


@pytest.mark.parametrize(
    ("tool", "args", "said"),
    [
        ("local.fs.read", {"path": "zz.md"}, "File not found: zz.md"),
        ("local.fs.read", {"path": "src"}, "src is a directory, not a file."),
        ("local.fs.list", {"dir": "zz"}, "Directory not found: zz"),
        (
            "local.fs.list",
            {"dir": "/etc"},
            "The path is absolute and lies below no root of the workspace.",
        ),
        (
            "local.fs.read",
            {"path": "C:\\Users\\clayt\\file.txt"},
            "The path names a Windows drive or share; give one relative to the root.",
        ),
        ("local.fs.read", {"path": "lib\\a.ts"}, "File not found: lib\\a.ts Try: lib/a.ts"),
    ],
)
async def test_a_failure_has_an_error_and_no_data(
    tool: str, args: dict[str, Any], said: str, talk: Line
) -> None:
    answer = await talk.say({"tool": tool, "args": args})
    assert set(answer) == {"ok", "tool", "error", "provenance"}
    assert answer["error"] == said


async def test_an_absolute_path_is_taken_inside_the_workspace(talk: Line) -> None:
    """And the directory of a listing is the real one (C10)."""
    listed = await talk.say({"tool": "local.fs.list", "args": {"dir": f"{talk.folder}/lib"}})
    assert listed["data"] == {
        "files": [{"name": "a.ts", "type": "file", "size": 7}],
        "count": 1,
        "directory": f"{talk.folder}/lib",
    }
    read = await talk.say({"tool": "local.fs.read", "args": {"path": f"{talk.folder}/a"}})
    assert read["data"] == "hello"


async def test_a_command_that_ended_badly_keeps_its_streams_and_invents_no_data() -> None:
    ended = {**EXEC, "stdout": "partly", "stderr": "no\n", "exit_code": 3}
    line = Line("sandra", Script(name="os.exec", answer=ended).tool())
    answer = await line.say({"tool": "local.os.exec", "args": {"command": "x"}})
    assert (answer["ok"], answer["stdout"], answer["stderr"]) == (False, "partly", "no\n")
    assert "data" not in answer
    assert log(line.results[-1])["toolResults"][0]["ok"] is False


async def test_an_unknown_prefix_is_a_normalized_error(talk: Line) -> None:
    answer = await talk.say({"tool": "moon.fs.read", "args": {}, "requestId": "req-7"})
    assert answer == {
        "ok": False,
        "tool": "moon.fs.read",
        "error": "Tool not found: moon.fs.read Try: local.fs.read",
        "provenance": {
            "location": "local",
            "timestamp": "2025-12-11T20:00:00Z",
            "durationMs": 0,
            "requestId": "req-7",
        },
    }


@pytest.mark.parametrize(
    ("location", "says", "where", "local_or_cloud"),
    [
        ("local", "local.greet", "local", "local"),
        ("cloud", "cloud.greet", "render", "cloud"),
        ("remote:worker-1", "cloud.greet", "render", "cloud"),
    ],
)
async def test_the_prefix_says_where_a_tool_runs_and_the_provenance_where_it_ran(
    location: str, says: str, where: str, local_or_cloud: str
) -> None:
    line = Line("sandra", Script(name="greet", answer="hello", location=location).tool())
    answer = await line.say({"tool": says, "args": {}})
    assert (answer["data"], answer["provenance"]["location"]) == ("hello", where)
    assert log(line.results[-1])["localVsCloud"] == local_or_cloud


@pytest.mark.parametrize(("given", "data"), [("text", "text"), ({"a": 1}, {"a": 1}), ([1], {"result": [1]})])
async def test_data_is_an_object_or_text_whatever_the_tool_returned(given: Any, data: Any) -> None:
    async def execute(_args: Any) -> Any:
        return given

    line = Line("sandra", from_schema("probe", "", {"type": "object"}, execute))
    assert (await line.say({"tool": "local.probe", "args": {}}))["data"] == data


@pytest.mark.parametrize(
    ("tool", "says", "args", "given"),
    [
        ("fs.search", "local.fs.search", {"pattern": "*"}, {"found": None}),
        ("os.exec", "local.os.exec", {"command": "x"}, {"stdout": None, "stderr": "", "exit_code": 0}),
        ("fs.list", "local.fs.list", {}, {"entries": []}),
    ],
)
async def test_a_tool_that_answers_in_a_shape_of_its_own_is_shown_as_it_is(
    tool: str, says: str, args: dict[str, Any], given: dict[str, Any]
) -> None:
    made, _ = hearing(tool, given)
    assert (await Line("sandra", made).say({"tool": says, "args": args}))["data"] == given


async def test_dir_and_path_at_once_are_one_parameter_too_many() -> None:
    made, seen = hearing("fs.list", {})
    answer = await Line("sandra", made).say({"tool": "local.fs.list", "args": {"dir": "a", "path": "b"}})
    assert answer["error"] == "dir and path are the same parameter; send one."
    assert seen == []


async def test_an_error_is_logged_in_structured_form(talk: Line) -> None:
    await talk.say({"tool": "local.fs.read", "args": {}, "requestId": "req-9"})
    assert log(talk.results[-1]) == {
        "requestId": "req-9",
        "intent": "read_file",
        "chosenTools": ["local.fs.read"],
        "localVsCloud": "local",
        "toolResults": [{"tool": "local.fs.read", "ok": False, "durationMs": 0}],
    }
