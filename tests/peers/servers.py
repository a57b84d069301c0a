"""Real MCP servers from npm and PyPI, and a client just large enough to ask one for its tools.

The client speaks newline-delimited JSON-RPC by itself on purpose: what the tests compare is what the server
sent, key order and unknown keys included, with no model of ours or of an SDK in between. The tokens are made
up, and no server needs a network to list its tools: where that can be had, each runs without one.
"""

import asyncio
import hashlib
import json
import os
import signal
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from tests.peers.offline import cut_off

REPO = Path(__file__).resolve().parents[2]
CACHE = REPO / ".peers" / "mcp"
PROTOCOL = "2025-06-18"
LIST_TIMEOUT_S = 60.0  # start, handshake and all pages of one server; the slowest needs about 5 s
EXIT_TIMEOUT_S = 5.0
MAX_LINE_BYTES = 16 * 1024 * 1024  # a page is one line, and asyncio would stop at 64 KiB
MAX_PAGES = 100
STDERR_TAIL_BYTES = 2000


class Kind(StrEnum):
    NPM = "npm"
    PYPI = "pypi"


PINS = {
    Kind.NPM: REPO / "tests" / "peers" / "npm" / "package.json",
    Kind.PYPI: REPO / "tests" / "peers" / "requirements.txt",
}


@dataclass(frozen=True)
class Server:
    """`{home}` in `args` and `env` stands for the server's own folder, where nothing is but `files`, by path."""

    name: str
    kind: Kind
    command: Path
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    only_offline: bool = False  # at its start it phones its makers, so it never runs where there is a network


class PeerFailed(Exception):
    """A server broke off, refused, or sent what is not an answer."""


def npm(name: str, command: str, *args: str, **env: str) -> Server:
    return Server(name, Kind.NPM, CACHE / "npm" / "node_modules" / ".bin" / command, args, env)


def pypi(name: str, command: str, *args: str, **env: str) -> Server:
    return Server(name, Kind.PYPI, CACHE / "pypi" / name / "bin" / command, args, env)


SERVERS = (
    npm("everything", "mcp-server-everything"),
    npm("filesystem", "mcp-server-filesystem", "{home}"),
    npm("github", "mcp-server-github", GITHUB_PERSONAL_ACCESS_TOKEN="none"),
    npm("gitlab", "mcp-server-gitlab", GITLAB_PERSONAL_ACCESS_TOKEN="none"),
    npm("memory", "mcp-server-memory", MEMORY_FILE_PATH="{home}/memory.jsonl"),
    npm("sequential-thinking", "mcp-server-sequential-thinking"),
    npm("slack", "mcp-server-slack", SLACK_BOT_TOKEN="none", SLACK_TEAM_ID="none"),
    npm("notion", "notion-mcp-server", NOTION_TOKEN="none"),
    npm("playwright", "playwright-mcp", "--headless", "--isolated", "--caps=vision,pdf,devtools"),
    npm("context7", "context7-mcp"),
    npm(
        "chrome-devtools",
        "chrome-devtools-mcp",
        "--headless",
        "--isolated",
        "--no-usage-statistics",
        "--no-performance-crux",
        CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS="1",
    ),
    replace(
        npm("desktop-commander", "desktop-commander", DC_FLAG_URL="data:application/json,{{}}"),
        only_offline=True,  # what is set here keeps it from even trying
        files={
            ".claude-server-commander/config.json": '{"telemetryEnabled": false}',
            # It downloads a browser unless it finds one.
            ".claude-server-commander/puppeteer-cache/chrome/none/chrome-linux64/chrome": "",
        },
    ),
    pypi("code-index-mcp", "code-index-mcp"),
    pypi("mcp-server-fetch", "mcp-server-fetch"),
    pypi("mcp-server-git", "mcp-server-git"),
    pypi("mcp-server-time", "mcp-server-time", "--local-timezone=UTC"),
    pypi(
        "serena-agent",
        "serena",
        "start-mcp-server",
        "--agent-interface=tools",
        "--enable-web-dashboard=false",
        "--enable-gui-log-window=false",
        "--open-web-dashboard=false",
        SERENA_USAGE_REPORTING="false",  # else it calls its makers' host at every start
    ),
)


