"""Looking through the content of files: what matches, line by line, a page at a time.

Hits come in the order of paths and lines. Binary, over-large, special and ignored files are passed over, and
so is what the root's guard hides, which is never even opened; the answer counts them by reason.
"""

import time
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from functools import partial

from msgspec import Struct, structs

from toolpost.limits import BINARY_BYTES, SEARCH_FILE_BYTES, SEARCH_PER_FILE, SEARCH_S, SNIPPET_CHARS
from toolpost.workspace.root import Kind
from toolpost.workspace.walking.cursor import START, WHOLE, Cursor
from toolpost.workspace.walking.globs import Glob
from toolpost.workspace.walking.patterns import Pattern, Span
from toolpost.workspace.walking.plain import is_binary, plain
from toolpost.workspace.walking.scope import Item, Scope
from toolpost.workspace.walking.walk import ITS_OWN

Line = tuple[int, Span]
"""A line's number, and where it is."""


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


class Hit(Struct, frozen=True, kw_only=True):
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
    """Hits left out of files that have more than SEARCH_PER_FILE."""


def search(
    scope: Scope, question: Question, *, limit: int, cursor: Cursor = START, patience_s: float = SEARCH_S
) -> Answer:
    """One page. It may be short: when time is up it ends, and `rest` goes on from there."""
    return _Search(scope, question, time.monotonic() + patience_s).page(limit, cursor)


class _Late(Exception):
    def __init__(self, cursor: Cursor) -> None:
        super().__init__()
        self.cursor = cursor


