"""Tools that follow a script: each stands where a real one will, and answers what a contract's example says."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from toolpost import errors
from toolpost.content import Content
from toolpost.define import Check, Cost, Example, Output, Tool, from_schema
from toolpost.errors import Several, ToolError
from toolpost.testing import FakeClock

HERE = Path(__file__).parent


class Raised(Struct, forbid_unknown_fields=True):
    """An error by its class, and what a subclass of it would say otherwise."""

    error: str
    detail: str
    parameter: str | None = None
    suggested: Any | UnsetType = UNSET
    context: dict[str, Any] = {}
    title: str = ""
    slug: str = ""

    def error_to_raise(self) -> Several:
        kind: type[ToolError] = getattr(errors, self.error)
        made = kind(self.detail, parameter=self.parameter, suggested=self.suggested, **self.context)
        problem = made.problem()
        return Several(
            (structs.replace(problem, title=self.title or problem.title, slug=self.slug or problem.slug),)
        )


class RaisingCheck(Struct, forbid_unknown_fields=True):
    parameters: tuple[str, ...]
    raises: Raised

    def check(self) -> Check:
        def run(*_values: Any) -> None:
            raise self.raises.error_to_raise()

        return Check(self.parameters, run)


class Script(Struct, forbid_unknown_fields=True):
    """A tool: its settings, and the one thing it does."""

    name: str
    answer: Any | UnsetType = UNSET
    content: tuple[Content, ...] = ()
    raises: Raised | None = None
    cached: bool = False
    checks: tuple[RaisingCheck, ...] = ()
    cost: dict[str, int | str] = {}
    """Units it costs; a word instead of a number names the argument that says how many."""
    description: str = ""
    input_schema: dict[str, Any] | None = None
    version: str = "1.0.0"
    tags: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    effects: tuple[str, ...] = ()
    location: str = "local"
    scopes: tuple[str, ...] = ()
    codes: dict[str, str] = {}

    def tool(self) -> Tool:
        standard = STANDARD.get(self.name, {})
        settings = {name: getattr(self, name) or standard.get(name, ()) for name in ("effects", "scopes")}
        return from_schema(
            self.name,
            self.description or standard.get("description", ""),
            self.input_schema or standard.get("input_schema", {"type": "object"}),
            self._execute,
            version=self.version,
            tags=self.tags,
            examples=self.examples,
            location=standard.get("location", self.location),
            codes={**standard.get("codes", {}), **self.codes},
            checks=[rule.check() for rule in self.checks],
            cost=self._cost(),
            **settings,
        )

    async def _execute(self, _args: Any) -> Output:
        if self.raises is not None:
            raise self.raises.error_to_raise()
        return Output(content=self.content, data=self.answer, cached=self.cached)

    def _cost(self) -> Cost:
        def cost(args: Mapping[str, Any]) -> dict[str, int]:
            return {unit: args[much] if isinstance(much, str) else much for unit, much in self.cost.items()}

        return cost


STANDARD: dict[str, dict[str, Any]] = msgspec.json.decode((HERE / "tools.json").read_bytes())
"""The standard tools' parameters and effects, as our own words have them."""


class ContractClock(FakeClock):
    """A fake clock that also gives out the ids a contract's example shows."""

    def __init__(self, start: datetime, duration_ms: float, uuids: list[str]) -> None:
        super().__init__(start, step_ms=duration_ms)
        self._uuids = list(uuids)

    def uuid(self) -> str:
        return self._uuids.pop(0) if self._uuids else super().uuid()
