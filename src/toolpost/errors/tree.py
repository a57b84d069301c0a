"""What every error is, and the way from a code to its class."""

from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec import UNSET, UnsetType

from toolpost.problem import Problem


class ToolError(Exception):
    """Something went wrong with a call. Raise a subclass, or your own subclass of one."""

    code: ClassVar[str] = "TOOL_ERROR"
    slug: ClassVar[str] = "tool-failed"
    title: ClassVar[str] = "Tool Error"
    retryable: ClassVar[bool] = False
    fix: ClassVar[str] = "Read the detail; it names what to change."

    def __init__(
        self,
        detail: str = "",
        *,
        parameter: str | None = None,
        suggested: Any | UnsetType = UNSET,
        sentence: str = "",
        **context: Any,
    ) -> None:
        super().__init__(detail or self.title)
        self.detail = detail or self.title
        self.parameter = parameter
        self.suggested = suggested
        self.sentence = sentence
        self.context = context

    def problem(self) -> Problem:
        return Problem(
            code=self.code,
            slug=self.slug,
            title=self.title,
            detail=self.detail,
            sentence=self.sentence,
            parameter=self.parameter,
            suggested=self.suggested,
            context=self.context,
            retryable=self.retryable,
        )

    def problems(self) -> tuple[Problem, ...]:
        return (self.problem(),)


class Several(ToolError):
    """More than one thing is wrong; all of it is said at once."""

    def __init__(self, problems: tuple[Problem, ...], repaired: dict[str, Any] | None = None) -> None:
        super().__init__(problems[0].detail)
        self._problems = problems
        self.repaired = repaired

    def problems(self) -> tuple[Problem, ...]:
        return self._problems


def every_error() -> Iterator[type[ToolError]]:
    """The tree, parents first; what a plugin adds is in it too."""
    waiting: list[type[ToolError]] = [ToolError]
    while waiting:
        error = waiting.pop(0)
        yield error
        waiting.extend(error.__subclasses__())


def named(code: str) -> type[ToolError]:
    """The error class of a code; ToolError itself when no class has it."""
    return next((error for error in every_error() if error.code == code), ToolError)
