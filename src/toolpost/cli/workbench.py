"""Builds the bench a command works at: settings, plugins, tools, and a word on whatever was left out."""

import shlex
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from toolpost.authorize.ask import Asker
from toolpost.authorize.gate import Rights
from toolpost.bench import Bench
from toolpost.cli import ground, show
from toolpost.cli.exits import Exit
from toolpost.cli.options import Shared
from toolpost.cli.settings import here, own_folder
from toolpost.cli.trouble import Trouble
from toolpost.config.load import Settings
from toolpost.config.places import project_folder
from toolpost.define import Tool
from toolpost.dialects import Dialect
from toolpost.dialects import load as load_dialect
from toolpost.dialects.superconnect import metric
from toolpost.errors import BadTool
from toolpost.record.metrics import Metrics
from toolpost.record.sinks import JsonlSink
from toolpost.route import plugins, trust
from toolpost.route.plugins import Plugin, State
from toolpost.sandbox.pick import Sandbox
from toolpost.workspace.workspace import Workspace

HOW_TO_ADD = (
    "Give a Python file with --tools FILE, install a package that brings tools, "
    "or put a file into .toolpost/tools/ and run: toolpost trust FILE"
)


def trust_file() -> Path:
    return own_folder() / trust.FILE


class Gathered(Struct, frozen=True):
    """Every plugin that was found; `named` are the files of --tools, which must work."""

    found: tuple[Plugin, ...]
    named: tuple[Plugin, ...]
    notes: tuple[tuple[str, str], ...] = ()


def gather(settled: Settings, named: Iterable[str]) -> Gathered:
    notes: list[tuple[str, str]] = []
    try:
        trusted = trust.read(trust_file())
    except trust.TrustError as error:
        trusted = trust.Store()
        notes.append((error.message, error.fix))
    with show.strangers_aside():
        found = (
            *plugins.installed(),
            *(plugins.file(Path(path)) for path in settled.config.tools),
            *plugins.project(project_folder(here()), trusted),
        )
        own = tuple(plugins.file(here() / Path(path).expanduser()) for path in named)
    return Gathered(found, own, tuple(notes))


def next_step(plugin: Plugin) -> str:
    if plugin.state in {State.UNTRUSTED, State.CHANGED}:
        return f"Read the file, then: toolpost trust {shlex.quote(plugin.where)}"
    return plugin.fix


class Desk(Struct, frozen=True):
    """What calls stand on here."""

    workspace: Workspace | None
    sandbox: Sandbox
    rights: Rights


def desk_of(settled: Settings) -> Desk:
    """Notes on what a policy says and does not count are told on the way."""
    from toolpost.cli import policies, rights, shell

    found = policies.layers()
    for text in (*found.notes, *found.warnings):
        show.note(text)
    workspace = ground.workspace(settled, found.rules) if settled.config.standard_tools == "on" else None
    box = shell.sandbox(settled)
    place = rights.scene(workspace, shell.level(box))
    return Desk(workspace, box, rights.rights(settled, found, place))


def bench(settled: Settings, named: Iterable[str], asker: Asker | None = None) -> Bench:
    """A bench with every tool that could be loaded. A broken file that was named is a trouble."""
    for text in settled.notes:
        show.note(text)
    gathered = gather(settled, named)
    for text, step in gathered.notes:
        show.note(text)
        show.step(step)
    desk = desk_of(settled)
    made = Bench(
        rights=desk.rights,
        asker=asker,
        limits=settled.config.limits,
        sinks=_sinks(settled),
        index_first=settled.config.workspace.index_first,
    )
    if desk.workspace is not None:
        _stock_standard(made, settled, desk, desk.workspace)
    for plugin in gathered.found:
        _stock(made, plugin)
    given: dict[str, str] = {}
    for plugin in gathered.named:
        _stock_named(made, plugin, given)
    return made


