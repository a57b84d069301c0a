"""A line to a bench, in one contract's words: say a message, hear the answer."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import structs
from tests.contracts.cases import speak

from toolpost import codec
from toolpost.authorize.profiles import PROFILES
from toolpost.bench import Bench
from toolpost.define import Tool
from toolpost.record.sinks import MemorySink
from toolpost.result import Result
from toolpost.testing import FakeClock


class Line:
    def __init__(self, dialect: str, *tools: Tool, profile: str = "open", **settings: Any) -> None:
        """Settings are those of a bench."""
        self.folder = Path()  # where the tools work, if they are real
        self.clock = FakeClock()
        self.records = MemorySink()
        self.bench = Bench(
            tools, profile=PROFILES[profile], sinks=[self.records], clock=self.clock, **settings
        )
        self.dialect = speak(dialect, self.bench)
        self.results: list[Result] = []

    async def say(self, message: Any, scopes: Iterable[str] | None = None) -> Any:
        """The decoded answer; a message that is no bytes is written as JSON first."""
        call = self.dialect.parse(message if isinstance(message, bytes) else codec.encode(message))
        if scopes is not None:
            call = structs.replace(call, caller=structs.replace(call.caller, scopes=tuple(scopes)))
        self.results.append(await self.bench.call(call))
        return codec.decode(codec.encode(self.dialect.render(self.results[-1])))
