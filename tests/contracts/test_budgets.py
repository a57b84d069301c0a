"""What contract 001 lets a component use, counted over the real tools: reads, bytes, listings, and the index first."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.contracts.line import Line

from toolpost.dialects.superconnect import metric
from toolpost.limits import Limits

FILES = {"a.ts": "export const a = 1;\n", "big.ts": 327_680, "src/b.ts": "export {};\n"}
SIZE = 20
BYTES = 5 * 1024 * 1024


def ask(tool: str, component: str = "Button", **params: Any) -> dict[str, Any]:
    return {"tool": tool, "params": params, "component": component}


READ = ask("readFile", path="a.ts")
LIST = ask("listFiles", directory="src")


@pytest.fixture
def talk(real: Callable[..., Line]) -> Line:
    return real("superconnect", FILES)


async def test_an_answer_tells_what_is_left_for_its_component(talk: Line) -> None:
    answers = [await talk.say(message) for message in (READ, LIST, READ)]
    assert [answer["budget"] for answer in answers] == [
        {"reads": 19, "read_bytes": BYTES - SIZE},
        {"lists": 9},
        {"reads": 18, "read_bytes": BYTES - 2 * SIZE},
    ]


async def test_the_model_context_protocol_tells_it_beside_the_answer(real: Callable[..., Line]) -> None:
    talk = real("mcp", FILES, limits=Limits(session={"reads": 3, "lists": 3}))
    answer = await talk.say(talk.dialect.ask("read_file", {"path": "a.ts"}))
    assert answer["result"]["_meta"]["toolpost/budgetLeft"] == {"reads": 2}


async def test_the_eleventh_listing_of_a_component_is_refused_and_another_component_is_not(
    talk: Line,
) -> None:
    answers = [await talk.say(LIST) for _ in range(11)]
    assert [answer.get("budget") for answer in answers] == [
        *({"lists": left} for left in range(9, -1, -1)),
        None,
    ]
    assert answers[10] == {
        "error": {
            "code": "LIST_BUDGET_EXCEEDED",
            "message": "List limit (10 operations) exceeded for component 'Button'",
            "details": {"lists": 10, "limit": 10},
        }
    }
    assert "error" not in await talk.say(ask("listFiles", "Card", directory="src"))


async def test_the_twenty_first_read_of_a_component_is_refused(talk: Line) -> None:
    answers = [await talk.say(READ) for _ in range(21)]
    assert [answer["budget"]["reads"] for answer in answers[:20]] == list(range(19, -1, -1))
    assert answers[20] == {
        "error": {
            "code": "READ_BUDGET_EXCEEDED",
            "message": "Read limit (20 files) exceeded for component 'Button'",
            "details": {"files_read": 20, "limit_files": 20},
        }
    }
    assert "error" not in await talk.say({**READ, "component": "Card"})


async def test_of_sixty_reads_at_once_exactly_twenty_succeed(talk: Line) -> None:
    async with asyncio.timeout(30):
        answers = await asyncio.gather(*(talk.say(READ) for _ in range(60)))
    refused = [answer["error"]["code"] for answer in answers if "error" in answer]
    assert refused == ["READ_BUDGET_EXCEEDED"] * 40
    assert "error" in await talk.say(READ)


async def test_twenty_reads_at_once_is_a_limit_of_its_own(real: Callable[..., Line]) -> None:
    talk = real("superconnect", FILES, limits=Limits(component={"concurrent_reads": 20}))
    async with asyncio.timeout(30):
        answers = await asyncio.gather(*(talk.say(READ) for _ in range(60)))
    refused = [answer["error"] for answer in answers if "error" in answer]
    assert len(answers) - len(refused) >= 20
    assert all("at once" in error["message"] for error in refused)
    later = [await talk.say(READ) for _ in range(30)]
    assert [answer for answer in later if "error" in answer] == []


async def test_a_read_that_would_pass_the_byte_limit_is_refused_and_a_smaller_one_is_not(
    talk: Line,
) -> None:
    sixteen = [await talk.say(ask("readFile", path="big.ts", maxBytes=327_000)) for _ in range(16)]
    assert sixteen[-1]["budget"]["read_bytes"] == BYTES - 16 * 327_000
    refused = await talk.say(ask("readFile", path="big.ts", maxBytes=20_000))
    assert refused == {
        "error": {
            "code": "READ_BUDGET_EXCEEDED",
            "message": "Cumulative read limit (5MB) exceeded for component 'Button'",
            "details": {"bytes_read": 16 * 327_000, "limit_bytes": BYTES, "files_read": 16},
        }
    }
    assert (await talk.say(READ))["budget"] == {"reads": 3, "read_bytes": BYTES - 16 * 327_000 - SIZE}


async def test_a_call_that_names_no_component_is_counted_in_the_default_one(talk: Line) -> None:
    nameless = {"tool": "listFiles", "params": {"directory": "src"}}
    answers = [await talk.say(nameless) for _ in range(11)]
    assert answers[10]["error"]["message"] == "List limit (10 operations) exceeded for component 'default'"
    assert metric(talk.results[-1])["component"] == "default"


async def test_a_spent_budget_says_that_no_retry_helps(real: Callable[..., Line]) -> None:
    talk = real("superconnect", FILES, limits=Limits(component={"reads": 0}))
    error = (await talk.say(READ))["error"]
    assert error["code"] == "READ_BUDGET_EXCEEDED"
    assert "retryable" not in error["details"]


async def test_a_read_that_fails_costs_nothing(talk: Line) -> None:
    missing = await talk.say(ask("readFile", path="zzz.ts"))
    assert missing["error"]["code"] == "FILE_NOT_FOUND"
    assert (await talk.say(READ))["budget"] == {"reads": 19, "read_bytes": BYTES - SIZE}


async def test_two_levels_of_directories_count_as_one_listing(real: Callable[..., Line]) -> None:
    talk = real("agents", {"src/deep/er/": 0})
    await talk.say({"name": "list_dirs", "input": {"depth": 2}})
    assert talk.results[-1].usage["lists"] == 1


async def test_a_strict_policy_refuses_a_listing_that_says_no_reason(real: Callable[..., Line]) -> None:
    talk = real("superconnect", FILES, index_first="strict")
    assert await talk.say(LIST) == {
        "error": {
            "code": "POLICY_VIOLATION",
            "message": "listFiles explores folders. Query the index first, or say in `justification` what it "
            "cannot answer.",
            "details": {"component": "Button", "parameter": "justification", "retryable": True},
        }
    }
    why = "The index does not know which tests there are."
    answer = await talk.say(ask("listFiles", directory="src", justification=why))
    assert answer["budget"] == {"lists": 9}


async def test_a_strict_policy_refuses_the_sixth_read_that_says_no_reason(
    real: Callable[..., Line],
) -> None:
    talk = real("superconnect", FILES, index_first="strict")
    codes = [(await talk.say(READ)).get("error", {}).get("code") for _ in range(6)]
    assert codes == [*[None] * 5, "POLICY_VIOLATION"]
    answer = await talk.say(ask("readFile", path="a.ts", justification="The index has no bodies."))
    assert answer["content"] == FILES["a.ts"]


async def test_asking_the_index_needs_no_reason(real: Callable[..., Line]) -> None:
    talk = real("superconnect", FILES, index_first="strict")
    answer = await talk.say(ask("queryIndex", query={"type": "listAll"}))
    assert [file["path"] for file in answer["files"]] == sorted(FILES)


@pytest.mark.parametrize(("policy", "hints"), [("off", 0), ("warn", 2)])
async def test_the_other_policies_answer_and_at_most_add_a_hint(
    real: Callable[..., Line], policy: str, hints: int
) -> None:
    talk = real("superconnect", FILES, index_first=policy)
    answers = [await talk.say(message) for message in (*[READ] * 6, LIST)]
    assert [answer for answer in answers if "error" in answer] == []
    told = [note for result in talk.results for note in result.notes if "Query the index first" in note]
    assert len(told) == hints


async def test_warn_is_the_policy_where_none_is_named(talk: Line) -> None:
    await talk.say(LIST)
    assert "Query the index first" in talk.results[-1].notes[0]
