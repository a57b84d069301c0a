"""Which lines differ between two texts: the fewest that can be found within a fixed amount of work.

Myers' greedy algorithm finds a smallest set of changes in time that grows with its square. Where that
would take too long, lines that occur once on both sides split the task (the idea of patience diff), and
what cannot be split counts as changed altogether. So every pair of texts has an answer in bounded time.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from toolpost.limits import DIFF_STEPS


class Change(Struct, frozen=True, gc=False):
    """Lines [old_start, old_end) became lines [new_start, new_end); one of the two may be empty."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


class _Box(Struct, frozen=True, gc=False):
    """A part of both sides that is still to be compared."""

    left: int
    right: int
    top: int
    bottom: int


def changes(old: Sequence[str], new: Sequence[str], *, steps: int = DIFF_STEPS) -> list[Change]:
    """In order, with at least one common line between any two of them."""
    return _grouped(_Search(old, new, steps).pairs(), len(old), len(new))


def _grouped(pairs: Sequence[tuple[int, int]], old_length: int, new_length: int) -> list[Change]:
    """What lies between the common lines."""
    edges = [(-1, -1), *pairs, (old_length, new_length)]
    return [
        Change(before[0] + 1, after[0], before[1] + 1, after[1])
        for before, after in pairwise(edges)
        if after[0] - before[0] > 1 or after[1] - before[1] > 1
    ]


class _Search:
    """The hunt for common lines. Lines are numbers here, and those only one side has are left out."""

    def __init__(self, old: Sequence[str], new: Sequence[str], steps: int) -> None:
        numbers: dict[str, int] = {}
        old_numbers = [numbers.setdefault(line, len(numbers)) for line in old]
        new_numbers = [numbers.setdefault(line, len(numbers)) for line in new]
        shared = set(old_numbers) & set(new_numbers)
        self._old_at = [at for at, line in enumerate(old_numbers) if line in shared]
        self._new_at = [at for at, line in enumerate(new_numbers) if line in shared]
        self._old = [old_numbers[at] for at in self._old_at]
        self._new = [new_numbers[at] for at in self._new_at]
        self._steps = steps
        self._found: list[tuple[int, int]] = []

    def pairs(self) -> list[tuple[int, int]]:
        """The common lines, as (old index, new index), in order."""
        waiting = [_Box(0, len(self._old), 0, len(self._new))]
        while waiting:
            box = self._trimmed(waiting.pop())
            if box.left < box.right and box.top < box.bottom and not self._shortest(box):
                waiting.extend(self._split(box))
        self._found.sort()
        return [(self._old_at[x], self._new_at[y]) for x, y in self._found]

    def _trimmed(self, box: _Box) -> _Box:
        """Without what both sides begin and end with."""
        left, right, top, bottom = box.left, box.right, box.top, box.bottom
        while left < right and top < bottom and self._old[left] == self._new[top]:
            self._found.append((left, top))
            left, top = left + 1, top + 1
        while left < right and top < bottom and self._old[right - 1] == self._new[bottom - 1]:
            right, bottom = right - 1, bottom - 1
            self._found.append((right, bottom))
        return _Box(left, right, top, bottom)

    def _shortest(self, box: _Box) -> bool:
        """Whether a shortest way through the box was found with half of the steps that are left."""
        paths = _Paths(self._old[box.left : box.right], self._new[box.top : box.bottom])
        is_found = paths.walk(self._steps // 2)
        self._steps -= max(paths.steps, 0)
        if is_found:
            self._found.extend((box.left + x, box.top + y) for x, y in paths.common())
        return is_found

    def _split(self, box: _Box) -> list[_Box]:
        """The boxes between lines that occur once on both sides; none when there are no such lines."""
        self._steps -= (box.right - box.left) + (box.bottom - box.top)
        if self._steps <= 0:
            return []
        anchors = self._anchors(box)
        self._found.extend(anchors)
        edges = [(box.left - 1, box.top - 1), *anchors, (box.right, box.bottom)]
        if not anchors:
            return []
        return [_Box(one[0] + 1, two[0], one[1] + 1, two[1]) for one, two in pairwise(edges)]

    def _anchors(self, box: _Box) -> list[tuple[int, int]]:
        old, new = self._old[box.left : box.right], self._new[box.top : box.bottom]
        old_count, new_count = Counter(old), Counter(new)
        new_at = {line: at for at, line in enumerate(new, box.top) if new_count[line] == 1}
        return _longest_rise(
            [
                (at, new_at[line])
                for at, line in enumerate(old, box.left)
                if old_count[line] == 1 and line in new_at
            ]
        )


class _Paths:
    """Myers' furthest reaching paths, diagonal by diagonal, and the way back along them."""

    def __init__(self, old: Sequence[int], new: Sequence[int]) -> None:
        self._old = old
        self._new = new
        self._rounds: list[dict[int, int]] = []
        self.steps = -len(old) - len(new)  # to go through both once is never too much

    def walk(self, most: int) -> bool:
        reach = {1: 0}
        goal = len(self._old) - len(self._new)
        while self.steps < most:
            reach = self._round(len(self._rounds), reach)
            self._rounds.append(reach)
            if reach.get(goal, -1) >= len(self._old):
                return True
        return False

    def _round(self, depth: int, before: dict[int, int]) -> dict[int, int]:
        """How far each diagonal comes with one change more."""
        old, new = self._old, self._new
        width, height = len(old), len(new)
        reach = {}
        for diagonal in range(-depth, depth + 1, 2):
            x = max(before.get(diagonal + 1, -1), before.get(diagonal - 1, -2) + 1)
            y = x - diagonal
            if not (0 <= x <= width and 0 <= y <= height):
                continue
            first = x
            while x < width and y < height and old[x] == new[y]:
                x, y = x + 1, y + 1
            reach[diagonal] = x
            self.steps += x - first
        self.steps += depth + 1
        return reach

    def common(self) -> list[tuple[int, int]]:
        """The common lines of the path that arrived, last first."""
        found: list[tuple[int, int]] = []
        x, diagonal = len(self._old), len(self._old) - len(self._new)
        for depth in range(len(self._rounds) - 1, 0, -1):
            before = self._rounds[depth - 1]
            down, right = before.get(diagonal + 1, -1), before.get(diagonal - 1, -2) + 1
            start = max(down, right)
            found.extend((at, at - diagonal) for at in range(x - 1, start - 1, -1))
            x, diagonal = (down, diagonal + 1) if down >= right else (right - 1, diagonal - 1)
        found.extend((at, at) for at in range(x - 1, -1, -1))
        return found


def _longest_rise(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs that rise on both sides; they come sorted by the first."""
    tops: list[int] = []
    piles: list[int] = []
    below: list[int] = []
    for at, (_, y) in enumerate(pairs):
        pile = bisect_left(tops, y)
        below.append(piles[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [y]
        piles[pile : pile + 1] = [at]
    rise = []
    at = piles[-1] if piles else -1
    while at >= 0:
        rise.append(pairs[at])
        at = below[at]
    return rise[::-1]
