"""Writes docs/reference from the code, so that the two cannot differ. Run by scripts/docs."""

import inspect
import re
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from types import ModuleType

import click

from toolpost import dialects, limits
from toolpost.cli.main import cli
from toolpost.config import toml_text
from toolpost.config.model import BUDGETS, KEYS, Config
from toolpost.dialects.vocabulary import PLAIN_NAME
from toolpost.errors import ToolError, every_error
from toolpost.index import limits as index_limits

HERE = Path(__file__).parent / "reference"
NOTE = "<!-- Written by docs/reference.py from the code: change it there. -->\n"


LIMIT = re.compile(r"^(?P<name>[A-Z][A-Z0-9_]+) = (?:\(\n)?[^#\n]*(?:#\s*(?P<why>.*))?$", re.MULTILINE)


def pages() -> dict[str, str]:
    return {
        "errors.md": errors(),
        "commands.md": commands(),
        "settings.md": settings(),
        "limits.md": limit_table(),
        "tools.md": standard_tools(),
    }


def errors() -> str:
    lines = ["# Errors", "", "`toolpost explain CODE` says the same. Codes are never translated.", ""]
    for error in every_error():
        if error.__module__.startswith("toolpost.errors") and "code" in vars(error):
            lines += error_section(error)
    return "\n".join(lines)


def error_section(error: type[ToolError]) -> list[str]:
    problem = error().problem()
    retry = "can help" if error.retryable else "does not help"
    return [
        f"## {error.code}",
        "",
        f"**{error.title}.** {inspect.getdoc(error)}",
        "",
        f"{error.fix} Trying again {retry}.",
        "",
        f"`{error.__name__}` · type `{error.slug}` · HTTP {problem.http_status}",
        "",
    ]


def commands() -> str:
    lines = ["# Commands", ""]
    for name, command in walk(cli, "toolpost"):
        context = click.Context(command, info_name=name, help_option_names=["-h", "--help"])
        lines += [f"## {name}", "", "```text", command.get_help(context), "```", ""]
    return "\n".join(lines)


def walk(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            if found is not None:
                yield from walk(found, f"{name} {inner}")


def settings() -> str:
    fresh = Config()
    rows = [
        f"| `{name}` | {cell(toml_text.written(attrgetter(name)(fresh)))} | {cell(key.help)} |"
        for name, key in KEYS.items()
    ]
    rows += [
        f"| `{budget}.{unit}` | {amount} | Units one of them may use. |"
        for budget in BUDGETS
        for unit, amount in attrgetter(budget)(fresh).items()
    ]
    head = ["# Settings", "", "`toolpost config show` prints each with where it came from.", ""]
    return "\n".join([*head, "| setting | default | what it says |", "|---|---|---|", *rows, ""])


def limit_table() -> str:
    rows = [row for module in (limits, index_limits) for row in limit_rows(module)]
    return "\n".join(["# Limits", "", "| limit | value | source |", "|---|---|---|", *rows, ""])


def limit_rows(module: ModuleType) -> Iterator[str]:
    """A number's reason is the comment behind it, also where the formatter broke the line before it."""
    for found in LIMIT.finditer(inspect.getsource(module)):
        value = getattr(module, found["name"])
        shown = f"{value:,}" if isinstance(value, int | float) else str(value)
        yield f"| `{found['name']}` | {shown} | {cell(found['why'] or '')} |"


def standard_tools() -> str:
    names = [name for name in dialects.NAMES if name != "functions"]
    head = "| tool | " + " | ".join(names) + " |"
    rows = [f"| `{tool}` | " + " | ".join(said(tool, name) for name in names) + " |" for tool in PLAIN_NAME]
    text = [
        "# Standard tools",
        "",
        "One tool stands behind every contract's word for it. `functions` says what `mcp` says.",
        "",
        head,
        "|---|" + "---|" * len(names),
        *rows,
        "",
    ]
    return "\n".join(text)


def said(tool: str, dialect: str) -> str:
    return ", ".join(f"`{word.says}`" for word in dialects.load(dialect).WORDS if word.tool == tool)


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def main() -> None:
    HERE.mkdir(exist_ok=True)
    for name, text in pages().items():
        (HERE / name).write_text(NOTE + text, encoding="utf-8")


if __name__ == "__main__":
    main()
