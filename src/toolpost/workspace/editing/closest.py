"""The region of a file most like a text that is not in it: to be shown in an error, never to be written.

Regions are found by the lines, else the words, that the text shares with the file, rare ones first, and
only a few are compared, so that the time is bounded by the size of the file.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import zip_longest
from unicodedata import category

from msgspec import Struct

from toolpost.limits import (
    CLOSEST_LIKE,
    CLOSEST_LINE_CHARS,
    CLOSEST_LINES,
    CLOSEST_PLACES,
    CLOSEST_SNIPPET,
    CLOSEST_TRIED,
    CLOSEST_WANTED,
)
from toolpost.workspace.editing.lines import first, number_at, same_start, split, start_at, without_ending

_WORD = re.compile(r"\w+")


class Closest(Struct, frozen=True):
    """Whole lines of the file, and where they begin to differ from the text looked for."""

    start_line: int
    end_line: int
    text: str
    similarity: float
    line: int
    column: int
    has: str
    """What the file has from there on."""
    wanted: str
    """What the text looked for has there."""


def closest(text: str, wanted: str) -> Closest | None:
    """None when no region is much like it."""
    lines = first(text, CLOSEST_LINES)
    looked_for = split(wanted)[:CLOSEST_WANTED]
    tried = [(_likeness(lines, looked_for, start), -start) for start in _starts(lines, looked_for)]
    similarity, start = max(tried, default=(0.0, 0))
    return _region(lines, wanted, -start, similarity) if similarity >= CLOSEST_LIKE else None


def marked(text: str) -> str:
    """The text with blanks as dots, tabs as arrows, and what else cannot be seen by its number."""
    return "".join(_mark(char) for char in text)


def _mark(char: str) -> str:
    if char in _MARKS:
        return _MARKS[char]
    return f"<U+{ord(char):04X}>" if category(char) in _UNSEEN else char


_MARKS = {" ": "·", "\t": "→", "\n": "\n"}
_UNSEEN = {"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"}


def _starts(lines: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Where the text may begin: the places most of its lines, or else of its words, speak for."""
    votes = _votes(_whole(lines), _whole(wanted)) or _votes(_words(lines), _words(wanted))
    best = nlargest(CLOSEST_TRIED, votes, key=lambda start: (votes[start], -start))
    return list(dict.fromkeys(max(start, 0) for start in best if start < len(lines)))


def _whole(lines: Iterable[str]) -> Iterator[Iterable[str]]:
    for line in lines:
        key = line.strip()
        yield (key,) if len(key) > 2 else ()


def _words(lines: Iterable[str]) -> Iterator[Iterable[str]]:
    return (set(_WORD.findall(line[:CLOSEST_LINE_CHARS])) for line in lines)


def _votes(file: Iterator[Iterable[str]], wanted: Iterator[Iterable[str]]) -> dict[int, float]:
    """For each possible first line how much speaks for it: what occurs less often counts for more."""
    stands: dict[str, int] = {}
    for at, keys in enumerate(wanted):
        for key in keys:
            stands.setdefault(key, at)
    occurs: dict[str, list[int]] = {key: [] for key in stands}
    for at, keys in enumerate(file):
        for key in keys:
            if key in occurs and len(occurs[key]) <= CLOSEST_PLACES:
                occurs[key].append(at)
    votes: dict[int, float] = {}
    for key, places in occurs.items():
        if len(places) <= CLOSEST_PLACES:
            _vote(votes, [place - stands[key] for place in places], len(key))
    return votes


def _vote(votes: dict[int, float], starts: Sequence[int], weight: float) -> None:
    for start in starts:
        votes[start] = votes.get(start, 0.0) + weight / len(starts)


def _likeness(lines: Sequence[str], wanted: Sequence[str], start: int) -> float:
    """How many pairs of neighbouring characters both have, line by line, from 0 to 1."""
    shared = total = 0
    for line, other in zip_longest(wanted, lines[start : start + len(wanted)], fillvalue=""):
        one, two = _pairs(line), _pairs(other)
        shared += (one & two).total()
        total += one.total() + two.total()
    return 2 * shared / total


def _pairs(line: str) -> Counter[tuple[str, str]]:
    body = line.strip()[:CLOSEST_LINE_CHARS]
    return Counter(zip(f" {body}", f"{body} ", strict=True))


def _region(lines: Sequence[str], wanted: str, start: int, similarity: float) -> Closest:
    count = len(split(wanted))
    text = "".join(lines[start : start + count])
    if not wanted.endswith("\n"):
        text = without_ending(text)
    same = same_start(text, wanted)
    return Closest(
        start_line=start + 1,
        end_line=start + max(len(lines[start : start + count]), 1),
        text=text,
        similarity=round(similarity, 2),
        line=start + number_at(text, same),
        column=same - start_at(text, same) + 1,
        has=text[same : same + CLOSEST_SNIPPET],
        wanted=wanted[same : same + CLOSEST_SNIPPET],
    )
