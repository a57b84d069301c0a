r"""What to look for where a regular expression may match, at the speed of memory: RE2 sees only the lines that hold it.

A clue is a text every match holds, with the bytes that can stand beside it: before `name` in `^\s*name` there is a
line's begin or a space. Where there is none, many bytes of one class in a row are one, as in `\d{11,}`. Bytes beyond
ASCII belong to every class that Unicode may add to. Nothing is said of patterns that cross lines.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from msgspec import Struct

from toolpost.index.limits import SERIES_LEAST
from toolpost.index.search.needles import anchor
from toolpost.workspace.walking.patterns import Pattern
from toolpost.workspace.walking.syntax import PERL, Choice, Edge, Group, Many, Node, Row, Set, Text

Bytes = frozenset[int] | None
"""Which may stand somewhere; None for any."""
_ASCII = frozenset(range(128))
_BEYOND = frozenset(range(128, 256))
_WORD = frozenset(code for low, high in PERL["w"] for code in range(low, high + 1))
_LINE_END = ord("\n")
_ENDS = frozenset(b"\r\n")
_SHORTEST = 3
_ANY = b"\1" * 256


class Clue(Struct, frozen=True):
    text: bytes
    before: bytes = _ANY
    after: bytes = _ANY
    """For every byte 1 if it can stand there, else 0."""
    is_all: bool = False
    """There is a match wherever it stands so, and begins with it, unless a byte beyond ASCII stands beside it."""

    @property
    def is_near(self) -> bool:
        """Whether it matters what stands beside it."""
        return self.before != _ANY or self.after != _ANY


class Series(Struct, frozen=True):
    """Bytes of a class in a row."""

    length: int
    table: bytes
    """For every byte 1 if it is of the class, else 0."""


def clue(pattern: Pattern) -> Clue | None:
    parts = _flat(pattern.tree)
    runs = [
        list(run) for is_text, run in groupby(range(len(parts)), lambda at: _is_text(parts[at])) if is_text
    ]
    run = max(runs, key=len, default=[])
    text = "".join(_letter(parts[at]) for at in run).encode("utf-8", "surrogatepass")
    other = anchor(pattern) or b""
    if len(text) < max(_SHORTEST, len(other)):
        return Clue(other) if other else None
    left, right = parts[: run[0]][::-1], parts[run[-1] + 1 :]
    before = _beside(left, text[0], _around(pattern), last=True)
    after = _beside(right, text[-1], _around(pattern), last=False)
    others = [*left, *right]
    is_all = (
        not (pattern.how.word or pattern.how.line)
        and max(len(left), len(right)) <= 1
        and {text[0], text[-1]} <= _WORD
        and all(isinstance(part, Edge) and part.kind == "\\b" for part in others)
    )
    return Clue(text, _table(before), _table(after), is_all)


def series(pattern: Pattern) -> Series | None:
    """The longest; None where none is long enough to be rare."""
    parts = _flat(pattern.tree)
    found = [
        (part.least, of)
        for part in parts
        if isinstance(part, Many) and part.least >= SERIES_LEAST and isinstance(part.part, Set | Text)
        if (of := _ends(part.part, last=True)) is not None
    ]
    if not found:
        return None
    least, of = max(found, key=lambda one: one[0])
    return Series(least, _table(of))


def _flat(node: Node) -> list[Node]:
    """What stands one after the other, out of groups."""
    if isinstance(node, Group):
        return _flat(node.part)
    if isinstance(node, Row):
        return [one for part in node.parts for one in _flat(part)]
    return [node]


def _is_text(part: Node) -> bool:
    return isinstance(part, Text) and not part.folds and part.code != _LINE_END


def _letter(part: Node) -> str:
    return chr(part.code) if isinstance(part, Text) else ""


def _table(of: Bytes) -> bytes:
    return _ANY if of is None else bytes(code in of for code in range(256))


def _around(pattern: Pattern) -> Bytes:
    """What stands beside a whole match."""
    if pattern.how.line:
        return _ENDS
    return (_ASCII - _WORD) | _BEYOND if pattern.how.word else None


def _beside(parts: Sequence[Node], inner: int, around: Bytes, *, last: bool) -> Bytes:
    """What can stand next to a byte that these parts go on from; `last`: they stand before it."""
    found: frozenset[int] = frozenset()
    for part in parts:
        if isinstance(part, Edge):
            return _joined(found, _edge(part.kind, None if found else inner, last=last))
        one = part.part if isinstance(part, Many) else part
        of = _ends(one, last=last)
        if of is None:
            return None
        found |= of
        if not isinstance(part, Many) or part.least:
            return found
    return _joined(found, around)


def _joined(found: frozenset[int], of: Bytes) -> Bytes:
    return None if of is None else found | of


def _edge(kind: str, inner: int | None, *, last: bool) -> Bytes:
    if kind in ({"^", "\\A"} if last else {"$", "\\z"}):
        return _ENDS
    if kind != "\\b" or inner is None or inner not in _ASCII:
        return None
    return ((_ASCII - _WORD) if inner in _WORD else _WORD) | _BEYOND


def _ends(node: Node, *, last: bool) -> Bytes:
    """The bytes a part begins or ends with; None where that is not plain to see, or it may be empty."""
    if isinstance(node, Text):
        return _of_text(node)
    if isinstance(node, Set):
        return _of_set(node)
    if isinstance(node, Group):
        return _ends(node.part, last=last)
    if isinstance(node, Row):
        return _ends(node.parts[-1 if last else 0], last=last) if node.parts else None
    return _united(_ends(option, last=last) for option in node.options) if isinstance(node, Choice) else None


def _united(every: Iterable[Bytes]) -> Bytes:
    found: frozenset[int] = frozenset()
    for of in every:
        if of is None:
            return None
        found |= of
    return found


def _of_text(node: Text) -> frozenset[int]:
    if node.code not in _ASCII:
        return _ASCII | _BEYOND if node.folds else _BEYOND
    return (
        frozenset({node.code, ord(chr(node.code).swapcase())}) | _BEYOND
        if node.folds
        else frozenset({node.code})
    )


def _of_set(node: Set) -> Bytes:
    if node.is_open:
        return None
    found = {code for low, high in node.ranges for code in range(low, min(high, 127) + 1)}
    for perl in node.perl:
        own = {code for low, high in PERL[perl.letter] for code in range(low, high + 1)}
        found |= _ASCII - own if perl.negated else own
    is_wide = node.negated or node.folds or bool(node.perl) or any(high > 127 for _, high in node.ranges)
    if node.folds:
        if any(high > 127 for _, high in node.ranges):
            return None
        found |= {ord(chr(code).swapcase()) for code in found}
    kept = (_ASCII - found) if node.negated else frozenset(found)
    return (kept | _BEYOND if is_wide else kept) - {_LINE_END}
