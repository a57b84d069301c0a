"""Which parts of a text are code, told from parts that lie within each other."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence


class Spans:
    """An answer takes a search by halves, however many parts there are."""

    def __init__(self, nested: Iterable[tuple[int, int, bool]]) -> None:
        """Begin, end and whether it is code of each part that differs from what holds it; all else is code."""
        self.edges: Sequence[int]
        self.edges, self._is_code = _flat(sorted(nested, key=_outer_first))

    def code(self, at: int) -> bool:
        return self._is_code[bisect_right(self.edges, at) - 1]


def _outer_first(part: tuple[int, int, bool]) -> tuple[int, int]:
    return part[0], -part[1]


def _flat(parts: list[tuple[int, int, bool]]) -> tuple[list[int], list[bool]]:
    """Where the answer changes, and to what."""
    edges, answers = [-1], [True]
    open_parts: list[tuple[int, bool]] = []

    def close(until: int) -> None:
        while open_parts and open_parts[-1][0] <= until:
            edges.append(open_parts.pop()[0])
            answers.append(open_parts[-1][1] if open_parts else True)

    for begin, end, is_code in parts:
        close(begin)
        open_parts.append((end, is_code))
        edges.append(begin)
        answers.append(is_code)
    while open_parts:
        close(open_parts[-1][0])
    return edges, answers