def missing() -> list[str]:
    """Name what `scripts/peers` still has to install at the present pins."""
    stale = [f"the {kind} servers" for kind, pins in PINS.items() if not _is_fresh(kind, pins)]
    return stale or [server.name for server in SERVERS if not server.command.exists()]


def _is_fresh(kind: Kind, pins: Path) -> bool:
    try:
        stamp = (CACHE / f"{kind}.stamp").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return stamp.split()[0] == hashlib.sha256(pins.read_bytes()).hexdigest()


def may_run(server: Server) -> bool:
    return not server.only_offline or cut_off() is not None


async def list_tools(server: Server) -> list[dict[str, Any]]:
    """Start the server in a home of its own, ask for all its tools, and end it."""
    if not may_run(server):
        raise PeerFailed(f"{server.name} runs only without a network")
    with tempfile.TemporaryDirectory(prefix="peer-", ignore_cleanup_errors=True) as home:
        try:
            async with _running(server, Path(home)) as process, asyncio.timeout(LIST_TIMEOUT_S):
                return await _all_pages(process)
        except (PeerFailed, TimeoutError, ValueError, OSError) as error:
            raise PeerFailed(f"{server.name}: {error!r}; its last words: {_last_words(home)}") from error


async def _all_pages(process: Process) -> list[dict[str, Any]]:
    client = {"name": "toolpost-tests", "version": "0"}
    await _ask(process, 0, "initialize", protocolVersion=PROTOCOL, capabilities={}, clientInfo=client)
    await _send(process, method="notifications/initialized")
    tools: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    for page in range(1, MAX_PAGES + 1):
        result = await _ask(process, page, "tools/list", **cursor)
        tools += result["tools"]
        if not result.get("nextCursor"):
            return tools
        cursor = {"cursor": result["nextCursor"]}
    raise PeerFailed(f"more than {MAX_PAGES} pages")


async def _ask(process: Process, request_id: int, method: str, **params: object) -> dict[str, Any]:
    await _send(process, id=request_id, method=method, params=params)
    assert process.stdout is not None
    while line := await process.stdout.readline():
        message = json.loads(line)
        if message.get("id") != request_id or "method" in message:
            continue  # a notification, or a request of the server's own
        if "result" not in message:
            raise PeerFailed(f"{method} was refused: {message.get('error')}")
        result: dict[str, Any] = message["result"]
        return result
    raise PeerFailed(f"the server ended before it answered {method}")


async def _send(process: Process, **message: object) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    await process.stdin.drain()


@asynccontextmanager
async def _running(server: Server, home: Path) -> AsyncGenerator[Process, None]:
    _furnish(home, server.files)
    with (home / "stderr").open("wb") as stderr:
        process = await asyncio.create_subprocess_exec(
            *(cut_off() or ()),
            server.command,
            *(arg.format(home=home) for arg in server.args),
            stdin=PIPE,
            stdout=PIPE,
            stderr=stderr,
            cwd=home,
            env=_environment(server, home),
            limit=MAX_LINE_BYTES,
            start_new_session=True,  # its children share its group, so that _end reaches them all
        )
    try:
        yield process
    finally:
        await _end(process)


def _furnish(home: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text, encoding="utf-8")


def _environment(server: Server, home: Path) -> dict[str, str]:
    clean = {"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8"}
    quiet = {"DO_NOT_TRACK": "1", "NO_UPDATE_NOTIFIER": "1"}
    return clean | quiet | {name: value.format(home=home) for name, value in server.env.items()}


async def _end(process: Process) -> None:
    assert process.stdin is not None
    process.stdin.close()
    _signal_group(process, signal.SIGTERM)
    try:
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), EXIT_TIMEOUT_S)
    finally:
        _signal_group(process, signal.SIGKILL)
    await asyncio.wait_for(process.communicate(), EXIT_TIMEOUT_S)


def _signal_group(process: Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def _last_words(home: str) -> str:
    stderr = Path(home, "stderr")
    return stderr.read_bytes()[-STDERR_TAIL_BYTES:].decode(errors="replace") if stderr.exists() else ""
