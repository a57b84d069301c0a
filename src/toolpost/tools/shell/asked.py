"""What a caller may say about a command, in our words and in those of other agents."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from toolpost.errors import InvalidArgument, MissingParameter
from toolpost.limits import (
    EXEC_ARGV_MAX,
    EXEC_ENV_MAX,
    EXEC_LINE_BYTES,
    EXEC_OUTPUT_BYTES,
    EXEC_OUTPUT_MAX,
    EXEC_STDIN_BYTES,
    EXEC_TIMEOUT_DEFAULT_MS,
    EXEC_TIMEOUT_MAX_MS,
    EXEC_WAIT_MAX_MS,
    EXEC_WAIT_MS,
)
from toolpost.tools.json_text import parsed

_Lines = Annotated[int, Meta(ge=0)]
_Ms = Annotated[int, Meta(ge=1, le=EXEC_TIMEOUT_MAX_MS)]
_Words = Annotated[list[str], Meta(min_length=1, max_length=EXEC_ARGV_MAX)]
_Few = Annotated[list[str], Meta(max_length=EXEC_ENV_MAX)]
_Variables = Annotated[dict[str, str], Meta(max_length=EXEC_ENV_MAX)]
_Bytes = Annotated[int, Meta(description="Most bytes of output to show.", ge=1, le=EXEC_OUTPUT_MAX)]


class Needs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a command needs beyond the workspace; saying so grants nothing."""

    hosts: Annotated[_Few, Meta(description="Hosts it must reach, such as pypi.org.")] = []
    write: Annotated[_Few, Meta(description="Paths outside the workspace it must write to.")] = []


NOTHING = Needs()


class RunCommand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    command: Annotated[str | None, Meta(description="A line for the shell, such as npm test.")] = None
    argv: Annotated[
        _Words | None, Meta(description="The program and its arguments, without a shell; instead of command.")
    ] = None
    cwd: Annotated[str, Meta(description="Folder to run it in; the workspace root if left out.")] = ""
    timeout_ms: Annotated[
        _Ms | None,
        Meta(
            description=f"After so long it is stopped; {EXEC_TIMEOUT_DEFAULT_MS} if left out, unless in the background."
        ),
    ] = None
    env: Annotated[_Variables, Meta(description="More environment variables.")] = {}
    background: Annotated[
        bool, Meta(description="Do not wait for its end; the answer has an id to ask about it.")
    ] = False
    yield_ms: Annotated[_Ms | None, Meta(description="Wait so long; then it goes on in the background.")] = (
        None
    )
    head_lines: Annotated[_Lines | None, Meta(description="Show the first lines only.")] = None
    tail_lines: Annotated[_Lines | None, Meta(description="Show the last lines only.")] = None
    max_output_bytes: _Bytes = EXEC_OUTPUT_BYTES
    dry_run: Annotated[
        bool, Meta(description="Change nothing; show as a diff what the command would change.")
    ] = False
    terminal: Annotated[bool, Meta(description="Give it a terminal instead of pipes.")] = False
    needs: Annotated[
        Needs | None, Meta(description="What it needs beyond the workspace, for the user to decide on.")
    ] = None
    reason: Annotated[str | None, Meta(description="Why it is run, for the user.")] = None


class CommandOutput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: Annotated[str, Meta(description="The id of the command, as the answer that ran it says.")]
    cursor: Annotated[
        Annotated[int, Meta(ge=0)] | UnsetType,
        Meta(description="Byte to go on from; where the last answer ended if left out."),
    ] = UNSET
    stdin: Annotated[str | None, Meta(description="Text to send to its standard input.")] = None
    end_stdin: Annotated[bool, Meta(description="Close its standard input, after stdin.")] = False
    kill: Annotated[bool, Meta(description="End it and all it started.")] = False
    wait_ms: Annotated[
        int, Meta(description="Wait so long for new output or its end.", ge=0, le=EXEC_WAIT_MAX_MS)
    ] = EXEC_WAIT_MS
    max_output_bytes: _Bytes = EXEC_OUTPUT_BYTES


_SHARED = {"maxOutputBytes": "max_output_bytes", "max_bytes": "max_output_bytes"}
RUN_ALIASES = {
    **_SHARED,
    "cmd": "command",
    "cd": "cwd",
    "workdir": "cwd",
    "dir_path": "cwd",
    "directory": "cwd",
    "working_directory": "cwd",
    "timeoutMs": "timeout_ms",
    "timeout": "timeout_ms",
    "run_in_background": "background",
    "is_background": "background",
    "yield_time_ms": "yield_ms",
    "yieldMs": "yield_ms",
    "headLines": "head_lines",
    "tailLines": "tail_lines",
    "dryRun": "dry_run",
    "tty": "terminal",
    "description": "reason",
    "justification": "reason",
}
OUTPUT_ALIASES = {
    **_SHARED,
    "session_id": "id",
    "shell_id": "id",
    "chars": "stdin",
    "yield_time_ms": "wait_ms",
    "waitMs": "wait_ms",
}


def ease(args: dict[str, Any]) -> dict[str, Any]:
    """A list in `command` is an argv; lists and objects may come as JSON text."""
    eased = {name: parsed(value) if name in _NOT_TEXT else value for name, value in args.items()}
    if isinstance(eased.get("command"), list) and "argv" not in eased:
        eased["argv"] = eased.pop("command")
    return eased


_NOT_TEXT = {"argv", "env", "needs"}


def check(asked: RunCommand) -> None:
    """What no schema says: one form of the command, and nothing that a program cannot be given."""
    if asked.command is not None and asked.argv is not None:
        raise InvalidArgument("command and argv were both given: send one of them.", parameter="argv")
    if asked.command is None and asked.argv is None:
        raise MissingParameter("command is missing: send a line such as npm test.", parameter="command")
    name = "command" if asked.argv is None else "argv"
    words = asked.argv if asked.argv is not None else [asked.command or ""]
    if not words[0].strip():
        raise InvalidArgument(f"{name} is empty: name a program to run.", parameter=name)
    for word in words:
        check_word(word, name, EXEC_LINE_BYTES)


def check_word(word: str, parameter: str, most_bytes: int) -> None:
    if "\0" in word:
        raise InvalidArgument(f"{parameter} holds a NUL, which no program can be given.", parameter=parameter)
    try:
        size = len(word.encode())
    except UnicodeEncodeError:
        said = f"{parameter} holds half of a surrogate pair, which is no character."
        raise InvalidArgument(said, parameter=parameter) from None
    if size > most_bytes:
        raise InvalidArgument(
            f"{parameter} has {size:,} bytes; one argument has at most {most_bytes:,}. Write a file and run that.",
            parameter=parameter,
            limit=most_bytes,
        )


def check_input(text: str) -> bytes:
    data = text.encode(errors="surrogatepass")
    if len(data) > EXEC_STDIN_BYTES:
        raise InvalidArgument(
            f"stdin has {len(data):,} bytes; at most {EXEC_STDIN_BYTES:,} are sent at once.",
            parameter="stdin",
            limit=EXEC_STDIN_BYTES,
        )
    return data


def of(args: Mapping[str, Any]) -> RunCommand:
    """Checked arguments that are not yet a struct, as a gate has them."""
    needs = args.get("needs")
    known = {name: args[name] for name in ("command", "argv", "cwd", "env") if args.get(name) is not None}
    return RunCommand(**known, needs=Needs(**needs) if isinstance(needs, Mapping) else needs)
