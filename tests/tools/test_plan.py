from typing import Any

import msgspec
import pytest

from toolpost import Bench
from toolpost.call import Call, Caller
from toolpost.define import Tool
from toolpost.lint import lint
from toolpost.result import Result
from toolpost.tools import plan
from toolpost.tools.plan import Plans


def item(content: str, status: str = "pending", active: str = "Doing it") -> dict[str, Any]:
    return {"content": content, "activeForm": active, "status": status}


def step(number: int, content: str, status: str, active: str = "Doing it") -> dict[str, Any]:
    return {"id": f"step-{number}", "content": content, "activeForm": active, "status": status}


def the_tool(plans: Plans | None = None, *, demote: bool = False) -> Tool:
    (tool,) = plan.tools(plans or Plans(), demote=demote)
    return tool


async def todo(items: Any, tool: Tool | None = None, session: str = "") -> Result:
    tool = tool or the_tool()
    args = plan.ease({"items": items})
    return await Bench([tool]).call(Call(tool="todo", args=args, caller=Caller(session=session)))


async def test_the_first_pending_step_is_the_one_worked_on() -> None:
    result = await todo([item("Gather context"), item("Map domains")])

    first = step(1, "Gather context", "in_progress")
    assert result.data == {
        "items": [first, step(2, "Map domains", "pending")],
        "max_items": 15,
        "current_item": first,
    }
    assert result.notes == ()


@pytest.mark.parametrize(
    ("statuses", "then", "current"),
    [
        (["completed", "pending", "pending"], ["completed", "in_progress", "pending"], 2),
        (["pending", "in_progress", "pending"], ["pending", "in_progress", "pending"], 2),
        (["completed", "completed"], ["completed", "completed"], None),
        (["blocked", "pending"], ["blocked", "in_progress"], 2),
        (["blocked", "completed"], ["blocked", "completed"], None),
        ([], [], None),
    ],
)
async def test_one_step_is_worked_on_as_long_as_one_waits(
    statuses: list[str], then: list[str], current: int | None
) -> None:
    answer = (await todo([item("A step", status) for status in statuses])).data

    assert [one["status"] for one in answer["items"]] == then
    assert answer["current_item"] == (None if current is None else answer["items"][current - 1])


async def test_two_steps_in_progress_are_refused_by_name_with_a_list_that_passes() -> None:
    given = [item("Read", "completed"), item("Write", "in_progress"), item("Test", "in_progress")]
    result = await todo(given)

    assert result.problem is not None
    assert (result.problem.code, result.problem.parameter) == ("INVALID_ARGUMENT", "items")
    assert result.problem.detail == (
        "Only one item may be in_progress; these are: 'Write', 'Test'. "
        "The suggestion keeps the first and sets the others to pending."
    )
    assert result.problem.suggested == [given[0], given[1], item("Test", "pending")]
    assert (await todo(result.problem.suggested)).ok


async def test_more_than_fifteen_items_are_refused_and_what_is_done_is_left_out_first() -> None:
    given = [item(f"Step {number}", "completed" if number < 2 else "pending") for number in range(18)]
    result = await todo(given)

    assert result.problem is not None
    assert result.problem.detail.startswith(
        "The plan has 18 items; at most 15 are taken. The suggestion leaves out 'Step 0', 'Step 1', 'Step 17':"
    )
    assert result.problem.suggested == given[2:17]
    assert result.problem.context == {
        "limit": 15,
        "received": 18,
        "left_out": ["Step 0", "Step 1", "Step 17"],
    }


async def test_too_many_alike_of_which_several_are_in_progress_get_one_error_that_mends_both() -> None:
    result = await todo([item("Same", "in_progress")] * 16)

    assert len(result.problems) == 1
    assert result.problem is not None
    assert result.problem.context["left_out"] == ["Same"]
    assert result.problem.suggested == [item("Same", "in_progress"), *[item("Same")] * 14]


async def test_fifteen_items_are_taken() -> None:
    assert len((await todo([item(f"Step {number}") for number in range(15)])).data["items"]) == 15


async def test_extra_steps_in_progress_can_be_set_back_instead() -> None:
    given = [item("Write", "in_progress"), item("Test", "in_progress")]
    result = await todo(given, the_tool(demote=True))

    assert [one["status"] for one in result.data["items"]] == ["in_progress", "pending"]
    assert result.notes == ("Only one step may be in_progress; set to pending: 'Test'.",)


async def test_every_call_replaces_the_plan_of_its_own_session_only() -> None:
    plans = Plans()
    tool = the_tool(plans)
    await todo([item("Old")], tool, "ana")
    await todo([item("Other")], tool, "rui")
    await todo([item("New"), item("Newer")], tool, "ana")

    kept = [plans.current(session) for session in ("ana", "rui", "eva")]
    assert [one and [step.content for step in one.items] for one in kept] == [
        ["New", "Newer"],
        ["Other"],
        None,
    ]


async def test_a_refused_plan_leaves_the_one_before() -> None:
    plans = Plans()
    tool = the_tool(plans)
    await todo([item("Good")], tool)
    await todo([item("Bad", "in_progress")] * 2, tool)

    current = plans.current("")
    assert current is not None
    assert [one.content for one in current.items] == ["Good"]


async def test_the_plan_unused_longest_is_forgotten_first() -> None:
    plans = Plans(most=2)
    for session in ("ana", "rui", "ana", "eva"):
        await todo([item("A step")], the_tool(plans), session)

    assert [plans.current(session) is None for session in ("ana", "rui", "eva")] == [False, True, False]


@pytest.mark.parametrize(
    "given",
    [
        [{"content": "Map", "active_form": "Mapping", "status": "pending"}],
        [{"id": "step-7", "content": "Map", "activeForm": "Mapping"}],
        '[{"content": "Map", "activeForm": "Mapping", "status": "pending"}]',
    ],
)
async def test_forms_models_send_are_taken(given: Any) -> None:
    assert (await todo(given)).data["items"] == [step(1, "Map", "in_progress", "Mapping")]


@pytest.mark.parametrize(
    ("given", "parameter"),
    [
        ([{"content": "Map", "status": "pending"}], "items[0].activeForm"),
        ([{"content": "", "activeForm": "Mapping"}], "items[0].content"),
        ([item("Map", "started")], "items[0].status"),
        ([{**item("Map"), "active_form": "Mapping"}], "items[0].active_form"),
        (["Map"], "items[0]"),
        ("Map", "items"),
    ],
)
async def test_a_list_that_cannot_be_a_plan_is_refused_where_it_is_wrong(given: Any, parameter: str) -> None:
    result = await todo(given)

    assert [problem.parameter for problem in result.problems] == [parameter]


@pytest.mark.parametrize(
    "active", ["Mapping domains", "Leyendo el código", "  Buscando", "Pondo à mesa", "LENDO"]
)
async def test_an_active_form_in_the_present_is_passed_over(active: str) -> None:
    assert (await todo([item("A step", active=active)])).notes == ()


@pytest.mark.parametrize("active", ["Map domains", "Mapped", " "])
async def test_an_active_form_that_is_not_in_the_present_is_remarked_on_and_taken(active: str) -> None:
    result = await todo([item("A step", active=active)])

    assert result.ok
    assert result.notes == (
        f"activeForm of step-1 should say what is happening, such as 'Mapping domains'; it is {active!r}.",
    )


def test_the_tool_has_nothing_to_mend() -> None:
    tool = the_tool()

    assert lint(tool) == []
    assert (tool.effects, tool.idempotent, tool.aliases) == (frozenset(), True, {"todos": "items"})
    assert msgspec.json.encode(tool.input_schema)
