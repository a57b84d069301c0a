"""What is cut off reaches nothing, not even this machine, and is still the process that was started."""

import asyncio
import socket
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from tests.peers.offline import cut_off
from tests.peers.servers import Kind, Server, list_tools

pytestmark = pytest.mark.peers

TIMEOUT_S = 60.0
CONNECT = "import socket, sys; print(socket.socket().connect_ex(('127.0.0.1', int(sys.argv[1]))))"
# It answers both requests, and leaves behind a child that holds its output open and is deaf to SIGTERM.
PARENT = """
(trap '' TERM; exec sleep 600) &
read -r hello; echo '{{"id": 0, "result": {{}}}}'
read -r ready; read -r list; echo '{{"id": 1, "result": {{"tools": [{{"name": "alone"}}]}}}}'
wait
"""


@pytest.fixture
def way() -> tuple[str, ...]:
    way = cut_off()
    if way is None:
        pytest.skip("no network namespace can be made here")
    return way


async def say(*command: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE)
    out, _ = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
    return process.pid, out.decode().strip()


def test_a_program_that_is_cut_off_does_not_reach_a_port_that_others_reach(way: tuple[str, ...]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        connect = (sys.executable, "-c", CONNECT, str(listener.getsockname()[1]))
        _, reached = asyncio.run(say(*connect))
        _, refused = asyncio.run(say(*way, *connect))
    assert reached == "0"
    assert refused != "0"


def test_a_program_that_is_cut_off_has_the_pid_that_was_started(way: tuple[str, ...]) -> None:
    pid, own = asyncio.run(say(*way, sys.executable, "-c", "import os; print(os.getpid())"))
    assert own == str(pid)


def test_what_a_server_started_ends_with_it() -> None:
    # A child that lived on would keep the pipe open, and list_tools would fail in waiting for its end.
    server = Server("parent", Kind.PYPI, Path("/bin/sh"), ("-c", PARENT))
    assert asyncio.run(list_tools(server)) == [{"name": "alone"}]
