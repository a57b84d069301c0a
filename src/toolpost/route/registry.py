"""Every tool of a bench by its name. Whoever shows the list is told when it changes."""

from collections.abc import Callable, Iterable, Iterator

from toolpost import suggest
from toolpost.call import Call
from toolpost.define import Tool
from toolpost.errors import BadTool, Several, ToolNotFound
from toolpost.limits import ECHO_CHARS, NAME_CHARS


class Registry:
    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}
        self._listeners: list[Callable[[], None]] = []

    def add(self, tool: Tool) -> None:
        _check_name(tool.name)
        if tool.name in self._tools:
            raise BadTool(f"A tool named {tool.name!r} is here already; remove it first.", parameter="name")
        self._tools[tool.name] = tool
        self._changed()

    def remove(self, name: str) -> Tool:
        if name not in self._tools:
            raise _not_found(name, self._tools)
        gone = self._tools.pop(name)
        self._changed()
        return gone

    def find(self, call: Call) -> Tool:
        """The tool a call means; a message that was no call means none, and is refused for what it was."""
        if call.fault is not None:
            raise Several((call.fault,))
        tool = self._tools.get(call.tool)
        if tool is None:
            known = tuple(self._tools) if call.words.known is None else call.words.known
            raise _not_found(call.said_tool, known)
        return tool

    def on_change(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def _changed(self) -> None:
        for listener in self._listeners:
            listener()


def _check_name(name: str) -> None:
    legal = name and len(name) <= NAME_CHARS and all(char.isalnum() or char in "_.-" for char in name)
    if not (legal and name.isascii()):
        raise BadTool(
            f"{name!r} is no tool name: 1 to {NAME_CHARS} letters, digits, `_`, `-` and `.`.",
            parameter="name",
        )


def _not_found(name: str, known: Iterable[str]) -> ToolNotFound:
    near = suggest.nearest(name, known)
    said = f"Tool not found: {name[:ECHO_CHARS]}"
    if near:
        return ToolNotFound(said, parameter="tool", suggested=near[0], nearest=near)
    return ToolNotFound(said, parameter="tool")
