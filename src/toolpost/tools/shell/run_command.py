"""os.exec: a command, run in the sandbox, bounded in time and output."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import UNSET, UnsetType

from toolpost.call import Call
from toolpost.define import Output, Tool, from_function
from toolpost.errors import InvalidArgument, IoFailed
from toolpost.limits import (
    EXEC_BACKGROUND_S,
    EXEC_SPARE_S,
    EXEC_TIMEOUT_DEFAULT_MS,
    EXEC_TIMEOUT_MAX_MS,
)
from toolpost.sandbox import output
from toolpost.sandbox.family import TAGS
from toolpost.sandbox.model import Spawn
from toolpost.sandbox.overlay import Overlay
from toolpost.sandbox.run import Command, Plan, Ran, Starts, begin, run
from toolpost.sandbox.terminals import Size
from toolpost.schema import schema_of
from toolpost.tools.shell.answer import CommandData, Told, answer, is_cut
from toolpost.tools.shell.asked import RUN_ALIASES, RunCommand, check, ease
from toolpost.tools.shell.cut import Want
from toolpost.tools.shell.dry_run import WouldChange, refuse_background, would_change
from toolpost.tools.shell.ground import ShellGround, argv_of

_DESCRIPTION = (
    "Run a command in the workspace: a line for the shell, or a program with its arguments. Nothing of a shell stays "
    "for the next call, and what it started ends with it. A failing command is an answer with its exit code. Long "
    "output is cut in the middle, and the answer says how to get the rest; head_lines and tail_lines do what a pipe "
    "into head or tail would, and keep the exit code. In the background it goes on after the answer."
)


def run_tool(ground: ShellGround) -> Tool:
    async def run_command(asked: RunCommand, call: Call) -> Output:
        check(asked)
        return await _run(ground, asked, call)

    return from_function(
        run_command,
        name="os.exec",
        title="Run a command",
        description=_DESCRIPTION,
        effects=("exec",),
        touches=ground.touches,
        tags=("commands",),
        examples=(
            {"name": "tests", "input": {"command": "npm test"}},
            {"name": "the end of a long output", "input": {"command": "make 2>&1", "tail_lines": 40}},
            {
                "name": "without a shell",
                "input": {"argv": ["git", "log", "--oneline"], "cwd": "packages/web"},
            },
            {"name": "a server", "input": {"command": "npm run dev", "background": True}},
        ),
        codes={"timeout_ms:maximum": "LIMIT_EXCEEDED", "max_output_bytes:maximum": "LIMIT_EXCEEDED"},
        aliases=RUN_ALIASES,
        ease=ease,
        output_schema=schema_of(CommandData),
        timeout_s=EXEC_TIMEOUT_MAX_MS / 1000,
        idempotent=False,
        source="toolpost",
    )


async def _run(ground: ShellGround, asked: RunCommand, call: Call) -> Output:
    if not asked.dry_run:
        return await _answered(ground, asked, call, ground.sandbox)
    refuse_background(asked)
    roots = ground.fence_of(call, asked.needs).roots
    overlay = Overlay(roots)
    try:
        return await _answered(ground, asked, call, overlay)
    finally:
        await asyncio.to_thread(overlay.close)


async def _answered(ground: ShellGround, asked: RunCommand, call: Call, sandbox: Starts) -> Output:
    want = Want(head_lines=asked.head_lines, tail_lines=asked.tail_lines, max_bytes=asked.max_output_bytes)
    command = Command(
        sandbox, _plan(ground, asked, call), output.Output(ground.blobs, held_bytes=want.max_bytes)
    )
    began = time.monotonic()
    ran = await _ran(ground, asked, call, command)
    session = call.caller.session
    told = Told(
        call=call,
        command=command,
        want=want,
        ran=ran,
        kept=ground.commands.keep(session, command) if ran is None or is_cut(command, want) else None,
        duration_s=time.monotonic() - began,
        would_change=await _would_change(ground, sandbox),
    )
    shown = await asyncio.to_thread(answer, told) if told.kept else answer(told)
    if told.kept is None:
        command.output.close()
    return shown


async def _ran(ground: ShellGround, asked: RunCommand, call: Call, command: Command) -> Ran | None:
    """None: it goes on."""
    ground.commands.admit(call.caller.session, command)
    with _started(asked):
        if asked.background:
            await begin(command)
            return None
        return await run(command, yield_s=None if asked.yield_ms is None else asked.yield_ms / 1000)


async def _would_change(ground: ShellGround, sandbox: Starts) -> WouldChange | UnsetType:
    if not isinstance(sandbox, Overlay):
        return UNSET
    return await asyncio.to_thread(lambda: would_change(ground.workspace, sandbox.changes()))


def _plan(ground: ShellGround, asked: RunCommand, call: Call) -> Plan:
    spawn = Spawn(
        argv=argv_of(asked),
        cwd=ground.folder(asked.cwd),
        env={**ground.environment, **asked.env},
        fence=ground.fence_of(call, asked.needs),
        tag=TAGS.issue(),
        terminal=asked.terminal,
    )
    return Plan(
        spawn=spawn,
        timeout_s=timeout_s(asked, call),
        at=ground.level(call),
        has_input=asked.background or asked.yield_ms is not None,
        size=Size() if asked.terminal else None,
    )


def timeout_s(asked: RunCommand, call: Call) -> float:
    """Before the call's own time is over, so that what the command said is still told."""
    if asked.background or asked.yield_ms is not None:
        return EXEC_BACKGROUND_S if asked.timeout_ms is None else asked.timeout_ms / 1000
    most_s = EXEC_TIMEOUT_MAX_MS / 1000 if call.timeout_s is None else call.timeout_s
    asked_s = (asked.timeout_ms or EXEC_TIMEOUT_DEFAULT_MS) / 1000
    return min(asked_s, most_s - min(EXEC_SPARE_S, most_s / 10))


@contextmanager
def _started(asked: RunCommand) -> Iterator[None]:
    """What keeps a program from being started, as an error to act on."""
    name = "command" if asked.argv is None else "argv"
    try:
        yield
    except FileNotFoundError as missing:
        said = (
            f"There is no program {missing.filename or (asked.argv or ['?'])[0]}: look with command -v NAME."
        )
        raise InvalidArgument(said, parameter=name) from None
    except PermissionError as refused:
        raise InvalidArgument(f"{refused.filename} cannot be executed.", parameter=name) from None
    except OSError as failed:
        raise IoFailed(f"The command could not be started: {failed.strerror}.", parameter=name) from None
