"""apps.find, apps.launch and audio.release_mic: the desktop of the user whose machine this is."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct

from toolpost.atom import Atom, Command, Kind, Touch
from toolpost.call import Call
from toolpost.content import Text
from toolpost.define import Example, Output, Tool, from_function
from toolpost.desktop.apps.application import Application
from toolpost.desktop.apps.exec_line import takes
from toolpost.desktop.ground import DesktopGround
from toolpost.errors import FileNotFound, InvalidArgument, NotConfigured, NotFound
from toolpost.limits import APP_FILES, APP_NAME_CHARS, APPS_NEAREST, PATH_BYTES, SEARCH_DEFAULT, SEARCH_MAX
from toolpost.schema import schema_of
from toolpost.suggest import nearest
from toolpost.tools import microphone
from toolpost.tools.oneline import one_line

_ADDRESSES = ("http://", "https://")
_NO_DISPLAY = (
    "There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set): what has windows ends at once."
)


class FindApps(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Annotated[
        str,
        Meta(
            description="What it is called, or a part of it: firefox, calc, text editor.",
            min_length=1,
            max_length=APP_NAME_CHARS,
        ),
    ]
    limit: Annotated[int, Meta(description="Most applications to give.", ge=1, le=SEARCH_MAX)] = (
        SEARCH_DEFAULT
    )


class AppData(Struct, frozen=True, kw_only=True):
    name: str
    id: str
    path: str
    """What it is launched by; so is its id."""
    exec: str
    source: str
    description: str


class AppsFound(Struct, frozen=True, kw_only=True):
    applications: list[AppData]
    count: int
    truncated: bool
    nearest: list[str]
    """Names that are written alike; only where nothing is found."""


class LaunchApp(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: Annotated[
        str,
        Meta(
            description="The path or id of an installed application, as the search for applications tells it.",
            min_length=1,
            max_length=PATH_BYTES,
        ),
    ]
    files: Annotated[
        list[str],
        Meta(
            description="Files, by absolute paths, or web addresses to open with it, where it takes any.",
            max_length=APP_FILES,
        ),
    ] = []


class Launched(Struct, frozen=True, kw_only=True):
    pid: int
    name: str
    id: str
    path: str
    exec: str


def tools(ground: DesktopGround) -> tuple[Tool, ...]:
    return (_find_tool(ground), _launch_tool(ground), microphone.release_tool(ground))


def _find_tool(ground: DesktopGround) -> Tool:
    def find_apps(asked: FindApps, call: Call) -> Output:
        return find(ground, asked, call)

    return from_function(
        find_apps,
        name="apps.find",
        title="Find applications",
        description=(
            "Find applications that are installed on this machine, by name: those of the desktop's menu, and programs "
            "on the search path; the likeliest first. Each can be launched by its path or id."
        ),
        output_schema=schema_of(AppsFound),
        effects=("read",),
        tags=("desktop", "search"),
        examples=(
            Example("by name", {"name": "Firefox"}),
            Example("by what it is", {"name": "text editor", "limit": 5}),
        ),
        codes={"limit:maximum": "LIMIT_EXCEEDED"},
        aliases={"query": "name", "app": "name", "application": "name"},
        idempotent=True,
        source="toolpost",
    )


def find(ground: DesktopGround, asked: FindApps, call: Call) -> Output:
    found = ground.installed.find(asked.name)
    shown = AppsFound(
        applications=[_told(one) for one in found[: asked.limit]],
        count=min(len(found), asked.limit),
        truncated=len(found) > asked.limit,
        nearest=[] if found else _nearest(ground, asked.name),
    )
    lines = [_line(one) for one in shown.applications] or [_nothing(asked.name, shown.nearest)]
    more = len(found) - asked.limit
    notes = (f"{more} more: raise {call.said('limit')}, or name it more exactly.",) if shown.truncated else ()
    return Output(content=(Text("\n".join([*lines, *notes])),), data=shown, notes=notes)


def _told(one: Application) -> AppData:
    return AppData(
        name=one.name,
        id=one.id,
        path=one.path,
        exec=one.exec,
        source=one.source,
        description=one.description,
    )


def _line(one: AppData) -> str:
    said = f": {one.description}" if one.description else ""
    return one_line(f"{one.name} ({one.path}){said}")


def _nearest(ground: DesktopGround, name: str) -> list[str]:
    return nearest(name, (one.name for one in ground.installed.every()), most=APPS_NEAREST)


def _nothing(name: str, near: list[str]) -> str:
    alike = f" Alike are: {', '.join(map(one_line, near))}." if near else ""
    return f"No application goes by {one_line(name)}.{alike}"


def _launch_tool(ground: DesktopGround) -> Tool:
    def launch_app(asked: LaunchApp, call: Call) -> Output:
        return launch(ground, asked, call)

    def touches(args: Mapping[str, Any]) -> Iterator[Touch]:
        return touched(ground, args)

    return from_function(
        launch_app,
        name="apps.launch",
        title="Launch an application",
        description=(
            "Start an installed application and leave it running. Only those that the search for applications finds, "
            "and without arguments but the files it is to open. Answers with the number of its process."
        ),
        output_schema=schema_of(Launched),
        effects=("launch",),
        tags=("desktop",),
        examples=(
            Example("by id", {"path": "org.mozilla.firefox.desktop"}),
            Example("by path", {"path": "/usr/share/applications/org.gnome.Calculator.desktop"}),
        ),
        aliases={"id": "path", "app": "path", "application": "path", "executable": "path"},
        touches=touches,
        idempotent=False,
        source="toolpost",
    )


def touched(ground: DesktopGround, args: Mapping[str, Any]) -> Iterator[Touch]:
    """The program as a command, so that rules about commands hold for it, and the files it would read."""
    given, files = str(args["path"]), tuple(map(str, args.get("files") or ()))
    known = ground.installed.known(given)
    argv = known.argv(files) if known is not None else (given, *files)
    if argv:
        yield Command(argv=argv, cwd=ground.home)
    for file in files:
        if file.startswith(_ADDRESSES):
            yield Atom(kind=Kind.NET, target=file)
        elif "\0" not in file:
            for path in dict.fromkeys((os.path.normpath(file), os.path.realpath(file))):
                yield Atom(kind=Kind.READ, target=path)


def launch(ground: DesktopGround, asked: LaunchApp, call: Call) -> Output:
    if ground.platform == "win32":
        raise NotConfigured("Applications can be found on Windows, but not launched yet; ask the user to.")
    one = _one(ground, asked.path, call)
    files = tuple(asked.files)
    _check(one, files, call)
    pid = ground.start(one, files)
    launched = Launched(pid=pid, name=one.name, id=one.id, path=one.path, exec=one.exec)
    notes = () if ground.has_display else (_NO_DISPLAY,)
    said = one_line(f"{one.name} was launched: process {pid}.")
    return Output(content=(Text("\n".join([said, *notes])),), data=launched, notes=notes)


def _one(ground: DesktopGround, given: str, call: Call) -> Application:
    found = ground.installed.named(given)
    if len(found) > 1:
        raise InvalidArgument(
            f"Several applications start this program: give the id of one as {call.said('path')}.",
            parameter="path",
            suggested=found[0].id,
            ids=[one.id for one in found],
        )
    if found:
        return found[0]
    wanted = given.rpartition("/")[2].removesuffix(".desktop")
    near = [one.id for one in ground.installed.find(wanted)[:APPS_NEAREST]] or _nearest(ground, wanted)
    raise NotFound(
        f"No installed application has this path or id; only one that is found by name can be launched: {given}",
        parameter="path",
        suggested=near[0] if near else UNSET,
        nearest=near,
    )


def _check(one: Application, files: tuple[str, ...], call: Call) -> None:
    if not one.words:
        raise InvalidArgument(
            f"{one.name} has no command of its own and is started through D-Bus; ask the user to open it.",
            parameter="path",
        )
    if one.is_terminal:
        raise InvalidArgument(
            f"{one.name} has no window, but talks with its user in a terminal: run `{one.exec}` with the tool that "
            "runs commands, or ask the user to open it.",
            parameter="path",
        )
    may = takes(one.words)
    if may.most is not None and len(files) > may.most:
        most = "one file" if may.most else "no files"
        raise InvalidArgument(
            f"{one.name} takes {most}: give fewer {call.said('files')}.", parameter="files", limit=may.most
        )
    for index, file in enumerate(files):
        _check_file(file, f"files[{index}]", addresses=may.addresses)


def _check_file(file: str, parameter: str, *, addresses: bool) -> None:
    if file.startswith(_ADDRESSES) and addresses and "\0" not in file:
        return
    if not file.startswith("/") or "\0" in file:  # what begins with a dash would be an option
        raise InvalidArgument(
            f"Give a file by its absolute path{', or a web address' if addresses else ''}: {file!r}",
            parameter=parameter,
        )
    if not Path(file).exists():
        raise FileNotFound(f"File not found: {file}", parameter=parameter)
