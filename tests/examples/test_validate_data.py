"""Data is really validated, and a caller's schema can neither fetch nor stall."""

from typing import Any

import pytest
from examples.validate_data import AGE, validate_data
from tests.examples.repair import breaks, mend

from toolpost.bench import Bench

GOOD = validate_data.examples[0].input
EVERY_BREAK = list(breaks(validate_data, GOOD))


async def verdict(data: Any, schema: Any) -> Any:
    return (await Bench([validate_data]).call("validate_data", data=data, schema=schema)).data


async def test_good_data_is_valid() -> None:
    assert await verdict({"age": 7}, AGE) == {"valid": True, "errors": []}


async def test_every_fault_is_told_with_its_place_and_rule() -> None:
    schema = {"properties": {"a/b": {"items": {"type": "string"}}, "mail": {"format": "email"}}}
    told = await verdict({"a/b": ["x", 7], "mail": "nobody"}, schema)
    assert [(error["at"], error["rule"]) for error in told["errors"]] == [
        ("/a~1b/1", "type"),
        ("/mail", "format"),
    ]


@pytest.mark.parametrize(
    "schema",
    [{"$ref": "https://example.com/schema.json"}, {"$ref": "file:///etc/passwd"}, {"type": "no such type"}],
    ids=str,
)
async def test_a_schema_that_is_none_or_lies_elsewhere_is_refused(schema: dict[str, Any]) -> None:
    result = await Bench([validate_data]).call("validate_data", data={}, schema=schema)
    assert [(problem.code, problem.parameter) for problem in result.problems] == [
        ("INVALID_ARGUMENT", "schema")
    ]


async def test_a_pattern_made_to_stall_does_not() -> None:
    schema = {"properties": {"a": {"pattern": "^(a+)+$"}}}
    assert (await verdict({"a": "a" * 5000 + "b"}, schema))["valid"] is False


@pytest.mark.parametrize(("how", "broken"), EVERY_BREAK, ids=[how for how, _ in EVERY_BREAK])
async def test_a_broken_call_is_mended_by_its_suggestions(how: str, broken: dict[str, Any]) -> None:
    bench = Bench([validate_data])
    refused = await bench.call("validate_data", **broken)
    assert refused.problems, how
    assert (await bench.call("validate_data", **mend(broken, refused.problems, GOOD))).ok