class _Search:
    def __init__(self, scope: Scope, question: Question, deadline: float) -> None:
        self.scope = scope
        self.question = question
        self.deadline = deadline
        self.per_file = WHOLE if scope.file else SEARCH_PER_FILE
        self.searched = 0
        self.skipped: Counter[str] = Counter()
        self.more: dict[str, int] = {}

    def page(self, limit: int, cursor: Cursor) -> Answer:
        hits: list[Hit] = []
        last, rest = cursor, None
        try:
            for hit, at in self._hits(cursor):
                if len(hits) == limit:
                    rest = last
                    break
                hits.append(hit)
                last = at
        except _Late as late:
            rest = late.cursor
        skipped = dict(sorted((self.skipped + self.scope.passed).items()))
        return Answer(hits=hits, rest=rest, files_searched=self.searched, skipped=skipped, more=self.more)

    def _hits(self, cursor: Cursor) -> Iterator[tuple[Hit, Cursor]]:
        for item in self._items(cursor):
            key = item.key
            at = cursor if key == cursor.path else Cursor(key)
            if at.line == WHOLE:
                continue
            if self._is_wanted(item):
                yield from self._in_file(item, at)
            if self._is_late():
                raise _Late(Cursor(key, WHOLE))

    def _items(self, cursor: Cursor) -> Iterator[Item]:
        below = partial(self.scope.items, exclude=self.question.exclude, ignored=self.question.ignored)
        if not self.question.match_path:
            yield from below(since=cursor.path)
            return
        reached = cursor.path.decode("utf-8", "surrogateescape").rstrip("/")
        began = self.question.pattern.is_in(self.scope.relative(reached))
        for is_named in (True, False):
            if cursor.path and is_named and not began:
                continue
            since = cursor.path if is_named == began else b""
            yield from (item for item in below(since=since) if self._is_named(item) == is_named)

    def _is_named(self, item: Item) -> bool:
        return self.question.match_path and self.question.pattern.is_in(item.relative)

    def _is_wanted(self, item: Item) -> bool:
        """Whether to open it; if it is left out for another reason than the caller's glob, it is counted."""
        include = self.question.include
        if item.entry.is_dir or (include and not include.matches(item.relative)):
            return False
        reason = _reason(item)
        if reason and self.scope.file is None:
            self.skipped[reason] += 1
            return False
        return True

    def _in_file(self, item: Item, at: Cursor) -> Iterator[tuple[Hit, Cursor]]:
        data = self._read(item)
        if data is None:
            return
        if self.question.pattern.needs_plain_ends and b"\r\n" in data:
            data = data.replace(b"\r\n", b"\n")
        self.searched += 1
        given = at.given
        find = self._each if self.question.mode is Mode.CONTENT else self._once
        for hit, after in find(item, data, at):
            given += 1
            yield hit, after
        if not given and self._is_named(item):
            first = Span(0, _line_end(data, 0), 0, 0)
            yield self._hit(item, data, (1, first)), Cursor(at.path, WHOLE)

    def _each(self, item: Item, data: bytes, at: Cursor) -> Iterator[tuple[Hit, Cursor]]:
        given, left_out = at.given, 0
        try:
            for line in self._lines(data, at):
                if given < self.per_file:
                    given += 1
                    yield self._hit(item, data, line), Cursor(at.path, line[0], given)
                else:
                    left_out += 1
        except _Late as late:
            raise _Late(structs.replace(late.cursor, given=given)) from None
        if left_out:
            self.more[item.shown] = left_out

    def _once(self, item: Item, data: bytes, at: Cursor) -> Iterator[tuple[Hit, Cursor]]:
        lines = self._lines(data, at)
        try:
            first = next(lines, None)
            if first is not None:
                more = sum(1 for _ in lines) if self.question.mode is Mode.COUNT else 0
                yield self._hit(item, data, first, count=1 + more), Cursor(at.path, WHOLE)
        except _Late:
            self.skipped["too_slow"] += 1

    def _lines(self, data: bytes, at: Cursor) -> Iterator[Line]:
        pattern = self.question.pattern
        counted = _offset(data, at.line)
        number = at.line + 1
        for start, end in pattern.pieces(data, counted):
            if pattern.is_too_much(start, end):
                self.skipped["long_line"] += 1
                continue
            for span in pattern.spans(data, start, end):
                number += data.count(b"\n", counted, span.begin)
                counted = span.begin
                yield number, span
            if end < len(data) and self._is_late():
                done = number - 1 + data.count(b"\n", counted, end)
                raise _Late(Cursor(at.path, done))

    def _read(self, item: Item) -> bytes | None:
        """None for what is no text. One file alone raises what opening it raises; among many it is counted."""
        try:
            with item.root.open(item.entry.path) as source:
                head = source.stream.read(BINARY_BYTES)
                if is_binary(head, source.entry.size_bytes):
                    self.skipped["binary"] += 1
                    return None
                left = min(source.entry.size_bytes, SEARCH_FILE_BYTES) + 1 - len(head)
                data = head + source.stream.read(left) if left > 0 else head
        except ITS_OWN:
            if self.scope.file is not None:
                raise
            self.skipped["unreadable"] += 1
            return None
        if len(data) > SEARCH_FILE_BYTES:
            self.skipped["too_large"] += 1
            return None
        text = plain(data)
        if text is None:
            self.skipped["binary"] += 1
        return text

    def _hit(self, item: Item, data: bytes, line: Line, *, count: int = 1) -> Hit:
        number, span = line
        before = _text(data, span.begin, span.match_begin)
        return Hit(
            path=item.shown,
            line=number,
            column=len(before) + 1,
            snippet=_around(_text(data, span.begin, span.end), len(before)),
            before=tuple(_lines_before(data, span.begin, self.question.before)),
            after=tuple(_lines_after(data, span.end, self.question.after)),
            count=count,
        )

    def _is_late(self) -> bool:
        return time.monotonic() >= self.deadline


def _reason(item: Item) -> str:
    """Why a file is not even opened."""
    if item.entry.kind is not Kind.FILE:
        return "special"
    if not item.can_be_shown:
        return "not_utf8"
    guard = getattr(item.root, "guard", None)
    if guard is not None and guard.hides(item.entry.path):
        return "secret"
    return "too_large" if item.entry.size_bytes > SEARCH_FILE_BYTES else ""


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


def _around(text: str, at: int) -> str:
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
        lines.append(_around(_text(data, begin, end), 0))
    return lines[::-1]


def _lines_after(data: bytes, end: int, count: int) -> Iterator[str]:
    while count and end + 1 < len(data):
        begin = end + 1
        end = _line_end(data, begin)
        yield _around(_text(data, begin, end), 0)
        count -= 1
