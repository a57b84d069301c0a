"""Dialects: each contract's own words and shapes. They import only nouns, and never see the pipeline.

A dialect parses a message into a Call and renders a Result. Parsing never raises: a message that cannot be
read becomes a call that is refused, so that the refusal is recorded and answered like any other.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, ClassVar

from msgspec import UNSET

from toolpost import codec
from toolpost.call import Call
from toolpost.define import Tool
from toolpost.dialects.vocabulary import Vocabulary, Word
from toolpost.errors import NotFound, ToolError
from toolpost.result import Result
from toolpost.schema import Schema

NAMES = ("agents", "superconnect", "sandra", "atdf", "acp", "mcp", "functions")


class Dialect(ABC):
    """One connection's contract, bound to the tools it may name."""

    name: ClassVar[str]
    WORDS: ClassVar[tuple[Word, ...]]
    ANSWER: ClassVar[Schema]
    """The JSON Schema every answer passes."""

    def __init__(self, tools: Iterable[Tool], *, language: str = "en") -> None:
        self.language = language
        self.vocabulary = Vocabulary(self.name, self.WORDS, tools, self.own_name())

    def own_name(self) -> Callable[[Tool], str] | None:
        """How a tool is called that no contract names."""
        return None

    def parse(self, message: Any) -> Call:
        """A message as bytes, or already decoded."""
        try:
            if isinstance(message, bytes):
                value = codec.decode(message)
            else:
                value = message
                codec.measure(value)
            return self.read(value)
        except ToolError as error:
            return self.vocabulary.faulty(error, Call(tool="", language=self.language))

    def shown(self, result: Result) -> Any:
        """A success in the contract's own shape for that tool; UNSET when it has none.

        A tool that goes by a standard name but answers in a shape of its own is shown as it is.
        """
        word = self.vocabulary.word(result.call.words.tool)
        if word is None or word.show is None or result.data is UNSET:
            return UNSET
        try:
            return word.show(result)
        except (AttributeError, IndexError, KeyError, TypeError):
            return UNSET

    @abstractmethod
    def read(self, value: Any) -> Call:
        """A decoded message as a call; a message of another shape is raised as MalformedMessage."""

    @abstractmethod
    def render(self, result: Result) -> Any:
        """The answer, ready to be written as JSON."""

    @abstractmethod
    def ask(self, says: str, args: dict[str, Any]) -> Any:
        """The message that calls a tool: what `parse` reads."""

    @abstractmethod
    def describe(self) -> Any:
        """The tools, as this contract announces them."""


def load(name: str) -> type[Dialect]:
    """A dialect by name; each is imported when it is first spoken."""
    if name not in NAMES:
        raise NotFound(f"There is no dialect {name!r}; there are {', '.join(NAMES)}.", parameter="dialect")
    dialect: type[Dialect] = import_module(f"toolpost.dialects.{name}").DIALECT
    return dialect
