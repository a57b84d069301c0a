"""Problems in plain sentences: the caller's words, the caller's language."""

from typing import Any

from msgspec import UNSET

from toolpost import codec, messages
from toolpost.dialects.vocabulary import said_problems, spelled
from toolpost.problem import Problem
from toolpost.result import Result


def sentence(problem: Problem, said: str | None, language: str) -> str:
    detail = messages.detail(problem, said, language)
    if problem.suggested is UNSET or problem.suggested is None:
        return detail
    word = _TRY.get(language, _TRY["en"])
    return f"{detail} {word} {as_text(problem.suggested)}"


_TRY = {"en": "Try:", "es": "Pruebe:", "pt": "Tente:"}


def summary(result: Result) -> str:
    """All that went wrong, a line each."""
    language = result.call.language
    return "\n".join(sentence(problem, said, language) for problem, said in said_problems(result))


def facts(problem: Problem, said: str | None, language: str) -> dict[str, Any]:
    """A problem as open data, for wires that have room for one."""
    told: dict[str, Any] = {
        "code": problem.code,
        "title": messages.title(problem, language),
        "detail": messages.detail(problem, said, language),
        "retryable": problem.retryable,
        "instance": problem.instance,
    }
    if said is not None:
        told["parameter"] = said
    if problem.suggested is not UNSET:
        told["suggested"] = problem.suggested
    if problem.context:
        told["context"] = problem.context
    return told


def repair(result: Result) -> dict[str, Any] | None:
    """Arguments that would have passed, as the caller would write them."""
    return None if result.repaired is None else spelled(result.repaired, result.call)


def as_text(value: Any) -> str:
    return value if isinstance(value, str) else codec.encode(value).decode("utf-8")


def text_only(value: Any) -> str:
    """What a contract shows as text; TypeError tells `shown` that this tool answers otherwise."""
    if not isinstance(value, str):
        message = f"expected text, got {type(value).__name__}"
        raise TypeError(message)
    return value


def number(value: float) -> int | float:
    """45, not 45.0: the contracts write whole milliseconds so."""
    return int(value) if value == int(value) else value
