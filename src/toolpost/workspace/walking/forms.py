r"""A pattern as ripgrep reads it, in forms RE2 can run.

To ripgrep `\w`, `\d`, `\s` and `\b` speak of all of Unicode, to RE2 of ASCII. A line that is ASCII is the same
to both. Another one is searched through a shadow: each of its other characters is replaced by a character of
ASCII that the pattern cannot tell from it, a letter by a letter, a space by a space. Where the pattern leaves
no such character free, or itself names one beyond ASCII, the classes are spelled out instead. That cannot be
done with `\b`, and with `\W` within a set: then the characters a pattern names get stand-ins of their own, in
the pattern as in the line. Only where it names them in a set, or without regard to case, do those two stay as
RE2 has them: `[éè]\b` ends a word where a letter of ASCII follows, and not at its end.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from unicodedata import category

from toolpost.workspace.walking.syntax import PERL, Choice, Edge, Group, Many, Node, Odd, Part, Row, Set, Text

_ASCII = 128
Change = tuple[int, int, str]
"""What stands from here to there, and what comes in its place."""
_LINE_ENDS = {"^": "(?m:^)", "\\A": "(?m:^)", "$": "(?m:$)", "\\z": "(?m:$)"}
_NARROW = {"\\s": "[:space:]", "\\S": "[:^space:]"}  # RE2's own lack the vertical tab
_WORD = (
    r"\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{24B6}-\x{24E9}\x{1F130}-\x{1F149}\x{1F150}-\x{1F169}"
    r"\x{1F170}-\x{1F189}\x{200C}\x{200D}"
)
_SPACE = (
    r"[:space:]\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}"  # White_Space
)
_WIDE = {"\\w": _WORD, "\\d": r"\p{Nd}", "\\D": r"\P{Nd}", "\\s": _SPACE, "\\S": "[:^space:]"}
_CIRCLED = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
"""Symbols that Unicode counts among the letters."""
_JOINERS = (0x200C, 0x200D)
_SPACES = frozenset((0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000))
_WORDS = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc"))
_STAND_INS = (b"!\"#%&',/;<=>@`~", b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""Characters that mean themselves wherever they stand in a pattern: no words, and letters."""
_LONG_S, _KELVIN = 0x17F, 0x212A
"""What folds to a letter of ASCII: `(?i)s` and `(?i)k` find them."""


def parts_of(tree: Node) -> Iterator[Node]:
    """Every part, in the order of the text, those that hold others first."""
    yield tree
    for part in _within(tree):
        yield from parts_of(part)


def _within(tree: Node) -> tuple[Node, ...]:
    if isinstance(tree, Row):
        return tree.parts
    if isinstance(tree, Choice):
        return tree.options
    return (tree.part,) if isinstance(tree, Many | Group) else ()


def narrow(text: str, tree: Node, *, by_line: bool, captures: bool) -> str:
    """For lines of ASCII. Without `captures` no group of the pattern is one."""
    return _rewritten(text, tree, _NARROW, by_line=by_line, captures=captures)


def wide(text: str, tree: Node, *, by_line: bool, captures: bool) -> str:
    return _rewritten(text, tree, _WIDE, by_line=by_line, captures=captures)


def _rewritten(text: str, tree: Node, classes: Mapping[str, str], *, by_line: bool, captures: bool) -> str:
    changes: list[Change] = []
    for part in parts_of(tree):
        if isinstance(part, Set) and part.perl:
            changes.append((part.begin, part.end, _set(text[part.begin : part.end], classes)))
        elif isinstance(part, Edge) and part.of_text and by_line:
            changes.append((part.begin, part.end, _LINE_ENDS[part.kind]))
        elif isinstance(part, Group) and part.captures and not captures:
            changes.append((part.begin, part.opening, "(?:"))
    return _changed(text, changes)


