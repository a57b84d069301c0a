"""Contract 001, requirement by requirement, as far as calls, answers and budgets go."""

from typing import Any

import pytest
from tests.contracts.line import Line
from tests.contracts.scripted import Raised, Script

from toolpost.dialects.superconnect import metric
from toolpost.limits import Limits

FOUND = {"files": [], "total_matches": 0, "truncated": False}
FILE = {"path": "a.ts", "content": "a", "size_bytes": 1, "truncated": False, "encoding": "utf-8"}
LISTED = {"directory": "src", "absolute": "/repo/src", "files": [], "total": 0, "truncated": False}

QUERY = Script(name="index.query", answer=FOUND)
READ = Script(name="fs.read", answer=FILE, cost={"reads": 1})
LIST = Script(name="fs.list", answer=LISTED, cost={"lists": 1})


def line(**settings: Any) -> Line:
    return Line("superconnect", QUERY.tool(), READ.tool(), LIST.tool(), **settings)


def ask(tool: str, component: str = "Button", **params: Any) -> dict[str, Any]:
    return {"tool": tool, "params": params, "component": component}


def test_the_three_tools_have_exactly_the_contracts_names_and_parameters() -> None:
    tools = {tool["name"]: set(tool["parameters"]["properties"]) for tool in line().dialect.describe()}
    assert tools == {
        "queryIndex": {"query", "limit"},
        "readFile": {"path", "maxBytes"},
        "listFiles": {"directory", "pattern", "type", "limit"},
    }


@pytest.mark.parametrize(
    ("params", "code", "suggested"),
    [
        ({"query": {"type": "export", "value": "B"}}, "INVALID_QUERY_TYPE", "exports"),
        ({"query": {"type": "listAll"}, "limit": 201}, "LIMIT_EXCEEDED", 200),
    ],
)
async def test_a_wrong_query_gets_the_contracts_code_and_the_value_to_send(
    params: dict[str, Any], code: str, suggested: Any
) -> None:
    error = (await line().say(ask("queryIndex", **params)))["error"]
    assert (error["code"], error["details"]["suggested_value"]) == (code, suggested)
    assert error["details"]["retryable"]


@pytest.mark.parametrize("kind", ["exports", "tag", "pathPrefix"])
async def test_a_query_that_needs_a_value_and_has_none_says_so(kind: str) -> None:
    error = (await line().say(ask("queryIndex", query={"type": kind})))["error"]
    assert (error["code"], error["details"]["parameter"]) == ("MISSING_VALUE", "query.value")


async def test_list_all_needs_no_value() -> None:
    assert await line().say(ask("queryIndex", query={"type": "listAll"})) == FOUND


async def test_the_suggested_params_pass_when_they_are_sent_back() -> None:
    talk = line()
    error = (await talk.say(ask("queryIndex", query={"type": "listAll"}, limit=500)))["error"]
    assert await talk.say(ask("queryIndex", **error["details"]["suggested_params"])) == FOUND


@pytest.mark.parametrize("path", ["../secret", "src/../../x", "..\\x", "/etc/passwd", "C:\\x", "\\\\host\\x"])
async def test_a_path_out_of_the_repository_is_invalid_before_anything_is_read(path: str) -> None:
    talk = line()
    assert (await talk.say(ask("readFile", path=path)))["error"]["code"] == "INVALID_PATH"
    assert (await talk.say(ask("listFiles", directory=path)))["error"]["code"] == "INVALID_DIRECTORY"


@pytest.mark.parametrize("path", ["foo..bar.ts", "src/..hidden", "a.../b"])
async def test_dots_inside_a_name_are_no_way_up(path: str) -> None:
    assert await line().say(ask("readFile", path=path)) == FILE


async def test_an_error_names_the_parameter_as_this_contract_spells_it() -> None:
    error = (await line().say(ask("listFiles", directory=7)))["error"]
    assert error["details"]["parameter"] == "directory"
    assert error["message"].startswith("directory must be of type")


async def test_a_list_limit_above_one_hundred_is_an_error_too() -> None:
    error = (await line().say(ask("listFiles", directory="src", limit=101)))["error"]
    assert (error["code"], error["details"]["suggested_value"]) == ("LIMIT_EXCEEDED", 100)


async def test_several_faults_come_in_one_answer() -> None:
    error = (await line().say(ask("queryIndex", query={"type": "nope"}, limit=900)))["error"]
    assert [error["code"], *(other["code"] for other in error["details"]["others"])] == [
        "INVALID_QUERY_TYPE",
        "LIMIT_EXCEEDED",
    ]


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("FileNotFound", "FILE_NOT_FOUND"),
        ("FileTooLarge", "FILE_TOO_LARGE"),
        ("DirectoryNotFound", "DIRECTORY_NOT_FOUND"),
    ],
)
async def test_an_error_of_the_tool_keeps_its_code_message_and_details(kind: str, code: str) -> None:
    raised = Raised(kind, "as the tool said it", parameter="path", context={"size_bytes": 9})
    talk = Line("superconnect", Script(name="fs.read", raises=raised).tool())
    error = (await talk.say(ask("readFile", path="a.ts")))["error"]
    assert (error["code"], error["message"], error["details"]["size_bytes"]) == (
        code,
        "as the tool said it",
        9,
    )


async def test_the_eleventh_listing_of_a_component_is_refused_and_another_component_is_not() -> None:
    talk = line(limits=Limits(component={"lists": 10}))
    answers = [await talk.say(ask("listFiles", directory="src")) for _ in range(11)]
    assert answers[:10] == [{key: LISTED[key] for key in ("directory", "files", "total", "truncated")}] * 10
    assert answers[10] == {
        "error": {
            "code": "LIST_BUDGET_EXCEEDED",
            "message": "List limit (10 operations) exceeded for component 'Button'",
            "details": {"lists": 10, "limit": 10},
        }
    }
    assert "error" not in await talk.say(ask("listFiles", "Card", directory="src"))


async def test_a_spent_budget_says_that_no_retry_helps() -> None:
    talk = line(limits=Limits(component={"reads": 0}))
    error = (await talk.say(ask("readFile", path="a.ts")))["error"]
    assert error["code"] == "READ_BUDGET_EXCEEDED"
    assert "retryable" not in error["details"]


async def test_a_failed_call_leaves_a_metric_line_too() -> None:
    talk = line()
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


async def test_a_read_from_the_cache_is_marked_in_its_metric_line() -> None:
    talk = Line("superconnect", Script(name="fs.read", answer=FILE, cached=True).tool())
    assert (await talk.say(ask("readFile", path="a.ts")))["cached"] is True
    assert metric(talk.results[-1])["cached"] is True


@pytest.mark.parametrize("answer", [["a"], "text", {"files": 3}], ids=str)
async def test_a_tool_that_answers_in_a_shape_of_its_own_is_measured_too(answer: Any) -> None:
    talk = Line("superconnect", Script(name="fs.list", answer=answer).tool())
    await talk.say(ask("listFiles", directory="src"))
    assert metric(talk.results[-1])["results"] == 0


async def test_a_success_that_has_a_key_named_error_is_not_taken_for_a_failure() -> None:
    tool = Script(name="probe", answer={"error": None}).tool()
    assert await Line("superconnect", tool).say(ask("probe")) == {"result": {"error": None}}


@pytest.mark.parametrize("message", [b"{", b"[]", b'{"params": {}}', b'{"tool": 7}'])
async def test_a_message_that_is_no_call_gets_an_error_with_a_code(message: bytes) -> None:
    talk = line()
    assert (await talk.say(message))["error"]["code"] == "MALFORMED_MESSAGE"
    assert len(talk.records) == 1
