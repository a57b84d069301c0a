"""Contract 000, requirement by requirement, as far as calls and answers go."""

from collections.abc import Mapping
from typing import Any

import pytest
from tests.contracts.line import Line
from tests.contracts.scripted import Raised, Script

from toolpost.define import Tool, from_factory, from_schema
from toolpost.errors import BadTool

LISTING = Script(
    name="fs.list",
    answer={
        "directory": ".",
        "absolute": "/repo",
        "files": [{"path": "a.ts", "name": "a.ts", "type": "file", "size_bytes": 7}],
        "total": 1,
        "truncated": False,
    },
)


class Connection:
    """What a factory of the contract closes over."""

    def __init__(self, files: dict[str, list[str]]) -> None:
        self.files = files


def create_list_files_tool(ctx: Connection, product_id: str) -> Mapping[str, Any]:
    async def execute(_input: Any) -> Any:
        return {"files": ctx.files[product_id]}

    return {"name": "list_product_files", "description": "List a product's files", "execute": execute}


def test_the_six_tools_have_exactly_the_contracts_names() -> None:
    names = ("fs.dirs", "fs.list", "fs.read", "code.search", "todo", "output.validate")
    line = Line("agents", *(Script(name=name).tool() for name in names))
    assert [tool["name"] for tool in line.dialect.describe()] == [
        "list_dirs",
        "list_files",
        "read_file",
        "search_code",
        "todo_manager",
        "validate_output",
    ]


async def test_a_factory_binds_its_context_and_execute_gets_only_the_input() -> None:
    ctx = Connection({"p1": ["a.ts"], "p2": ["b.ts"]})
    tool = from_factory(create_list_files_tool, ctx, "p2")
    answer = await Line("agents", tool).say({"name": "list_product_files", "input": {"anything": 1}})
    assert answer == {
        "name": "list_product_files",
        "input": {"anything": 1},
        "output": {"files": ["b.ts"]},
    }


def test_each_context_gets_a_tool_of_its_own() -> None:
    ctx = Connection({})
    first = from_factory(create_list_files_tool, ctx, "p1")
    second = from_factory(create_list_files_tool, ctx, "p2")
    assert first is not second


def test_a_factory_that_gives_no_name_is_refused_when_it_is_registered() -> None:
    with pytest.raises(BadTool):
        from_factory(lambda: {"execute": None})


async def test_an_unknown_tool_is_answered_with_an_error_and_never_raised() -> None:
    line = Line("agents", LISTING.tool())
    answer = await line.say({"name": "list_file", "input": {"path": "src"}})
    assert answer == {
        "name": "list_file",
        "input": {"path": "src"},
        "error": "Tool not found: list_file Try: list_files",
    }
    assert line.records.last.codes == ("TOOL_NOT_FOUND",)


async def test_a_known_tool_without_execute_is_answered_with_an_error() -> None:
    described = from_factory(lambda: {"name": "later", "description": "Not written yet"})
    answer = await Line("agents", described).say({"name": "later", "input": {}})
    assert answer == {
        "name": "later",
        "input": {},
        "error": "later has no execute(): it is described, but cannot be called.",
    }


@pytest.mark.parametrize("given", [{"path": "src", "limit": 5}, {}, None], ids=str)
async def test_name_and_input_are_echoed_exactly_as_received(given: Any) -> None:
    answer = await Line("agents", LISTING.tool()).say({"name": "list_files", "input": given})
    assert (answer["name"], answer["input"]) == ("list_files", given)


@pytest.mark.parametrize("given", [7, "src", ["src"], {"depth": "deep"}], ids=str)
async def test_an_input_that_cannot_be_used_is_echoed_too_beside_a_plain_error(given: Any) -> None:
    answer = await Line("agents", LISTING.tool()).say({"name": "list_files", "input": given})
    assert set(answer) == {"name", "input", "error"}
    assert answer["input"] == given
    assert isinstance(answer["error"], str)


