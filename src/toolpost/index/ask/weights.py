"""How much each file of a tree matters: by who imports it, from where somebody looks at it.

Weight starts at files that are looked at, or at all alike, and goes on along imports, most of it at each
step, as PageRank has it. A few rounds are enough to tell the first hundred files. What only tests, shows,
passes on or was made by a program counts for little, unless it is looked at.
"""

from collections.abc import Sequence

from toolpost.index.ask.exports import exporting
from toolpost.index.ask.order import FILE, page
from toolpost.index.ask.paths import clean
from toolpost.index.limits import MAP_EDGES, MAP_FOCUSED, MAP_ROUNDS
from toolpost.index.names.claims import PASSED_ON
from toolpost.index.names.edges import Edges
from toolpost.index.names.lookup import names_of
from toolpost.index.names.tables import RANK_BITS
from toolpost.index.snapshot import Snapshot

_PASSED_ALONG = 0.85
_DULL = 0.1
_DULL_TAGS = ("barrel", "docs", "fixture", "generated", "story", "test", "vendored")
_LOOKED_AT = 10.0
"""So many times as much as all other files together begin with."""


def weights(snapshot: Snapshot, focus: Sequence[str] = ()) -> list[float]:
    """One for each file of the base, by its number; changed files weigh what they did."""
    count = snapshot.base.count
    looked_at = {number for one in focus for number in _numbers(snapshot, one)}
    begin = [1.0 / max(count, 1)] * count
    for number in looked_at:
        begin[number] += _LOOKED_AT / len(looked_at)
    found = _along(Edges(snapshot.base.sections), begin)
    for number in _dull(snapshot) - looked_at:
        found[number] *= _DULL
    for number in looked_at:
        found[number] += _LOOKED_AT  # what is looked at comes before what it stands on
    return found


def _along(edges: Edges, begin: list[float]) -> list[float]:
    """The weights after some rounds along the imports."""
    graph = [(number, targets) for number, targets in enumerate(edges.every()) if targets]
    held = sum(len(targets) for _, targets in graph)
    rounds = MAP_ROUNDS if held <= MAP_EDGES else 1
    now = begin
    for _ in range(rounds):
        later = [(1 - _PASSED_ALONG) * weight for weight in begin]
        for number, targets in graph:
            share = _PASSED_ALONG * now[number] / len(targets)
            for target in targets:
                later[target] += share
        now = later
    return now


def _dull(snapshot: Snapshot) -> set[int]:
    names = names_of(snapshot.base)
    dull: set[int] = set()
    for tag in _DULL_TAGS:
        number = names.tags.find(tag)
        if number >= 0:
            entries = names.tagged(number)
            dull.update(entries.take(0, len(entries)))
    return dull


def _numbers(snapshot: Snapshot, focus: str) -> list[int]:
    """What a focus means: a file, else a folder, else who defines an exported name, else who has one like it."""
    path = clean(focus).encode("utf-8", "surrogateescape")
    number = snapshot.base.find(path)
    if number >= 0:
        return [number]
    begin, end = snapshot.base.span(path.rstrip(b"/") + b"/")
    if begin < end and path:
        return list(range(begin, min(end, begin + MAP_FOCUSED)))
    exact = names_of(snapshot.base).exact(focus)
    if exact is not None:
        return [entry & FILE for entry in exact.take(0, exact.place(PASSED_ON << RANK_BITS) or MAP_FOCUSED)]
    items = page(snapshot, exporting(snapshot, focus), None, MAP_FOCUSED)
    return [item.entry & FILE for item in items if item.doc is None]
