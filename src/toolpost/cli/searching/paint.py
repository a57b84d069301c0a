"""Colors as ripgrep's: paths magenta, line numbers green, matches bold red."""

from collections.abc import Sequence

from toolpost.cli import show
from toolpost.cli.searching.matches import Match

_END = "\x1b[0m"
_PATH, _NUMBER, _COLUMN, _MATCH = "\x1b[0m\x1b[35m", "\x1b[0m\x1b[32m", "\x1b[0m", "\x1b[0m\x1b[1m\x1b[31m"


class Paint:
    """With colors a line is for a terminal, so what it would obey is taken out."""

    def __init__(self, *, is_on: bool) -> None:
        self.is_on = is_on

    def path(self, text: str) -> str:
        return f"{_PATH}{show.clean(text)}{_END}" if self.is_on else text

    def number(self, number: int) -> str:
        return f"{_NUMBER}{number}{_END}" if self.is_on else str(number)

    def column(self, number: int) -> str:
        return f"{_COLUMN}{number}{_END}" if self.is_on else str(number)

    def line(self, line: bytes, matches: Sequence[Match] = ()) -> str:
        """One line without its end; matches are places in it."""
        if not self.is_on:
            return line.decode("utf-8", "replace")
        pieces: list[str] = []
        at, line = 0, line.removesuffix(b"\r")
        for begin, end in _joined(matches):
            pieces += _clean(line[at:begin]), _MATCH, _clean(line[begin:end]), _END
            at = end
        return "".join([*pieces, _clean(line[at:])])


def _joined(matches: Sequence[Match]) -> list[Match]:
    """Those that touch are painted as one, those that are empty not at all."""
    found: list[Match] = []
    for begin, end in matches:
        if found and begin == found[-1][1]:
            found[-1] = (found[-1][0], end)
        elif begin < end:
            found.append((begin, end))
    return found


def _clean(piece: bytes) -> str:
    return show.clean(piece.decode("utf-8", "replace"))