def _stock_standard(made: Bench, settled: Settings, desk: Desk, workspace: Workspace) -> None:
    from toolpost.cli import indexing, shell
    from toolpost.desktop.ground import DesktopGround
    from toolpost.tools.shell import kit
    from toolpost.tools.standard import standard

    made.own(workspace)
    indexes = indexing.indexes(settled)
    made.own(indexes)
    days = settled.config.workspace.undo_days
    running = shell.Running(ground.state() / "running")
    made.own(running)
    commands = shell.shell_ground(settled, workspace, desk.sandbox, desk.rights, running)
    made.own(commands.commands)
    desktop = DesktopGround(closed=desk.rights.scene.roots)
    files = standard(workspace, state=ground.state(), indexes=indexes, undo_days=days, desktop=desktop)
    for tool in (*files, *kit.tools(commands)):
        made.add(tool)
    folder = ground.metrics_folder(settled, workspace)
    if folder is not None:
        made.listen(Metrics(folder, metric))


def _sinks(settled: Settings) -> list[JsonlSink]:
    path = settled.config.record
    if not path:
        return []
    try:
        return [JsonlSink(Path(path))]
    except OSError as error:
        raise Trouble(
            f"The record {path} cannot be written: {error.strerror}.",
            f"It was set by {settled.values['record'].origin}; choose another file.",
        ) from None


def _stock(made: Bench, plugin: Plugin) -> None:
    if plugin.state is not State.LOADED:
        show.note(f"{plugin.where} was not loaded: {plugin.error}")
        show.step(next_step(plugin))
    for tool in plugin.tools:
        there = _of_that_name(made, tool)
        if there is not None:
            show.note(f"{tool.name} of {plugin.where} was left out: {there.source} has a tool of that name")
            show.step("Rename one of the two, or take one of the two sources away.")
            continue
        try:
            made.add(tool)
        except BadTool as error:
            show.note(f"{tool.name} of {plugin.where} was left out: {error.detail}")
            show.step(f"toolpost lint {shlex.quote(plugin.where)}")


def _of_that_name(made: Bench, tool: Tool) -> Tool | None:
    return next((there for there in made.tools if there.name == tool.name), None)


def _stock_named(made: Bench, plugin: Plugin, given: dict[str, str]) -> None:
    """What was named on the command line wins over what was found; `given` says by tool who named it."""
    if plugin.state is not State.LOADED:
        code = Exit.NOT_FOUND if plugin.state is State.MISSING else Exit.USAGE
        raise Trouble(f"{plugin.where} cannot be loaded: {plugin.error}", plugin.fix, code)
    if not plugin.tools:
        raise Trouble(f"{plugin.where} has no tools.", "Decorate a function with @toolpost.tool.")
    for tool in plugin.tools:
        _make_room(made, tool, plugin.where, given)
        given[tool.name] = plugin.where
        try:
            made.add(tool)
        except BadTool as error:
            raise Trouble(
                f"{tool.name} of {plugin.where} cannot be used: {error.detail}", error.fix
            ) from None


def _make_room(made: Bench, tool: Tool, where: str, given: dict[str, str]) -> None:
    there = _of_that_name(made, tool)
    if there is None:
        return
    if tool.name in given:
        raise Trouble(
            f"Both {given[tool.name]} and {where} have a tool named {tool.name}.",
            "Rename one of the two, or give only one of the files.",
        )
    made.remove(tool.name)
    if there.source != where:
        show.note(f"{tool.name} of {where}, given with --tools, stands in for the one of {there.source}")


def files(shared: Shared, own: tuple[str, ...]) -> tuple[str, ...]:
    """Each file once, wherever on the command line it was named."""
    return tuple(dict.fromkeys((*shared.tool_files, *own)))


def dialect(name: str, form: str | None, tools: Iterable[Tool], settled: Settings) -> Dialect:
    made = load_dialect(name)(tools, language=settled.config.language)
    if form:
        vars(made)["form"] = form
    if name == "atdf" and settled.config.errors_base:
        vars(made)["base"] = settled.config.errors_base
    return made


def tool_named(name: str, tools: Iterable[Tool]) -> Tool:
    """The tool, or the nearest name."""
    from toolpost import suggest

    known = {tool.name: tool for tool in tools}
    if name in known:
        return known[name]
    near = suggest.nearest(name, known, most=1)
    step = f"Did you mean {near[0]}?" if near else "toolpost tools lists those that exist."
    raise Trouble(f"There is no tool {name!r}.", step, Exit.NOT_FOUND)
