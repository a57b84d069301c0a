"""A pattern as a row of states, one bit each: all of them take a letter at once, so no pattern is slow.

Subjects begin each name with `/`: `/src/a.py` is two names, and nothing at all is the folder they begin in.
"""

from enum import Enum
from typing import NamedTuple

from msgspec import Struct


class Mark(Enum):
    """What a pattern has besides letters."""

    ONE = "?"
    MANY = "*"
    DEEP = "**"
    """No name, or any number of whole names."""


class Letters(Struct, frozen=True, gc=False):
    """One letter of a set, such as `[a-z]`."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False
    folded: bool = False
    """The letters come folded: `A` in the set is met by `a`, and `[!A]` keeps `a` out only if `a` is in it too."""

    def holds(self, letter: str) -> bool:
        if not self.folded:
            return self._within(letter) is not self.negated
        if not letter.isascii():
            return True  # what folds to it is not all known here
        spellings = (letter, letter.upper())
        if self.negated:
            return not all(map(self._within, spellings))
        return any(map(self._within, spellings)) or any(not last.isascii() for _, last in self.ranges)

    def _within(self, letter: str) -> bool:
        return any(first <= letter <= last for first, last in self.ranges)


Token = str | Mark | Letters
"""A letter, or what stands for letters."""


class Gap(Enum):
    """What may stand after a known piece of a path."""

    NOTHING = ""
    NAME = "*"
    PATH = "**"


class Reach(NamedTuple):
    """Paths that a call may touch: known pieces, folded, and what lies between them."""

    pieces: tuple[tuple[str, Gap], ...]
    tree: bool = False
    """Also all that lies below."""


class States:
    """State n is left by taking what token n stands for; the one after the last accepts."""

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self._taking: dict[str, int] = {}
        self._one = self._stars = self._loops = self._skips = self._whole = 0
        self._letters: list[tuple[int, Letters]] = []
        at = 0
        for place, token in enumerate(tokens):
            at = self._add(token, at, is_last=place == len(tokens) - 1)
        self._end = 1 << at
        self._any = self._one
        for letter, mask in self._taking.items():
            self._any |= mask if letter != "/" else 0
        for mask, _ in self._letters:
            self._any |= mask
        marks = [place for place, token in enumerate(tokens) if not isinstance(token, str)]
        first, last = (marks[0], marks[-1]) if marks else (len(tokens), -1)
        self.head = "".join(token for token in tokens[:first] if isinstance(token, str))
        self._tail = "".join(token for token in tokens[last + 1 :] if isinstance(token, str))
        self._is_plain = not marks
        self._is_deep = len(marks) == 1 and tokens[first] is Mark.DEEP
        self._inside = _plain_inside(tokens)

    def _add(self, token: Token, at: int, *, is_last: bool) -> int:
        here = 1 << at
        if token is Mark.MANY:
            self._stars |= here
            return at
        if token is Mark.DEEP:  # `/` leads into a state that takes everything; the next one needs no letter
            self._taking["/"] = self._taking.get("/", 0) | here
            self._skips |= here
            self._loops |= here << 1
            self._whole |= here | here << 1 if is_last else 0
            return at + 2
        if token is Mark.ONE:
            self._one |= here
        elif isinstance(token, Letters):
            self._letters.append((here, token))
        elif isinstance(token, str):
            self._taking[token] = self._taking.get(token, 0) | here
        return at + 1

    def accepts(self, subject: str) -> bool:
        if self._is_plain:
            return subject == self.head
        if self._inside:
            return self._inside in f"{subject}/"
        if not (subject.startswith(self.head) and subject.endswith(self._tail)):
            return False
        if self._is_deep:
            between = len(subject) - len(self.head) - len(self._tail)
            return between == 0 or (between > 0 and subject[len(self.head)] == "/")
        return bool(self._after(subject, self._start) & self._end)

    def accepts_below(self, folder: str) -> bool:
        """Whether the folder and all that can lie in it is accepted."""
        if self._is_plain or not folder.startswith(self.head):
            return False
        return bool(self._after(folder, self._start) & self._whole)

    def meets(self, reach: Reach) -> bool:
        """Whether one of the paths is accepted."""
        first = reach.pieces[0][0]
        if not (first.startswith(self.head) or self.head.startswith(first)):
            return False
        states = self._start
        for known, gap in reach.pieces:
            states = self._cross(gap, self._after(known, states))
            if not states:
                return False
        return bool(states & self._end or (reach.tree and self._step(states, "/")))

    @property
    def _start(self) -> int:
        return self._spread(1)

    def _after(self, text: str, states: int) -> int:
        for letter in text:
            states = self._step(states, letter)
            if not states:
                break
        return states

    def _step(self, states: int, letter: str) -> int:
        taking, staying = self._taking.get(letter, 0), self._loops
        if letter != "/":
            taking |= self._one
            staying |= self._stars
            for mask, letters in self._letters:
                if states & mask and letters.holds(letter):
                    taking |= mask
        return self._spread((states & taking) << 1 | states & staying)

    def _spread(self, states: int) -> int:
        return states | (states & self._skips) << 2 | (states & self._loops) << 1

    def _cross(self, gap: Gap, states: int) -> int:
        if gap is Gap.NOTHING or not states:
            return states
        if gap is Gap.PATH:
            return (self._end << 1) - (states & -states)  # a row: whatever follows the first can be reached
        wider = states | self._spread((states & self._any) << 1)
        while wider != states:
            states, wider = wider, wider | self._spread((wider & self._any) << 1)
        return states


def _plain_inside(tokens: tuple[Token, ...]) -> str:
    """The plain names of `**/a/b/**`, which need no states: how most denials of a name are read."""
    inside = [token for token in tokens[1:-1] if isinstance(token, str)]
    is_such = len(tokens) > 2 and tokens[0] is tokens[-1] is Mark.DEEP and len(inside) == len(tokens) - 2
    return "".join(inside) + "/" if is_such else ""
