"""Definitions of real servers, through every format and back: nothing may be lost."""

import json
from typing import Any

import pytest

from toolpost import convert
from toolpost.convert.check import check

pytestmark = pytest.mark.peers

Live = dict[str, list[dict[str, Any]]]
ENOUGH = 117
VIA = sorted(name for name in convert.FORMATS if name != "mcp")


def test_there_are_enough_real_definitions_to_mean_something(live_tools: Live) -> None:
    assert sum(len(tools) for tools in live_tools.values()) >= ENOUGH


@pytest.mark.parametrize("via", VIA)
def test_every_real_tool_comes_back_from_every_format_as_it_was(live_tools: Live, via: str) -> None:
    for server, tools in live_tools.items():
        there = convert.convert({"tools": tools}, via, "mcp")
        back: Any = convert.convert(there.value, "mcp", via).value
        assert there.lost == [], (server, via)
        assert back == {"tools": tools}, (server, via)
        assert _letters(back["tools"]) == _letters(tools), (server, via)


def _letters(tools: list[dict[str, Any]]) -> list[str]:
    """Schemas and annotations as text: key order counts too, since models read it."""
    kept = ("inputSchema", "outputSchema", "annotations")
    return [json.dumps([tool.get(key) for key in kept]) for tool in tools]


@pytest.mark.parametrize("via", VIA)
def test_what_is_written_of_real_tools_is_valid_in_its_own_format(live_tools: Live, via: str) -> None:
    for server, tools in live_tools.items():
        written = convert.convert({"tools": tools}, via, "mcp").value
        faults = [fault for fault in check(written, via) if "examples" not in fault.pointer]
        assert faults == [], (server, via)
