"""Keys one slip of the hand away: a character too many, missing, wrong, or two in each other's place."""

from collections.abc import Iterator

from toolpost.index.limits import NAME_PROBES
from toolpost.index.names.texts import Texts


def is_near(one: str, other: str) -> bool:
    """Whether it takes exactly one slip to get from one to the other."""
    if len(one) < len(other):
        one, other = other, one
    at = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(other))
    if len(one) == len(other):
        swapped = one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :]
        return one != other and (swapped or one[at + 1 :] == other[at + 1 :])
    return one[at + 1 :] == other[at:]


def near(keys: Texts, sought: str) -> list[int]:
    """Every key that is near, sorted. Where keys begin with thousands of letters, those that were reached."""
    found = set()
    for probes, (wanted, low, high) in enumerate(_probes(keys, sought)):
        if probes >= NAME_PROBES:
            break
        at = keys.find(wanted, low, high)
        if at >= 0 and wanted != sought:
            found.add(at)
    return sorted(found)


def _probes(keys: Texts, sought: str) -> Iterator[tuple[str, int, int]]:
    """What to look for, and between which keys: only what goes on as some key does after the same beginning."""
    low, high = 0, keys.count
    for at in range(len(sought) + 1):
        begin, rest = sought[:at], sought[at:]
        low, high = keys.beginning(begin, low, high)
        if low == high:
            return
        yield begin + rest[1:], low, high
        for char, first, after in _next(keys, begin, low, high):
            yield begin + char + rest, first, after
            yield begin + char + rest[1:], first, after
            if rest[1:2] == char:
                yield begin + char + rest[0] + rest[2:], first, after


def _next(keys: Texts, begin: str, low: int, high: int) -> Iterator[tuple[str, int, int]]:
    """The characters with which keys go on, and which keys do."""
    at = low
    while at < high:
        char = keys.at(at)[len(begin) : len(begin) + 1]
        first, at = at, keys.beginning(begin + char, at, high)[1] if char else at + 1
        if char:
            yield char, first, at
