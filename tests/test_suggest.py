from typing import Any

import pytest

from toolpost.suggest import guess, missing, nearest

KNOWN = ["read_file", "readFile", "write_file", "list_directory", "web.search"]


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("READ-FILE", ["read_file", "readFile", "write_file"]),
        ("wirte_file", ["write_file", "read_file", "readFile"]),
        ("search", ["web.search"]),
        ("directory", ["list_directory"]),
        ("zzz", []),
        ("", []),
        ("…", []),
        ("x" * 1_000_000, []),
    ],
)
def test_the_nearest_names_come_first(word: str, near: list[str]) -> None:
    assert nearest(word, KNOWN) == near


def test_no_more_names_than_asked_for_are_given() -> None:
    assert nearest("file", KNOWN, most=1) == ["read_file"]


def test_of_twenty_thousand_names_only_some_are_compared() -> None:
    names = [f"name {at}" for at in range(20_000)]
    assert nearest("NAME-4321", names, most=1) == ["name 4321"]
    assert nearest("x" * 150, ["x" * 149, *names], most=1) == ["x" * 149]


@pytest.mark.parametrize(
    ("rule", "value", "part", "guesses"),
    [
        ("enum", "NEWEST", {"enum": ["newest", "oldest"]}, ["newest"]),
        ("enum", "3", {"enum": [1, 3]}, [3]),
        ("enum", 7, {"enum": [1, 3]}, []),
        ("const", 1, {"const": 2}, [2]),
        ("minimum", -3, {"minimum": 1}, [1]),
        ("maximum", 300, {"type": "integer", "minimum": 1, "maximum": 100}, [100]),
        ("maximum", 10**400, {"maximum": 100}, [100]),
        ("maximum", "many", {"maximum": 100}, []),
        ("maximum", True, {"maximum": 0}, []),
        ("exclusiveMinimum", 0, {"type": "integer", "exclusiveMinimum": 0}, [1]),
        ("exclusiveMaximum", 12, {"type": "integer", "exclusiveMaximum": 10}, [9]),
        ("exclusiveMaximum", 12, {"exclusiveMaximum": True, "maximum": 10}, [10]),
        ("exclusiveMinimum", 1, {"exclusiveMinimum": True, "minimum": 3}, [3]),
        ("multipleOf", 12, {"multipleOf": 5}, [10]),
        ("multipleOf", 1, {"multipleOf": 5, "minimum": 1}, [5]),
        ("multipleOf", 24, {"multipleOf": 5, "maximum": 24}, [20]),
        ("multipleOf", 0.3, {"multipleOf": 0.25}, [0.25]),
        ("multipleOf", 1e308, {"multipleOf": 1e-10}, []),
        ("multipleOf", float("inf"), {"multipleOf": 2}, []),
        ("type", "5", {"type": "integer"}, [5]),
        ("type", "5.0", {"type": "integer"}, [5]),
        ("type", "5.5", {"type": "integer"}, []),
        ("type", "5.5", {"type": "number"}, [5.5]),
        ("type", "nan", {"type": "number"}, []),
        ("type", "five", {"type": ["integer", "number"]}, []),
        ("type", "9" * 41, {"type": "integer"}, []),
        ("type", True, {"type": "integer"}, []),
        ("type", [1], {"type": "number"}, []),
        ("type", 3, {"type": "number"}, [3]),
        ("type", "Yes", {"type": "boolean"}, [True]),
        ("type", 0, {"type": "boolean"}, [False]),
        ("type", "maybe", {"type": "boolean"}, []),
        ("type", True, {"type": "string"}, ["true"]),
        ("type", False, {"type": "string"}, ["false"]),
        ("type", 1.5, {"type": "string"}, ["1.5"]),
        ("type", None, {"type": "string"}, []),
        ("type", '{"a": 1}', {"type": "object"}, [{"a": 1}]),
        ("type", "[1]", {"type": "object"}, []),
        ("type", "{", {"type": "object"}, []),
        ("type", 1, {"type": "object"}, []),
        ("type", "[1, 2]", {"type": "array"}, [[1, 2]]),
        ("type", "one", {"type": "array"}, [["one"]]),
        ("type", 1, {"type": "null"}, []),
        ("format", "31.12.2025", {"format": "date-time"}, ["2025-12-31T00:00:00Z"]),
        ("format", "2025-12-31 10:00", {"format": "date-time"}, ["2025-12-31T10:00:00Z"]),
        ("format", "2025-12-31T10:00:00+02:00", {"format": "date-time"}, ["2025-12-31T10:00:00+02:00"]),
        ("format", "Dec 31, 2025", {"format": "date"}, ["2025-12-31"]),
        ("format", "01/02/2026", {"format": "date"}, []),
        ("format", "01-02-2026", {"format": "date-time"}, []),
        ("format", "31/12/2025", {"format": "date"}, ["2025-12-31"]),
        ("format", "12/31/2025", {"format": "date"}, ["2025-12-31"]),
        ("format", "02/02/2026", {"format": "date"}, ["2026-02-02"]),
        ("format", "2025/12/31", {"format": "date"}, ["2025-12-31"]),
        ("convert", "aGk", {"contentEncoding": "base64"}, ["aGk="]),
        ("convert", " €5.10", {"format": "decimal"}, ["5.10"]),
        ("convert", "five", {"format": "decimal"}, []),
        ("convert", 5, {}, []),
        ("format", "someday", {"format": "date"}, []),
        ("format", "someday", {"format": "date-time"}, []),
        ("format", " <ada(at)example.org> ", {"format": "email"}, ["ada@example.org"]),
        ("format", "ada", {"format": "email"}, []),
        ("format", "example.org/a", {"format": "uri"}, ["https://example.org/a"]),
        ("format", "https://example.org/a b", {"format": "uri"}, ["https://example.org/a%20b"]),
        ("format", "no uri", {"format": "uri"}, []),
        ("format", "{00000000-0000-4000-8000-00000000000A}", {"format": "uuid"}, ["00000000-0000-4000-8000-00000000000a"]),
        ("format", "none", {"format": "uuid"}, []),
        ("format", "x", {"format": "of our own"}, []),
        ("format", 5, {"format": "date"}, []),
        ("maxLength", "abcdef", {"maxLength": 3}, ["abc"]),
        ("maxLength", 5, {"maxLength": 3}, []),
        ("maxItems", [1, 2, 3], {"maxItems": 2}, [[1, 2]]),
        ("maxItems", 5, {"maxItems": 2}, []),
        ("uniqueItems", [2, 1, 2, {"a": 1, "b": 2}, {"b": 2, "a": 1}], {}, [[2, 1, {"a": 1, "b": 2}]]),
        ("uniqueItems", [1, True], {}, [[1, True]]),
        ("uniqueItems", ["\ud800", "\ud800"], {}, []),
        ("uniqueItems", 5, {}, []),
        ("anyOf", "5", {"type": ["integer", "null"]}, [5]),
        ("pattern", "x", {"default": "a", "examples": ["b", "c"]}, ["a", "b", "c"]),
        ("pattern", "x", {"examples": "draft 3 wrote one"}, []),
        ("pattern", "x", {}, []),
    ],
)  # fmt: skip
def test_a_broken_rule_has_these_guesses(
    rule: str, value: Any, part: dict[str, Any], guesses: list[Any]
) -> None:
    assert guess(rule, value, part) == guesses


def test_what_is_missing_is_taken_from_default_examples_and_options_in_this_order() -> None:
    part = {"default": "d", "examples": ["e"], "enum": ["o", "p"]}
    assert missing("x", part, [{"x": "from a call"}, {"y": 1}]) == ["d", "e", "from a call", "o"]
    assert missing("x", {}, []) == []


def test_a_hundred_thousand_items_are_made_unique_in_one_pass() -> None:
    assert guess("uniqueItems", list(range(100_000)) * 2, {}) == [list(range(100_000))]
