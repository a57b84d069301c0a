r"""The syntax of RE2 read into a tree: what a pattern is made of, and where in its text each part stands.

RE2 itself decides what a pattern is; this only reads what RE2 has taken. Nothing here matches anything. What
is not understood is an `Odd`, of which nothing is assumed.
"""

from msgspec import Struct

Range = tuple[int, int]
LAST = 0x10FFFF

_DIGIT: tuple[Range, ...] = ((48, 57),)
_SPACE: tuple[Range, ...] = ((9, 13), (32, 32))  # with the vertical tab, which RE2's own lacks
_WORD: tuple[Range, ...] = ((48, 57), (65, 90), (95, 95), (97, 122))
PERL = {"d": _DIGIT, "s": _SPACE, "w": _WORD}
_CONTROLS = {"a": 7, "f": 12, "t": 9, "n": 10, "r": 13, "v": 11}
_OCTAL = frozenset("01234567")


class Part(Struct, frozen=True):
    begin: int
    end: int
    """Where it stands in the text."""


class Odd(Part, frozen=True):
    """Something of which nothing is known."""


class Text(Part, frozen=True):
    """One character."""

    code: int
    folds: bool


class Perl(Struct, frozen=True):
    r"""`\w` and its kin, within a set or alone."""

    letter: str
    negated: bool


class Set(Part, frozen=True):
    """One character of several."""

    ranges: tuple[Range, ...] = ()
    """As they are written; of what is negated."""
    perl: tuple[Perl, ...] = ()
    negated: bool = False
    folds: bool = False
    is_open: bool = False
    """It also holds classes of Unicode, or those in colons, which are not in `ranges`."""


class Dot(Part, frozen=True):
    pass


class Edge(Part, frozen=True):
    r"""`^`, `$`, `\A`, `\z`, `\b`, `\B`."""

    kind: str
    of_text: bool = False
    """It means the ends of the whole text, not of a line."""


class Many(Part, frozen=True):
    part: "Node"
    least: int
    most: int | None


class Row(Part, frozen=True):
    """One after the other."""

    parts: tuple["Node", ...]


class Choice(Part, frozen=True):
    options: tuple["Node", ...]


class Group(Part, frozen=True):
    part: "Node"
    opening: int
    """Where the text of its opening ends: of `(`, `(?:` or `(?P<name>`."""
    captures: bool


Node = Odd | Text | Set | Dot | Edge | Many | Row | Choice | Group


def parse(text: str, *, folds: bool = False) -> Node:
    """The tree of a pattern RE2 has taken; read with `(?m)`."""
    try:
        return _Reader(text, folds=folds).read()
    except (IndexError, ValueError):  # not as RE2 reads it after all
        return Odd(0, len(text))


class _Flags(Struct, frozen=True):
    folds: bool = False
    lines: bool = True


