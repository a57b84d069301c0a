"""`toolpost tools`: what is on the bench, for people or in any contract's own listing."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from toolpost.cli import options, show
from toolpost.cli.exits import Exit
from toolpost.cli.options import Shared

if TYPE_CHECKING:
    from toolpost.config.load import Settings
    from toolpost.define import Tool


EXAMPLES = options.examples(
    "toolpost --tools weather.py tools",
    "toolpost --tools weather.py tools forecast",
    "toolpost --tools weather.py tools --as mcp",
    "toolpost --tools weather.py tools --form anthropic",
)


class Asked(Struct, frozen=True, kw_only=True):
    name: str | None
    dialect: str | None
    form: str | None
    as_json: bool
    tool_files: tuple[str, ...]


@click.command("tools", epilog=EXAMPLES)
@click.argument("name", required=False)
@options.with_dialect
@options.with_json
@options.with_tools
@click.pass_obj
def command(shared: Shared, /, **given: Any) -> int:
    """List the tools, or show one.

    On a terminal a table; in a pipe, or with --json, JSON. With --as, exactly what that contract
    announces to its clients.
    """
    from toolpost.cli import settings, workbench

    asked = Asked(**given)
    name = options.spoken(asked.dialect, asked.form)
    settled = settings.settled()
    bench = workbench.bench(settled, workbench.files(shared, asked.tool_files))
    try:
        if name:
            _announce(name, asked, bench.tools, settled)
        elif asked.name:
            _one(workbench.tool_named(asked.name, bench.tools), as_json=asked.as_json)
        else:
            _all(bench.tools, as_json=asked.as_json)
    finally:
        bench.close()
    return Exit.OK


def _announce(name: str, asked: Asked, tools: "Sequence[Tool]", settled: "Settings") -> None:
    """The contract's listing, of all tools or of the one that goes by our name or by the contract's."""
    from toolpost.cli import workbench

    dialect = workbench.dialect(name, asked.form, tools, settled)
    if asked.name:
        word = dialect.vocabulary.word(asked.name)
        tool = workbench.tool_named(word.tool if word else asked.name, tools)
        dialect = workbench.dialect(name, asked.form, [tool], settled)
    show.as_json(dialect.describe())


def _all(tools: "Sequence[Tool]", *, as_json: bool) -> None:
    from toolpost.cli import workbench

    if not tools:
        show.note("There are no tools yet.")
        show.step(workbench.HOW_TO_ADD)
    if as_json:
        show.as_json([facts(tool) for tool in tools])
    elif tools:
        show.table(("name", "effects", "location", "source", "description"), [_row(tool) for tool in tools])


def _row(tool: "Tool") -> tuple[str, ...]:
    effects = ", ".join(sorted(tool.effects)) or "none"
    first = tool.description.strip().split("\n", 1)[0]
    return tool.name, effects, tool.location, tool.source, first


def _one(tool: "Tool", *, as_json: bool) -> None:
    from toolpost.cli import arguments

    if as_json:
        show.as_json(facts(tool))
        return
    show.out(show.clean(f"{tool.name} {tool.version}\n\n{tool.description}\n"))
    rows = [("effects", _row(tool)[1]), ("location", tool.location), ("source", tool.source)]
    show.table(("", ""), [*rows, ("tags", ", ".join(tool.tags) or "none")])
    parameters = arguments.flat(tool.input_schema).get("properties", {})
    if parameters:
        show.out("")
        needed = tool.input_schema.get("required", [])
        show.table(
            ("parameter", "type", "needed", "description"),
            [_parameter(name, part, needed) for name, part in parameters.items()],
        )
    for example in tool.examples:
        show.out(show.clean(f"\n{example.name}: {example.description}".rstrip(": ")))
        show.as_json(example.input)


def _parameter(name: str, part: Any, needed: list[str]) -> tuple[str, ...]:
    said = str(part.get("description", "")) if isinstance(part, dict) else ""
    return name, _kind(part), "yes" if name in needed else "no", said


def _kind(part: Any) -> str:
    """What a value may be: the members of a choice, else its types."""
    from toolpost.dialects import say

    if not isinstance(part, dict):
        return "any"
    members = [part["const"]] if "const" in part else part.get("enum")
    if isinstance(members, list):
        return "one of " + ", ".join(say.as_text(member) for member in members)
    kinds = part.get("type", [])
    found = [kinds] if isinstance(kinds, str) else list(kinds)
    branches = [*part.get("anyOf", ()), *part.get("oneOf", ())]
    return " or ".join(dict.fromkeys(found or map(_kind, branches))) or "any"


def facts(tool: "Tool") -> dict[str, Any]:
    """A tool in our own words, as JSON."""
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "version": tool.version,
        "effects": sorted(tool.effects),
        "location": tool.location,
        "source": tool.source,
        "scopes": list(tool.scopes),
        "tags": list(tool.tags),
        "input_schema": tool.input_schema,
        "output_schema": tool.output_schema,
        "examples": [{"name": example.name, "input": example.input} for example in tool.examples],
    }
