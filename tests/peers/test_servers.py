"""The real servers answer, and together they offer enough tools for the round trips to mean something."""

from typing import Any

import pytest
from tests.peers.servers import SERVERS

pytestmark = pytest.mark.peers

ENOUGH_TOOLS = 117

LiveTools = dict[str, list[dict[str, Any]]]


@pytest.mark.parametrize("name", [server.name for server in SERVERS])
def test_a_server_lists_tools_that_have_a_name_and_a_schema(live_tools: LiveTools, name: str) -> None:
    if name not in live_tools:
        pytest.skip(f"{name} runs only without a network, and no network namespace can be made here")
    tools = live_tools[name]
    assert tools
    assert [tool for tool in tools if not tool["name"] or tool["inputSchema"]["type"] != "object"] == []


def test_there_are_enough_tools_in_all(live_tools: LiveTools) -> None:
    assert sum(len(tools) for tools in live_tools.values()) >= ENOUGH_TOOLS
