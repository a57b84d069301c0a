r"""Lines as git sees them: they end at `\n` and at nothing else, each keeping its end.

`str.splitlines` also breaks at form feeds, U+2028 and others, which no editor or diff counts as lines.
"""

from functools import cached_property
from io import StringIO
from itertools import islice

BLANKS = " \t"


def split(text: str) -> list[str]:
    """The lines of a text; joined they are the text again. Only the last may have no end."""
    return StringIO(text, newline="\n").readlines()


def first(text: str, most: int) -> list[str]:
    """The first lines of a text, the others not even looked at."""
    return list(islice(StringIO(text, newline="\n"), most))


def number_at(text: str, offset: int) -> int:
    """The line a character stands in, counted from 1."""
    return text.count("\n", 0, offset) + 1


def start_at(text: str, offset: int) -> int:
    """Where the line of a character begins."""
    return text.rfind("\n", 0, offset) + 1


def end_at(text: str, offset: int) -> int:
    """Where the line of a character ends, its line ending not counted."""
    end = text.find("\n", offset)
    if end < 0:
        return len(text)
    return end - 1 if end > offset and text[end - 1] == "\r" else end


def blanks_back(text: str, offset: int) -> int:
    """Where the blanks right before a character begin."""
    while offset and text[offset - 1] in BLANKS:
        offset -= 1
    return offset


def blanks_on(text: str, offset: int) -> int:
    """Where the blanks from a character on end."""
    while offset < len(text) and text[offset] in BLANKS:
        offset += 1
    return offset


def begins_line(text: str, offset: int) -> bool:
    return not offset or text[offset - 1] == "\n"


def ends_line(text: str, offset: int) -> bool:
    return offset == len(text) or text.startswith(("\n", "\r\n"), offset)


def next_line(text: str, offset: int) -> int:
    """Where the line after that of a character begins, or the end of the text."""
    return text.find("\n", offset) + 1 or len(text)


def without_ending(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line


def without_blanks(line: str) -> str:
    """The line without its ending and the blanks before that."""
    return line.rstrip(_BLANK_END)


_BLANK_END = BLANKS + "\r\n"


def same_start(one: str, two: str) -> int:
    """How many characters two texts begin with alike, in a few comparisons of whole stretches."""
    low, high = 0, min(len(one), len(two))
    if one[:high] == two[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle
    return low


def with_ending(text: str, end: str) -> str:
    r"""The text with this line ending for every `\n` and `\r\n`."""
    plain = text.replace("\r\n", "\n")
    return plain if end == "\n" else plain.replace("\n", end)


class Endings:
    """What ends the lines of one text, place by place."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known = (0, -1)

    @cached_property
    def is_none(self) -> bool:
        return "\n" not in self._text

    @cached_property
    def _only(self) -> str:
        """What ends every line; nothing where they differ."""
        both = self._text.count("\r\n")
        if not both:
            return "\n"
        return "\r\n" if both == self._text.count("\n") else ""

    def at(self, offset: int) -> str:
        r"""What ends the line of a character, else the line before it; `\n` where there is one line only."""
        if self._only:
            return self._only
        start, end = self._known
        if not start <= offset <= end:  # one long line may be asked about many times
            end = self._text.find("\n", offset)
            self._known = (offset, end if end >= 0 else len(self._text))
        if end < 0 or end == len(self._text):
            end = self._text.rfind("\n")
        return "\r\n" if self._text[end - 1 : end] == "\r" else "\n"
