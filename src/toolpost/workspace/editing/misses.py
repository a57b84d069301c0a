"""What an edit that cannot be made says: where the closest text stands, or which places it could mean."""

import re
from typing import Any

from toolpost.errors import EditAmbiguous, EditNotFound
from toolpost.limits import (
    CLOSEST_CHARS,
    CLOSEST_SHOWN,
    CLOSEST_SURE,
    OPTIONS_TOLD,
    UNIQUE_LINES,
    UNIQUE_TOLD,
)
from toolpost.workspace.editing.closest import Closest, closest, marked
from toolpost.workspace.editing.lines import end_at, next_line, number_at, start_at
from toolpost.workspace.editing.match import Found, Span, find

_NUMBERS = re.compile(r"^ *[0-9]+\t", re.MULTILINE)


def not_found(text: str, wanted: str, parameter: str) -> EditNotFound:
    """With the region most like it, if there is one, and where the two begin to differ."""
    bare = _NUMBERS.sub("", wanted)
    if bare != wanted and bare and find(text, bare).spans:
        return EditNotFound(
            f"The text of {parameter} has line numbers that are not in the file: leave them out.",
            parameter=parameter,
            suggested=bare,
        )
    region = closest(text, wanted)
    if region is None:
        return EditNotFound(
            f"The text of {parameter} is not in the file, nor is anything like it: read the file again.",
            parameter=parameter,
        )
    offered: dict[str, Any] = {"suggested": region.text} if _is_offered(text, region) else {}
    return EditNotFound(
        f"The text of {parameter} is not in the file. {difference(region)}",
        parameter=parameter,
        closest=facts(region),
        **offered,
    )


def difference(region: Closest) -> str:
    """A sentence about a region and the lines of it, blanks marked."""
    where = f"lines {region.start_line}-{region.end_line}"
    return (
        f"The closest region is {where}; they first differ at line {region.line}, column {region.column}: "
        f"the file has {_told(region.has)}, the text has {_told(region.wanted)} (· is a blank, → a tab).\n"
        f"{_numbered(region)}"
    )


def facts(region: Closest) -> dict[str, Any]:
    """A region as an error's context holds it."""
    return {
        "start_line": region.start_line,
        "end_line": region.end_line,
        "text": region.text[:CLOSEST_CHARS],
        "shown": _numbered(region),
        "similarity": region.similarity,
        "first_difference": {
            "line": region.line,
            "column": region.column,
            "file": _told(region.has),
            "given": _told(region.wanted),
        },
    }


def _told(text: str) -> str:
    """The rest of a line, as far as it is known."""
    line = text.partition("\n")[0]
    if line:
        return f"`{marked(line)}`"
    return "the end of a line" if text else "nothing"


def _numbered(region: Closest) -> str:
    lines = marked(region.text[:CLOSEST_CHARS]).removesuffix("\n").split("\n")[:CLOSEST_SHOWN]
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(lines, region.start_line))


def _is_offered(text: str, region: Closest) -> bool:
    """Whether it would be found, once, if it were sent."""
    is_short = len(region.text) <= CLOSEST_CHARS
    return is_short and region.similarity >= CLOSEST_SURE and _is_unique(text, region.text)


def ambiguous(text: str, found: Found, parameter: str) -> EditAmbiguous:
    """With the line of every place, and for the first ones a longer text that stands there alone."""
    spans = [*found.spans, found.twin] if found.twin else [*found.spans]
    lines = _line_numbers(text, spans[:OPTIONS_TOLD])
    longer = [
        {"line": line, "text": around}
        for line, span in zip(lines, spans[:UNIQUE_TOLD], strict=False)
        if (around := unique_around(text, span)) is not None
    ]
    told = ", ".join(map(str, lines)) + (", …" if len(spans) > len(lines) else "")
    or_all = ", or set replace_all" if parameter.endswith("old_text") else ""
    if found.twin:
        or_all = f"{or_all}, which takes the first" if or_all else ""
    how = "at 2 places that overlap" if found.twin else f"{len(spans)} times"
    offered: dict[str, Any] = {"suggested": longer[0]["text"]} if longer else {}
    return EditAmbiguous(
        f"The text of {parameter} is in the file {how}, at lines {told}. Give more of the text "
        f"around the one that is meant{or_all}.",
        parameter=parameter,
        count=len(spans),
        lines=lines,
        unique=longer,
        **offered,
    )


def no_room(text: str, span: Span, parameter: str) -> EditNotFound:
    """For a place found with another indent, where the new text cannot be shifted alike."""
    line = number_at(text, span.start)
    there = text[span.start : span.end]
    offered: dict[str, Any] = {"suggested": there} if len(there) <= CLOSEST_CHARS else {}
    return EditNotFound(
        f"The text of {parameter} stands at line {line} with another indent, and the new text cannot be shifted "
        "alike: a line of it is indented too little. Quote the text with the indent of the file.",
        parameter=parameter,
        line=line,
        **offered,
    )


def _line_numbers(text: str, spans: list[Span]) -> list[int]:
    numbers, line, offset = [], 1, 0
    for span in spans:
        line += text.count("\n", offset, span.start)
        offset = span.start
        numbers.append(line)
    return numbers


def unique_around(text: str, span: Span) -> str | None:
    """The span with lines around it, as few as make it the only one of its kind; None if many would."""
    start, end = start_at(text, span.start), end_at(text, max(span.end - 1, span.start))
    for turn in range(2 * UNIQUE_LINES):
        around = text[start:end]
        if len(around) > CLOSEST_CHARS:
            return None
        if _is_unique(text, around):
            return around
        if turn % 2:
            end = end_at(text, next_line(text, end))
        else:
            start = start_at(text, max(start - 1, 0))
    return None


def _is_unique(text: str, part: str) -> bool:
    return text.find(part, text.find(part) + 1) < 0
