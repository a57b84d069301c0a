from typing import Any

import pytest

from toolpost.compiled import compile_schema
from toolpost.validate.faults import Fault, flatten, spell


def _faults(schema: dict[str, Any], value: Any) -> list[Fault]:
    compiled = compile_schema(schema)
    return list(flatten(compiled.validator.iter_errors(value), compiled.flat))


@pytest.mark.parametrize(
    ("path", "written"),
    [((), ""), (("a",), "a"), (("items", 2, "status"), "items[2].status"), ((0, 1), "[0][1]")],
)
def test_a_path_is_spelled_as_a_person_would(path: tuple[str | int, ...], written: str) -> None:
    assert spell(path) == written


@pytest.mark.parametrize(
    ("part", "value", "facts"),
    [
        ({"type": ["integer", "null"]}, "x", {"expected": "null or integer"}),
        ({"enum": [1, 2]}, 3, {"allowed": [1, 2]}),
        ({"const": 1}, 3, {"allowed": [1]}),
        ({"format": "email"}, "x", {"format": "email"}),
        ({"pattern": "^a"}, "x", {"pattern": "^a"}),
        ({"minimum": 5}, 3, {"limit": 5}),
        ({"maximum": 1}, 3, {"limit": 1}),
        ({"exclusiveMinimum": 3}, 3, {"limit": 3}),
        ({"exclusiveMaximum": 3}, 3, {"limit": 3}),
        ({"minLength": 3}, "x", {"limit": 3}),
        ({"maxLength": 0}, "x", {"limit": 0}),
        ({"minItems": 1}, [], {"limit": 1}),
        ({"maxItems": 0}, [1], {"limit": 0}),
        ({"multipleOf": 2}, 3, {"limit": 2}),
        ({"uniqueItems": True}, [1, 1], {"why": "[1,1] has non-unique elements"}),
    ],
)
def test_a_broken_rule_tells_what_it_asked_for(
    part: dict[str, Any], value: Any, facts: dict[str, Any]
) -> None:
    rule = next(iter(part))
    assert _faults({"properties": {"a": part}}, {"a": value}) == [Fault(("a",), rule, value, part, facts)]


def test_a_missing_property_is_found_where_it_should_stand() -> None:
    schema = {"properties": {"a": {"properties": {"b": {"default": 1}}, "required": ["b"]}}}
    (fault,) = _faults(schema, {"a": {}})
    assert (fault.parameter, fault.rule, fault.part) == ("a.b", "required", {"default": 1})


@pytest.mark.parametrize("word", ["additionalProperties", "unevaluatedProperties"])
def test_each_unknown_property_is_a_fault_of_its_own(word: str) -> None:
    faults = _faults({"properties": {"a": {}}, word: False}, {"x": 1, "y": 2})
    assert [(fault.path, fault.rule, fault.value, fault.facts) for fault in faults] == [
        (("x",), "additionalProperties", 1, {"known": ["a"]}),
        (("y",), "additionalProperties", 2, {"known": ["a"]}),
    ]


def test_of_several_alternatives_the_closest_is_told() -> None:
    alternatives = [
        {"type": "object", "properties": {"n": {"type": "integer"}, "m": {"type": "integer"}}},
        {"type": "array"},
    ]
    (fault,) = _faults({"properties": {"a": {"anyOf": alternatives}}}, {"a": {"n": "x"}})
    assert (fault.path, fault.rule, fault.facts) == (("a", "n"), "type", {"expected": "integer"})


def test_alternatives_that_differ_in_type_are_told_by_their_types() -> None:
    (fault,) = _faults({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "x")
    assert (fault.path, fault.rule, fault.facts) == ((), "anyOf", {"expected": "integer or null"})


def test_alternatives_told_apart_by_a_constant_are_told_as_a_whole() -> None:
    kinds = [{"properties": {"kind": {"const": kind}}, "required": ["kind"]} for kind in ("a", "b")]
    (fault,) = _faults({"oneOf": kinds}, {"kind": "c"})
    assert (fault.path, fault.rule, list(fault.facts)) == ((), "oneOf", ["why"])
