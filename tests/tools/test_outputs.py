from typing import Any

import pytest

from toolpost import Bench
from toolpost.errors import BadTool
from toolpost.lint import lint
from toolpost.result import Result
from toolpost.tools import outputs
from toolpost.tools.outputs import Outputs
from toolpost.tools.verdict import Verdict

AGE = {"type": "object", "properties": {"age": {"type": "integer", "minimum": 0}}, "required": ["age"]}
GOOD = {"valid": True, "errors": [], "warnings": []}
CUT = "The JSON was cut out of the text around it; give it alone"


async def validate(output_type: Any, data: Any, known: Outputs | None = None) -> Result:
    tool, _ = outputs.tools(known or Outputs())
    assert tool.ease is not None
    return await Bench([tool]).call(
        "output.validate", **tool.ease({"output_type": output_type, "data": data})
    )


async def test_the_built_in_type_answers_as_the_contract_says() -> None:
    result = await validate("domain_map", {"domains": [], "layout": {}, "summary": {}})

    assert result.data == {"valid": False, "errors": ["Missing 'domains' array"], "warnings": []}


@pytest.mark.parametrize(
    ("data", "errors"),
    [
        ({"age": 7}, []),
        ({"age": -1}, ["/age: -1 is less than the minimum of 0"]),
        ({}, ['"age" is a required property']),
        ([], ['[] is not of type "object"']),
        (None, ['null is not of type "object"']),
    ],
)
async def test_a_schema_in_place_of_a_name_is_checked_by(data: Any, errors: list[str]) -> None:
    assert (await validate(AGE, data)).data == {"valid": not errors, "errors": errors, "warnings": []}


async def test_a_schema_as_json_text_is_read() -> None:
    assert (await validate('{"type": "integer"}', 5)).data == GOOD


async def test_registered_types_are_known_by_name() -> None:
    known = Outputs()
    known.register("age", AGE)
    known.register("even", lambda data: Verdict.of([] if data % 2 == 0 else ["odd"]))

    assert known.known == ("domain_map", "age", "even")
    assert (await validate("age", {"age": 7}, known)).data == GOOD
    assert (await validate("even", 3, known)).data == {"valid": False, "errors": ["odd"], "warnings": []}


@pytest.mark.parametrize(
    ("said", "near"), [("domain-map", "domain_map"), ("DomainMap", "domain_map"), ("zzz", None)]
)
async def test_an_unknown_type_is_an_error_that_names_the_known_ones(said: str, near: str | None) -> None:
    result = await validate(said, {})

    assert result.problem is not None
    assert (result.problem.code, result.problem.parameter) == ("INVALID_ARGUMENT", "output_type")
    assert result.problem.detail == (
        f"There is no output type {said!r}. Known are: domain_map. A JSON Schema in its place works too."
    )
    assert (result.problem.suggested or None) == near
    assert result.problem.context == {"known": ["domain_map"]}


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"type": 5}, "5 is not valid under any of the schemas"),
        ({"$ref": "https://example.com/schema"}, "schemas are never fetched"),
        ({"$ref": "#/$defs/gone"}, "gone"),
    ],
)
async def test_a_schema_that_cannot_be_used_is_an_error(schema: dict[str, Any], why: str) -> None:
    result = await validate(schema, {})

    assert result.problem is not None
    assert (result.problem.code, result.problem.parameter) == ("INVALID_ARGUMENT", "output_type")
    assert why in result.problem.detail


@pytest.mark.parametrize(
    ("data", "warnings"),
    [
        ('{"age": 7}', []),
        ('  {"age": 7}\n', []),
        ('Sure! ```json\n{"age": 7}\n``` See [1].', [CUT]),
    ],
)
async def test_json_as_text_is_read_and_trimmed(data: str, warnings: list[str]) -> None:
    assert (await validate(AGE, data)).data == {**GOOD, "warnings": warnings}


async def test_a_text_that_passes_as_it_is_stays_a_text() -> None:
    assert (await validate({"type": "string"}, 'about {"age": 7}')).data == GOOD


@pytest.mark.parametrize(
    ("data", "errors"),
    [
        ("no data at all", ['"no data at all" is not of type "object"']),
        ('so: {"age": -1}', ["/age: -1 is less than the minimum of 0"]),
        ('so: {"age": 1, "age": 2}', ["The key 'age' stands twice in one object."]),
    ],
)
async def test_a_text_that_holds_nothing_that_passes_is_invalid(data: str, errors: list[str]) -> None:
    answer = (await validate(AGE, data)).data

    assert (answer["valid"], answer["errors"]) == (False, errors)


async def test_a_long_value_is_cut_in_what_is_said_of_it() -> None:
    answer = (await validate({"properties": {"a/b~": {"type": "null"}}}, {"a/b~": "x" * 10_000})).data

    assert len(answer["errors"][0]) < 500
    assert answer["errors"][0].startswith('/a~1b~0: "xxx')
    assert answer["errors"][0].endswith('x" is not of type "null"')


async def test_a_type_that_cannot_be_registered_is_refused_at_once() -> None:
    with pytest.raises(BadTool):
        Outputs().register("bad", {"type": 5})
    with pytest.raises(BadTool):
        Outputs().register("", AGE)


@pytest.mark.parametrize(
    ("data", "errors"), [({"age": 7}, []), ({"age": "7"}, ['/age: "7" is not of type "integer"'])]
)
async def test_data_is_validated_against_a_schema_of_the_callers_own(data: Any, errors: list[str]) -> None:
    _, tool = outputs.tools(Outputs())
    result = await Bench([tool]).call("validate_data", data=data, schema=AGE)

    assert result.data == {"valid": not errors, "errors": errors, "warnings": []}


async def test_a_schema_of_the_callers_own_that_cannot_be_used_is_an_error() -> None:
    _, tool = outputs.tools(Outputs())
    result = await Bench([tool]).call("validate_data", data={}, schema={"type": "no such type"})

    assert result.problem is not None
    assert (result.problem.code, result.problem.parameter) == ("INVALID_ARGUMENT", "schema")


def test_the_tools_have_nothing_to_mend() -> None:
    made = outputs.tools(Outputs())

    assert [tool.name for tool in made] == ["output.validate", "validate_data"]
    assert [lint(tool) for tool in made] == [[], []]
    assert [tool.effects for tool in made] == [frozenset(), frozenset()]
    assert [tool.ease and tool.ease({}) for tool in made] == [{}, {}]
