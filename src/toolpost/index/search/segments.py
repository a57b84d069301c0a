r"""How trigrams are laid out: the text in segments, a segment in blocks, and for every trigram its blocks.

A segment is the text of BLOCKS blocks; the last of them is the first of the next segment, so that what begins
in one block and ends in the one after it lies within one segment. Trigrams are of bytes, capital letters of
ASCII folded; each is known by 21 bits of a product. Of one segment:

    4 numbers of 32 bits    trigrams, flags, and two that are 0
    BLOCKS bits             blocks without a line end
    32 bits a trigram       their hashes, sorted
    32 bits a trigram       where the postings of each begin, in units of 16 bits; one more at the end
    postings                numbers of blocks in 16 bits each; 128 of them or more as BLOCKS bits
"""

from struct import Struct as Layout

BLOCK_BITS = 12
BLOCK_BYTES = 1 << BLOCK_BITS
BLOCKS = 2048
STRIDE_BYTES = (BLOCKS - 1) << BLOCK_BITS
"""From one segment to the next."""
SEGMENT_BYTES = BLOCKS << BLOCK_BITS
DENSE = BLOCKS // 16
"""Numbers that take as much room as bits."""
HEAD = Layout("=4I")
UNBROKEN_BYTES = BLOCKS // 8
FOLDS_TO_ASCII = 1
r"""A flag: the segment holds `\u017f` or `\u212a`, which `(?i)` takes for `s` and `k`."""
HASH_BITS = 21
MULTIPLIER = 0x9E3779B1
FOLD = bytes(code + 32 if 65 <= code <= 90 else code for code in range(256))
META = "meta"
META_BYTES = Layout("=4I").pack(1, BLOCK_BYTES, BLOCKS, STRIDE_BYTES)
"""What the section `meta` holds; trigrams laid out in another way are not read."""


def hashed(trigram: bytes) -> int:
    """Of three bytes, folded."""
    value = (trigram[0] << 8) | (trigram[1] << 16) | (trigram[2] << 24)
    return ((value * MULTIPLIER) & 0xFFFFFFFF) >> (32 - HASH_BITS)


def section(number: int) -> str:
    return f"{number:04d}"


def count(text_bytes: int) -> int:
    """Segments of a text."""
    return -(-text_bytes // STRIDE_BYTES)
