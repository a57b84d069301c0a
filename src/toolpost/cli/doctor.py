"""`toolpost doctor`: whether everything this installation needs is in order, and what to do if not."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolpost.cli import options, show
from toolpost.cli.check import Check, can_hold
from toolpost.cli.exits import Exit
from toolpost.cli.options import Shared

if TYPE_CHECKING:
    from toolpost.config.load import Settings
    from toolpost.route.plugins import Plugin

OLDEST_PYTHON = (3, 11)
OPTIONAL = {"node": "servers written in JavaScript", "npm": "servers from npm"}


@click.command("doctor")
@options.with_json
@options.with_tools
@click.pass_obj
def command(shared: Shared, *, as_json: bool, tool_files: tuple[str, ...]) -> int:
    """Check this installation.

    Python, settings, plugins, the record, the roots of the workspace and how their paths are held, git,
    what can be undone, metrics, the index, dialects, programs on PATH; each with the next step. A GitHub root is
    asked over the network. Exits 1 when something fails; a warning alone does not.
    """
    checks = list(_checks((*shared.tool_files, *tool_files)))
    if as_json:
        show.as_json(checks)
    else:
        rows = [(check.state, check.what, check.found, check.next_step) for check in checks]
        show.table(("state", "what", "found", "next"), rows)
    return Exit.FAILED if any(check.state == "fail" for check in checks) else Exit.OK


def _checks(files: tuple[str, ...]) -> Iterator[Check]:
    yield _python()
    yield _install()
    yield from _settled(files)
    yield _dialects()
    yield from _programs()


def _python() -> Check:
    version = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info[:2] < OLDEST_PYTHON:
        return Check("fail", "python", version, "Install Python 3.11 or later.")
    return Check("ok", "python", f"{version} at {sys.executable}")


def _install() -> Check:
    from toolpost.version import __version__

    place = Path(__file__).resolve().parents[1]
    if shutil.which("toolpost") is None:
        step = f"Add the folder of the `toolpost` script to PATH: {Path(sys.executable).parent}"
        return Check("warn", "toolpost", f"{__version__} at {place}", step)
    return Check("ok", "toolpost", f"{__version__} at {place}")


def _settled(files: tuple[str, ...]) -> Iterator[Check]:
    """Everything that hangs on the settings; when they cannot be read, that is the one thing to say."""
    from toolpost.cli import doctor_sandbox, doctor_workspace, settings
    from toolpost.config.model import ConfigError

    try:
        settled = settings.settled()
    except ConfigError as error:
        yield Check("fail", "settings", f"{error.where}: {error.message}", error.fix)
        return
    yield from _settings(settled)
    yield from _plugins(settled, files)
    yield _record(settled)
    yield from doctor_sandbox.checks(settled)
    yield from doctor_workspace.checks(settled)


def _settings(settled: "Settings") -> Iterator[Check]:
    for name, path in settled.files:
        there = path is not None and path.is_file()
        yield Check("ok", name, str(path) if there else "none")
    for setting in settled.values.values():
        if setting.origin.layer != "default":
            yield Check("ok", setting.key, f"from {setting.origin}")
    for text in settled.notes:
        yield Check("warn", "settings", text, "Take it out, or set it in your own file.")


def _plugins(settled: "Settings", files: tuple[str, ...]) -> Iterator[Check]:
    from toolpost.cli import workbench

    gathered = workbench.gather(settled, files)
    for text, step in gathered.notes:
        yield Check("fail", "trust", text, step)
    for plugin in gathered.found:
        yield _plugin(plugin, when_broken="warn")
    for plugin in gathered.named:
        yield _plugin(plugin, when_broken="fail")
    if not gathered.found and not gathered.named:
        yield Check("ok", "plugins", "none", workbench.HOW_TO_ADD)


def _plugin(plugin: "Plugin", when_broken: str) -> Check:
    from toolpost.cli import workbench

    if plugin.error:
        found = f"{plugin.where} {plugin.state}: {plugin.error}"
        return Check(when_broken, "plugin", found, workbench.next_step(plugin))
    return Check("ok", "plugin", f"{plugin.where}: {len(plugin.tools)} tools")


def _record(settled: "Settings") -> Check:
    """Whether calls could be recorded, without making the file."""
    path = Path(settled.config.record)
    if not settled.config.record:
        return Check("ok", "record", "off", "toolpost config set record FILE.jsonl")
    is_fit = path.is_file() and os.access(path, os.W_OK) if path.exists() else can_hold(path.parent)
    if is_fit:
        return Check("ok", "record", str(path))
    step = f"Make it writable, or set another; it came from {settled.values['record'].origin}."
    return Check("fail", "record", f"{path} cannot be written", step)


def _dialects() -> Check:
    from toolpost.dialects import NAMES, load

    for name in NAMES:
        load(name)([]).describe()
    return Check("ok", "dialects", ", ".join(NAMES))


def _programs() -> Iterator[Check]:
    for name, purpose in OPTIONAL.items():
        place = shutil.which(name)
        if place:
            yield Check("ok", name, place)
        else:
            yield Check("warn", name, "not on PATH", f"Install it if you want {purpose}.")
