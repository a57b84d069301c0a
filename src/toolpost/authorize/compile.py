"""A call becomes atoms: what its tool says it touches, or else its effects and whatever looks like a path or a URL."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any
from urllib.parse import unquote

from msgspec import structs

from toolpost.atom import Atom, Command, Kind, Touch
from toolpost.authorize.commands.line import argv_atoms, line_atoms
from toolpost.authorize.scene import Scene
from toolpost.define import Effect, Tool
from toolpost.errors import ToolError
from toolpost.limits import GUESSED_ARGUMENTS, PATH_BYTES

_KINDS = {
    Effect.READ: Kind.READ,
    Effect.WRITE: Kind.WRITE,
    Effect.DELETE: Kind.DELETE,
    Effect.EXEC: Kind.EXEC,
    Effect.NET: Kind.NET,
}
_TARGETS = (Kind.READ, Kind.WRITE, Kind.DELETE)
_PATH_WORDS = ("path", "file", "dir", "folder", "uri", "url", "source", "target", "cwd", "root", "document")


def is_foreign(tool: Tool) -> bool:
    return tool.location.startswith(("mcp:", "remote:"))


def atoms_of(tool: Tool, args: Mapping[str, Any], scene: Scene) -> tuple[Atom, ...]:
    return (*_said(tool, args, scene), *_guessed(tool, args, scene), *_of_tool(tool))


def depends_on_arguments(tool: Tool) -> bool:
    return tool.touches is not None or bool(tool.effects) or is_foreign(tool)


def _said(tool: Tool, args: Mapping[str, Any], scene: Scene) -> Iterator[Atom]:
    if tool.touches is None:
        yield from _by_effect(tool)
        return
    try:
        touched = tuple(tool.touches(args))
    except ToolError:  # what the tool itself will say of these arguments; nothing is touched before that
        if tool.effects - {Effect.READ}:
            raise  # nobody is asked about a call that cannot be made
        yield from _by_effect(tool)
        return
    for touch in touched:
        yield from _atoms(touch, scene)


def _atoms(touch: Touch, scene: Scene) -> tuple[Atom, ...]:
    if isinstance(touch, Atom):
        return (touch,)
    there = structs.replace(scene, cwd=touch.cwd or scene.cwd)
    return _of_command(touch, there)


def _of_command(command: Command, scene: Scene) -> tuple[Atom, ...]:
    env = dict(command.env)
    return argv_atoms(command.argv, scene, env) if command.argv else line_atoms(command.line, scene, env)


def _by_effect(tool: Tool) -> Iterator[Atom]:
    """Without a target: only rules without a pattern, and the mode, can decide."""
    return (
        Atom(kind=_KINDS[effect], target="", fixed=False, inside=True)
        for effect in sorted(tool.effects)
        if effect in _KINDS
    )


def _of_tool(tool: Tool) -> Iterator[Atom]:
    """The call as such; and a program that it starts to stay, which no rule about files can judge."""
    hints = frozenset({"readOnlyHint"}) if tool.read_only else frozenset[str]()
    yield Atom(kind=Kind.TOOL, target=tool.name, hints=hints)
    if Effect.LAUNCH in tool.effects:
        yield Atom(kind=Kind.TOOL, target=f"launch {tool.name}", hints=hints)


def _guessed(tool: Tool, args: Mapping[str, Any], scene: Scene) -> Iterator[Atom]:
    """Paths and URLs among the arguments of a tool that does not say what it touches: what denies them holds."""
    if tool.touches is not None or not (tool.effects or is_foreign(tool)):
        return
    kinds = _TARGETS if is_foreign(tool) else tuple(kind for kind in _TARGETS if Effect(kind) in tool.effects)
    for name, text in islice(_texts("", args), GUESSED_ARGUMENTS):
        yield from _guess(name, text, kinds, scene)


def _texts(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Every text among the arguments, and under which name; deep values are few, since the codec bounds them."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(str(key), inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(name, inner)


def _guess(name: str, text: str, kinds: tuple[Kind, ...], scene: Scene) -> Iterator[Atom]:
    if not text or len(text) > PATH_BYTES or "\n" in text:
        return
    path = text
    if "://" in text:
        if not text.lower().startswith("file:"):
            yield Atom(kind=Kind.NET, target=text, maybe=True)
            return
        path = unquote(text.partition("://")[2])
    if not _looks_like_path(name, path):
        return
    for kind in kinds:
        yield Atom(kind=kind, target=absolute(path, scene), maybe=True)


def _looks_like_path(name: str, text: str) -> bool:
    if any(word in name.lower() for word in _PATH_WORDS):
        return True
    return " " not in text and ("/" in text or "\\" in text or text.startswith((".", "~")))


def absolute(path: str, scene: Scene) -> str:
    """Without `.` and `..`, and from the root of the disk on; nothing is looked up there."""
    path = path.replace("\\", "/")
    if path == "~" or path.startswith("~/"):
        path = f"{scene.home}{path[1:]}"
    if not path.startswith("/"):
        path = f"{scene.base}/{path}"
    names: list[str] = []
    for name in path.split("/"):
        if name == "..":
            del names[-1:]
        elif name not in {"", "."}:
            names.append(name)
    return "/" + "/".join(names)
