"""Making the trigrams of a text. Only who builds an index imports this: it needs numpy, and that takes time."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from toolpost.index.search.segments import (
    BLOCK_BITS,
    BLOCK_BYTES,
    BLOCKS,
    DENSE,
    FOLD,
    FOLDS_TO_ASCII,
    HASH_BITS,
    HEAD,
    META,
    META_BYTES,
    MULTIPLIER,
    SEGMENT_BYTES,
    STRIDE_BYTES,
    UNBROKEN_BYTES,
    count,
    section,
)

Numbers = NDArray[np.uint32]
_BATCH = 64 * BLOCK_BYTES  # stays in the second cache: 43 ms for a segment, 160 in one piece
_LOW_BITS = 32 - HASH_BITS
_LONG_S, _KELVIN = "\u017f".encode(), "\u212a".encode()


def sections(text: memoryview | bytes) -> Iterator[tuple[str, bytes]]:
    """Everything a file of trigrams holds, by the names of its sections, one at a time."""
    yield META, META_BYTES
    view = memoryview(text)
    for number in range(count(len(view))):
        begin = number * STRIDE_BYTES
        yield section(number), tri_build(view[begin : begin + SEGMENT_BYTES])


def tri_build(text: memoryview | bytes) -> bytes:
    """The trigrams of one segment, which is at most SEGMENT_BYTES long."""
    view = memoryview(text)
    keys = _keys(view)
    keys.sort()
    kept = np.empty(len(keys), np.bool_)
    kept[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=kept[1:])
    keys = keys[kept]
    hashes = keys >> np.uint32(_LOW_BITS)
    begins = (
        np.flatnonzero(np.concatenate(([True], hashes[1:] != hashes[:-1]))) if len(keys) else np.empty(0, int)
    )
    lengths = np.diff(np.append(begins, len(keys)))
    blocks = (keys & np.uint32((1 << _LOW_BITS) - 1)).astype(np.uint16)
    offsets = np.zeros(len(begins) + 1, np.uint32)
    np.cumsum(np.minimum(lengths, DENSE), out=offsets[1:])
    unbroken, flags = _about(view)
    return b"".join((
        HEAD.pack(len(begins), flags, 0, 0),
        unbroken,
        hashes[begins].tobytes(),
        offsets.tobytes(),
        _postings(blocks, lengths, offsets),
    ))  # fmt: skip


def _keys(view: memoryview) -> Numbers:
    """For every place a trigram begins at: its hash, and below it the number of the block."""
    keys = np.empty(max(len(view) - 2, 0), np.uint32)
    for begin in range(0, len(keys), _BATCH):
        size = min(_BATCH, len(keys) - begin)
        # Numbers of four bytes each, one for every byte: the fourth is shifted out.
        folded = bytes(view[begin : begin + size + 3]).translate(FOLD).ljust(size + 3, b"\0")
        part = np.ndarray((size,), np.dtype("<u4"), folded, 0, (1,)) << np.uint32(8)
        part *= np.uint32(MULTIPLIER)
        part >>= np.uint32(_LOW_BITS)
        part <<= np.uint32(_LOW_BITS)
        part |= np.arange(begin, begin + size, dtype=np.uint32) >> np.uint32(BLOCK_BITS)
        keys[begin : begin + size] = part
    return keys


def _postings(blocks: NDArray[np.uint16], lengths: NDArray[np.intp], offsets: Numbers) -> bytes:
    made = np.zeros(int(offsets[-1]) + int(offsets[-1]) % 2, np.uint16)  # whole numbers of 32 bits
    is_dense = lengths >= DENSE
    is_in_dense = np.repeat(is_dense, lengths)
    # Entries keep their order, so those of sparse trigrams fill what the bits of dense ones leave free.
    is_bits = np.repeat(is_dense, np.diff(offsets))
    made[: len(is_bits)][~is_bits] = blocks[~is_in_dense]
    bits = np.zeros((int(is_dense.sum()), BLOCKS), np.bool_)
    rows = np.repeat(np.arange(len(bits), dtype=np.int32), lengths[is_dense])
    bits[rows, blocks[is_in_dense]] = True
    made[: len(is_bits)][is_bits] = np.packbits(bits, axis=1, bitorder="little").view(np.uint16).ravel()
    return made.tobytes()


def _about(view: memoryview) -> tuple[bytes, int]:
    """Which blocks hold no line end, in bits, and the flags."""
    unbroken = 0
    flags = 0
    for begin in range(0, len(view), _BATCH):
        part = bytes(view[begin : begin + _BATCH + 2])
        if not part.isascii() and (_LONG_S in part or _KELVIN in part):
            flags = FOLDS_TO_ASCII
        for at in range(0, min(_BATCH, len(view) - begin), BLOCK_BYTES):
            if part.find(b"\n", at, at + BLOCK_BYTES) < 0:
                unbroken |= 1 << ((begin + at) >> BLOCK_BITS)
    return unbroken.to_bytes(UNBROKEN_BYTES, "little"), flags
