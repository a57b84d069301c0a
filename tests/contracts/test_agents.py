"""Contract 000, requirement by requirement, as far as calls and answers go."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from tests.contracts.ground import text_of
from tests.contracts.line import Line

from toolpost.define import Tool, from_factory, from_schema
from toolpost.errors import BadTool
from toolpost.limits import READ_DEFAULT

FILES = {"a.ts": "let a;\n", "b.css": 20, "src/c.ts": 9, "src/lib/deep/er/d.ts": 9}
NOT_CONNECTED = {"error": "No active GitHub connection found"}


@pytest.fixture
def talk(real: Callable[..., Line]) -> Line:
    return real("agents", FILES)


class Connection:
    """What a factory of the contract closes over."""

    def __init__(self, files: dict[str, list[str]]) -> None:
        self.files = files


def create_list_files_tool(ctx: Connection, product_id: str) -> Mapping[str, Any]:
    async def execute(_input: Any) -> Any:
        return {"files": ctx.files[product_id]}

    return {"name": "list_product_files", "description": "List a product's files", "execute": execute}


def test_the_six_tools_have_exactly_the_contracts_names(talk: Line) -> None:
    assert [tool["name"] for tool in talk.dialect.describe()][:6] == [
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


async def test_an_unknown_tool_is_answered_with_an_error_and_never_raised(talk: Line) -> None:
    answer = await talk.say({"name": "list_file", "input": {"path": "src"}})
    assert answer == {
        "name": "list_file",
        "input": {"path": "src"},
        "error": "Tool not found: list_file Try: list_files",
    }
    assert talk.records.last.codes == ("TOOL_NOT_FOUND",)


async def test_a_known_tool_without_execute_is_answered_with_an_error() -> None:
    described = from_factory(lambda: {"name": "later", "description": "Not written yet"})
    answer = await Line("agents", described).say({"name": "later", "input": {}})
    assert answer == {
        "name": "later",
        "input": {},
        "error": "later has no execute(): it is described, but cannot be called.",
    }


@pytest.mark.parametrize("given", [{"path": "src", "limit": 5}, {}, None], ids=str)
async def test_name_and_input_are_echoed_exactly_as_received(given: Any, talk: Line) -> None:
    answer = await talk.say({"name": "list_files", "input": given})
    assert (answer["name"], answer["input"]) == ("list_files", given)


@pytest.mark.parametrize("given", [7, "src", ["src"], {"depth": "deep"}], ids=str)
async def test_an_input_that_cannot_be_used_is_echoed_too_beside_a_plain_error(
    given: Any, talk: Line
) -> None:
    answer = await talk.say({"name": "list_files", "input": given})
    assert set(answer) == {"name", "input", "error"}
    assert answer["input"] == given
    assert isinstance(answer["error"], str)


async def test_a_depth_above_the_maximum_is_brought_down_not_refused(talk: Line) -> None:
    answer = await talk.say({"name": "list_dirs", "input": {"depth": 9}})
    assert answer["output"] == {
        "dirs": [
            {"path": "src", "depth": 1},
            {"path": "src/lib", "depth": 2},
            {"path": "src/lib/deep", "depth": 3},
        ],
        "truncated": False,
    }
    assert talk.results[-1].notes == ("depth was 9; 3 was used, the limit here.",)


@pytest.mark.parametrize(
    ("says", "listed"), [("list_dirs", "dirs"), ("list_files", "files"), ("search_code", "")]
)
async def test_so_is_a_limit(says: str, listed: str, real: Callable[..., Line]) -> None:
    many = {f"{n:03}/": 0 for n in range(120)} | {f"{n:03}.ts": "auth\n" for n in range(250)}
    given = {"limit": 500, **({} if listed else {"query": "auth"})}
    answer = await real("agents", many).say({"name": says, "input": given})
    assert len(answer["output"][listed] if listed else answer["output"]) == (100 if listed else 200)
    assert not listed or answer["output"]["truncated"] is True


async def test_list_files_gives_files_only_and_of_one_directory(talk: Line) -> None:
    answer = await talk.say({"name": "list_files", "input": {}})
    assert answer["output"]["files"] == [
        {"path": "a.ts", "name": "a.ts", "size": 7},
        {"path": "b.css", "name": "b.css", "size": 20},
    ]
    matching = await talk.say({"name": "list_files", "input": {"path": "src", "pattern": "*.ts"}})
    assert [file["path"] for file in matching["output"]["files"]] == ["src/c.ts"]


async def test_a_file_of_more_than_one_hundred_kb_is_cut_and_never_too_large(
    real: Callable[..., Line],
) -> None:
    talk = real("agents", {"a.ts": 600_000})
    answer = await talk.say({"name": "read_file", "input": {"path": "a.ts"}})
    assert answer["output"] == {"path": "a.ts", "content": text_of(READ_DEFAULT), "size": 600_000}


async def test_search_code_without_matches_is_an_empty_bare_list(talk: Line) -> None:
    answer = await talk.say({"name": "search_code", "input": {"query": "nowhere"}})
    assert answer["output"] == []


async def test_search_code_can_look_at_paths_too(real: Callable[..., Line]) -> None:
    """The contract's example finds a file by its folder: that is what match_path is for (C69)."""
    talk = real("agents", {"src/auth/login.tsx": "export function LoginForm() {\n"})
    given = {"query": "auth", "filePattern": "*.tsx", "match_path": True}
    answer = await talk.say({"name": "search_code", "input": given})
    assert answer["output"] == [{"path": "src/auth/login.tsx", "snippet": "export function LoginForm() {"}]