@pytest.mark.parametrize(
    ("tool", "asked", "limit"), [("fs.dirs", {"depth": 9}, 3), ("fs.dirs", {"limit": 500}, 100)]
)
async def test_a_depth_or_limit_above_the_maximum_is_brought_down_not_refused(
    tool: str, asked: dict[str, int], limit: int
) -> None:
    seen: list[Any] = []

    async def execute(args: Any) -> Any:
        seen.append(args)
        return {"dirs": [], "truncated": True}

    schema = Script(name=tool).tool().input_schema
    answer = await Line("agents", from_schema(tool, "", schema, execute)).say(
        {"name": "list_dirs", "input": asked}
    )
    assert answer["output"] == {"dirs": [], "truncated": True}
    assert seen == [dict.fromkeys(asked, limit)]


async def test_list_files_asks_the_shared_tool_for_files_only() -> None:
    seen: list[Any] = []

    async def execute(args: Any) -> Any:
        seen.append(args)
        return LISTING.answer

    tool = from_schema("fs.list", "", LISTING.tool().input_schema, execute)
    await Line("agents", tool).say({"name": "list_files", "input": {"pattern": "*.ts"}})
    assert seen == [{"glob": "*.ts", "type": "file"}]


async def test_search_code_without_matches_is_an_empty_bare_list() -> None:
    tool = Script(name="code.search", answer={"matches": [], "total": 0, "truncated": False}).tool()
    answer = await Line("agents", tool).say({"name": "search_code", "input": {"query": "x"}})
    assert answer["output"] == []


async def test_no_connection_is_an_output_and_still_recorded_as_a_failure() -> None:
    line = Line("agents", Script(name="fs.read", raises=Raised("NoConnection", "none")).tool())
    answer = await line.say({"name": "read_file", "input": {"path": "a"}})
    assert answer["output"] == {"error": "No active GitHub connection found"}
    assert line.records.last.codes == ("NO_CONNECTION",)


async def test_a_blocked_step_is_shown_as_pending() -> None:
    step = {"id": "step-1", "content": "Wait", "activeForm": "Waiting", "status": "blocked"}
    plan = {"items": [step], "max_items": 15, "current_item": None}
    given = {"items": [{"content": "Wait", "activeForm": "Waiting", "status": "pending"}]}
    answer = await Line("agents", Script(name="todo", answer=plan).tool()).say(
        {"name": "todo_manager", "input": given}
    )
    assert answer["output"] == {
        "items": [{**step, "status": "pending"}],
        "maxItems": 15,
        "currentItem": None,
    }


@pytest.mark.parametrize(
    ("item", "word"),
    [
        ({"content": "Map", "status": "pending"}, "activeForm"),
        ({"content": "Map", "activeForm": "Mapping", "status": "someday"}, "in_progress"),
    ],
)
async def test_a_plan_item_must_have_its_active_form_and_a_known_status(
    item: dict[str, str], word: str
) -> None:
    answer = await Line("agents", Script(name="todo", answer={}).tool()).say(
        {"name": "todo_manager", "input": {"items": [item]}}
    )
    assert word in answer["error"]


async def test_more_than_fifteen_items_are_refused() -> None:
    item = {"content": "Map", "activeForm": "Mapping", "status": "pending"}
    answer = await Line("agents", Script(name="todo", answer={}).tool()).say(
        {"name": "todo_manager", "input": {"items": [item] * 16}}
    )
    assert answer["error"].startswith("items must have at most 15 items.")


@pytest.mark.parametrize("message", [b"{", b"[]", b"7", b'{"input": {}}'])
async def test_a_message_that_is_no_call_is_answered_in_the_same_shape(message: bytes) -> None:
    line = Line("agents", LISTING.tool())
    answer = await line.say(message)
    assert set(answer) == {"name", "input", "error"}
    assert line.records.last.codes == ("MALFORMED_MESSAGE",)


def _plain(name: str) -> Tool:
    return from_schema(name, "", {"type": "object"}, lambda _input: "done")


async def test_our_own_names_of_standard_tools_do_not_pass() -> None:
    answer = await Line("agents", _plain("fs.read")).say({"name": "fs.read", "input": {}})
    assert answer["error"].startswith("Tool not found: fs.read")


async def test_a_tool_no_contract_names_goes_by_its_own_name() -> None:
    answer = await Line("agents", _plain("greet")).say({"name": "greet", "input": {}})
    assert answer == {"name": "greet", "input": {}, "output": "done"}
