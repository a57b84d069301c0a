"""A search answered from an index: the same answer the scan of the tree gives, page by page.

Files come in the order of their paths. What trigrams rule out is never looked at; of the rest only the regions
where a match can be. `files_searched` is how many files with text lie in what the answer speaks for, before any
glob: each was looked at or ruled out. What ignore files leave out is not in an index and is not counted.
"""

import time
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain

from toolpost.index.disk.docs import reason_of
from toolpost.index.limits import LARGE_FILE_BYTES
from toolpost.index.model import Doc
from toolpost.index.search.facts import Facts
from toolpost.index.search.ground import Chosen, Ground, Shown, between
from toolpost.index.search.hits import Sought, hits
from toolpost.index.search.lookup import Lookup
from toolpost.limits import SEARCH_S
from toolpost.workspace.walking.cursor import START, WHOLE, Cursor
from toolpost.workspace.walking.within import Answer, Hit, Mode, Piece, Question, Run, Text, Within

Score = Callable[[Hit], int]
Keyed = tuple[bytes, Text | Run | None]


def can_answer(question: Question) -> bool:
    """Whether an index knows all that is asked for; else the tree is to be scanned."""
    return not question.ignored and not question.invert


def covers(ground: Ground) -> bool:
    """Whether an index knows of any file there; what it knows nothing of may be ignored, or not there at all."""
    begin, end = ground.span
    return begin < end or bool(ground.docs)


def answer(
    grounds: Sequence[Ground],
    question: Question,
    *,
    limit: int,
    cursor: Cursor = START,
    patience_s: float = SEARCH_S,
    rank: Score | None = None,
) -> Answer:
    """One page of what lies in these grounds, which come in the order of their names.

    `rank` puts the hits of a page in another order, the highest score first; paging stays by path. Raises
    Damaged, and for one file alone what opening it raises when there is no text of it.
    """
    search = _Search(grounds, question, time.monotonic() + patience_s, cursor)
    hits, rest = search.within.page(search.texts(limit), limit, cursor)
    if rank is not None:
        hits.sort(key=rank, reverse=True)
    searched, skipped = search.counted()
    return Answer(hits=hits, rest=rest, files_searched=searched, skipped=skipped, more=search.within.more)


class _Pass:
    """Going once through one ground."""

    def __init__(self, ground: Ground, since: bytes, *, is_named: bool | None) -> None:
        self.ground = ground
        self.since = since
        self.is_named = is_named
        """Which files it gives: those whose path matches, or the others; None for all."""
        self.is_over = False


