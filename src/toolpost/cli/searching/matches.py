"""The matches of one text: lines, or blocks of lines where a match may cross them, and every match in each."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from toolpost.cli.searching.asked import Wanted
from toolpost.cli.trouble import Trouble
from toolpost.errors import InvalidArgument
from toolpost.workspace.walking.patterns import Expression, How, Pattern

Match = tuple[int, int]
_SPECIAL = frozenset("\\.+*?()|[]{}^$#&-~")


class Block(Struct, frozen=True, gc=False):
    """Lines that belong together: one, or all that a match, or several that touch, go over."""

    begin: int
    end: int
    """After its line end, if it has one."""


class Finder(Pattern):
    """A pattern that also tells every match, not only the first of a line."""

    def every(self, data: bytes) -> Iterator[Match]:
        """Of a line, or of a whole text for a pattern that crosses lines; an empty one only where none ends."""
        if self.literal is not None:
            return _literal(self.literal, data)
        if data.isascii() or not self.is_sensitive:
            return self._each(self._regex, data)
        if self.shadow is None:
            return self._each(self._wide, data)
        return self._in_shadow(data, *self.shadow)

    def within(self, block: bytes) -> list[Match]:
        """Every match of a block, none beyond its last line's text."""
        line = block.removesuffix(b"\n")
        if not self.how.multiline:
            return list(self.every(line))
        return [(begin, min(end, len(line))) for begin, end in self.every(block) if begin < len(block)]

    def _each(self, regex: Expression, data: bytes) -> Iterator[Match]:
        at, last, group = 0, -1, self._group
        while at <= len(data):
            match = regex.search(data, at)
            if match is None:
                return
            begin, end = match.start(group), match.end(group)
            at = end if end > begin else end + 1
            if end > begin or end != last:
                yield begin, end
            last = end

    def _in_shadow(self, data: bytes, table: Any, regex: Expression) -> Iterator[Match]:
        text = data.decode("utf-8", "replace")
        for begin, end in self._each(regex, text.translate(table).encode()):
            start = len(text[:begin].encode())
            yield start, start + len(text[begin:end].encode())


def _literal(literal: bytes, data: bytes) -> Iterator[Match]:
    at = data.find(literal)
    while at >= 0:
        yield at, at + len(literal)
        at = data.find(literal, at + len(literal))


def finder(wanted: Wanted) -> Finder:
    """Raises Trouble for what cannot be looked for."""
    how = How(
        word=wanted.edges == "word",
        line=wanted.edges == "line",
        multiline=wanted.multiline,
        smart=wanted.case == "smart",
    )
    text, is_regex = _joined(wanted)
    try:
        made = Finder(text, regex=is_regex, case=wanted.case != "ignore", how=how, parameter="PATTERN")
    except InvalidArgument as error:
        raise Trouble(*_said(error)) from None
    if made.crosses_lines and not wanted.multiline:
        raise Trouble(
            "The pattern speaks of a line's end, and a match stays within its line.",
            "toolpost search -U lets it cross lines.",
        )
    return made


def _joined(wanted: Wanted) -> tuple[str, bool]:
    """Several patterns as one."""
    if wanted.fixed and len(wanted.patterns) == 1 and wanted.patterns[0]:
        return wanted.patterns[0], False
    texts = [_escaped(text) for text in wanted.patterns] if wanted.fixed else list(wanted.patterns)
    if len(texts) == 1 and texts[0]:
        return texts[0], True
    return "|".join(f"(?:{text})" for text in texts), True


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in _SPECIAL else letter for letter in text)


def _said(error: InvalidArgument) -> tuple[str, str]:
    reason = error.context.get("reason")
    if reason is None:
        return error.detail, "toolpost search --help"
    sentence, _, _ = error.detail.partition("; to look for")
    return f"{sentence}.", "toolpost search -F looks for the text as it is."


def blocks(
    finder: Finder, data: bytes, *, invert: bool = False, passed: Callable[[Block], None]
) -> Iterator[Block]:
    """What matches, or, inverted, every line that does not.

    A line too long for the pattern, of which neither is known, is given to `passed`.
    """
    if not finder.how.multiline:
        return (
            _others(_lines(finder, data, passed, is_taken=True), data)
            if invert
            else _lines(finder, data, passed)
        )
    found = _crossing(finder, data)
    return _others(found, data) if invert else found


def _lines(
    finder: Finder, data: bytes, passed: Callable[[Block], None], *, is_taken: bool = False
) -> Iterator[Block]:
    """`is_taken` counts what is passed over as matching."""
    size = len(data)
    for begin, end in finder.pieces(data):
        if finder.is_too_much(begin, end):
            passed(Block(begin, end))
            if is_taken:
                yield Block(begin, end)
            continue
        for span in finder.spans(data, begin, end):
            yield Block(span.begin, min(span.end + 1, size))


def _crossing(finder: Finder, data: bytes) -> Iterator[Block]:
    """Blocks of the lines matches touch; two that share a line are one."""
    begin = end = -1
    for start, stop in finder.every(data):
        if start >= len(data) and data.endswith(b"\n"):
            break  # behind the last line there is none
        low = data.rfind(b"\n", 0, start) + 1
        high = _after(data, max(start, stop - 1))
        if low < end:
            end = max(end, high)
            continue
        if begin >= 0:
            yield Block(begin, end)
        begin, end = low, high
    if begin >= 0:
        yield Block(begin, end)


def _others(found: Iterable[Block], data: bytes) -> Iterator[Block]:
    at = 0
    for block in found:
        yield from _each_line(data, at, block.begin)
        at = block.end
    yield from _each_line(data, at, len(data))


def _each_line(data: bytes, begin: int, end: int) -> Iterator[Block]:
    while begin < end:
        after = _after(data, begin)
        yield Block(begin, after)
        begin = after


def _after(data: bytes, at: int) -> int:
    """Where the next line begins."""
    return data.find(b"\n", at) + 1 or len(data)