@pytest.mark.parametrize(
    ("says", "given"),
    [
        ("list_dirs", {}),
        ("list_files", {}),
        ("list_files", {"path": "src"}),
        ("read_file", {"path": "a.ts"}),
        ("search_code", {"query": "auth"}),
    ],
)
async def test_no_connection_is_an_output_and_still_recorded_as_a_failure(
    says: str, given: dict[str, Any], real: Callable[..., Line]
) -> None:
    talk = real("agents", connected=False)
    assert (await talk.say({"name": says, "input": given}))["output"] == NOT_CONNECTED
    assert talk.records.last.codes == ("NO_CONNECTION",)


@pytest.mark.parametrize(
    ("statuses", "shown", "current"),
    [
        (["pending", "pending"], ["in_progress", "pending"], "step-1"),
        (["completed", "pending"], ["completed", "in_progress"], "step-2"),
        (["pending", "in_progress"], ["pending", "in_progress"], "step-2"),
        (["completed", "completed"], ["completed", "completed"], None),
        (["blocked", "completed"], ["pending", "completed"], None),
        ([], [], None),
    ],
)
async def test_the_plan_has_one_current_item_while_one_waits(
    statuses: list[str], shown: list[str], current: str | None, talk: Line
) -> None:
    """A step our plan calls blocked is shown as pending: the contract knows three statuses (C56)."""
    items = [{"content": "Map", "activeForm": "Mapping", "status": status} for status in statuses]
    plan = (await talk.say({"name": "todo_manager", "input": {"items": items}}))["output"]
    assert [item["status"] for item in plan["items"]] == shown
    assert (plan["currentItem"] or {}).get("id") == current
    assert plan["maxItems"] == 15


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ([{"content": "Map", "status": "pending"}], "items[0].activeForm is required"),
        (
            [{"content": "Map", "activeForm": "Mapping", "status": "someday"}],
            "items[0].status must be one of",
        ),
        (
            [{"content": "Map", "activeForm": "Mapping", "status": "pending"}] * 16,
            "The plan has 16 items; at most 15 are taken.",
        ),
        (
            [{"content": "Map", "activeForm": "Mapping", "status": "in_progress"}] * 2,
            "Only one item may be in_progress; these are: 'Map', 'Map'.",
        ),
    ],
)
async def test_a_plan_that_breaks_a_rule_is_refused_with_the_rule(
    items: list[dict[str, str]], said: str, talk: Line
) -> None:
    answer = await talk.say({"name": "todo_manager", "input": {"items": items}})
    assert said in answer["error"]


async def test_a_warning_does_not_make_an_output_invalid(talk: Line) -> None:
    data = {"domains": [{"name": "orders"}], "layout": {}, "summary": {"totalDomains": 2}}
    given = {"outputType": "domain_map", "data": data}
    answer = await talk.say({"name": "validate_output", "input": given})
    assert answer["output"] == {
        "valid": True,
        "errors": [],
        "warnings": ["'summary.totalDomains' is 2, but there are 1 domains"],
    }


async def test_an_output_can_be_checked_by_a_json_schema_too(talk: Line) -> None:
    given = {"outputType": {"type": "object", "required": ["name"]}, "data": {}}
    answer = await talk.say({"name": "validate_output", "input": given})
    assert answer["output"] == {"valid": False, "errors": ['"name" is a required property'], "warnings": []}


@pytest.mark.parametrize("message", [b"{", b"[]", b"7", b'{"input": {}}'])
async def test_a_message_that_is_no_call_is_answered_in_the_same_shape(message: bytes, talk: Line) -> None:
    answer = await talk.say(message)
    assert set(answer) == {"name", "input", "error"}
    assert talk.records.last.codes == ("MALFORMED_MESSAGE",)


def _plain(name: str) -> Tool:
    return from_schema(name, "", {"type": "object"}, lambda _input: "done")


async def test_our_own_names_of_standard_tools_do_not_pass() -> None:
    answer = await Line("agents", _plain("fs.read")).say({"name": "fs.read", "input": {}})
    assert answer["error"].startswith("Tool not found: fs.read")


async def test_a_tool_no_contract_names_goes_by_its_own_name() -> None:
    answer = await Line("agents", _plain("greet")).say({"name": "greet", "input": {}})
    assert answer == {"name": "greet", "input": {}, "output": "done"}
