"""Many small pieces of bytes in two sections: the pieces one after another, and where each of them ends."""

from array import array
from itertools import accumulate

from toolpost.index.disk.sections import Content, Sections

NARROW, WIDE = "ends", "wide_ends"
_NARROW_BYTES = 1 << 32


class Table:
    """Reads pieces by number, each checked when it is first read."""

    def __init__(self, sections: Sections, name: str) -> None:
        is_wide = f"{name}.{WIDE}" in sections
        self._text = sections.pages(name)
        self._ends = sections.pages(f"{name}.{WIDE if is_wide else NARROW}")
        self._width = 8 if is_wide else 4
        self._bytes = self._text.view
        self._numbers = self._ends.view.cast("Q" if is_wide else "I")

    def piece(self, number: int) -> bytes:
        """It is called twenty times for one path: calls within are spared where all is checked."""
        if not self._ends.whole:
            self._ends.check(number * self._width, (number + 2) * self._width)
        begin, end = self._numbers[number], self._numbers[number + 1]
        if not self._text.whole:
            self._text.check(begin, end)
        return self._bytes[begin:end].tobytes()

    def pieces(self, begin: int, end: int) -> bytes:
        """Those of a range, joined."""
        if begin >= end:
            return b""
        for number in (begin, end):
            self._ends.check(number * self._width, (number + 1) * self._width)
        return self._text.read(self._numbers[begin], self._numbers[end])


def table(name: str, pieces: list[bytes]) -> dict[str, Content]:
    """The sections a table is read from."""
    ends = [0, *accumulate(map(len, pieces))]
    if ends[-1] < _NARROW_BYTES:
        return {name: pieces, f"{name}.{NARROW}": memoryview(array("I", ends))}
    return {name: pieces, f"{name}.{WIDE}": memoryview(array("Q", ends))}
