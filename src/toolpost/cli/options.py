"""Options that several commands share, and what the whole command line was given."""

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click
from msgspec import Struct

Command = TypeVar("Command", bound=Callable[..., Any])

DIALECTS = ("agents", "superconnect", "sandra", "atdf", "acp", "mcp", "functions")
FORMS = ("openai", "openai-responses", "anthropic")


class Shared(Struct, frozen=True):
    """What stood before the command's name."""

    tool_files: tuple[str, ...] = ()


def with_tools(command: Command) -> Command:
    return click.option(
        "--tools",
        "tool_files",
        multiple=True,
        metavar="FILE",
        help="Load tools from this Python file; repeatable. The file is executed.",
    )(command)


def with_dialect(command: Command) -> Command:
    spoken = click.option(
        "--as", "dialect", type=click.Choice(DIALECTS), help="Speak this contract: its names, its shapes."
    )
    form = click.option(
        "--form", type=click.Choice(FORMS), help="Which function-calling API; means --as functions."
    )
    return spoken(form(command))


def examples(*lines: str) -> str:
    """The end of a help page; the mark keeps its lines as they are."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def with_json(command: Command) -> Command:
    """`as_json`: what was asked for, else JSON in a pipe and a table for people on a terminal."""
    return click.option(
        "--json/--text",
        "as_json",
        default=None,
        callback=lambda _context, _option, given: not sys.stdout.isatty() if given is None else given,
        help="JSON, as in a pipe, or text, as on a terminal.",
    )(command)


def config_keys(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """What a shell offers where a setting's key is wanted."""
    from toolpost.config.model import KEYS

    return [key for key in KEYS if key.startswith(begun)]


def spoken(dialect: str | None, form: str | None) -> str:
    """The dialect that the two options together name; empty for none."""
    if form and dialect not in {None, "functions"}:
        raise click.UsageError(f"--form belongs to --as functions, not to {dialect}.")
    return dialect or ("functions" if form else "")
