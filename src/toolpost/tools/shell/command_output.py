"""os.exec.poll: what a command said meanwhile, more input for it, or its end."""

import asyncio
import time

from msgspec import UNSET, Struct, UnsetType

from toolpost.call import Call
from toolpost.define import Output, Tool, from_function
from toolpost.errors import InvalidArgument, LimitExceeded
from toolpost.limits import EXEC_END_S, EXEC_POLL_S, EXEC_STDIN_QUEUE
from toolpost.sandbox.background import Kept
from toolpost.sandbox.run import Command, Ran, Stop
from toolpost.schema import schema_of
from toolpost.tools.shell.answer import Handles, ending_notes, handles, texts
from toolpost.tools.shell.asked import OUTPUT_ALIASES, CommandOutput, check_input
from toolpost.tools.shell.cut import whole_characters
from toolpost.tools.shell.ground import ShellGround
from toolpost.visible import settled

_DESCRIPTION = (
    "Ask about a command that runs in the background or whose output was cut: what it said from a byte on, and whether "
    "it still runs. It can be sent input and killed. Only the session that started it can ask."
)


class OutputData(Struct, frozen=True, kw_only=True):
    id: str
    text: str
    cursor: int
    next_cursor: int
    size_bytes: int
    running: bool
    exit_code: int | None
    timed_out: bool
    signal: str | UnsetType = UNSET
    stopped: str | UnsetType = UNSET
    duration_ms: float | UnsetType = UNSET
    output: Handles | UnsetType = UNSET


def output_tool(ground: ShellGround) -> Tool:
    async def command_output(asked: CommandOutput, call: Call) -> Output:
        kept = ground.commands.find(call.caller.session, asked.id)
        return await _ask(kept, asked, call)

    return from_function(
        command_output,
        name="os.exec.poll",
        title="Ask about a command",
        description=_DESCRIPTION,
        tags=("commands",),
        examples=(
            {"name": "news", "input": {"id": "5f0c2a9be1d34f77"}},
            {"name": "an answer to its question", "input": {"id": "5f0c2a9be1d34f77", "stdin": "yes\n"}},
            {"name": "its end", "input": {"id": "5f0c2a9be1d34f77", "kill": True}},
        ),
        codes={"max_output_bytes:maximum": "LIMIT_EXCEEDED"},
        aliases=OUTPUT_ALIASES,
        output_schema=schema_of(OutputData),
        idempotent=False,
        source="toolpost",
    )


async def _ask(kept: Kept, asked: CommandOutput, call: Call) -> Output:
    command = kept.command
    start = kept.cursor if asked.cursor is UNSET else asked.cursor
    _feed(command, asked)
    if asked.kill:
        command.stop(Stop.KILLED)
    wait_s = command.plan.grace_s + EXEC_END_S if asked.kill else asked.wait_ms / 1000
    await _news(command, None if asked.kill else start, wait_s)
    return _told(kept, asked, call, start)


def _feed(command: Command, asked: CommandOutput) -> None:
    if asked.stdin is None and not asked.end_stdin:
        return
    if command.ended.done():
        raise InvalidArgument("The command has ended: it reads no input any more.", parameter="stdin")
    if not (command.plan.has_input or command.plan.size):
        raise InvalidArgument(
            "This command was started without an input: run it with background or yield_ms.",
            parameter="stdin",
        )
    data = check_input(asked.stdin or "")
    if command.unsaid_bytes + len(data) > EXEC_STDIN_QUEUE:
        raise LimitExceeded("The command does not read its input; send no more now.", parameter="stdin")
    command.say(data)
    if asked.end_stdin:
        command.end_input()


async def _news(command: Command, start: int | None, within_s: float) -> None:
    """Until it has ended, or said something past `start`."""
    until = time.monotonic() + within_s
    while time.monotonic() < until and not command.ended.done():
        if start is not None and command.output.both.size_bytes > start:
            return
        await asyncio.sleep(EXEC_POLL_S)


def _told(kept: Kept, asked: CommandOutput, call: Call, start: int) -> Output:
    command = kept.command
    ran: Ran | None = command.ended.result() if command.ended.done() else None
    log = command.output.both
    at, part = log.read(min(start, log.size_bytes), asked.max_output_bytes)
    if ran is None or at + len(part) < log.size_bytes:
        part = whole_characters(part) or part
    kept.cursor = at + len(part)
    data = OutputData(
        id=kept.id,
        text=settled(part.decode(errors="replace")),
        cursor=at,
        next_cursor=kept.cursor,
        size_bytes=log.size_bytes,
        running=ran is None,
        exit_code=None if ran is None else ran.exit_code,
        timed_out=ran is not None and ran.timed_out,
        signal=UNSET if ran is None else ran.signal or UNSET,
        stopped=UNSET if ran is None else ran.stopped or UNSET,
        duration_ms=UNSET if ran is None else round(ran.duration_s * 1000, 3),
        output=handles(command) if ran is not None and log.size_bytes > asked.max_output_bytes else UNSET,
    )
    notes = _notes(data, ran, command, call)
    return Output(content=texts(data.text, notes), data=data, notes=tuple(notes))


def _notes(data: OutputData, ran: Ran | None, command: Command, call: Call) -> list[str]:
    notes = []
    if data.next_cursor < data.size_bytes:
        notes.append(
            f"Truncated: bytes {data.cursor:,} to {data.next_cursor:,} of {data.size_bytes:,} are shown; "
            f"continue with {call.said('cursor')}={data.next_cursor}."
        )
    if ran is None:
        notes.append("Still running.")
    elif not notes:
        notes += ending_notes(ran, command.plan.timeout_s) or ["Exit code 0."]
    return notes
