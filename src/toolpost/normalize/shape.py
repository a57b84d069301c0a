"""Anything a tool returns, as content."""

from typing import Any
from weakref import WeakKeyDictionary

import jsonschema_rs
import msgspec
from msgspec import UNSET

from toolpost.content import Content, Data, Diff, Image, Ref, Text
from toolpost.define import Output, Tool
from toolpost.errors import InvalidOutput, ToolFailed

_PLAIN = (Text, Image, Diff, Data, Ref)


class Shaper:
    """Shapes outputs, and holds each tool to the output schema it published."""

    def __init__(self) -> None:
        self._validators: WeakKeyDictionary[Tool, Any] = WeakKeyDictionary()

    def shape(self, tool: Tool, raw: Any) -> Output:
        output = raw if isinstance(raw, Output) else _output(raw)
        content = output.content
        if output.data is not UNSET:
            content = (*content, Data(_jsonable(output.data)))
        if tool.output_schema is not None:
            self._hold_to_schema(tool, content)
        if content is output.content:
            return output
        return msgspec.structs.replace(output, content=content, data=UNSET)

    def _hold_to_schema(self, tool: Tool, content: tuple[Content, ...]) -> None:
        data = next((part.value for part in content if isinstance(part, Data)), UNSET)
        validator = self._validators.get(tool)
        if validator is None:
            validator = self._validators[tool] = jsonschema_rs.validator_for(
                tool.output_schema or {}, validate_formats=True, offline=True
            )
        if data is UNSET or not validator.is_valid(data):
            why = "no data" if data is UNSET else next(validator.iter_errors(data)).message
            raise InvalidOutput(f"{tool.name} answered what its own output schema forbids: {why}.")


def _output(raw: Any) -> Output:
    if isinstance(raw, str):
        return Output(content=(Text(raw),))
    if raw is None:
        return Output(data=None)
    if isinstance(raw, Data):
        return Output(data=raw.value)
    if isinstance(raw, _PLAIN):
        return Output(content=(raw,))
    if isinstance(raw, list | tuple) and raw and all(isinstance(part, _PLAIN) for part in raw):
        return Output(content=tuple(raw))
    return Output(data=raw)


def _jsonable(value: Any) -> Any:
    """The value in JSON's own types; what JSON has no word for is the tool's fault, and said so."""
    try:
        return msgspec.to_builtins(value, str_keys=True, builtin_types=())
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolFailed(f"The tool's answer is not JSON: {error}.") from None
