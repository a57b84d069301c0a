"""Moving plain fields between a format's object and a card, by a table of (their key, our field).

A value of the wrong type is not forced into a field: it stays where it was and travels as an extra.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from msgspec import UNSET

from toolpost.convert.card import Card, load
from toolpost.convert.errors import ConvertError
from toolpost.convert.wire import JsonObject, without

Columns: TypeAlias = Mapping[str, str]


def is_text(value: object) -> bool:
    return isinstance(value, str)


def is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_object(value: object) -> bool:
    return isinstance(value, dict)


FITS: Mapping[str, Callable[[object], bool]] = {
    "tags": is_texts,
    "input_schema": is_object,
    "output_schema": is_object,
    "annotations": is_object,
    "prerequisites": is_object,
    "localization": is_object,
    "feedback": is_object,
}


def take(value: JsonObject, columns: Columns) -> tuple[JsonObject, JsonObject]:
    """The card fields found in the object, and what is left of it."""
    found = {
        key: field for key, field in columns.items() if key in value and FITS.get(field, is_text)(value[key])
    }
    return {field: value[key] for key, field in found.items()}, without(value, found)


def put(card: Card, columns: Columns) -> JsonObject:
    """The object's keys for the fields that the card has."""
    pairs = ((key, getattr(card, field)) for key, field in columns.items())
    return {key: value for key, value in pairs if value is not UNSET}


def named(value: JsonObject, key: str) -> str:
    """The tool's name, without which nothing can be read."""
    name = value.get(key)
    if not isinstance(name, str):
        raise ConvertError(
            f"a tool needs a text {key!r}", pointer=f"/{key}", fix=f"add {key!r}: the tool's name"
        )
    return name


def build(form: str, fields: JsonObject, left: JsonObject) -> Card:
    """A card of the fields; what is left becomes the format's extra."""
    return load({**fields, "extra": {form: left}} if left else fields)


def beside(written: JsonObject, extra: Mapping[str, object], hidden: Iterable[str] = ()) -> JsonObject:
    """The written keys, then the extras that do not stand in their way."""
    return {**written, **without(dict(extra), {*written, *hidden})}


def object_schema(card: Card) -> JsonObject:
    """The input schema for a format that wants an object schema and nothing else."""
    if card.input_schema is UNSET:
        return {"type": "object"}
    if card.input_schema.get("type") == "object":
        return card.input_schema
    return {"type": "object", **without(card.input_schema, ["type"])}
