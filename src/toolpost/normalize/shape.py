"""Anything a tool returns, as content."""

import math
from typing import Any

import msgspec
from msgspec import UNSET

from toolpost.compiled import Compiled, compile_schema
from toolpost.content import Content, Data, Diff, Image, Ref, Text
from toolpost.define import Output, Tool
from toolpost.errors import InvalidOutput, ToolFailed

_PLAIN = (Text, Image, Diff, Data, Ref)
_LISTS = (list, tuple)
_ATOMS = {int, float, bool, type(None)}


class Shaper:
    """Shapes outputs, and holds each tool to the output schema it published."""

    def __init__(self) -> None:
        self._compiled: dict[Tool, Compiled] = {}

    def prepare(self, tool: Tool) -> None:
        """Compile now, so that a bad schema is refused at registration and not at the first answer."""
        if tool.output_schema is not None:
            self._compiled[tool] = compile_schema(tool.output_schema, tool.name)

    def forget(self, tool: Tool) -> None:
        self._compiled.pop(tool, None)

    def shape(self, tool: Tool, raw: Any) -> Output:
        output = _settled(raw) if isinstance(raw, Output) else Output(content=_content(raw))
        compiled = self._compiled.get(tool)
        if compiled is not None:
            _hold_to_schema(tool, compiled, output.content)
        return output


def _hold_to_schema(tool: Tool, compiled: Compiled, content: tuple[Content, ...]) -> None:
    for part in content:
        if isinstance(part, Data):
            data = part.value
            break
    else:
        raise InvalidOutput(f"{tool.name} published an output schema but answered no data.")
    if not compiled.validator.is_valid(data):
        _refuse_no_number(tool, data)
        why = next(compiled.validator.iter_errors(data)).message
        raise InvalidOutput(f"{tool.name} answered what its own output schema forbids: {why}.")


def _settled(output: Output) -> Output:
    """An output the tool made itself, its data among its content and in JSON's own types."""
    content = tuple(_plain(part) for part in output.content)
    if output.data is not UNSET:
        content = (*content, Data(_jsonable(output.data)))
    return msgspec.structs.replace(output, content=content, data=UNSET)


def _content(raw: Any) -> tuple[Content, ...]:
    if isinstance(raw, str):
        return (Text(raw),)
    if type(raw) in _ATOMS:
        return (Data(raw),)
    if isinstance(raw, _PLAIN):
        return (_plain(raw),)
    if isinstance(raw, _LISTS) and raw and all(isinstance(part, _PLAIN) for part in raw):
        return tuple(_plain(part) for part in raw)
    return (Data(_jsonable(raw)),)


def _plain(part: Content) -> Content:
    return Data(_jsonable(part.value)) if isinstance(part, Data) else part


def _jsonable(value: Any) -> Any:
    """The value in JSON's own types; what JSON has no word for is the tool's fault, and said so."""
    try:
        plain = msgspec.to_builtins(value, str_keys=True, builtin_types=())
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolFailed(f"The tool's answer is not JSON: {error}.") from None
    if isinstance(value, dict) and len(plain) != len(value):
        raise ToolFailed("The tool's answer has two keys that are one in JSON, such as 1 and '1'.")
    return plain


def _refuse_no_number(tool: Tool, data: Any) -> None:
    """The validator takes NaN for null, which would send the author looking for a null."""
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, float) and not math.isfinite(value):
            said = "NaN" if math.isnan(value) else "Infinity"
            raise InvalidOutput(f"{tool.name} answered {said}, and {said} is no JSON number.")
        if isinstance(value, dict | list):
            waiting.extend(value.values() if isinstance(value, dict) else value)
