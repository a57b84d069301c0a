"""A refusal teaches: what it suggests passes when it is sent."""

import datetime as dt
import re
import uuid
from decimal import Decimal
from typing import Annotated, Any, Literal

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from tests.flow.strategies import json_values, put

from toolpost import Bench, Call, InvalidArgument, Result, tool
from toolpost.define import Check, Tool, from_schema
from toolpost.result import Outcome

PARTS: list[tuple[dict[str, Any], list[Any]]] = [
    ({"type": "integer"}, [1, -7]),
    ({"type": "integer", "minimum": 1, "maximum": 20}, [1, 20]),
    ({"type": "integer", "multipleOf": 5, "minimum": 3, "maximum": 23}, [5, 20]),
    ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, [0.25]),
    ({"type": "number", "multipleOf": 0.25}, [0.5]),
    ({"type": "boolean"}, [True]),
    ({"enum": ["newest", "oldest", 3]}, ["newest", 3]),
    ({"const": "fixed"}, ["fixed"]),
    ({"type": "string", "minLength": 2, "maxLength": 5}, ["abc"]),
    ({"type": "string", "pattern": "^[a-z]+$", "default": "abc"}, ["x"]),
    ({"type": "string", "format": "date-time"}, ["2025-01-02T03:04:05Z"]),
    ({"type": "string", "format": "date"}, ["2025-01-02"]),
    ({"type": "string", "format": "email"}, ["ada@example.org"]),
    ({"type": "string", "format": "uri"}, ["https://example.org/"]),
    ({"type": "string", "format": "uuid"}, ["00000000-0000-4000-8000-000000000001"]),
    ({"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "maxItems": 3}, [[1, 2]]),
    ({"anyOf": [{"type": "integer", "minimum": 3}, {"type": "null"}]}, [None, 4]),
    ({"oneOf": [{"type": "string", "maxLength": 3}, {"type": "array", "items": {"type": "string"}}]}, ["a"]),
    (
        {
            "type": "object",
            "properties": {"kind": {"enum": ["tag", "path"]}, "size": {"type": "integer", "default": 1}},
            "required": ["kind", "size"],
            "additionalProperties": False,
        },
        [{"kind": "tag", "size": 1}],
    ),
    ({"type": "object", "additionalProperties": {"type": "string", "maxLength": 3}}, [{"a": "b"}]),
    ({"type": "object", "patternProperties": {"^n": {"type": "integer", "maximum": 9}}}, [{"n1": 3}]),
]
NAMES = ["limit", "path", "order_by", "when"]
SLIPS = ["5", "12.0", "yes", "NEWEST", "Tag", "01.02.2025", "Jan 3, 2025", "ada(at)example.org", "[1, 1]"]
SLIPS_TOO = ["x" * 9, "example.org", "{}", 0, -3, 1, 7, 99, 1.0, 2.5, 1e300, [1, 1, "1", 4], {"kind": "tga"}]

odd_values = st.sampled_from([*SLIPS, *SLIPS_TOO, 10**400, True, None, "", []]) | json_values(3)


@st.composite
def broken_calls(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """A schema, and arguments that were right before something happened to them."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
    parts = {name: draw(st.sampled_from(PARTS)) for name in names}
    schema = {
        "type": "object",
        "properties": {name: part for name, (part, _) in parts.items()},
        "required": draw(st.lists(st.sampled_from(names), unique=True)),
        "additionalProperties": draw(st.booleans()),
    }
    args = {name: draw(st.sampled_from(values)) for name, (_, values) in parts.items()}
    for name in draw(st.lists(st.sampled_from(names), min_size=1, unique=True)):
        match draw(st.sampled_from(["odd", "inside", "missing", "misspelt"])):
            case "odd":
                args[name] = draw(odd_values)
            case "inside" if isinstance(args[name], dict):
                args[name] = {
                    **args[name],
                    draw(st.sampled_from(["kin", "n2", "size", "a"])): draw(odd_values),
                }
            case "missing":
                del args[name]
            case "misspelt":
                args[draw(st.sampled_from([name[:-1], name.upper(), name + "s"]))] = args.pop(name)
    return schema, args


def _bench(*tools: Tool) -> Bench:
    return Bench(tools)


def _assert_every_offer_passes(bench: Bench, call: Call) -> Result:
    result = bench.call_sync(call)
    if result.repaired is not None:
        again = bench.call_sync(Call(tool=call.tool, args=result.repaired))
        assert again.problems == ()
    for problem in result.problems:
        if problem.suggested is not UNSET:
            mended = _mended(call.args, problem.parameter or "", problem.suggested, problem.code)
            after = bench.call_sync(Call(tool=call.tool, args=mended))
            assert problem.parameter not in {left.parameter for left in after.problems}
    return result


def _mended(args: dict[str, Any], parameter: str, suggested: Any, code: str) -> Any:
    path = tuple(
        int(index) if index else name
        for name, index in re.findall(r"([^.\[\]]+)(?=[.\[]|$)|\[(\d+)\]", parameter)
    )
    if code != "UNKNOWN_PARAMETER":
        return put(args, path, suggested)
    holder: Any = args
    for step in path[:-1]:
        holder = holder[step]
    renamed = {suggested if name == path[-1] else name: value for name, value in holder.items()}
    return put(args, path[:-1], renamed)


@given(broken=broken_calls())
def test_whatever_is_suggested_passes(broken: tuple[dict[str, Any], dict[str, Any]]) -> None:
    schema, args = broken
    bench = _bench(from_schema("work", "", schema, lambda _args: None, blocking=False))
    _assert_every_offer_passes(bench, Call(tool="work", args=args))


def _not_thirteen(times: int) -> None:
    if times == 13:
        raise InvalidArgument("No thirteens.", parameter="times")


class Everything(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    times: Annotated[int, msgspec.Meta(ge=1, le=13)] = 1
    ratio: Annotated[float, msgspec.Meta(gt=0, lt=1)] = 0.5
    order: Literal["newest", "oldest"] = "newest"
    at: dt.datetime | None = None
    day: dt.date = dt.date(2025, 1, 1)
    ident: uuid.UUID | None = None
    raw: bytes = b""
    price: Decimal = Decimal(1)
    tags: set[str] = set()
    wait: dt.timedelta | None = None
    sizes: dict[str, int] | None = None


@tool(blocking=False, checks=[Check(("times",), _not_thirteen)])
def typed(everything: Everything) -> None:
    """Takes one of everything."""


@given(
    args=st.dictionaries(st.sampled_from([*typed.input_schema["properties"], "tmes", "Order"]), odd_values)
)
def test_whatever_is_suggested_passes_the_tools_own_types_and_checks_too(args: dict[str, Any]) -> None:
    _assert_every_offer_passes(_bench(typed), Call(tool="typed", args=args))


def test_a_suggestion_that_a_check_would_refuse_is_not_made() -> None:
    result = _assert_every_offer_passes(_bench(typed), Call(tool="typed", args={"times": 99}))
    assert (result.problems[0].suggested, result.repaired) == (1, {"times": 1})  # the default, not 13


def test_a_whole_number_written_as_a_float_is_an_integer() -> None:
    assert _bench(typed).call_sync("typed", times=3.0).outcome is Outcome.SUCCEEDED


def test_two_misspellings_of_one_name_are_not_repaired_by_losing_a_value() -> None:
    schema = {"type": "object", "properties": {"path": {}}, "additionalProperties": False}
    bench = _bench(from_schema("work", "", schema, lambda _args: None, blocking=False))
    result = bench.call_sync("work", pth=1, paht=2)
    assert [problem.suggested for problem in result.problems] == ["path", "path"]
    assert result.repaired is None
