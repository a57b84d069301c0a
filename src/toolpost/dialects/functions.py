"""Function calling: the shapes of OpenAI chat, OpenAI responses and Anthropic messages.

The form of a message tells which one it is, and the answer comes back in the same.
"""

import re
from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from toolpost import codec
from toolpost.call import Call
from toolpost.content import Image
from toolpost.define import Tool
from toolpost.dialects import Dialect, say
from toolpost.dialects.vocabulary import PLAIN
from toolpost.errors import MalformedMessage
from toolpost.result import Result

CHAT, RESPONSES, ANTHROPIC = "openai", "openai-responses", "anthropic"
FORMS = (CHAT, RESPONSES, ANTHROPIC)
_ILLEGAL = re.compile(r"[^A-Za-z0-9_-]")


class Functions(Dialect):
    name = "functions"
    WORDS = PLAIN
    ANSWER = {
        "type": "object",
        "oneOf": [
            {
                "properties": {
                    "role": {"const": "tool"},
                    "tool_call_id": {"type": ["string", "null"]},
                    "content": {"type": "string"},
                },
                "required": ["role", "tool_call_id", "content"],
                "additionalProperties": False,
            },
            {
                "properties": {
                    "type": {"const": "function_call_output"},
                    "call_id": {"type": ["string", "null"]},
                    "output": {"type": "string"},
                },
                "required": ["type", "call_id", "output"],
                "additionalProperties": False,
            },
            {
                "properties": {
                    "type": {"const": "tool_result"},
                    "tool_use_id": {"type": ["string", "null"]},
                    "content": {"type": "array"},
                    "is_error": {"type": "boolean"},
                },
                "required": ["type", "tool_use_id", "content", "is_error"],
                "additionalProperties": False,
            },
        ],
    }

    form = CHAT

    def own_name(self) -> Callable[[Tool], str] | None:
        return lambda tool: _ILLEGAL.sub("_", tool.name)

    def read(self, value: Any) -> Call:
        if not isinstance(value, dict):
            raise MalformedMessage("A call is a tool call object of a chat, responses or messages API.")
        form = _form(value)
        function = value.get("function") if form == CHAT else value
        ident = value.get("call_id" if form == RESPONSES else "id")
        reply_to = ident if isinstance(ident, str) else None
        envelope = Call(tool="", reply_to=reply_to, form=form, language=self.language)
        if not isinstance(function, dict):
            return self.vocabulary.faulty(MalformedMessage("`function` must be an object."), envelope)
        return self._named(function, envelope)

    def _named(self, function: dict[str, Any], envelope: Call) -> Call:
        is_decoded = envelope.form == ANTHROPIC
        given = function.get("input" if is_decoded else "arguments")
        if not is_decoded and isinstance(given, str):
            try:
                given = codec.decode(given) if given else {}
            except MalformedMessage as error:
                return self.vocabulary.faulty(error, envelope)
        return self.vocabulary.call(function.get("name"), given, envelope)

    def render(self, result: Result) -> Any:
        call = result.call
        return _ANSWERS[call.form or self.form](result, call.reply_to)

    def ask(self, says: str, args: dict[str, Any]) -> Any:
        if self.form == ANTHROPIC:
            return {"type": "tool_use", "id": "call_1", "name": says, "input": args}
        named = {"name": says, "arguments": codec.encode(args).decode("utf-8")}
        if self.form == RESPONSES:
            return {"type": "function_call", "call_id": "call_1", **named}
        return {"id": "call_1", "type": "function", "function": named}

    def describe(self) -> Any:
        return [_DEFINITIONS[self.form](*parts) for parts in self._parts()]

    def _parts(self) -> list[tuple[str, str, dict[str, Any]]]:
        return [
            (word.says, tool.description, self.vocabulary.schema(word, tool))
            for word, tool in self.vocabulary.pairs()
        ]


def _form(value: dict[str, Any]) -> str:
    if value.get("type") == "tool_use" or "input" in value:
        return ANTHROPIC
    return RESPONSES if value.get("type") == "function_call" or "call_id" in value else CHAT


def _text(result: Result) -> str:
    if not result.ok:
        return f"Error: {say.summary(result)}"
    if result.text or result.data is UNSET:
        return result.text
    return say.as_text(result.data)


def _chat_answer(result: Result, ident: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": ident, "content": _text(result)}


def _responses_answer(result: Result, ident: Any) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": ident, "output": _text(result)}


def _anthropic_answer(result: Result, ident: Any) -> dict[str, Any]:
    images: list[dict[str, Any]] = [
        {
            "type": "image",
            "source": {"type": "base64", "media_type": part.media_type, "data": part.base64},
        }
        for part in result.content
        if isinstance(part, Image)
    ]
    text = _text(result)
    said = [{"type": "text", "text": text}] if text else []
    return {
        "type": "tool_result",
        "tool_use_id": ident,
        "content": [*said, *images],
        "is_error": not result.ok,
    }


_ANSWERS = {CHAT: _chat_answer, RESPONSES: _responses_answer, ANTHROPIC: _anthropic_answer}


def _chat(name: str, description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


def _responses(name: str, description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "function", "name": name, "description": description, "parameters": schema}


def _anthropic(name: str, description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "description": description, "input_schema": schema}


_DEFINITIONS = {CHAT: _chat, RESPONSES: _responses, ANTHROPIC: _anthropic}

DIALECT = Functions
