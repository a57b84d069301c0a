"""How a command that ran, or still runs, is told: as a terminal would show it, then what to know, and as data."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType, structs

from toolpost.call import Call
from toolpost.content import Content, Text
from toolpost.define import Output
from toolpost.limits import EXEC_LOG_BYTES, EXEC_TIMEOUT_MAX_MS
from toolpost.sandbox.background import Kept
from toolpost.sandbox.model import Report
from toolpost.sandbox.run import Command, Ran, Stop
from toolpost.tools.oneline import one_line
from toolpost.tools.shell.cut import Cut, Want, cut, whole_characters
from toolpost.tools.shell.dry_run import WouldChange
from toolpost.visible import settled, visible

POLL = ("command_output", "os.exec.poll")


class Handles(Struct, frozen=True):
    """Whole outputs in the store, byte for byte, by their sha256; empty for a stream without a byte."""

    both: str
    stdout: str
    stderr: str


class CommandData(Struct, frozen=True, kw_only=True):
    stdout: str
    stderr: str
    exit_code: int | None
    """None while it runs; 128 and the number of the signal that ended it."""
    timed_out: bool
    truncated: bool
    running: bool
    stdout_bytes: int
    stderr_bytes: int
    duration_ms: float
    sandbox: dict[str, Any]
    signal: str | UnsetType = UNSET
    stopped: str | UnsetType = UNSET
    id: str | UnsetType = UNSET
    next_cursor: int | UnsetType = UNSET
    output: Handles | UnsetType = UNSET
    would_change: WouldChange | UnsetType = UNSET


class Told(Struct, frozen=True, kw_only=True):
    """What an answer is made of."""

    call: Call
    command: Command
    want: Want
    ran: Ran | None = None
    """None: it still runs."""
    kept: Kept | None = None
    """What its id stands for, where it can be asked about."""
    duration_s: float = 0.0
    would_change: WouldChange | UnsetType = UNSET


def is_cut(command: Command, want: Want) -> bool:
    output = command.output
    return any(cut(log, want).left_out_bytes for log in (output.both, output.stdout, output.stderr))


def answer(told: Told) -> Output:
    output = told.command.output
    both, stdout, stderr = (cut(log, told.want) for log in (output.both, output.stdout, output.stderr))
    truncated = any(part.left_out_bytes for part in (both, stdout, stderr))
    if told.ran is None and not both.left_out_bytes:
        both = Cut(whole_characters(both.head))
    if told.kept is not None:
        told.kept.cursor = len(both.head)
    ran = told.ran
    data = CommandData(
        stdout=visible(stdout.text(_mark(stdout))),
        stderr=visible(stderr.text(_mark(stderr))),
        exit_code=None if ran is None else ran.exit_code,
        timed_out=ran is not None and ran.timed_out,
        truncated=truncated,
        running=ran is None,
        stdout_bytes=output.stdout.size_bytes,
        stderr_bytes=output.stderr.size_bytes,
        duration_ms=round((told.duration_s if ran is None else ran.duration_s) * 1000, 3),
        sandbox=sandbox_block(told.command, ran, told.want.max_bytes),
        signal=UNSET if ran is None else ran.signal or UNSET,
        stopped=UNSET if ran is None else ran.stopped or UNSET,
        id=UNSET if told.kept is None else told.kept.id,
        next_cursor=UNSET if told.kept is None else len(both.head),
        output=handles(told.command) if truncated and ran is not None else UNSET,
        would_change=told.would_change,
    )
    notes = _notes(told, data, both)
    changed = () if told.would_change is UNSET else (Text(_changes(told.would_change)),)
    content = (*texts(settled(both.text(_mark(both))), notes), *changed)
    return Output(content=content, data=data, notes=tuple(notes))


def _changes(would: WouldChange) -> str:
    if not would.total:
        return "Dry run: the command would change nothing."
    files = "1 file" if would.total == 1 else f"{would.total} files"
    names = "\n".join(f"{file.change} {one_line(file.path)}" for file in would.files)
    more = "\nNot all of it is shown as a diff." if would.truncated or not would.patch else ""
    return f"Dry run: nothing was changed. The command would change {files}:\n{names}{more}\n{visible(would.patch)}"


def texts(shown: str, notes: list[str]) -> tuple[Content, ...]:
    parts = (shown, "\n".join(notes))
    return tuple(Text(part) for part in parts if part) or (Text("The command said nothing."),)


def handles(command: Command) -> Handles | UnsetType:
    output = command.output
    both, stdout, stderr = (
        log.keep() if log.size_bytes else "" for log in (output.both, output.stdout, output.stderr)
    )
    return Handles(both, stdout, stderr) if both else UNSET


def sandbox_block(command: Command, ran: Ran | None, out_bytes: int) -> dict[str, Any]:
    report: Report = command.started.result() if ran is None else ran.report
    return {
        **structs.asdict(report),
        "limits": {**report.limits, "time_s": command.plan.timeout_s, "out_bytes": out_bytes},
        "gaps": list(report.gaps),
        "violations": list(report.violations),
    }


def ending_notes(ran: Ran, timeout_s: float) -> list[str]:
    """How it ended, where that is not as it should."""
    said = {
        Stop.TIMEOUT: f"Stopped: it took longer than {timeout_s:g} s. Give it more time, at most "
        f"{EXEC_TIMEOUT_MAX_MS} ms, or run it in the background.",
        Stop.OUTPUT: f"Stopped: it said more than {EXEC_LOG_BYTES:,} bytes.",
        Stop.KILLED: "Stopped: it was killed on request.",
        Stop.CANCELLED: "Stopped: the call was cancelled.",
        Stop.CLOSED: "Stopped: its session or the server ended.",
    }
    notes = [] if ran.stopped is None else [said[ran.stopped]]
    if ran.signal:
        notes.append(f"Ended by {ran.signal} (exit code {ran.exit_code}).")
    elif ran.exit_code:
        notes.append(f"Exit code {ran.exit_code}.")
    if ran.report.violations:
        notes.append(f"The sandbox refused or put back: {', '.join(ran.report.violations)}.")
    return notes


def poll_name(call: Call) -> str:
    """What this caller calls the tool that asks about commands; empty when it has no word for it."""
    known = call.words.known
    return next((name for name in POLL if known is None or name in known), "") if known else POLL[1]


_HELD = ("Read-only file system", "Device or resource busy")


def _notes(told: Told, data: CommandData, both: Cut) -> list[str]:
    notes = [] if told.ran is None else ending_notes(told.ran, told.command.plan.timeout_s)
    poll = poll_name(told.call)
    if told.ran is None and poll:
        notes.append(f"Still running: {poll} with id={data.id} tells more, sends it input or kills it.")
    if both.left_out_bytes and told.kept is not None and poll:
        notes.append(
            f"Truncated: {both.left_out_bytes:,} of {told.command.output.both.size_bytes:,} bytes are left out; "
            f"continue with {poll}, id={data.id} and cursor={data.next_cursor}."
        )
    if data.exit_code and any(said in data.stderr for said in _HELD):
        notes.append(
            "The sandbox keeps what is outside the workspace, and settings that programs run by (.git/config, .git/hooks,"
            " editor and agent settings), read-only."
        )
    if data.truncated and told.ran is not None and data.output is UNSET:
        notes.append("The whole output could not be kept: what is left out is lost.")
    return notes


def _mark(part: Cut) -> str:
    lines = "1 line" if part.left_out_lines == 1 else f"{part.left_out_lines:,} lines"
    return f"{part.left_out_bytes:,} bytes in {lines} left out"
