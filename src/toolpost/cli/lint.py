"""`toolpost lint`: what the tools of a file or module lack for a model to use them well."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolpost.cli import options, show
from toolpost.cli.exits import Exit
from toolpost.cli.settings import here
from toolpost.cli.trouble import Trouble

if TYPE_CHECKING:
    from toolpost.lint import Finding
    from toolpost.route.plugins import Plugin


EXAMPLES = options.examples(
    "toolpost lint weather.py",
    "toolpost lint my_package.tools:TOOLS --strict",
)


@click.command("lint", epilog=EXAMPLES)
@click.argument("target", metavar="FILE|MODULE")
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@options.with_json
def command(target: str, *, strict: bool, as_json: bool) -> int:
    """Check the tools of a Python FILE or an importable MODULE.

    Either is run to find its tools, and a MODULE is imported from the folder you are in before any other:
    lint only what you would run.

    Names, descriptions, parameters at every depth, examples against their own schema, effects, schemas.
    Exits 1 when there is an error; with --strict, also for a warning.
    """
    from toolpost.lint import Level

    found = _findings(_load(target))
    if as_json:
        show.as_json(found)
    else:
        _print(found)
    failing = {Level.ERROR, Level.WARNING} if strict else {Level.ERROR}
    return Exit.FAILED if any(finding.level in failing for finding in found) else Exit.OK


def _load(target: str) -> "Plugin":
    """A path if it looks like one; a module is also looked for where we are."""
    from toolpost.route import plugins

    path = Path(target).expanduser()
    with show.strangers_aside():
        if path.suffix == ".py" or "/" in target:
            plugin = plugins.file(path)
        else:
            sys.path.insert(0, str(here()))
            plugin = plugins.module(target)
    if plugin.state is plugins.State.MISSING:
        raise Trouble(f"There is no {target!r}: {plugin.error}.", plugin.fix, Exit.NOT_FOUND)
    return plugin


def _findings(plugin: "Plugin") -> "list[Finding]":
    from toolpost.lint import Finding, Level, lint

    if plugin.error:
        return [Finding(Level.ERROR, "not-loaded", plugin.where, plugin.error, plugin.fix)]
    if not plugin.tools:
        fix = "Decorate a function with @toolpost.tool."
        return [Finding(Level.WARNING, "no-tools", plugin.where, "It has no tools.", fix)]
    return [*_doubles(plugin), *(finding for tool in plugin.tools for finding in lint(tool))]


def _doubles(plugin: "Plugin") -> "list[Finding]":
    from toolpost.lint import Finding, Level

    names = [tool.name for tool in plugin.tools]
    return [
        Finding(Level.ERROR, "same-name", name, "Two tools have this name.", "Rename one of them.")
        for name in dict.fromkeys(names)
        if names.count(name) > 1
    ]


def _print(found: "list[Finding]") -> None:
    rows = [(one.level, one.where, one.code, f"{one.message} {one.fix}") for one in found]
    if rows:
        show.table(("level", "where", "code", "what to do"), rows)
    levels = [one.level for one in found]
    counts = ", ".join(f"{level}: {levels.count(level)}" for level in dict.fromkeys(levels))
    show.out(counts or "nothing to mend")
