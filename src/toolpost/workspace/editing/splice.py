"""Text put in place of other text: line endings as at that place, the final one never lost."""

from collections.abc import Iterable, Sequence

from toolpost.workspace.editing.lines import (
    Endings,
    begins_line,
    blanks_back,
    blanks_on,
    ends_line,
    next_line,
    with_ending,
    without_ending,
)
from toolpost.workspace.editing.match import Span


def replaced(text: str, places: Iterable[tuple[int, int, str]]) -> str:
    """The text with each stretch [start, end) replaced by its own new text; they come in order."""
    parts, at = [], 0
    for start, end, new in places:
        parts += [text[at : max(start, at)], new]
        at = end
    return _ended("".join((*parts, text[at:])), text)


def _ended(result: str, text: str) -> str:
    """The result, ending with a line ending if the text did."""
    is_lost = text.endswith("\n") and result and not result.endswith("\n")
    return result + Endings(text).at(len(text)) if is_lost else result


def fitted(endings: Endings, span: Span, new: str) -> str:
    """New text as it goes in place of a span: with the line ending that is used there."""
    body = new if "\n" not in new or endings.is_none else with_ending(new, endings.at(span.start))
    return without_ending(body) if span.is_open else body


def inserted(text: str, offset: int, new: str) -> str:
    """With whole lines put in before the line that begins at the offset, or after the last one."""
    if not text:
        return new
    end = Endings(text).at(offset)
    body = with_ending(new, end)
    if not body.endswith("\n"):
        body += end
    if not begins_line(text, offset):
        body = end + body.removesuffix(end)
    return text[:offset] + body + text[offset:]


def inserted_after(text: str, span: Span, new: str) -> str:
    """Right after a span, or on lines of its own where nothing but blanks follows on the line."""
    if begins_line(text, span.end):
        return inserted(text, span.end, new)
    line_end = blanks_on(text, span.end)
    if ends_line(text, line_end) and not new.startswith(("\n", "\r\n")):
        return inserted(text, next_line(text, line_end), new)
    here = Span(span.end, span.end)
    return text[: span.end] + fitted(Endings(text), here, new) + text[span.end :]


def inserted_before(text: str, span: Span, new: str) -> str:
    """Right before a span, or on lines of its own where nothing but blanks stands before it on the line."""
    line_start = blanks_back(text, span.start)
    if begins_line(text, line_start):
        return inserted(text, line_start, new)
    here = Span(span.start, span.start)
    return text[: span.start] + fitted(Endings(text), here, new) + text[span.start :]


def deleted(text: str, spans: Sequence[Span]) -> str:
    """Without the spans; a line of which nothing is left goes altogether."""
    places = [_whole_lines(text, span) for span in spans]
    result = replaced(text, ((start, end, "") for start, end in places))
    start, end = places[-1]
    is_last_line = end == len(text) and begins_line(text, start) and text[start:end].strip() != ""
    return without_ending(result) if is_last_line and not text.endswith("\n") else result


def _whole_lines(text: str, span: Span) -> tuple[int, int]:
    start, end = blanks_back(text, span.start), blanks_on(text, span.end)
    if not begins_line(text, start) or not text[span.start : span.end].strip():
        return span.start, span.end
    if begins_line(text, span.end):
        return start, span.end
    return (start, next_line(text, end)) if ends_line(text, end) else (span.start, span.end)
