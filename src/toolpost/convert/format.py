"""What one format must say about itself for the lossless engine to carry cards in and out of it."""

from collections.abc import Callable
from dataclasses import dataclass

from toolpost.convert.card import Card, Catalogue
from toolpost.convert.envelope import Envelope
from toolpost.convert.wire import JsonObject


def as_they_are(cards: list[Card]) -> list[Card]:
    return cards


def as_it_is(card: Card, _: JsonObject) -> Card:
    return card


def nothing_beside(_: Catalogue) -> JsonObject:
    return {}


@dataclass(frozen=True)
class Format:
    """`read` and `write` map one tool as well as the format allows; the engine carries the difference.

    `read` also gets what stands beside the tools, where a format keeps shared parts. `place` is where
    the difference travels inside a tool; with `aside` it travels in the catalogue instead, keyed by
    `ident`. `around` is the catalogue's own place. `fit` changes cards that the format cannot name,
    and `seat` gives a card the name it has in a written tool.
    """

    name: str
    read: Callable[[JsonObject, JsonObject], Card]
    write: Callable[[Card], JsonObject]
    split: Callable[[object], Envelope]
    join: Callable[[Envelope], object]
    ident: Callable[[JsonObject], str]
    shapes: tuple[str, ...]
    place: tuple[str, ...] = ("x-toolpost",)
    around: tuple[str, ...] = ("x-toolpost",)
    aside: bool = False
    fit: Callable[[list[Card]], list[Card]] = as_they_are
    seat: Callable[[Card, JsonObject], Card] = as_it_is
    fresh: Callable[[Catalogue], JsonObject] = nothing_beside
