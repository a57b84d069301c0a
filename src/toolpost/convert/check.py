"""Strict validation of a value in a named format: every fault with its place and its fix.

Formats (email, date-time, date, uri) are really checked; a remote reference is never fetched.
"""

from collections.abc import Iterable, Iterator
from typing import NoReturn

import jsonschema_rs
from msgspec import UNSET, Struct

from toolpost.convert import lossless
from toolpost.convert.card import Card
from toolpost.convert.errors import ConvertError
from toolpost.convert.format import Format
from toolpost.convert.formats import FORMATS, form_named
from toolpost.convert.openapi_schemas import DOCUMENTS
from toolpost.convert.schemas import ANSWER, ERRORS, TOOLS
from toolpost.convert.wire import JsonObject, pointer

MAX_MESSAGE = 300  # a message repeats the value it is about; a long one hides the fault
FORGIVEN = frozenset({"additionalProperties", "format", "pattern", "minLength", "propertyNames"})
CHECKED = (*FORMATS, "error")
SCHEMA_PLACES = {
    "spec": "/inputSchema",
    "mcp": "/inputSchema",
    "1": "/how_to_use/inputs",
    "2": "/how_to_use/inputs",
    "ardf": "/content/data/inputs",
    "functions": "/function/parameters",
    "responses": "/parameters",
    "anthropic": "/input_schema",
}
EXAMPLE_KEYS = {"spec": "input", "2": "input_values", "ardf": "input_values"}


class Fault(Struct, frozen=True):
    pointer: str
    message: str
    fix: str


def check(value: object, form: str, *, lax: bool = False) -> list[Fault]:
    """The faults of a value in a format; `lax` forgives unknown keys, formats and ill-fitting examples."""
    if form == "error":
        shape = ERRORS if isinstance(value, dict) and "errors" in value else ANSWER
        return list(_faults(shape, value, "", lax=lax))
    found = form_named(form, value)
    try:
        return _shape_faults(found, value, lax=lax) or _sense_faults(found, value, lax=lax)
    except ConvertError as error:
        return [Fault(error.pointer, error.message, error.fix)]


def _shape_faults(form: Format, value: object, *, lax: bool) -> list[Fault]:
    envelope = form.split(value)
    if form.name in DOCUMENTS:
        return list(_faults(DOCUMENTS[form.name], value, "", lax=lax))
    found: list[Fault] = []
    for tool, place in zip(envelope.tools, envelope.pointers, strict=True):
        found += _faults(TOOLS[form.name], tool, place, lax=lax)
    return found


def _sense_faults(form: Format, value: object, *, lax: bool) -> list[Fault]:
    """What only shows once the tools are read: schemas that are none, examples that break their schema."""
    catalogue, places = lossless.read_placed(form, value)
    found: list[Fault] = []
    for card in catalogue.cards:
        found += _card_faults(form.name, card, places[card.name], lax=lax)
    return found


def _card_faults(form: str, card: Card, place: str, *, lax: bool) -> Iterator[Fault]:
    schema_place = place + SCHEMA_PLACES.get(form, "")
    if card.output_schema is not UNSET:
        yield from _schema_faults(card.output_schema, place)
    schema = {} if card.input_schema is UNSET else card.input_schema
    broken = list(_schema_faults(schema, schema_place))
    yield from broken
    if broken or lax or card.examples is UNSET:
        return
    for index, example in enumerate(card.examples):
        at = place + pointer("examples", index, EXAMPLE_KEYS.get(form, "input"))
        if example.input is not UNSET:
            yield from _faults(schema, example.input, at, lax=False)


def _schema_faults(schema: JsonObject, place: str) -> Iterator[Fault]:
    try:
        _validator(schema)
    except jsonschema_rs.ValidationError as error:
        yield Fault(place + pointer(*error.instance_path), _short(error.message), "write a valid JSON Schema")


def _faults(schema: JsonObject, value: object, place: str, *, lax: bool) -> Iterator[Fault]:
    for error in _validator(schema).iter_errors(value):
        if lax and error.kind.name in FORGIVEN:
            continue
        yield Fault(place + pointer(*error.instance_path), _short(error.message), _fix(error))


def _validator(schema: JsonObject) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(schema, validate_formats=True, retriever=_refuse)


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"{uri} is not fetched")


def _short(message: str) -> str:
    return message if len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 3] + "..."


def _fix(error: jsonschema_rs.ValidationError) -> str:
    facts = error.kind.as_dict()
    name = error.kind.name
    words = FIXES.get(name, "follow the rule")
    return words.format(_spoken(facts.values())) if "{}" in words else words


def _spoken(values: Iterable[object]) -> str:
    spoken: list[str] = []
    for value in values:
        spoken += [str(one) for one in value] if isinstance(value, list | tuple) else [str(value)]
    return ", ".join(spoken)


FIXES = {
    "required": "add {}",
    "additionalProperties": "remove {}",
    "type": "make it {}",
    "format": "write a valid {}",
    "const": "write {}",
    "enum": "choose one of {}",
    "pattern": "match {}",
    "minimum": "give at least {}",
    "maximum": "give at most {}",
    "minItems": "give at least {}",
    "minLength": "write at least {} characters",
    "oneOf": "keep exactly one of the alternatives",
    "anyOf": "match one of the alternatives",
}
