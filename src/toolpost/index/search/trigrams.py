"""Making the trigrams of a text. Only who builds an index imports this: it needs numpy, and that takes time."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from toolpost.index.search.segments import (
    BLOCK_BITS,
    BLOCK_BYTES,
    BLOCKS,
    DENSE,
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

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.uint32]
_BATCH_BLOCKS = 16
_BATCH = _BATCH_BLOCKS * BLOCK_BYTES  # stays in the second cache: sorted so, a segment takes half the time
_LOW_BITS = 32 - HASH_BITS
_BLOCK = np.uint32((1 << _LOW_BITS) - 1)
_HASH = ~_BLOCK
_SPREAD = np.uint32(MULTIPLIER << 8 & 0xFFFFFFFF)  # shifted left: the fourth byte of a number falls out
_WORD = np.dtype("<u4")
_WORDS = BLOCK_BYTES // _WORD.itemsize
_CAPITAL, _CAPITALS, _SMALL = np.uint8(ord("A")), np.uint8(26), np.uint8(5)
_ROWS = 64  # of bits, which stay in the second cache: 9 ms for a segment, 22 at once
_ROW_BYTES = BLOCKS // 8
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
    keys = np.concatenate([np.empty(0, np.uint32), *_keys(np.frombuffer(view, np.uint8))])
    keys.sort()
    hashes = keys >> np.uint32(_LOW_BITS)
    begins = np.flatnonzero(_is_first(hashes))
    lengths = np.diff(np.append(begins, len(keys)))
    offsets = np.zeros(len(begins) + 1, np.uint32)
    np.cumsum(np.minimum(lengths, DENSE), out=offsets[1:])
    unbroken, flags = _about(view)
    return b"".join((
        HEAD.pack(len(begins), flags, 0, 0),
        unbroken,
        hashes[begins].tobytes(),
        offsets.tobytes(),
        *_postings((keys & _BLOCK).astype(np.uint16), begins, lengths),
        bytes(int(offsets[-1]) % 2 * 2),  # whole numbers of 32 bits
    ))  # fmt: skip


def _keys(text: Bytes) -> Iterator[Numbers]:
    """For every block its trigrams: the hash, and below it the number of the block. Some blocks at a time, sorted."""
    begin = 0
    keys = np.empty((_BATCH_BLOCKS, BLOCK_BYTES), np.uint32)
    while begin + _BATCH + 3 <= len(text):
        folded = _folded(text[begin : begin + _BATCH + 3])
        for shift in range(_WORD.itemsize):
            # Numbers of four bytes, every fourth of them at once: a block is sorted anyway.
            words = folded[shift : shift + _BATCH].copy().view(_WORD).reshape(_BATCH_BLOCKS, _WORDS)
            np.multiply(words, _SPREAD, out=keys[:, shift * _WORDS : (shift + 1) * _WORDS])
        first = begin >> BLOCK_BITS
        keys &= _HASH
        keys |= np.arange(first, first + _BATCH_BLOCKS, dtype=np.uint32)[:, np.newaxis]
        keys.sort(axis=1)
        yield _once(keys.ravel())
        begin += _BATCH
    yield _once(_last_keys(text, begin))


def _last_keys(text: Bytes, begin: int) -> Numbers:
    """Of what does not fill a batch."""
    size = max(len(text) - begin - 2, 0)
    folded = _folded(text[begin:]).tobytes() + b"\0"
    keys = np.ndarray((size,), _WORD, folded, 0, (1,)) * _SPREAD & _HASH
    keys |= np.arange(begin, begin + size, dtype=np.uint32) >> np.uint32(BLOCK_BITS)
    keys.sort()
    return keys


def _folded(text: Bytes) -> Bytes:
    """Capital letters made small: a bit that they all lack."""
    return text | (text - _CAPITAL < _CAPITALS).view(np.uint8) << _SMALL


def _once(numbers: Numbers) -> Numbers:
    """Sorted ones, each once. By places: a mask takes four times as long."""
    return numbers.take(np.flatnonzero(_is_first(numbers)))


def _is_first(numbers: Numbers) -> NDArray[np.bool_]:
    """Where another number begins."""
    found = np.empty(len(numbers), np.bool_)
    found[:1] = True
    np.not_equal(numbers[1:], numbers[:-1], out=found[1:])
    return found


def _postings(
    blocks: NDArray[np.uint16], begins: NDArray[np.intp], lengths: NDArray[np.intp]
) -> Iterator[memoryview]:
    """In order: the blocks of sparse trigrams as they are, those of each dense one as bits."""
    dense = np.flatnonzero(lengths >= DENSE)
    spans = list(zip(begins[dense].tolist(), (begins[dense] + lengths[dense]).tolist(), strict=True))
    numbers = blocks.data
    is_in = np.empty(_ROWS * BLOCKS, np.bool_)
    row_begins = np.arange(0, len(is_in), BLOCKS)
    done = 0
    for at in range(0, len(spans), _ROWS):
        rows = spans[at : at + _ROWS]
        places = np.repeat(row_begins[: len(rows)], lengths[dense[at : at + _ROWS]])
        places += np.concatenate([blocks[begin:end] for begin, end in rows])
        is_in[:] = False
        is_in[places] = True
        bits = np.packbits(is_in, bitorder="little").data
        for row, (begin, end) in enumerate(rows):
            yield numbers[done:begin]
            yield bits[row * _ROW_BYTES : (row + 1) * _ROW_BYTES]
            done = end
    yield numbers[done:]


def _about(view: memoryview) -> tuple[bytes, int]:
    """Which blocks hold no line end, in bits, and the flags."""
    unbroken = 0
    flags = 0
    for begin in range(0, len(view), _BATCH):
        part = bytes(view[begin : begin + _BATCH + 2])
        if not part.isascii() and _folds_to_ascii(part):
            flags = FOLDS_TO_ASCII
        for at in range(0, min(_BATCH, len(view) - begin), BLOCK_BYTES):
            if part.find(b"\n", at, at + BLOCK_BYTES) < 0:
                unbroken |= 1 << ((begin + at) >> BLOCK_BITS)
    return unbroken.to_bytes(UNBROKEN_BYTES, "little"), flags


def _folds_to_ascii(part: bytes) -> bool:
    """The last byte of each is looked for first: ten times as fast, and most texts have neither."""
    return (_LONG_S[-1] in part and _LONG_S in part) or (_KELVIN[-1] in part and _KELVIN in part)
