"""The lines that hold a literal, as hits: the commonest question, answered with as few steps as can be.

A text is decoded in chunks of many files, first small ones, then larger: 1 us a hit, where file by file it is 3.
Places are looked up by stringzilla alone: a call takes half as long as one of `bytes`. What a file gives is what
`Within` would give.
"""

from bisect import bisect_right
from collections.abc import Iterator

from toolpost.index.search.facts import Facts
from toolpost.index.search.ground import Shown
from toolpost.index.search.lookup import Lookup
from toolpost.limits import HITS_FIRST_BYTES, HITS_MOST_BYTES, SEARCH_PER_FILE, SNIPPET_CHARS
from toolpost.workspace.walking.within import Hit, Ready, cut_around


def literal_hits(
    facts: Facts, lookup: Lookup, shown: Shown, begin: int, end: int
) -> Iterator[tuple[int, Ready]]:
    """Every file from `begin` to before `end` that has hits, with them."""
    literal = lookup.pattern.literal
    if literal is None:
        return
    low, high = facts.starts[begin], facts.starts[end]
    file = _File(facts, shown, literal)
    done = low
    for region in lookup.regions(low, high):
        at, stop = max(region[0], done), min(region[1] + len(literal) - 1, high)
        if at < stop:
            facts.text.check(at, stop)
            yield from file.through(at, stop)
            done = max(stop, file.skips_to, file.told)
    yield from file.rest()


def _snippet(raw: bytes, at: int) -> tuple[str, int]:
    """A line and the column of a place in it, for lines that are long or not ASCII."""
    line, column = raw.decode("utf-8", "replace").removesuffix("\r"), len(raw[:at].decode("utf-8", "replace"))
    return cut_around(line, column), column + 1


class _File:
    """The file that is being looked through, and the chunk of text."""

    def __init__(self, facts: Facts, shown: Shown, literal: bytes) -> None:
        self._facts = facts
        self._find = facts.letters.find
        self._shown = shown
        self._literal = literal
        self._number = -1
        self._end = 0
        self._name = ""
        self._hits: list[Hit] = []
        self._left_out = 0
        self._line = 0
        self._counted = 0
        """Up to where the lines are counted, in the whole text."""
        self._chunk, self._base, self._chunk_end = b"", 0, 0
        self._text: str | None = None
        """The chunk, if bytes are characters and lines end as they are shown."""
        self._size = HITS_FIRST_BYTES
        self.skips_to = 0
        """Where a file ends of which no more is shown."""
        self.told = 0
        """Where the last line ends that was given; it may go on in the next region."""

    def rest(self) -> Iterator[tuple[int, Ready]]:
        """The last file."""
        if self._hits:
            yield self._number, Ready(self._name, self._hits, self._left_out)

    def through(self, begin: int, end: int) -> Iterator[tuple[int, Ready]]:
        """All of a region, in which the literal may begin."""
        at = self._find(self._literal, begin, end)
        while at >= 0:
            if at >= self._end:
                if self._hits:
                    yield self._number, Ready(self._name, self._hits, self._left_out)
                self._begin(at)
            if self.skips_to:  # it is not shown, or has given all it may
                at = self._find(self._literal, self._end, end)
                continue
            if at >= self._chunk_end:
                self._load(at)
            at = self._given(at, end)

    def _given(self, at: int, end: int) -> int:
        """Hits of the file in the chunk; and where the literal comes next, in it or in another, or -1."""
        text, base = self._text, self._base
        letters = self._facts.letters
        find, count, rfind = letters.find, letters.count, letters.rfind
        name, add, literal = self._name, self._hits.append, self._literal
        line, counted, stop = self._line, self._counted, self.told
        size = min(self._chunk_end, self._end)
        for _ in range(SEARCH_PER_FILE - len(self._hits)):
            low, stop = rfind(b"\n", 0, at) + 1, find(b"\n", at)
            line += count(b"\n", counted, low)
            counted = low
            if text is None or stop - low > SNIPPET_CHARS:
                snippet, column = _snippet(self._chunk[low - base : stop - base], at - low)
            else:
                snippet, column = text[low - base : stop - base], at - low + 1
            add(Hit(path=name, line=line, column=column, snippet=snippet))
            at = find(literal, stop, end)
            if not 0 <= at < size:
                break
        else:
            self._left_out = self._lines_left(at)
            self.skips_to = self._end
        self._counted, self._line, self.told = counted, line, stop
        return at

    def _load(self, at: int) -> None:
        """A chunk of whole lines from that place on: the denser the hits, the longer."""
        facts = self._facts
        is_near = at < self._chunk_end + self._size
        self._size = min(self._size * 2, HITS_MOST_BYTES) if is_near else HITS_FIRST_BYTES
        low = facts.letters.rfind(b"\n", 0, at) + 1
        high = self._find(b"\n", min(at + self._size, facts.size) - 1) + 1 or facts.size
        self._chunk, self._base, self._chunk_end = facts.text.read(low, high), low, high
        is_simple = self._chunk.isascii() and b"\r" not in self._chunk
        self._text = self._chunk.decode("ascii") if is_simple else None
        self._line, self._counted = facts.lines_before(self._number, low) + 1, low

    def _begin(self, at: int) -> None:
        """Another file; if it begins in the chunk, its lines are counted from there."""
        starts = self._facts.starts
        self._number = bisect_right(starts, at, self._number + 1) - 1
        self._end = starts[self._number + 1]
        name = self._shown.name(self._number)
        self._name, self._hits, self._left_out = name or "", [], 0
        self.skips_to = self._end if name is None else 0
        self._line, self._counted = 1, starts[self._number]

    def _lines_left(self, at: int) -> int:
        """Lines of the file that hold the literal, from one on."""
        find, lines = self._find, 0
        self._facts.text.check(at, self._end)
        while at >= 0:
            lines += 1
            at = find(self._literal, find(b"\n", at, self._end), self._end)
        return lines
