"""The lists of files behind every name, sorted by the million: the one module of names that needs numpy."""

from array import array
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from toolpost.index.limits import NAME_ENTRIES
from toolpost.index.names.claims import PASSED_ON

Longs = NDArray[np.uint64]
_RANK_BITS = np.uint64(30)
_FILE = np.uint64((1 << 30) - 1)
_LOW = np.uint64(0xFFFFFFFF)


def lists(
    texts: tuple[bytes, bytes],
    order: tuple["array[int]", "array[int]", "array[int]"],
    entries: "array[int]",
    runs: tuple["array[int]", "array[int]"],
) -> dict[str, bytes]:
    """Sections of `tables`.

    `texts` are where keys and spellings end, sorted. `order` is, by the numbers they were met with, the keys as they
    are sorted, the spellings as they are sorted, and each spelling's key. `entries` are spelling, claim and file.
    `runs` are the keys of each spelling's runs, those from its first word first, and of how many words they are made.
    """
    ranked, written, whole_of = (_longs(numbers, np.uint32) for numbers in order)
    places, new = _places(ranked), _places(written)
    whole_keys = places[whole_of[written]]
    files, starts = _spelled(_longs(entries, np.uint64), new)
    listed = _listed(runs, places, new, whole_keys)
    pieces = [_parts(piece, files, starts) for piece in _pieces(listed, starts)]
    none = np.zeros(0, np.int64)
    spellings = np.bincount(whole_keys.astype(np.int64), minlength=len(places))
    totals = np.concatenate([none, *(piece[1] for piece in pieces), [0]])
    lengths = np.concatenate([none, *(piece[2] for piece in pieces)])
    return {
        "names.key_rows": _rows(
            np.frombuffer(texts[0], np.uint32), _starts(spellings), _starts(lengths), totals
        ),
        "names.spelling_rows": _rows(np.frombuffer(texts[1], np.uint32), starts),
        "names.parts": b"".join(piece[0] for piece in pieces),
        "names.files": files.astype(np.uint32).tobytes(),
    }


def _places(order: Longs) -> Longs:
    """Of each number the place it is at."""
    places = np.empty(len(order), np.uint64)
    places[order] = np.arange(len(order), dtype=np.uint64)
    return places


def _listed(runs: tuple["array[int]", "array[int]"], places: Longs, new: Longs, whole_keys: Longs) -> Longs:
    """Key, spelling and how the one lies in the other, sorted, by their places; some stand twice, which does no harm."""
    words = _longs(runs[1], np.uint8).astype(np.int64)
    counts = words * (words + 1) // 2
    begins = _starts(counts)
    is_within = np.arange(begins[-1]) >= np.repeat(begins[:-1] + words, counts)
    found = places[_longs(runs[0], np.uint32)] << np.uint64(32)
    found |= np.repeat(new << np.uint64(2), counts)
    found += is_within + np.uint64(1)
    whole = whole_keys << np.uint64(32) | np.arange(len(new), dtype=np.uint64) << np.uint64(2)
    listed = np.concatenate([found, whole])
    listed.sort()
    return listed


def _rows(*columns: NDArray[np.int64] | NDArray[np.uint32]) -> bytes:
    """Side by side: what is used together is in one page."""
    return np.stack(columns, axis=1).astype(np.uint32).tobytes()


def _longs(numbers: "array[int]", kind: type[np.unsignedinteger]) -> Longs:
    return np.frombuffer(numbers, kind).astype(np.uint64) if numbers else np.zeros(0, np.uint64)


def _starts(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


def _spelled(entries: Longs, new: Longs) -> tuple[Longs, NDArray[np.int64]]:
    """Claim and file of every spelling, a file once with its best claim; and where each spelling's begin."""
    spelling = new[(entries >> np.uint64(32)).astype(np.int64)]
    claim = (entries & _LOW) >> _RANK_BITS
    found = _firsts(spelling << np.uint64(32) | (entries & _FILE) << np.uint64(2) | claim, 2)
    file, claim = found >> np.uint64(2) & _FILE, found & np.uint64(3)
    found = found >> np.uint64(32) << np.uint64(32) | claim << _RANK_BITS | file
    found.sort()
    counts = np.bincount((found >> np.uint64(32)).astype(np.int64), minlength=len(new))
    return found & _LOW, _starts(counts)


def _firsts(values: Longs, bits: int) -> Longs:
    """Sorted; of those that differ only in their lowest bits, the least."""
    values.sort()
    upper = values >> np.uint64(bits)
    keep = np.ones(len(values), bool)
    keep[1:] = upper[1:] != upper[:-1]
    return values[keep]


def _pieces(listed: Longs, starts: NDArray[np.int64]) -> Iterator[Longs]:
    """Whole keys, so many at a time that what they stand for fits in memory."""
    if not len(listed):
        return
    spelling = ((listed & _LOW) >> np.uint64(2)).astype(np.int64)
    ends = np.cumsum(starts[spelling + 1] - starts[spelling])
    keys = listed >> np.uint64(32)
    begin = 0
    while begin < len(listed):
        before = ends[begin - 1] if begin else 0
        cut = int(np.searchsorted(ends, before + NAME_ENTRIES, side="right"))
        last = min(max(cut, begin + 1), len(listed)) - 1
        end = int(np.searchsorted(keys, keys[last], side="right"))
        yield listed[begin:end]
        begin = end


def _parts(
    listed: Longs, files: Longs, starts: NDArray[np.int64]
) -> tuple[bytes, NDArray[np.int64], NDArray[np.int64]]:
    """Rank and file for every key that is a part of a name; how many files each key finds; how many as a part.

    A file stands once, by its best rank; one that has the key for a whole name is only counted here.
    """
    spelling = ((listed & _LOW) >> np.uint64(2)).astype(np.int64)
    counts = starts[spelling + 1] - starts[spelling]
    ends = np.cumsum(counts)
    every = np.repeat(starts[spelling] - ends + counts, counts) + np.arange(int(ends[-1]))
    first = listed[0] >> np.uint64(32)
    keys = int((listed[-1] >> np.uint64(32)) - first) + 1
    key = np.repeat((listed >> np.uint64(32)) - first, counts)
    how = np.repeat(listed & np.uint64(3), counts)
    file = files[every]
    passed = (file >> _RANK_BITS == np.uint64(PASSED_ON)).astype(np.uint64)
    rank: Longs = np.where(how == np.uint64(0), np.uint64(0), how * np.uint64(2) - np.uint64(1) + passed)
    found = _firsts(key << np.uint64(33) | (file & _FILE) << np.uint64(3) | rank, 3)
    totals = np.bincount((found >> np.uint64(33)).astype(np.int64), minlength=keys)
    found = found[found & np.uint64(7) != np.uint64(0)]
    key, rank = found >> np.uint64(33), (found & np.uint64(7)) - np.uint64(1)
    lengths = np.bincount(key.astype(np.int64), minlength=keys)
    found = key << np.uint64(32) | rank << _RANK_BITS | found >> np.uint64(3) & _FILE
    found.sort()
    return (found & _LOW).astype(np.uint32).tobytes(), totals, lengths
