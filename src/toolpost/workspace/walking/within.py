"""What one text gives to a search: its hits, and where it stopped giving them."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import takewhile

from msgspec import Struct

from toolpost.limits import SEARCH_PER_FILE, SNIPPET_CHARS
from toolpost.workspace.walking.cursor import WHOLE, Cursor
from toolpost.workspace.walking.globs import Glob
from toolpost.workspace.walking.patterns import Pattern, Span

Piece = tuple[int, int]
"""Where a part of a text begins and ends, at line ends both."""


class Mode(StrEnum):
    CONTENT = "content"
    """Every line that matches."""
    FILES = "files"
    """The first one of each file."""
    COUNT = "count"
    """The same, with how many lines match."""


class Question(Struct, frozen=True, kw_only=True):
    pattern: Pattern
    include: Glob | None = None
    exclude: Glob | None = None
    mode: Mode = Mode.CONTENT
    before: int = 0
    after: int = 0
    match_path: bool = False
    """Files whose path matches come first, also those without a line that does."""
    ignored: bool = False
    """Also what ignore files leave out."""
    invert: bool = False
    """The lines that do not match."""
    per_file: int | None = SEARCH_PER_FILE
    """Hits one file of many may give; None for all it has."""


class Hit(Struct, frozen=True, gc=False):
    path: str
    line: int
    column: int
    """In characters, both from 1."""
    snippet: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    count: int = 1


class Answer(Struct, frozen=True, kw_only=True):
    hits: list[Hit]
    rest: Cursor | None
    """Where to go on; None when there is nothing left."""
    files_searched: int
    skipped: dict[str, int]
    more: dict[str, int]
    """Hits left out of files that have more than one may give."""


class Text(Struct, frozen=True, gc=False):
    """A file to be looked through, or the part of it that matters."""

    shown: str
    """Its path as the caller sees it."""
    data: bytes
    is_named: bool = False
    """Its path matches, so it gives a hit in any case."""
    pieces: tuple[Piece, ...] | None = None
    """Where matches can be; None for anywhere."""
    lines_before: int = 0
    """Lines of the file that come before the data."""


class Run(Struct, frozen=True, gc=False):
    """All that many files give, one after another; its key is that of the last."""

    hits: list[Hit]
    """At least one."""
    more: dict[str, int]


class Given(Struct, frozen=True, gc=False):
    """What a text gave."""

    hits: list[Hit]
    rest: Cursor | None = None
    """Where to go on with it, when time was up within it."""


class Within:
    """One page of a search, text by text."""

    def __init__(self, question: Question, deadline: float, *, is_alone: bool = False) -> None:
        """Of one file alone every hit is given."""
        self.question = question
        self.deadline = deadline
        self.per_file = WHOLE if is_alone or question.per_file is None else question.per_file
        self.skipped: Counter[str] = Counter()
        self.more: dict[str, int] = {}
        self.around = bool(question.before or question.after)
        self.stopped: bytes | None = None
        """The key the page ended at; None when it came to the end."""

    def is_late(self) -> bool:
        return time.monotonic() >= self.deadline

    def page(
        self, texts: Iterable[tuple[bytes, Text | Run | None]], limit: int, cursor: Cursor
    ) -> tuple[list[Hit], Cursor | None]:
        """The hits of texts that come with their keys, and where to go on.

        A key without a text only says how far the search has come. The text whose key is the cursor's is
        given from there on.
        """
        hits: list[Hit] = []
        last = cursor
        for key, text in texts:
            at = cursor if key == cursor.path else Cursor(key)
            if isinstance(text, Run):
                room = limit - len(hits)
                hits += text.hits[:room]
                if len(text.hits) > room:
                    return hits, self._cut(text, room) or last
                self.more |= text.more
                last = _tail(text.hits)
            elif text is not None and at.line != WHOLE:
                room = limit - len(hits)
                given = self._given(text, at, room + 1)
                found = given.hits
                if len(found) > room:
                    self.stopped = key
                    hits += found[:room]
                    return hits, self._after(at, found[:room]) if room else last
                hits += found
                if given.rest is not None:
                    self.stopped = key
                    return hits, given.rest
                last = self._after(at, found) if found else last
            if self.is_late():
                self.stopped = key + b"\0"
                return hits, Cursor(key, WHOLE)
        return hits, None

    def _cut(self, run: Run, room: int) -> Cursor | None:
        """Where to go on after so many hits of a run; None before the first."""
        first = run.hits[room].path
        self.stopped = _key(first)
        whole = {hit.path for hit in run.hits[:room]} - {first}
        self.more |= {path: count for path, count in run.more.items() if path in whole}
        return _tail(run.hits[:room]) if room else None

    def _after(self, at: Cursor, found: list[Hit]) -> Cursor:
        """Where it goes on after these hits of a text."""
        if self.question.mode is not Mode.CONTENT:
            return Cursor(at.path, WHOLE)
        return Cursor(at.path, found[-1].line, at.given + len(found))

    def _given(self, text: Text, at: Cursor, most: int) -> Given:
        is_each = self.question.mode is Mode.CONTENT
        given = self._each(text, at, most) if is_each else self._once(text, at)
        if text.is_named and not given.hits and not at.given and given.rest is None:
            first = Span(0, _line_end(text.data, 0), 0, 0)
            return Given([self._hit(text, 1, first)])
        return given

    def _each(self, text: Text, at: Cursor, most: int) -> Given:
        """Up to `most` hits; only when there are no more is it known how many were left out."""
        data, pattern, room = text.data, self.question.pattern, self.per_file - at.given
        hits: list[Hit] = []
        counted = _offset(data, at.line - text.lines_before)
        number, left_out = max(at.line, text.lines_before) + 1, 0
        for begin, end in self._pieces(text, counted):
            if pattern.is_too_much(begin, end):
                self.skipped["long_line"] += 1
                continue
            for span in self._spans(data, begin, end):
                if len(hits) == room:
                    left_out += 1
                    continue
                number += data.count(b"\n", counted, span.begin)
                counted = span.begin
                hits.append(self._hit(text, number, span))
                if len(hits) == most:
                    return Given(hits)
            if end < len(data) and self.is_late():
                done = number - 1 + data.count(b"\n", counted, end)
                return Given(hits, Cursor(at.path, done, at.given + len(hits)))
        if left_out:
            self.more[text.shown] = left_out
        return Given(hits)

    def _once(self, text: Text, at: Cursor) -> Given:
        """The first line, with how many there are; of a text that takes too long nothing."""
        data, pattern = text.data, self.question.pattern
        first, count = None, 0
        begin = _offset(data, at.line - text.lines_before)
        for low, high in self._pieces(text, begin):
            if pattern.is_too_much(low, high):
                self.skipped["long_line"] += 1
                continue
            for span in self._spans(data, low, high):
                first, count = first or span, count + 1
                if self.question.mode is Mode.FILES:
                    break
            if first and self.question.mode is Mode.FILES:
                break
            if high < len(data) and self.is_late():
                self.skipped["too_slow"] += 1
                return Given([])
        if first is None:
            return Given([])
        number = max(at.line, text.lines_before) + 1 + data.count(b"\n", begin, first.begin)
        return Given([self._hit(text, number, first, count=count)])

    def _pieces(self, text: Text, begin: int) -> Iterable[Piece]:
        if text.pieces is None or self.question.invert:
            return self.question.pattern.pieces(text.data, begin)
        return [(max(low, begin), high) for low, high in text.pieces if high > begin]

    def _spans(self, data: bytes, begin: int, end: int) -> Iterable[Span]:
        spans = self.question.pattern.spans(data, begin, end)
        return _others(data, begin, end, spans) if self.question.invert else spans

    def _hit(self, text: Text, number: int, span: Span, *, count: int = 1) -> Hit:
        data, begin, end = text.data, span.begin, span.end
        column = len(data[begin : span.match_begin].decode("utf-8", "replace"))
        line = _text(data, begin, end)
        if len(line) > SNIPPET_CHARS:
            line = cut_around(line, column)
        if not self.around:
            return Hit(path=text.shown, line=number, column=column + 1, snippet=line, count=count)
        return Hit(
            path=text.shown,
            line=number,
            column=column + 1,
            snippet=line,
            before=tuple(_lines_before(data, begin, self.question.before)),
            after=tuple(_lines_after(data, end, self.question.after)),
            count=count,
        )


def _tail(hits: list[Hit]) -> Cursor:
    """Where it goes on after hits of many files."""
    last = hits[-1]
    given = sum(1 for _ in takewhile(lambda hit: hit.path == last.path, reversed(hits)))
    return Cursor(_key(last.path), last.line, given)


def _key(shown: str) -> bytes:
    return shown.encode("utf-8", "surrogateescape")


def _others(data: bytes, begin: int, end: int, spans: Iterable[Span]) -> Iterator[Span]:
    """The lines that are not among these."""
    for span in spans:
        yield from _lines(data, begin, span.begin)
        begin = span.end + 1
    yield from _lines(data, begin, end)


def _lines(data: bytes, begin: int, end: int) -> Iterator[Span]:
    while begin < end:
        stop = _line_end(data, begin)
        yield Span(begin, stop, begin, begin)
        begin = stop + 1


def _offset(data: bytes, lines: int) -> int:
    """Where the text goes on after so many lines."""
    begin = 0
    for _ in range(lines):
        begin = data.find(b"\n", begin) + 1
        if not begin:
            return len(data)
    return begin


def _text(data: bytes, begin: int, end: int) -> str:
    return data[begin:end].decode("utf-8", "replace").removesuffix("\r")


def _line_end(data: bytes, begin: int) -> int:
    end = data.find(b"\n", begin)
    return len(data) if end < 0 else end


def cut_around(text: str, at: int) -> str:
    """A long line cut to what stands around the match."""
    if len(text) <= SNIPPET_CHARS:
        return text
    room = SNIPPET_CHARS - 2
    begin = max(0, min(at - room // 3, len(text) - room))
    left, right = "…" if begin else "", "…" if begin + room < len(text) else ""
    return f"{left}{text[begin : begin + room]}{right}"


def _lines_before(data: bytes, begin: int, count: int) -> list[str]:
    lines: list[str] = []
    while begin and len(lines) < count:
        end = begin - 1
        begin = data.rfind(b"\n", 0, end) + 1
        lines.append(cut_around(_text(data, begin, end), 0))
    return lines[::-1]


def _lines_after(data: bytes, end: int, count: int) -> Iterator[str]:
    while count and end + 1 < len(data):
        begin = end + 1
        end = _line_end(data, begin)
        yield cut_around(_text(data, begin, end), 0)
        count -= 1
