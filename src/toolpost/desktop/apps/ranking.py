"""Which applications a name means, the likeliest first.

By steps: the whole name, its beginning, a word's beginning, a part of it; then what is known of it besides its name;
then all words in any order, initials, and names written nearly so. Between equals a desktop's own application comes
before a mere program, and a short name before a long one.
"""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from enum import IntEnum

from toolpost.desktop.apps.application import Application, Source
from toolpost.limits import APP_NAME_CHARS

_BREAKS = re.compile(r"[\W_]+")
_ALIKE = 0.75  # of the characters: "fierfox" is Firefox, "file" is not "profile"
_SOURCES = {source: place for place, source in enumerate(Source)}


class Step(IntEnum):
    WHOLE = 0
    BEGINNING = 1
    WORD = 2
    PART = 3
    BESIDES = 4
    WORDS = 5
    ALIKE = 6
    NOT = 7


def rank(asked: str, applications: Iterable[Application]) -> list[Application]:
    """Those that match; names merely alike only where no name is nearer."""
    wanted = folded(asked)
    known = list(applications)
    placed = [(step(wanted, one), one) for one in known]
    found = [pair for pair in placed if pair[0] is not Step.NOT]
    if not found and wanted:
        found = [(Step.ALIKE, one) for one in known if _is_alike(wanted, folded(one.name))]
    found.sort(key=lambda pair: _order(wanted, *pair))
    return [one for _, one in found]


def step(wanted: str, one: Application) -> Step:
    """`wanted` is folded."""
    if not wanted:
        return Step.NOT
    names = _names(one)
    near = min(_near(wanted, name) for name in names)
    if near is not Step.NOT:
        return near
    besides = [folded(text) for text in (*one.also, one.description)]
    if any(_near(wanted, text) <= Step.WORD for text in besides):
        return Step.BESIDES
    words = wanted.split()
    is_spread = all(any(_near(word, name) <= Step.WORD for name in (*names, *besides)) for word in words)
    return Step.WORDS if is_spread or _is_short_for(wanted, names[0]) else Step.NOT


def folded(text: str) -> str:
    """Words in small letters with one blank between them."""
    return _BREAKS.sub(" ", text[:APP_NAME_CHARS].casefold()).strip()


def _names(one: Application) -> list[str]:
    """What it is called, and the last part of its id: `org.gnome.Calculator.desktop` goes by calculator."""
    stem = one.id.removesuffix(".desktop")
    shown = [one.name, stem, stem.rpartition(".")[2], one.program.rpartition("/")[2]]
    return [folded(name) for name in dict.fromkeys(shown) if name]


def _near(wanted: str, name: str) -> Step:
    if name == wanted:
        return Step.WHOLE
    if name.startswith(wanted):
        return Step.BEGINNING
    if f" {wanted}" in name:
        return Step.WORD
    return Step.PART if wanted in name and len(wanted) > 1 else Step.NOT


def _is_short_for(wanted: str, name: str) -> bool:
    """`vscode` for Visual Studio Code, `loc` for LibreOffice Calc: each word's beginning, in order."""
    words = name.split()
    if len(words) < 2 or len(wanted) < 2 or " " in wanted:
        return False
    reached = {0}
    for place, word in enumerate(words):
        most = {
            start + size
            for start in reached
            for size in range(1, len(word) + 1)
            if wanted.startswith(word[:size], start)
        }
        if not most:
            return False
        if len(wanted) in most and place == len(words) - 1:
            return True
        reached = most
    return False


def _is_alike(wanted: str, name: str) -> bool:
    if 2 * min(len(wanted), len(name)) < _ALIKE * (len(wanted) + len(name)):
        return False
    compared = SequenceMatcher(None, wanted, name)
    return compared.quick_ratio() >= _ALIKE and compared.ratio() >= _ALIKE


def _order(wanted: str, step: Step, one: Application) -> tuple[float, ...] | tuple[object, ...]:
    distance = 0.0 if step is not Step.ALIKE else -SequenceMatcher(None, wanted, folded(one.name)).ratio()
    return (step, distance, _SOURCES[one.source], len(one.name), one.name.casefold(), one.id)
