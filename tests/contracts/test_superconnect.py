"""Contract 001, requirement by requirement: calls, answers, errors and metrics. Budgets are in test_budgets."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.ground import text_of
from tests.contracts.line import Line
from tests.contracts.scripted import Script

from toolpost.dialects.superconnect import metric
from toolpost.limits import READ_DEFAULT, READ_MAX, Limits
from toolpost.tools.standard import standard
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.workspace import Workspace

FOUND = {
    "files": [
        {
            "path": "a.ts",
            "exports": ["a"],
            "tags": ["typescript"],
            "size_bytes": 20,
            "last_modified": "2025-12-30T09:15:00Z",
        }
    ],
    "total_matches": 1,
    "truncated": False,
}
FILES = {"a.ts": "export const a = 1;\n", "src/": 0}


@pytest.fixture
def talk(real: Callable[..., Line]) -> Line:
    return real("superconnect", FILES)


def ask(tool: str, component: str = "Button", **params: Any) -> dict[str, Any]:
    return {"tool": tool, "params": params, "component": component}


def test_the_three_tools_have_the_contracts_names_and_take_its_parameters(talk: Line) -> None:
    tools = {tool["name"]: set(tool["parameters"]["properties"]) for tool in talk.dialect.describe()}
    assert set(tools) == {"queryIndex", "readFile", "listFiles", "searchCode", "validate_data"}
    assert tools["queryIndex"] == {"query", "limit"}
    assert tools["readFile"] >= {"path", "maxBytes"}
    assert tools["listFiles"] >= {"directory", "pattern", "limit"}
    assert not tools["readFile"] & {"text_only", "refuse_above", "max_bytes"}


@pytest.mark.parametrize(
    ("params", "code", "suggested"),
    [
        ({"query": {"type": "export", "value": "B"}}, "INVALID_QUERY_TYPE", "exports"),
        ({"query": {"type": "listAll"}, "limit": 201}, "LIMIT_EXCEEDED", 200),
    ],
)
async def test_a_wrong_query_gets_the_contracts_code_and_the_value_to_send(
    params: dict[str, Any], code: str, suggested: Any, talk: Line
) -> None:
    error = (await talk.say(ask("queryIndex", **params)))["error"]
    assert (error["code"], error["details"]["suggested_value"]) == (code, suggested)
    assert error["details"]["retryable"]


@pytest.mark.parametrize("kind", ["exports", "tag", "pathPrefix"])
async def test_a_query_that_needs_a_value_and_has_none_says_so(kind: str, talk: Line) -> None:
    error = (await talk.say(ask("queryIndex", query={"type": kind})))["error"]
    assert (error["code"], error["details"]["parameter"]) == ("MISSING_VALUE", "query.value")


async def test_list_all_needs_no_value(talk: Line) -> None:
    assert await talk.say(ask("queryIndex", query={"type": "listAll"})) == FOUND


async def test_the_suggested_params_pass_when_they_are_sent_back(talk: Line) -> None:
    error = (await talk.say(ask("queryIndex", query={"type": "listAll"}, limit=500)))["error"]
    assert await talk.say(ask("queryIndex", **error["details"]["suggested_params"])) == FOUND


@pytest.mark.parametrize("path", ["../secret", "src/../../x", "..\\x", "/etc/passwd", "C:\\x", "\\\\host\\x"])
async def test_a_path_out_of_the_repository_is_invalid_before_anything_is_read(path: str, talk: Line) -> None:
    assert (await talk.say(ask("readFile", path=path)))["error"]["code"] == "INVALID_PATH"
    assert (await talk.say(ask("listFiles", directory=path)))["error"]["code"] == "INVALID_DIRECTORY"


@pytest.mark.parametrize("path", ["foo..bar.ts", "src/..hidden", "a.../b"])
async def test_dots_inside_a_name_are_no_way_up(path: str, real: Callable[..., Line]) -> None:
    answer = await real("superconnect", {path: "here"}).say(ask("readFile", path=path))
    assert (answer["path"], answer["content"]) == (path, "here")


@pytest.mark.parametrize("path", ["../a.ts", "/etc/passwd", "src/../a.ts", "{folder}/a.ts"])
async def test_one_of_several_paths_is_held_to_the_same_rule(path: str, talk: Line) -> None:
    """The contract reads one file a call; whoever asks for several gets no further by it."""
    answer = await talk.say(ask("readFile", paths=["a.ts", path.format(folder=talk.folder)]))
    told = [answer["error"]] if "error" in answer else answer["files"]
    assert "INVALID_PATH" in [part.get("code") for part in told]


async def test_an_error_names_the_parameter_as_this_contract_spells_it(talk: Line) -> None:
    error = (await talk.say(ask("listFiles", directory=7)))["error"]
    assert error["details"]["parameter"] == "directory"
    assert error["message"].startswith("directory must be of type")


async def test_a_list_limit_above_one_hundred_is_an_error_too(talk: Line) -> None:
    error = (await talk.say(ask("listFiles", directory="src", limit=101)))["error"]
    assert (error["code"], error["details"]["suggested_value"]) == ("LIMIT_EXCEEDED", 100)
    assert "error" not in await talk.say(ask("listFiles", **error["details"]["suggested_params"]))


async def test_so_is_a_read_of_more_than_five_hundred_kb_at_once(talk: Line) -> None:
    error = (await talk.say(ask("readFile", path="a.ts", maxBytes=READ_MAX + 1)))["error"]
    assert error == {
        "code": "LIMIT_EXCEEDED",
        "message": "maxBytes must be at most 512000; it was 512001.",
        "details": {
            "provided_value": 512_001,
            "validation_rule": "maximum",
            "limit": 512_000,
            "parameter": "maxBytes",
            "suggested_value": 512_000,
            "suggested_params": {"path": "a.ts", "maxBytes": 512_000},
            "retryable": True,
        },
    }
    assert "error" not in await talk.say(ask("readFile", **error["details"]["suggested_params"]))


async def test_a_file_is_cut_at_one_hundred_kb_and_one_above_five_hundred_is_refused(
    real: Callable[..., Line],
) -> None:
    talk = real("superconnect", {"cut.ts": READ_DEFAULT + 1, "most.ts": READ_MAX, "over.ts": READ_MAX + 1})
    cut = await talk.say(ask("readFile", path="cut.ts"))
    assert (cut["truncated"], cut["size_bytes"]) == (True, READ_DEFAULT + 1)
    assert cut["content"] == text_of(READ_DEFAULT)
    most = await talk.say(ask("readFile", path="most.ts", maxBytes=READ_MAX))
    assert (most["truncated"], most["content"]) == (False, text_of(READ_MAX))
    error = (await talk.say(ask("readFile", path="over.ts", maxBytes=10)))["error"]
    assert (error["code"], error["message"], error["details"]["size_bytes"]) == (
        "FILE_TOO_LARGE",
        "over.ts has 512001 bytes; at most 512000 are read at once.",
        READ_MAX + 1,
    )


async def test_what_a_refused_large_file_offers_works(real: Callable[..., Line]) -> None:
    talk = real("superconnect", {"over.ts": READ_MAX + 1})
    error = (await talk.say(ask("readFile", path="over.ts")))["error"]
    answer = await talk.say(ask("readFile", path="over.ts", **error["details"]["would_work"]))
    assert (answer["truncated"], answer["content"]) == (True, text_of(READ_MAX))


async def test_what_the_contract_fixes_is_never_offered(talk: Line) -> None:
    error = (await talk.say(ask("readFile", paht="a.ts")))["error"]
    assert not {"text_only", "refuse_above"} & set(error["details"]["known"])
    assert error["details"]["suggested_params"] == {"path": "a.ts"}


async def test_several_faults_come_in_one_answer(talk: Line) -> None:
    error = (await talk.say(ask("queryIndex", query={"type": "nope"}, limit=900)))["error"]
    assert [error["code"], *(other["code"] for other in error["details"]["others"])] == [
        "INVALID_QUERY_TYPE",
        "LIMIT_EXCEEDED",
    ]


@pytest.mark.parametrize(
    ("message", "code", "said"),
    [
        (ask("readFile", path="zz.md"), "FILE_NOT_FOUND", "File not found: zz.md"),
        (ask("readFile", path="src"), "NOT_A_FILE", "src is a directory, not a file."),
        (ask("listFiles", directory="zz"), "DIRECTORY_NOT_FOUND", "Directory not found: zz"),
    ],
)
async def test_an_error_of_the_tool_keeps_its_code_and_message(
    message: dict[str, Any], code: str, said: str, talk: Line
) -> None:
    error = (await talk.say(message))["error"]
    assert (error["code"], error["message"]) == (code, said)


async def test_a_path_that_is_almost_right_comes_back_right(talk: Line) -> None:
    error = (await talk.say(ask("readFile", path="a.tsx")))["error"]
    assert (error["code"], error["details"]["suggested_value"]) == ("FILE_NOT_FOUND", "a.ts")


async def test_a_failed_call_leaves_a_metric_line_too(talk: Line) -> None:
    await talk.say(ask("readFile", path="../x"))
    assert metric(talk.results[-1]) == {
        "timestamp": "2025-12-11T20:00:00Z",
        "component": "Button",
        "tool": "readFile",
        "path": "../x",
        "size_bytes": 0,
        "duration_ms": 0,
        "error": "INVALID_PATH",
    }


@pytest.mark.parametrize(
    ("dialect", "says", "given", "tool"),
    [
        ("agents", "read_file", {"path": "a.ts"}, "readFile"),
        ("sandra", "local.fs.list", {"dir": "src"}, "listFiles"),
        ("mcp", "list_directory", {"path": "src"}, "listFiles"),
    ],
)
async def test_a_metric_line_has_the_contracts_name_in_whatever_words_the_tool_was_called(
    dialect: str, says: str, given: dict[str, Any], tool: str, real: Callable[..., Line]
) -> None:
    talk = real(dialect, FILES)
    await talk.say(talk.dialect.ask(says, given))
    assert metric(talk.results[-1])["tool"] == tool


async def test_a_second_read_is_cached_whatever_part_is_asked_for(talk: Line) -> None:
    answers = [await talk.say(ask("readFile", path="a.ts", maxBytes=most)) for most in (100, 6, 10)]
    assert [answer.get("cached", False) for answer in answers] == [False, True, True]
    assert [answer["content"] for answer in answers] == [FILES["a.ts"], "export", "export con"]
    assert [metric(result).get("cached", False) for result in talk.results] == [False, True, True]


async def test_another_component_and_the_same_file_changed(talk: Line) -> None:
    assert "cached" not in await talk.say(ask("readFile", path="a.ts"))
    assert (await talk.say(ask("readFile", "Card", path="a.ts")))["cached"] is True
    (talk.folder / "a.ts").write_text("export const a = 22;\n", encoding="utf-8")
    changed = await talk.say(ask("readFile", path="a.ts"))
    assert (changed["content"], "cached" in changed) == ("export const a = 22;\n", False)


async def test_a_file_written_just_now_is_cached_once_it_has_settled(tmp_path: Path) -> None:
    """A plain root: the same stamp could hide a second change for some 100 ms."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.ts").write_text("a", encoding="utf-8")
    workspace = Workspace({"": LocalRoot(tmp_path / "work")})
    tools = standard(workspace, state=tmp_path / "state")
    talk = Line("superconnect", *tools, limits=Limits(component={}))
    async with asyncio.timeout(10):
        while "cached" not in await talk.say(ask("readFile", path="a.ts")):
            continue
    workspace.close()


@pytest.mark.parametrize("answer", [["a"], "text", {"files": 3}], ids=str)
async def test_a_tool_that_answers_in_a_shape_of_its_own_is_measured_too(answer: Any) -> None:
    talk = Line("superconnect", Script(name="fs.list", answer=answer).tool())
    await talk.say(ask("listFiles", directory="src"))
    assert metric(talk.results[-1])["results"] == 0


async def test_a_success_that_has_a_key_named_error_is_not_taken_for_a_failure() -> None:
    tool = Script(name="probe", answer={"error": None}).tool()
    assert await Line("superconnect", tool).say(ask("probe")) == {"result": {"error": None}}


@pytest.mark.parametrize("message", [b"{", b"[]", b'{"params": {}}', b'{"tool": 7}'])
async def test_a_message_that_is_no_call_gets_an_error_with_a_code(message: bytes, talk: Line) -> None:
    assert (await talk.say(message))["error"]["code"] == "MALFORMED_MESSAGE"
    assert len(talk.records) == 1
