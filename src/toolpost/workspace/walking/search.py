"""Looking through the content of files: what matches, line by line, a page at a time.

Hits come in the order of paths and lines. Binary, over-large, special and ignored files are passed over, and
so is what the root's guard hides, which is never even opened; the answer counts them by reason.
"""

import time
from collections.abc import Iterator
from functools import partial

from toolpost.limits import BINARY_BYTES, SEARCH_FILE_BYTES, SEARCH_S
from toolpost.workspace.root import Kind
from toolpost.workspace.walking.cursor import START, WHOLE, Cursor
from toolpost.workspace.walking.plain import is_binary, plain
from toolpost.workspace.walking.scope import Item, Scope
from toolpost.workspace.walking.walk import ITS_OWN
from toolpost.workspace.walking.within import Answer, Hit, Mode, Question, Text, Within

__all__ = ["Answer", "Hit", "Mode", "Question", "search"]


def search(
    scope: Scope, question: Question, *, limit: int, cursor: Cursor = START, patience_s: float = SEARCH_S
) -> Answer:
    """One page. It may be short: when time is up it ends, and `rest` goes on from there."""
    return _Search(scope, question, time.monotonic() + patience_s).page(limit, cursor)


class _Search:
    def __init__(self, scope: Scope, question: Question, deadline: float) -> None:
        self.scope = scope
        self.question = question
        self.within = Within(question, deadline, is_alone=scope.file is not None)
        self.searched = 0
        self.skipped = self.within.skipped

    def page(self, limit: int, cursor: Cursor) -> Answer:
        hits, rest = self.within.page(self._texts(cursor), limit, cursor)
        skipped = dict(sorted((self.skipped + self.scope.passed).items()))
        return Answer(
            hits=hits, rest=rest, files_searched=self.searched, skipped=skipped, more=self.within.more
        )

    def _texts(self, cursor: Cursor) -> Iterator[tuple[bytes, Text | None]]:
        for item in self._items(cursor):
            key = item.key
            if key == cursor.path and cursor.line == WHOLE:
                continue
            yield key, self._text(item) if self._is_wanted(item) else None

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

    def _text(self, item: Item) -> Text | None:
        data = self._read(item)
        if data is None:
            return None
        self.searched += 1
        return Text(item.shown, self.question.pattern.plain_ends(data), self._is_named(item))

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
