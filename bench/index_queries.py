"""What is searched for: names and expressions drawn from a text, the same ones every time."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator

from msgspec import Struct

from toolpost.index.disk.mapped import Base

SEED = 7
WINDOW_BYTES = 200
SAMPLES = 4000
COMMON = 3
_NAME = re.compile(rb"(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_]{4,30}(?![A-Za-z0-9_])")


class Asked(Struct, frozen=True):
    text: str
    regex: bool = False


WITHOUT_LITERAL = tuple(
    Asked(text, regex=True)
    for text in (
        *(r"\w{40,}", r"[A-Z_]{24,}", r"\d{11,}"),  # a long run of one class, which has a search of its own
        *(r"[a-z]+[0-9]{3}[a-z]+[0-9]", r"\b[A-Z][a-z]+[A-Z]{4,}\w*\b", r"(?:\w+\s){12}"),  # any other form
    )
)


def literals(base: Base, count: int) -> list[Asked]:
    names = _names(base, random.Random(SEED))
    return [Asked(next(names)) for _ in range(count)]


def regexes(base: Base, count: int) -> list[Asked]:
    """Of eight kinds, each made of names that are there."""
    chance = random.Random(SEED + 1)
    names = _names(base, chance)
    return [Asked(chance.choice(_KINDS)(next(names), next(names)), regex=True) for _ in range(count)]


def common(base: Base) -> list[Asked]:
    """The words met most often."""
    names = _names(base, random.Random(SEED + 2))
    counted = Counter(next(names) for _ in range(SAMPLES))
    return [Asked(name) for name, _ in counted.most_common(COMMON)]


def _names(base: Base, chance: random.Random) -> Iterator[str]:
    """Each from a place of its own, so that what is there often comes often; without end."""
    view, size = base.text.view, base.starts[base.count]
    in_vain = 0
    while in_vain < SAMPLES:
        at = chance.randrange(max(size - WINDOW_BYTES, 1))
        found = _NAME.findall(view[at : at + WINDOW_BYTES])
        in_vain = 0 if found else in_vain + 1
        if found:
            yield chance.choice(found).decode()
    raise ValueError("There is no text with names in it to search for.")


_KINDS: tuple[Callable[[str, str], str], ...] = (
    lambda one, _: one[: max(3, len(one) // 2)] + r"\w+",
    lambda one, _: rf"\b{one}\b",
    lambda one, two: f"{one}.*{two}",
    lambda one, two: f"({one}|{two})",
    lambda one, _: rf"^\s*{one}",
    lambda one, _: f"{one[:4]}[A-Za-z]+{one[-3:]}",
    lambda one, _: f"(?i){one}",
    lambda one, _: rf"{one}\s*[(=:]",
)
