"""The neutral description of one tool, and of a catalogue of tools.

A field that is UNSET was absent in the source; an empty one was there and empty. Round trips need the
difference.
"""

from typing import TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from toolpost.convert.errors import BadPatch
from toolpost.convert.wire import JsonObject

Text: TypeAlias = str | UnsetType
Object: TypeAlias = dict[str, object] | UnsetType
Texts: TypeAlias = list[str] | UnsetType


class Example(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`input` and `expected` hold any JSON value; UNSET is absent, None is null."""

    name: Text = UNSET
    description: Text = UNSET
    input: object = UNSET
    expected: object = UNSET
    extra: dict[str, object] = {}


class Failure(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    code: str
    description: Text = UNSET
    extra: dict[str, object] = {}


class Card(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One tool, or with a `kind` another thing an agent may be told of.

    `success` is the text for a good outcome. `extra` and `origin` are keyed by format: what the format
    had and the card has no field for, and the whole source where the fields alone cannot rebuild it.
    """

    name: str
    kind: Text = UNSET
    title: Text = UNSET
    description: Text = UNSET
    when_to_use: Text = UNSET
    input_schema: Object = UNSET
    output_schema: Object = UNSET
    success: Text = UNSET
    failures: list[Failure] | UnsetType = UNSET
    annotations: Object = UNSET
    version: Text = UNSET
    tags: Texts = UNSET
    category: Text = UNSET
    author: Text = UNSET
    examples: list[Example] | UnsetType = UNSET
    prerequisites: Object = UNSET
    localization: Object = UNSET
    feedback: Object = UNSET
    extra: dict[str, dict[str, object]] = {}
    origin: dict[str, object] = {}


class Catalogue(Struct, frozen=True, forbid_unknown_fields=True):
    """Some tools and how they lay in their file: `one`, a `list`, an `object` around a list, or `rpc`."""

    cards: list[Card]
    shape: str = "object"
    extra: dict[str, dict[str, object]] = {}
    origin: dict[str, object] = {}


def dump(card: Card) -> JsonObject:
    built: JsonObject = msgspec.to_builtins(card)
    return built


def load(fields: object) -> Card:
    try:
        return msgspec.convert(fields, Card)
    except msgspec.ValidationError as error:
        raise BadPatch(f"not a tool card: {error}", fix="remove the toolpost data beside the tool") from None


def words_for(card: Card) -> str:
    """The text to reuse where a format demands one the source lacks."""
    own_title = {} if card.annotations is UNSET else card.annotations
    for words in (card.description, card.title, own_title.get("title")):
        if isinstance(words, str):
            return words
    return card.name
