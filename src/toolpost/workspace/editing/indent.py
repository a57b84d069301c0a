"""One common shift of indent: how a block moved as a whole, and the same move for another block."""

from collections.abc import Iterable

from msgspec import Struct

from toolpost.workspace.editing.lines import BLANKS, split

_TAB_WIDTHS = (2, 3, 4, 8)  # what people call a tab


class Shift(Struct, frozen=True, gc=False):
    """From the indent of one block to that of another. `tab` is 0 where both are written alike."""

    cut: str = ""
    put: str = ""
    tab: int = 0
    columns: int = 0
    with_tabs: bool = False

    def moved(self, text: str) -> str | None:
        """The lines of a text with the same move made; None where one of them has no room for it."""
        lines = []
        for line in split(text):
            indent = indent_of(line)
            if not line.strip():
                lines.append(line)
                continue
            moved = self._columns(indent) if self.tab else self.prefixed(indent)
            if moved is None:
                return None
            lines.append(moved + line[len(indent) :])
        return "".join(lines)

    def prefixed(self, indent: str) -> str | None:
        """One indent moved, where both sides are written alike."""
        return self.put + indent[len(self.cut) :] if indent.startswith(self.cut) else None

    def _columns(self, indent: str) -> str | None:
        columns = _width(indent, self.tab) + self.columns
        if columns < 0:
            return None
        tabs, blanks = divmod(columns, self.tab) if self.with_tabs else (0, columns)
        return "\t" * tabs + " " * blanks


def indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip(BLANKS))]


def shift_of(indents: Iterable[tuple[str, str]]) -> Shift | None:
    """The one shift that takes every first indent to its second; None when there is no such shift."""
    pairs = set(indents)
    first, second = next(iter(pairs))
    if second.endswith(first):
        shift = Shift(put=second[: len(second) - len(first)])
    elif first.endswith(second):
        shift = Shift(cut=first[: len(first) - len(second)])
    else:
        return _retabbed(pairs)
    return shift if all(shift.prefixed(old) == new for old, new in pairs) else _retabbed(pairs)


def _retabbed(pairs: set[tuple[str, str]]) -> Shift | None:
    """Tabs against blanks: the width of a tab is the one that explains every line."""
    with_tabs = any("\t" in new for _, new in pairs)
    if not with_tabs and not any("\t" in old for old, _ in pairs):
        return None
    shifts = []
    for tab in _TAB_WIDTHS:
        moves = {_width(new, tab) - _width(old, tab) for old, new in pairs}
        if len(moves) == 1:
            shifts.append(Shift(tab=tab, columns=moves.pop(), with_tabs=with_tabs))
    level = [shift for shift in shifts if not shift.columns]
    sure = level or shifts
    return sure[0] if len(sure) == 1 else None


def _width(indent: str, tab: int) -> int:
    return len(indent.expandtabs(tab))
