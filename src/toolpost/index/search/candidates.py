"""Where in a text a pattern can match: its needles looked up among the trigrams, without numpy.

A segment's blocks are the bits of one number. A needle can begin in a block if each of its trigrams is in that
block or the next; needles of one line lie in the same block, in neighbours, or with only blocks between them
that no line ends in.
"""

from bisect import bisect_left
from collections.abc import Iterator

from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.sections import Sections
from toolpost.index.limits import NEEDLE_TRIGRAMS
from toolpost.index.search.needles import All, Needle, Wanted
from toolpost.index.search.segments import (
    BLOCK_BITS,
    BLOCKS,
    DENSE,
    FOLDS_TO_ASCII,
    HEAD,
    META,
    META_BYTES,
    SEGMENT_BYTES,
    STRIDE_BYTES,
    UNBROKEN_BYTES,
    count,
    hashed,
    section,
)

_EVERY = (1 << BLOCKS) - 1
_ENDS = 1 | 1 << (BLOCKS - 1)
_MOSTLY = BLOCKS * 5 // 8


class Segment:
    """The trigrams of one segment, mapped."""

    def __init__(self, sections: Sections, number: int) -> None:
        """Raises Damaged."""
        self._pages = sections.pages(section(number))
        view = self._pages.view
        self._pages.check(0, HEAD.size + UNBROKEN_BYTES)
        trigrams, self.flags, _, _ = HEAD.unpack_from(view)
        hashes = HEAD.size + UNBROKEN_BYTES
        offsets = hashes + 4 * trigrams
        self._postings = offsets + 4 * (trigrams + 1)
        self._pages.check(0, self._postings)
        self.unbroken = int.from_bytes(view[HEAD.size : hashes], "little")
        self._hashes = view[hashes:offsets].cast("I")
        self._offsets = view[offsets : self._postings].cast("I")

    def begins(self, needle: Needle, hashes: tuple[tuple[int, bool], ...]) -> int:
        """The blocks a needle can begin in. With each hash comes whether its trigram may be written otherwise."""
        is_open = needle.folds and self.flags & FOLDS_TO_ASCII
        found = []
        for value, folds in hashes:
            if folds and is_open:
                continue
            at = bisect_left(self._hashes, value)
            if at == len(self._hashes) or self._hashes[at] != value:
                return 0
            low, high = self._offsets[at], self._offsets[at + 1]
            found.append((high - low, low))
        found.sort()
        return self._common(found[:NEEDLE_TRIGRAMS])

    def _common(self, found: list[tuple[int, int]]) -> int:
        blocks = _EVERY
        for length, low in found:
            begin = self._postings + 2 * low
            end = begin + 2 * length
            self._pages.check(begin, end)
            raw = self._pages.view[begin:end]
            if length == DENSE:
                bits = int.from_bytes(raw, "little")
            else:
                bits = 0
                for block in raw.cast("H"):
                    bits |= 1 << block
            blocks &= bits | bits >> 1
            if not blocks:
                return 0
        return blocks


class Candidates:
    """Where needles can be in a text. Raises Damaged for trigrams that are not as they were written."""

    def __init__(self, sections: Sections, text_bytes: int) -> None:
        if bytes(sections.array(META)) != META_BYTES:
            raise Damaged(f"The trigrams in {sections.path} are laid out in another way.")
        self._sections = sections
        self._text_bytes = text_bytes
        self._segments: dict[int, Segment] = {}

    def regions(
        self, wanted: Wanted, begin: int, end: int, *, crosses: bool = False, joins: bool = False
    ) -> Iterator[tuple[int, int]]:
        """Regions in order, not touching. A match holds a needle that begins in one, or touches its line.

        `crosses`: the needles of a match may be on different lines. `joins`: those a few blocks apart become
        one, for who looks through a block in less time than a region takes.
        """
        asked = _Asked(wanted, crosses=crosses)
        for number in range(begin // STRIDE_BYTES, count(self._text_bytes)):
            base = number * STRIDE_BYTES
            if base >= end:
                return
            blocks = asked.blocks(self._segment(number))
            last = min(end, base + SEGMENT_BYTES)
            for low, high in _runs(_joined(blocks) if joins else blocks):
                low_at, high_at = base + (low << BLOCK_BITS), base + (high << BLOCK_BITS)
                if low_at < begin or high_at > last:
                    low_at, high_at = max(low_at, begin), min(high_at, last)
                if low_at < high_at:
                    yield low_at, high_at
                    begin = high_at  # the last block is the next segment's first

    def _segment(self, number: int) -> Segment:
        known = self._segments.get(number)
        return known or self._segments.setdefault(number, Segment(self._sections, number))


class _Asked:
    """What is wanted, ready to be looked up in one segment after the other."""

    def __init__(self, wanted: Wanted, *, crosses: bool) -> None:
        self._wanted = wanted
        self._crosses = crosses
        self._hashes: dict[Needle, tuple[tuple[int, bool], ...]] = {}

    def blocks(self, segment: Segment) -> int:
        return self._blocks(self._wanted, segment)

    def _blocks(self, wanted: Wanted, segment: Segment) -> int:
        if isinstance(wanted, Needle):
            return segment.begins(wanted, self._hashed(wanted))
        if not isinstance(wanted, All):
            found = 0
            for part in wanted.parts:
                found |= self._blocks(part, segment)
            return found
        return self._all([self._blocks(part, segment) for part in wanted.parts], segment)

    def _all(self, parts: list[int], segment: Segment) -> int:
        """Where the rarest is, if all others are near; across lines the rarest alone says where."""
        parts.sort(key=int.bit_count)
        if self._crosses:
            return parts[0]
        # A line that goes on in another segment fills the block both have; some of its needles may be there.
        ends = _ENDS if segment.unbroken & _ENDS else 0
        found = _near(ends | parts[0], segment.unbroken) if ends else parts[0]
        for other in parts[1:]:
            if not found:
                return 0
            found &= _near(other | ends, segment.unbroken)
        return found

    def _hashed(self, needle: Needle) -> tuple[tuple[int, bool], ...]:
        known = self._hashes.get(needle)
        if known is None:
            texts = {needle.text[at : at + 3] for at in range(len(needle.text) - 2)}
            known = tuple((hashed(text), b"s" in text or b"k" in text) for text in texts)
            self._hashes[needle] = known
        return known


def _near(blocks: int, unbroken: int) -> int:
    """These blocks, and those their lines can reach."""
    reached = (blocks | blocks << 1 | blocks >> 1) & _EVERY
    crossed = reached & unbroken
    while crossed:
        further = (crossed << 1 | crossed >> 1) & _EVERY & ~reached
        reached |= further
        crossed = further & unbroken
    return reached


def _joined(blocks: int) -> int:
    """With gaps of up to seven blocks filled."""
    wide = blocks | blocks << 1
    wide |= wide << 2
    wide |= wide << 4
    wide &= wide >> 1
    wide &= wide >> 2
    return wide & wide >> 4


def _runs(blocks: int) -> Iterator[tuple[int, int]]:
    """Neighbours among the blocks, from the first to after the last."""
    if blocks.bit_count() > _MOSTLY:
        yield 0, BLOCKS
        return
    # As text, which is searched three times as fast as numbers of 2,048 bits are shifted.
    bits = f"{blocks:b}"[::-1] + "0"
    find = bits.find
    low = find("1")
    while low >= 0:
        high = find("0", low)
        yield low, high
        low = find("1", high)
