"""A result for people and as our own JSON, where no contract says how it looks."""

from typing import Any

from msgspec import UNSET

from toolpost.cli import show
from toolpost.clock import rfc3339
from toolpost.content import Data, Diff, Image, Ref, Text
from toolpost.dialects import say
from toolpost.dialects.vocabulary import said_problems
from toolpost.errors import named
from toolpost.result import Result


def facts(result: Result) -> dict[str, Any]:
    told: dict[str, Any] = {"ok": result.ok, "tool": result.call.said_tool}
    if result.ok:
        told.update(_content(result))
    else:
        told["problems"] = _problems(result)
    repaired = say.repair(result)
    if repaired is not None:
        told["suggested_arguments"] = repaired
    if result.notes:
        told["notes"] = list(result.notes)
    if result.left:
        told["budget_left"] = result.left
    provenance = result.provenance
    told["provenance"] = {
        "location": provenance.location,
        "timestamp": rfc3339(provenance.timestamp),
        "duration_ms": provenance.duration_ms,
        "request_id": provenance.request_id,
    }
    return told


def _problems(result: Result) -> list[dict[str, Any]]:
    language = result.call.language
    return [
        {**say.facts(problem, said, language), "fix": named(problem.code).fix}
        for problem, said in said_problems(result)
    ]


def _content(result: Result) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if result.data is not UNSET:
        told["data"] = result.data
    if any(isinstance(part, Text) for part in result.content):
        told["text"] = result.text
    others = [part for part in result.content if isinstance(part, Image | Diff | Ref)]
    if others:
        told["content"] = others
    return told


def read_aloud(result: Result) -> None:
    """What a person wants to see: the answer itself, without its envelope."""
    readable = [part for part in result.content if not isinstance(part, Data)]
    for part in readable or result.content:
        show.out(show.pretty(part.value) if isinstance(part, Data) else show.clean(_sight(part)))
    said = result.text
    for note in result.notes:
        if note not in said:
            show.note(note)


def _sight(part: Text | Diff | Image | Ref) -> str:
    match part:
        case Text(text):
            return text
        case Diff():
            return f"--- {part.path}\n+++ {part.path}\n{part.unified}"
        case Image():
            return f"({part.media_type}, {len(part.data)} bytes)"
        case Ref():
            return f"{part.head}\n({part.size_bytes} bytes in all: {part.uri})"


def complain(result: Result) -> None:
    """Each problem on a line of its own on stderr, with what to do about it."""
    language = result.call.language
    for problem, said in said_problems(result):
        show.trouble(f"{problem.code}: {say.sentence(problem, said, language)}", named(problem.code).fix)
    repaired = say.repair(result)
    if repaired is not None:
        show.step(f"these arguments would pass: {say.as_text(repaired)}")