def loose(text: str, tree: Node) -> str:
    """Finds every line any other form finds, and more: what is beyond ASCII may be of any class."""
    changes: list[Change] = []
    kept = _kept(tree)
    for part in parts_of(tree):
        if isinstance(part, Set) and part.perl:
            narrowed = _set(text[part.begin : part.end], _NARROW)
            changes.append((part.begin, part.end, f"(?:{narrowed}|[^\\x00-\\x7F])"))
        elif isinstance(part, Edge) and part.kind in {"\\b", "\\B"} and part.begin not in kept:
            changes.append((part.begin, part.end, "(?:)"))
        elif isinstance(part, Edge) and part.of_text:
            changes.append((part.begin, part.end, _LINE_ENDS[part.kind]))
    return _changed(text, changes)


def _kept(tree: Node) -> set[int]:
    r"""Where a `\b` stands beside a letter of ASCII: there a boundary of Unicode is one of RE2 too."""
    return {
        edge.begin
        for row in parts_of(tree)
        if isinstance(row, Row)
        for one, two in pairwise(row.parts)
        for edge, other in ((one, two), (two, one))
        if isinstance(edge, Edge) and edge.kind == "\\b" and isinstance(other, Text) and _stays_ascii(other)
    }


def _stays_ascii(part: Text) -> bool:
    return _is_word(part.code) and not (part.folds and chr(part.code) in "skSK")


def _changed(text: str, changes: list[Change]) -> str:
    pieces, done = list[str](), 0
    for begin, end, new in changes:
        pieces += text[done:begin], new
        done = end
    return "".join([*pieces, text[done:]])


def _set(written: str, classes: Mapping[str, str]) -> str:
    r"""A set, or a class alone, with other classes; `\W` in a set has no other form."""
    if written[0] == "\\":
        known, opposite = classes.get(written), classes.get(written.lower())
        if known is None and written[1].isupper() and opposite is not None:
            return f"[^{opposite}]"
        return written if known is None else f"[{known}]"
    pieces, at = [], 0
    while at < len(written):
        step = 2 if written[at] == "\\" else 1
        piece = written[at : at + step]
        pieces.append(classes.get(piece, piece))
        at += step
    return "".join(pieces)


def is_sensitive(tree: Node) -> bool:
    """Whether a pattern means other things in a line that is not ASCII than RE2 makes of it."""
    return any(
        (isinstance(part, Set) and part.perl) or (isinstance(part, Edge) and part.kind in {"\\b", "\\B"})
        for part in parts_of(tree)
    )


def speaks_of_ends(tree: Node) -> bool:
    """Whether it matters to a pattern how lines end."""
    return any(
        isinstance(part, Odd) or (isinstance(part, Edge) and part.kind in {"$", "\\z"})
        for part in parts_of(tree)
    )


def has_capital(tree: Node) -> bool:
    return any(chr(code).isupper() for part in parts_of(tree) for code in _written(part))


def _written(part: Part) -> tuple[int, ...]:
    if isinstance(part, Text):
        return (part.code,)
    return tuple(code for span in part.ranges for code in span) if isinstance(part, Set) else ()


class Shadows(dict[int, int]):
    """For `str.translate`: every character beyond ASCII to one within it."""

    def __init__(self, word: int, digit: int, space: int, other: int) -> None:
        super().__init__()
        self.word, self.digit, self.space, self.other = word, digit, space, other
        self.own: dict[int, int] = {}
        """Those that the pattern names, and that nothing else is replaced by."""

    def give(self, codes: list[int], free: list[int]) -> bool:
        """Stand-ins of their own for these, if enough are free."""
        for code in codes:
            if code not in self.own:
                kind = self._stand_in(code)
                taken = {self.word, self.digit, self.space, self.other, *self.own.values()}
                fitting = (one for one in _STAND_INS[kind == self.word] if one in free and one not in taken)
                found = next(fitting, 0) if kind in {self.word, self.other} else 0
                if not found or category(chr(code)) == "Nd":
                    return False
                self[code] = self.own[code] = found
                self[found] = kind  # where it stands in a line itself, the pattern does not mean it
        return True

    def __missing__(self, code: int) -> int:
        self[code] = found = code if code < _ASCII else self._stand_in(code)
        return found

    def _stand_in(self, code: int) -> int:
        kind = category(chr(code))
        if kind == "Nd":
            return self.digit
        if kind in _WORDS or code in _JOINERS or any(low <= code <= high for low, high in _CIRCLED):
            return self.word
        return self.space if code in _SPACES else self.other


