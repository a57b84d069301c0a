"""Where a name is spoken of: every line with it as a whole word, which of them define it, and who speaks.

By name only: two things of one name are one here.
"""

from msgspec import Struct

from toolpost.index.limits import QUERY_DEFAULT
from toolpost.index.search.engine import answer
from toolpost.index.search.ground import Ground
from toolpost.index.symbols.find import Symbol
from toolpost.index.symbols.lookup import definitions, outline
from toolpost.workspace.walking.cursor import START, Cursor
from toolpost.workspace.walking.patterns import How, Pattern
from toolpost.workspace.walking.within import Hit, Question


class Reference(Struct, frozen=True, kw_only=True):
    path: str
    line: int
    column: int
    snippet: str
    is_definition: bool
    within: str = ""
    """The innermost definition the line is part of, by its dotted name: the caller, where it is a call."""
    kind: str = ""
    """Of that definition."""


class References(Struct, frozen=True):
    found: list[Reference]
    rest: Cursor | None
    """Where to go on; None when there is nothing left."""


class Caller(Struct, frozen=True):
    path: str
    name: str
    kind: str
    lines: tuple[int, ...]
    """Where it speaks of what it calls."""


def references(
    ground: Ground, name: str, *, limit: int = QUERY_DEFAULT, cursor: Cursor = START
) -> References:
    """In the order of paths and lines. Raises InvalidArgument for a name that cannot be looked for."""
    pattern = Pattern(name, how=How(word=True), parameter="name")
    page = answer([ground], Question(pattern=pattern), limit=limit, cursor=cursor)
    told = _Told(ground, name)
    return References([told.reference(hit) for hit in page.hits], page.rest)


def callers(ground: Ground, name: str, *, limit: int = QUERY_DEFAULT, cursor: Cursor = START) -> list[Caller]:
    """Definitions whose lines speak of a name, the name's own definition not among them."""
    found: dict[tuple[str, str, str], list[int]] = {}
    for one in references(ground, name, limit=limit, cursor=cursor).found:
        if one.within and not one.is_definition:
            found.setdefault((one.path, one.within, one.kind), []).append(one.line)
    return [Caller(*who, tuple(lines)) for who, lines in found.items()]


class _Told:
    """What is known of a name and of the files it stands in, each looked at once."""

    def __init__(self, ground: Ground, name: str) -> None:
        self.ground = ground
        self.name = name
        before = ground.before.decode("utf-8", "surrogateescape")
        self._before = before
        self._defined = {
            (f"{before}{one.path}", one.symbol.line) for one in definitions(ground.snapshot, name)
        }
        self._outlines: dict[str, tuple[Symbol, ...]] = {}

    def reference(self, hit: Hit) -> Reference:
        is_definition = (hit.path, hit.line) in self._defined or self._is_named(hit)
        around = self._around(hit)
        return Reference(
            path=hit.path,
            line=hit.line,
            column=hit.column,
            snippet=hit.snippet,
            is_definition=is_definition,
            within=_dotted(around) if around else "",
            kind=around.kind if around else "",
        )

    def _outline(self, path: str) -> tuple[Symbol, ...]:
        if path not in self._outlines:
            own = path.removeprefix(self._before)
            self._outlines[path] = outline(self.ground.snapshot, own) or ()
        return self._outlines[path]

    def _is_named(self, hit: Hit) -> bool:
        """Also what no table holds yet: its own file tells."""
        return any(one.name == self.name and one.line == hit.line for one in self._outline(hit.path))

    def _around(self, hit: Hit) -> Symbol | None:
        """The innermost definition around a line, other than one of the name itself that begins there."""
        found = [
            one
            for one in self._outline(hit.path)
            if one.line <= hit.line <= one.end_line and not (one.name == self.name and one.line == hit.line)
        ]
        return min(found, key=lambda one: (one.end_line - one.line, -one.line), default=None)


def _dotted(symbol: Symbol) -> str:
    return f"{symbol.parent}.{symbol.name}" if symbol.parent else symbol.name
