"""Two texts as a unified diff, in the form `git apply` takes."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from toolpost.limits import DIFF_CONTEXT, DIFF_LINES, DIFF_SLIDE
from toolpost.workspace.editing.line_changes import Change, changes
from toolpost.workspace.editing.lines import same_start, split
from toolpost.workspace.editing.slide import slid

NO_NEWLINE = "\\ No newline at end of file\n"


def unified(path: str, old: str | None, new: str | None, *, context: int = DIFF_CONTEXT) -> str:
    """The whole diff of one file. `old` is None for a file that is created, `new` for one that is deleted.

    Empty when nothing changed. Paths are quoted as git does with `core.quotePath` off.
    """
    body = hunks(old, new, context=context)
    if not body and (old is None) == (new is None):
        return ""
    head = [f"diff --git {quoted(f'a/{path}')} {quoted(f'b/{path}')}\n"]
    if old is None:
        head.append("new file mode 100644\n")
    if new is None:
        head.append("deleted file mode 100644\n")
    if body:
        head.append(f"--- {_name('a', path, old)}\n+++ {_name('b', path, new)}\n")
    return "".join((*head, body))


def hunks(old: str | None, new: str | None, *, context: int = DIFF_CONTEXT) -> str:
    """The changes alone, without the lines that name the file."""
    edges = _edges(old or "", new or "", margin=max(DIFF_SLIDE, context))
    if max(text.count("\n") for text in (edges.old, edges.new)) > DIFF_LINES:
        return _coarse(_edges(old or "", new or "", margin=0), old or "", context)
    window = _Window(split(edges.old), split(edges.new), edges.before)
    found = slid(window.old, window.new, changes(window.old, window.new))
    return "".join(_hunk(window, group, context) for group in _near(found, 2 * context))


class _Edges(Struct, frozen=True):
    """What is left of two texts without the lines both begin and end with."""

    old: str
    new: str
    start: int
    before: int
    """Lines both begin with."""


def _edges(old: str, new: str, *, margin: int) -> _Edges:
    """As many lines as `margin` says are left standing on both sides.

    Texts are cut down before they are split into lines, which costs more than all the rest.
    """
    same = same_start(old, new)
    start = _line_back(old, same, margin)
    kept = min(len(old), len(new)) - same
    end = same_start(old[len(old) - kept :][::-1], new[len(new) - kept :][::-1])
    tail = len(old) - _line_on(old, len(old) - end, margin)
    return _Edges(
        old[start : len(old) - tail], new[start : len(new) - tail], start, old.count("\n", 0, start)
    )


def _coarse(edges: _Edges, old: str, context: int) -> str:
    """One hunk for all of it, made without ever splitting it into lines: there are too many."""
    end = edges.start + len(edges.old)
    lead = old[_line_back(old, edges.start, context) : edges.start]
    tail = old[end : _line_on(old, end, context - 1)]
    first = edges.before - lead.count("\n")
    old_range = _range(first, _count(lead + edges.old + tail))
    new_range = _range(first, _count(lead + edges.new + tail))
    parts = ((" ", lead), ("-", edges.old), ("+", edges.new), (" ", tail))
    signed = (_signed(sign, text) for sign, text in parts)
    return "".join((f"@@ -{old_range} +{new_range} @@\n", *signed))


def _count(text: str) -> int:
    return text.count("\n") + (text != "" and not text.endswith("\n"))


class _Window(Struct, frozen=True):
    """The lines that may differ, with some around them, and how many stand before them on both sides."""

    old: list[str]
    new: list[str]
    before: int


def _line_back(text: str, offset: int, lines: int) -> int:
    """Where the line begins that stands so many lines before."""
    for _ in range(lines + 1):
        offset = text.rfind("\n", 0, offset)
        if offset < 0:
            return 0
    return offset + 1


def _line_on(text: str, offset: int, lines: int) -> int:
    """Where the line ends that stands so many lines after."""
    for _ in range(lines + 1):
        offset = text.find("\n", offset) + 1
        if not offset:
            return len(text)
    return offset


def _near(found: Sequence[Change], most: int) -> Iterator[list[Change]]:
    """Changes in groups, by how many lines lie between them."""
    group: list[Change] = []
    for change in found:
        if group and change.old_start - group[-1].old_end > most:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _hunk(window: _Window, group: Sequence[Change], context: int) -> str:
    first, last = group[0], group[-1]
    lead = min(context, first.old_start)
    tail = min(context, len(window.old) - last.old_end)
    old = _range(window.before + first.old_start - lead, last.old_end + tail - first.old_start + lead)
    new = _range(window.before + first.new_start - lead, last.new_end + tail - first.new_start + lead)
    return "".join((f"@@ -{old} +{new} @@\n", *_body(window, group, lead, tail)))


def _range(start: int, length: int) -> str:
    """As git writes it: from 1, or the line before where there is none; a length of 1 is left out."""
    if length == 1:
        return f"{start + 1}"
    return f"{start + 1 if length else start},{length}"


def _body(window: _Window, group: Sequence[Change], lead: int, tail: int) -> Iterator[str]:
    at = group[0].old_start - lead
    for change in group:
        yield _signed(" ", "".join(window.old[at : change.old_start]))
        yield _signed("-", "".join(window.old[change.old_start : change.old_end]))
        yield _signed("+", "".join(window.new[change.new_start : change.new_end]))
        at = change.old_end
    yield _signed(" ", "".join(window.old[at : at + tail]))


def _signed(sign: str, text: str) -> str:
    """Lines with a sign before each, and a word on the last one if nothing ends it."""
    if not text:
        return ""
    signed = sign + text.removesuffix("\n").replace("\n", f"\n{sign}") + "\n"
    return signed if text.endswith("\n") else signed + NO_NEWLINE


def _name(side: str, path: str, text: str | None) -> str:
    """A tab ends a name that holds a blank, so that no tool takes what follows the blank for a date."""
    if text is None:
        return "/dev/null"
    name = quoted(f"{side}/{path}")
    return f"{name}\t" if " " in name and not name.startswith('"') else name


_LETTERS = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}
_ESCAPES = {code: f"\\{code:03o}" for code in (*range(32), 127)}
_ESCAPES |= {ord(char): f"\\{letter}" for char, letter in _LETTERS.items()}


def quoted(path: str) -> str:
    """A path as git writes it: quoted, as in C, where it holds control characters, quotes or backslashes."""
    escaped = path.translate(_ESCAPES)
    return path if escaped == path else f'"{escaped}"'
