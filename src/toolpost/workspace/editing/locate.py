"""Where the lines of a hunk stand in a file: whole lines, all of them, one after the other."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from functools import cached_property
from itertools import accumulate, islice

from msgspec import Struct

from toolpost.limits import OPTIONS_TOLD
from toolpost.workspace.editing.hunk import Hunk
from toolpost.workspace.editing.lines import split, without_blanks, without_ending


class Level(IntEnum):
    """What may differ between two lines that count as equal."""

    NOTHING = 0
    LINE_ENDINGS = 1
    TRAILING_BLANKS = 2


class Spot(Struct, frozen=True, gc=False):
    """The line of the file, counted from 0, at which a hunk begins."""

    line: int
    level: Level


class Target:
    """The lines of a file."""

    def __init__(self, text: str) -> None:
        self.lines = split(text)
        self.is_open = text != "" and not text.endswith("\n")
        self._forms: dict[Level, _Form] = {}

    def spots(self, hunk: Hunk, first: int, expected: int | None) -> list[Spot]:
        """The one place a hunk is meant for, if that can be told; else all it could be, or none."""
        levels = list(Level) if hunk.start is None else [Level.NOTHING, Level.LINE_ENDINGS]
        for level in levels:
            if expected is not None and expected >= first and self._stands(hunk, expected, level):
                return [Spot(expected, level)]
        for level in levels:
            places = list(islice(self._places(hunk, first, level), OPTIONS_TOLD + 1))
            if len(places) > 1 and hunk.anchors:
                places = self._anchored(hunk.anchors, first, places)
            if places:
                return [Spot(place, level) for place in places]
        return []

    def _places(self, hunk: Hunk, first: int, level: Level) -> Iterator[int]:
        if hunk.at_end or not hunk.old[-1].endswith("\n"):
            last = len(self.lines) - len(hunk.old)
            return iter([last] if last >= first and self._stands(hunk, last, level) else [])
        return self._form(level).places(hunk.old, first)

    def _stands(self, hunk: Hunk, at: int, level: Level) -> bool:
        """Also whether the file ends there, if the hunk says so, and without a line ending, if it says that."""
        is_last = at + len(hunk.old) == len(self.lines)
        is_closed = hunk.old[-1].endswith("\n")
        ends_right = (is_closed or (is_last and self.is_open)) and (is_last or not hunk.at_end)
        return ends_right and self._form(level).has(hunk.old, at)

    def _anchored(self, anchors: Sequence[str], first: int, places: list[int]) -> list[int]:
        """Those that come next after the anchors; several where the first anchor stands in several places."""
        nexts = set()
        starts = self._positions.get(anchors[0], [])
        for start in starts[bisect_left(starts, first) :]:
            end = self._after(anchors[1:], start + 1)
            index = len(places) if end is None else bisect_left(places, end)
            nexts.update(places[index : index + 1])
        return sorted(nexts) or places

    def _after(self, anchors: Sequence[str], at: int) -> int | None:
        """The line after the last of the anchors, each the first of its kind after the one before it."""
        for anchor in anchors:
            positions = self._positions.get(anchor, [])
            index = bisect_left(positions, at)
            if index == len(positions):
                return None
            at = positions[index] + 1
        return at

    @cached_property
    def _positions(self) -> dict[str, list[int]]:
        positions: dict[str, list[int]] = {}
        for at, line in enumerate(self.lines):
            positions.setdefault(line.strip(), []).append(at)
        return positions

    def _form(self, level: Level) -> "_Form":
        if level not in self._forms:
            self._forms[level] = _Form(self.lines, _FOLDS[level])
        return self._forms[level]


class _Form:
    """All lines as one text, each between two newlines, so that only whole lines are found."""

    def __init__(self, lines: Sequence[str], fold: Callable[[str], str]) -> None:
        folded = [fold(line) for line in lines]
        self._fold = fold
        self._text = "\n".join(("", *folded, ""))
        self._starts = list(accumulate((len(line) + 1 for line in folded), initial=0))

    def has(self, lines: Sequence[str], at: int) -> bool:
        is_inside = at + len(lines) < len(self._starts)
        return is_inside and self._text.startswith(self._joined(lines), self._starts[at])

    def places(self, lines: Sequence[str], first: int) -> Iterator[int]:
        wanted = self._joined(lines)
        offset = self._text.find(wanted, self._starts[first])
        while offset >= 0:
            yield bisect_left(self._starts, offset)
            offset = self._text.find(wanted, offset + 1)

    def _joined(self, lines: Sequence[str]) -> str:
        return "\n".join(("", *(self._fold(line) for line in lines), ""))


def _without_feed(line: str) -> str:
    return line.removesuffix("\n")


_FOLDS = {
    Level.NOTHING: _without_feed,
    Level.LINE_ENDINGS: without_ending,
    Level.TRAILING_BLANKS: without_blanks,
}
