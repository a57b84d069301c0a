"""What an agent does with a refusal: put every suggestion in its place, and send the call again."""

import copy
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from toolpost.define import Tool
from toolpost.problem import Problem
from toolpost.result import Result

Args = dict[str, Any]


def mend(args: Args, problems: tuple[Problem, ...], known: Args | None = None) -> Args:
    """Free text is never invented for a caller: where nothing is suggested, what it knows stands in."""
    mended = copy.deepcopy(args)
    for problem in problems:
        *way, last = (problem.parameter or "").split(".")
        if problem.suggested is UNSET and known and last in known:
            mended[last] = known[last]
            continue
        assert problem.suggested is not UNSET, f"nothing was suggested for {problem}"
        place = mended
        for step in way:
            place = place[step]
        if problem.code == "UNKNOWN_PARAMETER":
            place[problem.suggested] = place.pop(last)
        else:
            place[last] = problem.suggested
    return mended


def breaks(tool: Tool, good: Args) -> Iterator[tuple[str, Args]]:
    """The good arguments, each broken in every way its schema knows."""
    properties = tool.input_schema["properties"]
    for name in tool.input_schema["required"]:
        yield f"{name} missing", {key: value for key, value in good.items() if key != name}
    for name, value in good.items():
        for how, bad in _broken_values(properties[name], value):
            yield f"{name} {how}", {**good, name: bad}
    if tool.input_schema.get("additionalProperties") is False:
        for name in good:
            misspelt = {(f"{key}x" if key == name else key): value for key, value in good.items()}
            yield f"{name} misspelt", misspelt


def _broken_values(part: dict[str, Any], value: Any) -> Iterator[tuple[str, Any]]:
    if "enum" in part:
        yield "misspelt", f"{value}s"
    if "minimum" in part:
        yield "too small", part["minimum"] - 1
    if "maximum" in part:
        yield "too large", part["maximum"] + 1
    if part.get("minLength"):
        yield "empty", ""
    if part.get("type") == "integer":
        yield "as text", str(value)
    if part.get("type") == "object":
        yield "as a list", [value]
    if part.get("type") == "string" and "enum" not in part:
        yield "as a list", [value]
    yield from _broken_formats(part.get("format", ""), value)


def _broken_formats(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if name == "email":
        yield "without an at", value.replace("@", "(at)")
        yield "invalid", "invalid-email"
    if name == "date-time":
        yield "without a zone", value.removesuffix("Z")
        yield "invalid", "soon"


def codes(result: Result) -> list[str]:
    return [problem.code for problem in result.problems]
