from typing import Annotated, Any

import pytest
from msgspec import Meta, Struct, structs

from toolpost.define import Example, Tool, from_function, from_schema, make
from toolpost.lint import GENERIC, Level, lint

DESCRIBED = {"type": "string", "description": "Where it is"}


def by_hand(name: str = "read_file", description: str = "Read a whole text file.", **settings: Any) -> Tool:
    schema = settings.pop("schema", {"type": "object", "properties": {"path": DESCRIBED}})
    settings = {"effects": ["read"], "output_schema": {"type": "object"}, **settings}
    return from_schema(name, description, schema, None, **settings)


def codes(tool: Tool) -> list[tuple[str, str]]:
    return [(finding.code, finding.where) for finding in lint(tool)]


def test_a_good_tool_has_no_findings() -> None:
    assert lint(by_hand()) == []


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("rf", "cryptic-name"),
        ("wf", "cryptic-name"),
        ("search", "generic-name"),
        ("Search", "generic-name"),
        ("read file", "illegal-name"),
        ("x" * 65, "illegal-name"),
        ("", "illegal-name"),
        ("lé", "illegal-name"),
    ],
)
def test_names_that_say_nothing_or_cannot_travel(name: str, code: str) -> None:
    assert codes(by_hand(name)) == [(code, name)]


def test_a_name_with_its_object_is_fine() -> None:
    assert "search" in GENERIC
    assert lint(by_hand("search_in_files")) == []
    assert lint(by_hand("fs.read")) == []


@pytest.mark.parametrize(
    ("description", "code"),
    [
        ("", "no-description"),
        ("  ", "no-description"),
        ("Reads.", "short-description"),
        ("x" * 4001, "long-description"),
    ],
)
def test_descriptions_that_are_missing_too_short_or_too_long(description: str, code: str) -> None:
    assert codes(by_hand(description=description)) == [(code, "read_file")]


def test_parameters_are_checked_at_every_depth() -> None:
    schema = {
        "type": "object",
        "properties": {
            "query": {
                "description": "What to look for",
                "anyOf": [{"type": "object", "properties": {"kind": {"type": "string"}}}, {"type": "null"}],
            },
            "items": {
                "type": "array",
                "description": "Many",
                "items": {"type": "object", "properties": {"p": DESCRIBED, "q": True}},
            },
        },
        "additionalProperties": {"type": "object", "properties": {"more": {}}},
    }
    assert codes(by_hand(schema=schema)) == [
        ("undescribed-parameter", "read_file: query.kind"),
        ("cryptic-parameter", "read_file: items[].p"),
        ("undescribed-parameter", "read_file: items[].q"),
        ("cryptic-parameter", "read_file: items[].q"),
        ("undescribed-parameter", "read_file: more"),
    ]


def test_definitions_are_followed_and_a_schema_that_contains_itself_ends() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
    found = codes(by_hand(schema={"$ref": "#/$defs/node", "$defs": {"node": node}}))

    assert found in ([], [("undescribed-parameter", "read_file: next")])
    named = {"$ref": "#/$defs/leaf", "$defs": {"leaf": {"type": "object", "properties": {"size": {}}}}}
    assert codes(by_hand(schema=named)) == [("undescribed-parameter", "read_file: size")]


def test_an_example_must_pass_its_own_schema() -> None:
    tool = by_hand(examples=[Example("good", {"path": "a"}), Example("bad", {"path": 5})])
    (finding,) = lint(tool)

    assert (finding.level, finding.code, finding.where) == (
        Level.ERROR,
        "broken-example",
        "read_file: example 'bad'",
    )


def test_a_schema_that_does_not_compile_is_an_error() -> None:
    assert codes(by_hand(schema={"type": "objekt"})) == [("bad-schema", "read_file: input schema")]
    assert codes(by_hand(output_schema={"type": "objekt"})) == [("bad-schema", "read_file: output schema")]


def test_an_open_schema_and_no_effects_are_warnings_by_hand_only() -> None:
    assert codes(by_hand(schema={"type": "object"}, effects=[])) == [
        ("no-effects", "read_file"),
        ("open-schema", "read_file"),
    ]

    class Answer(Struct):
        text: str

    def read_news() -> Answer:
        """Read the news of today."""
        return Answer("none")

    assert lint(from_function(read_news)) == []


def test_a_missing_output_schema_is_only_information() -> None:
    def read_file(path: Annotated[str, Meta(description="Where it is")]) -> str:
        """Read a whole text file."""
        return path

    (finding,) = lint(from_function(read_file))
    assert (finding.level, finding.code) == (Level.INFO, "no-output-schema")


def test_the_worst_comes_first() -> None:
    tool = make(name="rf", input_schema={"type": "object"})

    assert [finding.level for finding in lint(tool)] == ["error", "warning", "warning", "warning", "info"]


@pytest.mark.parametrize("example", [{"path": "a"}, 5, "a"])
def test_an_example_that_is_none_crashed_the_check(example: Any) -> None:
    tool = structs.replace(by_hand(), examples=(example,))
    assert codes(tool) == [("broken-example", "read_file: example")]


def test_a_description_that_is_no_text_crashed_the_check() -> None:
    tool = structs.replace(by_hand(), description=5)
    assert codes(tool) == [("broken-tool", "read_file: description")]


def test_a_schema_nested_300_deep_is_a_finding() -> None:
    part: dict[str, Any] = DESCRIBED
    for _ in range(300):
        part = {"type": "object", "description": "A box", "properties": {"inner": part}}
    tool = structs.replace(by_hand(), input_schema=part)
    assert codes(tool) == [("bad-schema", "read_file: input schema")]
