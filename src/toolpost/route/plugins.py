"""Tools that others bring: installed packages, files named by the user, files a project carries.

A file is read once, and the bytes that were judged are the bytes that run. What cannot be loaded is told
with the next step; it never takes the rest down.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from hashlib import sha256
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from msgspec import Struct, structs

from toolpost.define import Tool
from toolpost.limits import PLUGIN_BYTES
from toolpost.route.trust import Store

GROUP = "toolpost.tools"
FOLDER = "tools"


_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*(:[^\W\d]\w*(\.[^\W\d]\w*)*)?")


class _Absent(Exception):
    """The module that was named is not there."""


class State(StrEnum):
    LOADED = "loaded"
    BROKEN = "broken"
    MISSING = "missing"
    UNTRUSTED = "untrusted"
    CHANGED = "changed"


class Plugin(Struct, frozen=True, kw_only=True):
    """Where tools came from, and what came of it."""

    where: str
    state: State = State.LOADED
    tools: tuple[Tool, ...] = ()
    error: str = ""
    fix: str = ""


def installed(points: Iterable[EntryPoint] | None = None) -> list[Plugin]:
    """Every entry point of the group `toolpost.tools`, loaded."""
    found = entry_points(group=GROUP) if points is None else points
    return [_entry(point) for point in sorted(found, key=lambda point: point.name)]


def _entry(point: EntryPoint) -> Plugin:
    package = point.dist.name if point.dist else "a package"
    where = f"{package}:{point.name}"
    fix = f"Upgrade or remove {package}; its entry point {point.name} is {point.value}."
    return _attempt(where, lambda: _tools_of(point.load()), fix)


def file(path: Path) -> Plugin:
    """A file the user named."""
    where = str(path)
    try:
        data = _bytes(path)
    except FileNotFoundError:
        return _missing(where, "No such file or directory", f"Check the path: {where}")
    except OSError as error:
        return _broken(where, error.strerror or str(error), f"Check the path: {where}")
    return run(path, data)


def run(path: Path, data: bytes) -> Plugin:
    """Executes these bytes as the file of that path, whatever the disk says by now."""
    return _attempt(
        str(path), lambda: _tools_in(_module(path, data)), f"Mend the file, then: toolpost lint {path}"
    )


def project(folder: Path | None, trusted: Store) -> Iterator[Plugin]:
    """The files `.toolpost/tools/*.py` of a project: each runs only once its very bytes are trusted."""
    if folder is None:
        return
    for path in sorted((folder / FOLDER).glob("*.py")):
        yield _project_file(path, trusted)


def _project_file(path: Path, trusted: Store) -> Plugin:
    real = path.resolve()
    try:
        data = _bytes(real)
    except OSError as error:
        return _broken(str(path), error.strerror or str(error), f"Mend or remove {path}")
    if trusted.trusts(real, data):
        return run(real, data)
    state = State.CHANGED if trusted.knows(real) else State.UNTRUSTED
    why = "changed since it was trusted" if state is State.CHANGED else "is not trusted yet"
    return Plugin(where=str(path), state=state, error=f"it {why}")


def _bytes(path: Path) -> bytes:
    """The whole file. Only a plain one: a pipe would keep us waiting for good."""
    if path.exists() and not path.is_file():
        raise OSError(0, "not a file")
    with path.open("rb") as opened:
        data = opened.read(PLUGIN_BYTES + 1)
    if len(data) > PLUGIN_BYTES:
        raise OSError(0, f"larger than {PLUGIN_BYTES} bytes")
    return data


def module(name: str) -> Plugin:
    """An importable module, or `module:name` for one thing in it."""
    if not _MODULE.fullmatch(name):
        return _missing(name, "it is no name of a module", "Name a file, a module or module:name.")
    home = name.partition(":")[0]
    try:
        return _attempt(
            name, lambda: _imported(name), f"Check that it can be imported: python -c 'import {home}'"
        )
    except _Absent as error:
        return _missing(name, str(error), "Check the name, and that it is installed.")


def _imported(name: str) -> tuple[Tool, ...]:
    found = _loaded(name)
    return _tools_in(found) if isinstance(found, ModuleType) else _tools_of(found)


def _loaded(name: str) -> Any:
    home = name.partition(":")[0]
    try:
        return EntryPoint(name=name, value=name, group=GROUP).load()
    except ModuleNotFoundError as error:
        if f"{home}.".startswith(f"{error.name}."):  # it, and not something it needs
            raise _Absent(str(error)) from None
        raise


def _attempt(where: str, load: Callable[[], tuple[Tool, ...]], fix: str) -> Plugin:
    try:
        tools = load()
    except (KeyboardInterrupt, _Absent):
        raise
    except BaseException as error:  # strangers' code may raise anything while it loads
        return _broken(where, _said(error), fix)
    return Plugin(where=where, tools=tuple(_placed(tool, where) for tool in tools))


def _said(error: BaseException) -> str:
    name = type(error).__name__
    try:
        return f"{name}: {error}".removesuffix(": ")
    except Exception:  # an error that cannot even say what it is
        return name


def _broken(where: str, error: str, fix: str) -> Plugin:
    return Plugin(where=where, state=State.BROKEN, error=error.split("\n", 1)[0], fix=fix)


def _missing(where: str, error: str, fix: str) -> Plugin:
    return Plugin(where=where, state=State.MISSING, error=error, fix=fix)


def _placed(tool: Tool, where: str) -> Tool:
    return structs.replace(tool, source=where) if tool.source == "user" else tool


def _module(path: Path, data: bytes) -> ModuleType:
    """A module made of the bytes in hand; msgspec looks its types up by module name, so it needs one."""
    code: CodeType = compile(data, str(path), "exec", dont_inherit=True)
    made = ModuleType(f"toolpost_file_{sha256(str(path).encode() + data).hexdigest()[:16]}")
    made.__file__ = str(path)
    sys.modules[made.__name__] = made
    try:
        exec(code, made.__dict__)
    except BaseException:
        del sys.modules[made.__name__]
        raise
    return made


def _tools_in(module: ModuleType) -> tuple[Tool, ...]:
    """What the module calls TOOLS, else every tool it has a name for."""
    if hasattr(module, "TOOLS"):
        return _tools_of(module.TOOLS)
    found = {id(value): value for value in vars(module).values() if isinstance(value, Tool)}
    return tuple(found.values())


def _tools_of(value: Any) -> tuple[Tool, ...]:
    """A tool, some tools, or a callable that gives them."""
    if isinstance(value, Tool):
        return (value,)
    if isinstance(value, ModuleType):
        return _tools_in(value)
    if callable(value):
        return _tools_of(value())
    tools = tuple(value)
    strangers = [item for item in tools if not isinstance(item, Tool)]
    if strangers:
        message = f"expected tools, got {type(strangers[0]).__name__}"
        raise TypeError(message)
    return tools
