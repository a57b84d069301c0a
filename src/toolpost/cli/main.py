"""The entry point: finds the command, and turns whatever stops it into one line and an exit code."""

import asyncio
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path

import click

from toolpost.cli import exits, show
from toolpost.cli.exits import Exit
from toolpost.cli.options import Shared, examples, with_tools
from toolpost.cli.trouble import Trouble, Unheard
from toolpost.config.model import ConfigError
from toolpost.version import __version__

COMMANDS = {  # name -> module:attribute, in the order they are shown
    "tools": "tools:command",
    "call": "call:command",
    "search": "search:command",
    "outline": "outline:command",
    "index": "index:group",
    "lint": "lint:command",
    "explain": "explain:command",
    "atdf": "atdf:group",
    "config": "config:group",
    "permissions": "permissions:group",
    "trust": "trust:command",
    "untrust": "trust:untrust",
    "undo": "undo:command",
    "report": "report:command",
    "doctor": "doctor:command",
    "completion": "completion:command",
}


class Lazy(click.Group):
    """A group whose commands are imported when they are named."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"toolpost.cli.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise _unknown(args[0])
        return super().resolve_command(ctx, args)


def _unknown(name: str) -> Trouble:
    from toolpost import suggest

    near = suggest.nearest(name, COMMANDS, most=1)
    return Trouble(
        f"There is no command {name!r}.", f"toolpost {near[0]}" if near else "toolpost --help lists them."
    )


EXAMPLES = examples(
    "toolpost --tools weather.py tools",
    "toolpost --tools weather.py call forecast city=Lisbon days=3",
    "toolpost --tools weather.py tools --as mcp",
    "toolpost search 'class \\w+Error' src",
    "toolpost index query exports Button",
    "toolpost lint weather.py",
    "toolpost explain NEEDS_APPROVAL",
)


@click.group(
    cls=Lazy,
    epilog=f"{EXAMPLES}\n\n{exits.TABLE}",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "--version", prog_name="toolpost", message="%(prog)s %(version)s")
@with_tools
@click.pass_context
def cli(ctx: click.Context, tool_files: tuple[str, ...]) -> None:
    """One well-kept tool layer for AI agents.

    Every tool in one place, every call in the caller's own contract.
    """
    ctx.obj = Shared(tool_files)


def main(args: Sequence[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a strange character is no reason to stop
    try:
        code = cli.main(args, prog_name="toolpost", standalone_mode=False)
    except Unheard as error:
        code = _unheard(error.why)
    except (KeyboardInterrupt, click.Abort, asyncio.CancelledError):
        code = Exit.INTERRUPTED
    except click.ClickException as error:
        code = _misused(error)
    except Trouble as error:
        show.trouble(error.message, error.next_step)
        code = error.code
    except ConfigError as error:
        code = _unsettled(error)
    return code if isinstance(code, int) else Exit.OK


def _unheard(why: OSError) -> int:
    """What is still buffered is let go, or it would be tried once more at the very end."""
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    if isinstance(why, BrokenPipeError):
        return Exit.PIPE_CLOSED
    show.trouble(f"The output cannot be written: {why.strerror}.", "Free some space, or write elsewhere.")
    return Exit.FAILED


def _misused(error: click.ClickException) -> int:
    context = getattr(error, "ctx", None)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        show.err(error.format_message())
        return Exit.USAGE
    show.trouble(error.format_message(), f"{context.command_path} --help" if context else "")
    return Exit.USAGE


def _unsettled(error: ConfigError) -> int:
    from toolpost import redact

    where = f"{error.where}: " if error.where else ""
    show.trouble(redact.text(f"{where}{error.message}"), error.fix)
    return Exit.USAGE
