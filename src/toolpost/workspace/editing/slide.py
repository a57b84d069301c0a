"""Where a change is shown when it could stand in several places: whole blocks, not the seams of two.

Lines put in or taken out beside equal lines can be shown a little earlier or later without meaning
anything else. They are moved to touch another change where they can, so that one hunk tells both; else to
where they begin and end like a block, between blank lines and at little indent.
"""

from collections.abc import Sequence

from msgspec import Struct

from toolpost.limits import DIFF_SLIDE
from toolpost.workspace.editing.line_changes import Change
from toolpost.workspace.editing.lines import BLANKS


class _Near(Struct, frozen=True):
    """The changes around one."""

    before: Change | None
    after: Change | None


def slid(old: Sequence[str], new: Sequence[str], found: Sequence[Change]) -> list[Change]:
    """The same changes, each where it reads best."""
    placed: list[Change] = []
    for at, change in enumerate(found):
        near = _Near(placed[-1] if placed else None, found[at + 1] if at + 1 < len(found) else None)
        moved = _moved(old, new, change, near)
        if near.before and near.before.old_end == moved.old_start:
            placed.pop()
            moved = Change(near.before.old_start, moved.old_end, near.before.new_start, moved.new_end)
        placed.append(moved)
    return placed


def _moved(old: Sequence[str], new: Sequence[str], change: Change, near: _Near) -> Change:
    """One change at its best place between its neighbours; one that replaces lines stays."""
    is_taken, is_added = change.old_start < change.old_end, change.new_start < change.new_end
    if is_taken and is_added:
        return change
    lines, start, end = (
        (old, change.old_start, change.old_end) if is_taken else (new, change.new_start, change.new_end)
    )
    above = change.old_start - (near.before.old_end if near.before else 0)
    below = (near.after.old_start if near.after else len(old)) - change.old_end
    up = _room(lines, start - 1, end - 1, by=-1, most=above)
    if near.before and up == above:
        return _shifted(change, -up)
    down = _room(lines, start, end, by=1, most=below)
    if near.after and down == below:
        return _shifted(change, down)
    places = range(down, -up - 1, -1)
    return _shifted(change, min(places, key=lambda by: _indent(lines, start + by) + _indent(lines, end + by)))


def _room(lines: Sequence[str], one: int, two: int, *, by: int, most: int) -> int:
    """How many lines a change can move one way: as long as it takes in what it leaves behind."""
    moved = 0
    while moved < min(most, DIFF_SLIDE) and lines[one + moved * by] == lines[two + moved * by]:
        moved += 1
    return moved


def _shifted(change: Change, by: int) -> Change:
    return Change(change.old_start + by, change.old_end + by, change.new_start + by, change.new_end + by)


def _indent(lines: Sequence[str], at: int) -> int:
    """How deep the block is that begins here; the end of the text is the least deep of all."""
    for line in lines[at : at + DIFF_SLIDE]:
        body = line.lstrip(BLANKS)
        if body.strip():
            return len(line[: len(line) - len(body)].expandtabs())
    return -1
