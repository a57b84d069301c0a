"""What each standard tool would touch, said before it runs: a table from tools to the arguments that name files."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import structs

from toolpost.atom import Atom, Kind, Touch
from toolpost.define import Tool
from toolpost.workspace.editing import patch
from toolpost.workspace.editing.hunk import PatchKind
from toolpost.workspace.workspace import Workspace

Touches = Callable[[Workspace, Mapping[str, Any]], Iterable[Touch]]


def touching(tools: Iterable[Tool], workspace: Workspace) -> tuple[Tool, ...]:
    """The same tools, each saying what a call would touch; those that touch no file stay as they are."""
    return tuple(_saying(tool, workspace) for tool in tools)


def _saying(tool: Tool, workspace: Workspace) -> Tool:
    touches = _TOUCHES.get(tool.name)
    if touches is None:
        return tool
    return structs.replace(tool, touches=lambda args: touches(workspace, args))


def atom(workspace: Workspace, kind: Kind, path: str) -> Atom:
    if workspace.names_roots(path):
        return Atom(kind=kind, target="", inside=True)
    place = workspace.place(path)
    return Atom(kind=kind, target=f"{place.root.location}/{place.path}".rstrip("/"), inside=True)


def _of(*kinds: Kind, names: tuple[str, ...] = ("path",)) -> Touches:
    def touches(workspace: Workspace, args: Mapping[str, Any]) -> Iterator[Atom]:
        for path in _paths(args, names):
            for kind in kinds:
                yield atom(workspace, kind, path)

    return touches


def _paths(args: Mapping[str, Any], names: tuple[str, ...]) -> list[str]:
    """The paths an argument names; the workspace itself where none does."""
    found: list[str] = []
    for name in names:
        value = args.get(name)
        found += [value] if isinstance(value, str) else value or ()
    return found or [""]


def _moved(workspace: Workspace, args: Mapping[str, Any]) -> Iterator[Atom]:
    yield atom(workspace, Kind.READ, args["source"])
    yield atom(workspace, Kind.DELETE, args["source"])
    yield atom(workspace, Kind.WRITE, args["target"])


def _patched(workspace: Workspace, args: Mapping[str, Any]) -> Iterator[Atom]:
    for file in patch.parse(args["patch"]):
        yield atom(workspace, Kind.DELETE if file.kind is PatchKind.DELETE else Kind.WRITE, file.path)
        if file.new_path:
            yield atom(workspace, Kind.DELETE, file.path)
            yield atom(workspace, Kind.WRITE, file.new_path)


_READ = _of(Kind.READ)
_TOUCHES: dict[str, Touches] = {
    "fs.read": _of(Kind.READ, names=("path", "paths")),
    **dict.fromkeys(
        ("fs.list", "fs.dirs", "fs.search", "code.search", "code.outline", "code.imports"), _READ
    ),
    **dict.fromkeys(("git.status", "git.diff", "git.log", "git.show", "git.blame", "git.grep"), _READ),
    "git.branches": _READ,
    "fs.write": _of(Kind.WRITE),
    "fs.edit": _of(Kind.READ, Kind.WRITE),
    "fs.patch": _patched,
    "fs.delete": _of(Kind.DELETE),
    "fs.move": _moved,
}
"""The changing git tools are judged by their effects: what they would write is in the repository, not in a call."""