class _Search:
    def __init__(
        self, grounds: Sequence[Ground], question: Question, deadline: float, cursor: Cursor
    ) -> None:
        self.grounds = grounds
        self.question = question
        self.cursor = cursor
        self.within = Within(question, deadline, is_alone=any(ground.is_file for ground in grounds))
        self.passes: list[_Pass] = []
        self.searched = 0
        self.limit = 0
        self.chosen = {id(ground): Chosen(ground, question) for ground in grounds}

    def texts(self, limit: int) -> Iterator[Keyed]:
        """Of which so many hits are wanted."""
        self.limit = limit
        done = self.cursor.path if self.cursor.line == WHOLE else None
        for going in self._passes():
            self.passes.append(going)
            texts = self._texts(going)
            yield from texts if done is None else (keyed for keyed in texts if keyed[0] != done)
            going.is_over = True

    def _passes(self) -> Iterator[_Pass]:
        reached = self.cursor.path
        if not self.question.match_path:
            return self._pass_of(reached, is_named=None)
        began = bool(reached) and self._is_named(self.grounds[0], self._reached())
        if began or not reached:
            return chain(self._pass_of(reached, is_named=True), self._pass_of(b"", is_named=False))
        return self._pass_of(reached, is_named=False)

    def _pass_of(self, reached: bytes, *, is_named: bool | None) -> Iterator[_Pass]:
        for ground in self.grounds:
            since = b"" if ground.is_file else ground.since(reached)
            if since is not None:
                yield _Pass(ground, since, is_named=is_named)

    def _reached(self) -> bytes:
        """The path of the cursor as a ground has it."""
        return self.cursor.path.rstrip(b"/").removeprefix(self.grounds[0].before)

    def _is_named(self, ground: Ground, path: bytes) -> bool:
        return self.question.pattern.is_in(ground.relative(path))

    def _texts(self, going: _Pass) -> Iterator[Keyed]:
        """Files of the base and those that changed, in one order."""
        ground = going.ground
        docs = deque(item for item in ground.docs if item[0] >= going.since)
        for path, text in self._of_base(going):
            while docs and docs[0][0] < path:
                yield from self._of_doc(going, *docs.popleft())
            yield ground.key(path), text
        for path, doc in docs:
            yield from self._of_doc(going, path, doc)

    def _of_doc(self, going: _Pass, path: bytes, doc: Doc) -> Iterator[Keyed]:
        ground = going.ground
        is_named = self.question.match_path and self._is_named(ground, path)
        if going.is_named is not None and is_named != going.is_named:
            return
        text = None
        if self._is_wanted(ground, path, doc.path, doc.passed) and doc.text is not None:
            self.searched += 1
            if is_named or self._may_hold(doc.text):
                text = self._text(ground, path, doc.text, is_named=is_named)
        yield ground.key(path), text

    def _may_hold(self, text: bytes) -> bool:
        """Most changed files do not hold what is looked for: one look is a tenth of the work on a text."""
        literal = self.question.pattern.literal
        return literal is None or literal in text

    def _is_wanted(self, ground: Ground, path: bytes, name: str, reason: str) -> bool:
        if not self.chosen[id(ground)].takes(path):
            return False
        if ground.is_file and reason:
            ground.place.root.open(name).stream.close()  # who asks for one file is told why it cannot be had
        elif not reason and not ground.is_file and _hides(ground, name):
            reason = "secret"
        if reason:
            self.within.skipped[reason] += 1
        return not reason

    def _text(self, ground: Ground, path: bytes, data: bytes, *, is_named: bool) -> Text:
        shown = ground.key(path).decode("utf-8", "surrogateescape")
        return Text(shown, self.question.pattern.plain_ends(data), is_named)

    def _of_base(self, going: _Pass) -> Iterator[Keyed]:
        if going.ground.is_file:
            return self._alone(going)
        return self._named(going) if going.is_named else self._matching(going)

    def _alone(self, going: _Pass) -> Iterator[tuple[bytes, Text | None]]:
        """The one file there is."""
        ground = going.ground
        for number in range(*ground.span):
            path, is_named = ground.prefix, bool(going.is_named)
            if number in ground.snapshot.gone or (
                self.question.match_path and is_named != self._is_named(ground, path)
            ):
                continue
            reason = reason_of(ground.snapshot.base, number)
            if self._is_wanted(ground, path, ground.place.path, reason):
                self.searched += 1
                yield path, self._text(ground, path, ground.facts.read(number), is_named=is_named)

    def _named(self, going: _Pass) -> Iterator[tuple[bytes, Text | None]]:
        """Every file whose path matches."""
        ground, base = going.ground, going.ground.snapshot.base
        begin, end = ground.first(going.since), ground.span[1]
        passed = {number for ids in base.passed.values() for number in between(ids, begin, end)}
        for number, path in enumerate(base.paths(begin, end), begin):
            if number in ground.snapshot.gone or number in passed or not self._is_named(ground, path):
                continue
            if self._is_wanted(ground, path, path.decode("utf-8", "surrogateescape"), ""):
                self.searched += 1
                yield path, self._text(ground, path, ground.facts.read(number), is_named=True)

    def _matching(self, going: _Pass) -> Iterator[Keyed]:
        """The files in which the pattern may match."""
        ground, question = going.ground, self.question
        begin, end = ground.first(going.since), ground.span[1]
        lookup = Lookup(ground.facts, question.pattern)
        shown = Shown(ground, self.chosen[id(ground)], self.within.skipped)
        if going.is_named is False:
            shown.leaves_out = partial(self._is_named, ground)
        if question.mode is not Mode.CONTENT or question.before or question.after or not lookup.is_by_line:
            yield from self._looked_through(lookup, shown, begin, end)
            return
        if self.cursor.line and ground.key(going.since) == self.cursor.path:
            following = self._following(going)
            if self.cursor.line != WHOLE:
                yield from self._looked_through(lookup, shown, begin, following)
            begin = following
        path, docs = ground.snapshot.base.path, [path for path, _ in ground.docs]
        sought = Sought(lookup, shown, self.within.per_file, self.limit, docs)
        for number, run in hits(sought, begin, end):
            yield path(number), run

    def _following(self, going: _Pass) -> int:
        """The first file after the one a pass begins with."""
        ground = going.ground
        begin, end = ground.first(going.since), ground.span[1]
        is_there = ground.snapshot.base.find(going.since) == begin
        return min(begin + is_there, end)

    def _looked_through(
        self, lookup: Lookup, shown: Shown, begin: int, end: int
    ) -> Iterator[tuple[bytes, Text | None]]:
        facts, base = shown.ground.facts, shown.ground.snapshot.base
        around = self.question.before or self.question.after
        for number, pieces in lookup.files(begin, end):
            if pieces == ():
                yield base.path(number), None
                continue
            name = shown.name(number)
            if name is None:
                continue
            if pieces is None:
                text = Text(name, self.question.pattern.plain_ends(facts.read(number)))
            elif around or pieces[-1][1] <= LARGE_FILE_BYTES:
                text = Text(name, facts.read(number), pieces=pieces)
            else:
                text = _cut_out(facts, number, name, pieces)
            yield base.path(number), text

    def counted(self) -> tuple[int, dict[str, int]]:
        """Files searched, and those passed over by reason, as far as the page came."""
        skipped = Counter(self.within.skipped)
        searched = self.searched
        for going in self.passes:
            if not going.ground.is_file:
                begin, end = self._range(going)
                passed = self._passed(going, begin, end)
                skipped += passed
                if not going.is_named:
                    searched += self._with_text(going.ground, begin, end)
        return searched, dict(sorted(skipped.items()))

    def _range(self, going: _Pass) -> tuple[int, int]:
        ground = going.ground
        begin, end = ground.first(going.since), ground.span[1]
        if self.cursor.line == WHOLE and ground.key(going.since) == self.cursor.path:
            begin = self._following(going)
        if not going.is_over and self.within.stopped is not None:
            end = ground.first(ground.since(self.within.stopped) or b"")
        return begin, max(begin, end)

    def _passed(self, going: _Pass, begin: int, end: int) -> Counter[str]:
        ground = going.ground
        is_all = going.is_named is None and not ground.snapshot.gone and self.chosen[id(ground)].takes_all
        found: Counter[str] = Counter()
        for reason, ids in ground.snapshot.base.passed.items():
            if is_all:
                found[reason] = bisect_left(ids, end) - bisect_left(ids, begin)
            else:
                found[reason] = sum(self._is_counted(going, number) for number in between(ids, begin, end))
        return found

    def _is_counted(self, going: _Pass, number: int) -> bool:
        ground = going.ground
        if number in ground.snapshot.gone:
            return False
        path = ground.snapshot.base.path(number)
        if going.is_named is not None and self._is_named(ground, path) != going.is_named:
            return False
        return self.chosen[id(ground)].takes(path)

    def _with_text(self, ground: Ground, begin: int, end: int) -> int:
        passed = ground.snapshot.base.passed.values()
        without = sum(bisect_left(ids, end) - bisect_left(ids, begin) for ids in passed)
        gone = sum(begin <= number < end for number in ground.snapshot.gone)
        return max(end - begin - without - gone, 0)


def _cut_out(facts: Facts, number: int, name: str, pieces: tuple[Piece, ...]) -> Text:
    """Only the part of a large file that holds its pieces."""
    start, first = facts.starts[number], pieces[0][0]
    data = facts.part(number, start + first, start + pieces[-1][1])
    moved = tuple((low - first, high - first) for low, high in pieces)
    return Text(name, data, pieces=moved, lines_before=facts.lines_before(number, start + first))


def _hides(ground: Ground, path: str) -> bool:
    """Asked again when something is shown: rules may have changed since the index was built."""
    guard = getattr(ground.place.root, "guard", None)
    return guard is not None and bool(guard.hides(path))
