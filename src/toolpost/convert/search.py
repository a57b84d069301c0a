"""Ranked search over cards: whole words and word beginnings or endings, rare words above common ones.

The same cards and the same goal always give the same hits in the same order.
"""

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec import UNSET, Struct

from toolpost.convert.card import Card
from toolpost.convert.wire import as_object

WEIGHTS = {"name": 3.0, "description": 2.0, "when_to_use": 2.0, "tags": 1.0, "parameters": 1.0}
AFFIX_WORTH = 0.5
MIN_AFFIX = 3  # shorter beginnings hit everything
FOREIGN_WORTH = 0.5  # a match in another language than the one asked for
PIECES = re.compile(r"[^\W\d_]+|\d+")
HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

Index: TypeAlias = dict[str, dict[str, float]]


class Hit(Struct, frozen=True):
    card: Card
    score: float
    matched: list[str]


def search(
    cards: Sequence[Card],
    goal: str,
    *,
    language: str | None = None,
    outcomes: Mapping[str, float] | None = None,
    limit: int | None = None,
) -> list[Hit]:
    """Cards that fit the goal, best first; `outcomes` weighs a tool by its recorded calls, 1 is neutral."""
    wanted = list(dict.fromkeys(words(goal)))
    indexed = [_index(card, language) for card in cards]
    rarity = {word: _rarity(word, indexed) for word in wanted}
    hits = [_hit(card, index, rarity, outcomes or {}) for card, index in zip(cards, indexed, strict=True)]
    ranked = sorted((hit for hit in hits if hit.matched), key=lambda hit: (-hit.score, hit.card.name))
    return ranked[:limit]


def words(text: str) -> list[str]:
    """Lower-case words without accents; camelCase and snake_case come apart."""
    spaced = HUMPS.sub(" ", text)
    plain = "".join(char for char in unicodedata.normalize("NFKD", spaced) if not unicodedata.combining(char))
    return PIECES.findall(plain.casefold())


def _hit(card: Card, index: Index, rarity: Mapping[str, float], outcomes: Mapping[str, float]) -> Hit:
    scores = {
        field: WEIGHTS[field] * sum(rare * _worth(word, found) for word, rare in rarity.items())
        for field, found in index.items()
    }
    total = sum(scores.values()) * outcomes.get(card.name, 1.0)
    return Hit(card, round(total, 6), [field for field, score in scores.items() if score > 0])


def _rarity(word: str, indexed: Sequence[Index]) -> float:
    holders = sum(any(_worth(word, found) for found in index.values()) for index in indexed)
    return math.log(1 + len(indexed) / holders) if holders else 0.0


def _worth(word: str, found: Mapping[str, float]) -> float:
    """How well a field answers a word: 1 for the word itself, less for a beginning or an ending."""
    if word in found:
        return found[word]
    return max((AFFIX_WORTH * worth for other, worth in found.items() if _is_affix(word, other)), default=0.0)


def _is_affix(word: str, other: str) -> bool:
    short, long = sorted((word, other), key=len)
    return len(short) >= MIN_AFFIX and (long.startswith(short) or long.endswith(short))


def _index(card: Card, language: str | None) -> Index:
    schema = {} if card.input_schema is UNSET else card.input_schema
    tags = [] if card.tags is UNSET else card.tags
    return {
        "name": _weighed([(card.name, 1.0)]),
        "description": _weighed(_texts(card, "description", language)),
        "when_to_use": _weighed(_texts(card, "when_to_use", language)),
        "tags": _weighed([(tag, 1.0) for tag in tags]),
        "parameters": _weighed([(name, 1.0) for name in as_object(schema.get("properties"))]),
    }


def _texts(card: Card, field: str, language: str | None) -> list[tuple[str, float]]:
    """The card's text and its translations; those in another language than the one asked for count less."""
    own = getattr(card, field)
    translations = {} if card.localization is UNSET else card.localization
    spoken = {tag: as_object(one).get(field) for tag, one in translations.items()}
    found = [(text, _speaks(tag, language)) for tag, text in spoken.items() if isinstance(text, str)]
    asked = any(worth == 1.0 for _, worth in found) and language is not None
    return found if own is UNSET else [(own, FOREIGN_WORTH if asked else 1.0), *found]


def _speaks(tag: str, language: str | None) -> float:
    same = language is None or tag.split("-", maxsplit=1)[0].casefold() == language.split("-")[0].casefold()
    return 1.0 if same else FOREIGN_WORTH


def _weighed(texts: Sequence[tuple[str, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for text, worth in texts:
        for word in words(text):
            found[word] = max(worth, found.get(word, 0.0))
    return found
