"""The tools of every real server, listed once a session."""

import asyncio
import os
from typing import Any

import pytest
from tests.peers.servers import SERVERS, Server, list_tools, may_run, missing

AT_ONCE = 2  # as many as the smallest machine that runs these has cores


@pytest.fixture(scope="session")
def live_tools() -> dict[str, list[dict[str, Any]]]:
    """Tool definitions by the name of each server that may run here, just as it sent them; shared: do not change them."""
    if lacking := missing():
        _give_up(f"not installed: {', '.join(lacking)}; to install: scripts/peers")
    return asyncio.run(_list_all())


def _give_up(reason: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


async def _list_all() -> dict[str, list[dict[str, Any]]]:
    slots = asyncio.Semaphore(AT_ONCE)

    async def list_one(server: Server) -> list[dict[str, Any]]:
        async with slots:
            return await list_tools(server)

    async with asyncio.TaskGroup() as group:
        tasks = {server.name: group.create_task(list_one(server)) for server in SERVERS if may_run(server)}
    return {name: task.result() for name, task in tasks.items()}
