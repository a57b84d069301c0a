"""The search finds what is there, and nothing a caller writes becomes SQL."""

from typing import Any

import pytest
from examples.search_database import BOOKS, search_database
from tests.examples.repair import breaks, mend

from toolpost.bench import Bench

GOOD = search_database.examples[0].input
EVERY_BREAK = list(breaks(search_database, GOOD))


async def titles(**args: Any) -> list[str]:
    found = (await Bench([search_database]).call("search_database", **args)).data
    return [book["title"] for book in found["results"]]


async def test_title_and_author_are_searched_and_the_answer_is_in_order() -> None:
    assert await titles(query="borges") == ["El Aleph", "Ficciones"]


async def test_filters_must_all_hold() -> None:
    assert await titles(query="", filters={"language": "en", "year": 1974}) == ["The Dispossessed"]


async def test_a_limit_cuts_and_says_so() -> None:
    found = (await Bench([search_database]).call("search_database", query="", limit=2)).data
    assert (len(found["results"]), found["truncated"]) == (2, True)


async def test_the_default_limit_is_ten_and_the_bounds_are_the_contracts() -> None:
    limit = search_database.input_schema["properties"]["limit"]
    assert (limit["minimum"], limit["maximum"], limit["default"]) == (1, 100, 10)
    assert len(await titles(query="")) == len(BOOKS)


@pytest.mark.parametrize(("query", "found"), [("%", ["100% Wolf"]), ("_", []), ("\\", [])])
async def test_wildcards_are_only_letters(query: str, found: list[str]) -> None:
    assert await titles(query=query) == found


@pytest.mark.parametrize("text", ["' OR 1=1 --", '"; DROP TABLE books; --'])
async def test_sql_in_a_query_or_filter_finds_nothing_and_harms_nothing(text: str) -> None:
    assert await titles(query=text) == []
    assert await titles(query="", filters={"title": text}) == []
    assert len(await titles(query="")) == len(BOOKS)


async def test_sql_in_a_column_name_is_no_column() -> None:
    result = await Bench([search_database]).call("search_database", query="", filters={"1=1 OR title": "x"})
    assert [problem.code for problem in result.problems] == ["UNKNOWN_PARAMETER"]


async def test_a_misspelt_column_is_mended_by_its_suggestion() -> None:
    bench = Bench([search_database])
    broken = {"query": "the", "filters": {"langauge": "en"}}
    refused = await bench.call("search_database", **broken)
    mended = mend(broken, refused.problems, GOOD)
    assert mended["filters"] == {"language": "en"}
    assert (await bench.call("search_database", **mended)).ok


@pytest.mark.parametrize("value", [None, [1], {"a": 1}], ids=str)
async def test_a_filter_that_is_no_plain_value_is_refused(value: Any) -> None:
    result = await Bench([search_database]).call("search_database", query="", filters={"year": value})
    assert [problem.parameter for problem in result.problems] == ["filters.year"]


@pytest.mark.parametrize(("how", "broken"), EVERY_BREAK, ids=[how for how, _ in EVERY_BREAK])
async def test_a_broken_call_is_mended_by_its_suggestions(how: str, broken: dict[str, Any]) -> None:
    bench = Bench([search_database])
    refused = await bench.call("search_database", **broken)
    assert refused.problems, how
    assert (await bench.call("search_database", **mend(broken, refused.problems, GOOD))).ok