class _Reader:
    """Reads a pattern once, left to right."""

    def __init__(self, text: str, *, folds: bool) -> None:
        self.text = text
        self.at = 0
        self.flags = _Flags(folds=folds)

    def read(self) -> Node:
        tree = self._choice()
        if self.at < len(self.text):
            raise ValueError(self.at)
        return tree

    def _choice(self) -> Node:
        begin = self.at
        options = [self._row()]
        while self.text[self.at : self.at + 1] == "|":
            self.at += 1
            options.append(self._row())
        return options[0] if len(options) == 1 else Choice(begin, self.at, tuple(options))

    def _row(self) -> Node:
        begin = self.at
        parts: list[Node] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            if self.text.startswith("\\Q", self.at):
                parts += self._quoted()
            else:
                part = self._part()
                parts += () if part is None else (part,)
            if parts:
                parts[-1] = self._repeated(parts[-1])
        return Row(begin, self.at, tuple(parts))

    def _quoted(self) -> list[Node]:
        begin = self.at + 2
        end = self.text.find("\\E", begin)
        stop = len(self.text) if end < 0 else end
        self.at = stop if end < 0 else end + 2
        return [Text(at, at + 1, ord(self.text[at]), self.flags.folds) for at in range(begin, stop)]

    def _repeated(self, part: Node) -> Node:
        while self.at < len(self.text):
            bounds = self._bounds()
            if bounds is None:
                return part
            self.at += self.text[self.at : self.at + 1] == "?"
            part = Many(part.begin, self.at, part, *bounds)
        return part

    def _bounds(self) -> tuple[int, int | None] | None:
        simple = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(self.text[self.at])
        if simple is not None:
            self.at += 1
            return simple
        end = self.text.find("}", self.at)
        if self.text[self.at] != "{" or end < 0:
            return None
        least, comma, most = self.text[self.at + 1 : end].partition(",")
        if not least.isdecimal() or (most and not most.isdecimal()):
            return None  # a brace that means itself
        self.at = end + 1
        return int(least), int(most) if most else (None if comma else int(least))

    def _part(self) -> Node | None:
        letter, begin = self.text[self.at], self.at
        if letter == "(":
            return self._group()
        if letter == "[":
            return self._set()
        if letter == "\\":
            return self._escaped()
        self.at += 1
        if letter == ".":
            return Dot(begin, self.at)
        if letter in "^$":
            return Edge(begin, self.at, letter, not self.flags.lines)
        return Text(begin, self.at, ord(letter), self.flags.folds)

    def _group(self) -> Node | None:
        begin, before = self.at, self.flags
        captures = not self.text.startswith("(?", begin) or self.text[begin + 2] in "P<"
        if not captures:
            end = min(at for at in (self.text.find(mark, begin) for mark in ":)") if at >= 0)
            self._set_flags(self.text[begin + 2 : end])
            self.at = end + 1
            if self.text[end] == ")":
                return None  # `(?i)` holds for the rest of the group it stands in
        else:
            self.at = self.text.index(">", begin) + 1 if self.text.startswith("(?", begin) else begin + 1
        opening = self.at
        part = self._choice()
        if self.text[self.at] != ")":
            raise ValueError(self.at)
        self.at += 1
        self.flags = before
        return Group(begin, self.at, part, opening, captures)

    def _set_flags(self, letters: str) -> None:
        on, _, off = letters.partition("-")
        folds = (self.flags.folds or "i" in on) and "i" not in off
        lines = (self.flags.lines or "m" in on) and "m" not in off
        self.flags = _Flags(folds=folds, lines=lines)

    def _escaped(self) -> Node:
        begin, letter = self.at, self.text[self.at + 1]
        if letter in "bBAz":
            self.at += 2
            return Edge(begin, self.at, f"\\{letter}", letter in "Az")
        if letter.lower() in PERL:
            self.at += 2
            return Set(begin, self.at, (), (_perl(letter),), folds=self.flags.folds)
        if letter in "pP":
            self._skip_class()
            return Set(begin, self.at, folds=self.flags.folds, is_open=True)
        if letter == "C":
            self.at += 2
            return Odd(begin, self.at)
        code = self._character()
        return Text(begin, self.at, code, self.flags.folds)

    def _skip_class(self) -> None:
        r"""`\pL` or `\p{Greek}`."""
        self.at += 2
        self.at = self.text.index("}", self.at) + 1 if self.text[self.at] == "{" else self.at + 1

    def _character(self) -> int:
        """A character or what an escape means, within a set too."""
        letter = self.text[self.at]
        self.at += 1
        if letter != "\\":
            return ord(letter)
        letter = self.text[self.at]
        self.at += 1
        if letter in _CONTROLS:
            return _CONTROLS[letter]
        if letter == "x":
            return self._hexadecimal()
        if letter in _OCTAL:
            begin = self.at - 1
            while self.at < begin + 3 and self.text[self.at : self.at + 1] in _OCTAL:
                self.at += 1
            return int(self.text[begin : self.at], 8)
        return ord(letter)

    def _hexadecimal(self) -> int:
        begin = self.at
        if self.text[begin] == "{":
            self.at = self.text.index("}", begin) + 1
            return int(self.text[begin + 1 : self.at - 1], 16)
        self.at += 2
        return int(self.text[begin : self.at], 16)

    def _set(self) -> Node:
        begin = self.at
        self.at += 1
        negated = self.text[self.at] == "^"
        self.at += negated
        first, ranges, perl, is_open = self.at, list[Range](), list[Perl](), False
        while self.text[self.at] != "]" or self.at == first:
            letter, after = self.text[self.at], self.text[self.at + 1]
            if letter == "[" and after == ":" and ":]" in self.text[self.at + 2 :]:
                self.at = self.text.index(":]", self.at + 2) + 2
                is_open = True
            elif letter == "\\" and after.lower() in PERL:
                perl.append(_perl(after))
                self.at += 2
            elif letter == "\\" and after in "pP":
                self._skip_class()
                is_open = True
            else:
                ranges.append(self._range())
        self.at += 1
        return Set(begin, self.at, tuple(ranges), tuple(perl), negated, self.flags.folds, is_open)

    def _range(self) -> Range:
        low = self._character()
        if self.text[self.at] != "-" or self.text[self.at + 1] == "]":
            return low, low
        self.at += 1
        return low, self._character()


def _perl(letter: str) -> Perl:
    return Perl(letter.lower(), negated=letter.isupper())