def shadows(tree: Node) -> Shadows | None:
    """None where a pattern tells more apart than ASCII can stand for."""
    return _shadows([part for part in parts_of(tree) if isinstance(part, Text | Set | Odd)])


def _free(leaves: list[Text | Set | Odd]) -> list[int]:
    """What of ASCII a pattern does not speak of; nothing where that cannot be told."""
    mentioned = _mentioned(leaves)
    if mentioned is None:
        return []
    return [code for code in range(1, _ASCII) if code not in mentioned and code != ord("\n")]


def _shadows(leaves: list[Text | Set | Odd]) -> Shadows | None:
    used = {perl.letter for part in leaves if isinstance(part, Set) for perl in part.perl}
    free = _free(leaves)
    digit = _first(free, digits=True)
    word = _first(free, letters=True) or ("d" not in used and digit)
    other = next((code for code in free if not _is_word(code) and not _is_space(code)), 0)
    space = next((code for code in free if _is_space(code)), 0) if "s" in used else other
    if "d" not in used:
        digit = word
    if not (word and digit and space and other):
        return None
    made = Shadows(word, digit, space, other)
    if any(part.folds for part in leaves if isinstance(part, Text | Set)):
        made |= {_LONG_S: ord("s"), _KELVIN: ord("k")}
    return made


def shadow(text: str, tree: Node) -> tuple[str, Shadows] | None:
    r"""What to look for in the shadow of a line, where a pattern with `\b` names characters beyond ASCII."""
    leaves = [part for part in parts_of(tree) if isinstance(part, Text | Set | Odd)]
    named = [part for part in leaves if isinstance(part, Text) and part.code >= _ASCII]
    if not named or any(part.folds for part in named) or not _is_inexact(tree):
        return None
    others = [part for part in leaves if part not in named]
    made, free = _shadows(others), _free(others)
    if made is None or not made.give([part.code for part in named], free):
        return None
    return _changed(text, [(part.begin, part.end, chr(made[part.code])) for part in named]), made


def _is_inexact(tree: Node) -> bool:
    """Whether spelling out its classes is not enough."""
    return any(
        (isinstance(part, Edge) and part.kind in {"\\b", "\\B"})
        or (
            isinstance(part, Set)
            and part.end - part.begin > len("\\W")
            and any(one.negated for one in part.perl)
        )
        for part in parts_of(tree)
    )


def _first(free: list[int], *, letters: bool = False, digits: bool = False) -> int:
    wanted = (code for code in free if _is_word(code) and (letters, digits)[chr(code).isdigit()])
    return next(wanted, 0)


def _is_word(code: int) -> bool:
    return any(low <= code <= high for low, high in PERL["w"])


def _is_space(code: int) -> bool:
    return any(low <= code <= high for low, high in PERL["s"])


def _mentioned(leaves: list[Text | Set | Odd]) -> set[int] | None:
    """What of ASCII a pattern speaks of; None if it speaks of more, or of `s` or `k` partly in either case."""
    found: set[int] = set()
    for part in leaves:
        if isinstance(part, Odd) or (isinstance(part, Set) and part.is_open):
            return None
        spans = ((part.code, part.code),) if isinstance(part, Text) else part.ranges
        if any(high >= _ASCII for _, high in spans):
            return None
        for low, high in spans:
            found.update(range(low, high + 1))
    folding = {
        part.folds for part in leaves if isinstance(part, Text) or (isinstance(part, Set) and part.ranges)
    }
    if True not in folding:
        return found
    found |= {ord(chr(code).swapcase()) for code in found}
    return None if False in folding and found.intersection(b"sk") else found
