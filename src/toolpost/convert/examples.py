"""Examples and failures, between a format's own keys and the card."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import UNSET, UnsetType

from toolpost.convert.card import Card, Example, Failure, words_for
from toolpost.convert.wire import JsonObject, text, without

Writer: TypeAlias = Callable[[Card, Example], JsonObject]

SPEC_KEYS = {"name": "name", "description": "description", "input": "input", "expected": "expected"}
GOAL_KEYS = {"goal": "name", "input_values": "input", "expected_result": "expected"}


def read_examples(value: object, keys: Mapping[str, str]) -> list[JsonObject] | None:
    """The examples as card fields, or None when they are not a list of objects we understand."""
    if not isinstance(value, list) or not all(_is_example(item, keys) for item in value):
        return None
    return [_read_example(item, keys) for item in value]


def spec_examples(card: Card) -> list[JsonObject] | UnsetType:
    """Examples as {name, input}; one without an input object travels beside."""
    return _written(card, lambda card, one: _keyed(one, SPEC_KEYS, name=_heading(card, one)))


def goal_examples(card: Card) -> list[JsonObject] | UnsetType:
    """Examples as {goal, input_values, expected_result}, the result as text."""
    return _written(card, _goal_example)


def read_failures(value: object) -> list[JsonObject] | None:
    if not isinstance(value, list) or not all(_is_failure(item) for item in value):
        return None
    return [
        _with_extra({key: item[key] for key in ("code", "description") if key in item}, item)
        for item in value
    ]


def write_failures(card: Card, *, extras: bool) -> list[JsonObject]:
    failures: list[Failure] = [] if card.failures is UNSET else card.failures
    return [_failure(card, one, one.extra if extras else {}) for one in failures]


def _failure(card: Card, one: Failure, extra: JsonObject) -> JsonObject:
    words = words_for(card) if one.description is UNSET else one.description
    return {"code": one.code, "description": words, **without(extra, ["code", "description"])}


def _is_failure(item: object) -> bool:
    return (
        isinstance(item, dict)
        and isinstance(item.get("code"), str)
        and isinstance(item.get("description", ""), str)
    )


def _is_example(item: object, keys: Mapping[str, str]) -> bool:
    if not isinstance(item, dict):
        return False
    texts = (item.get(key, "") for key, field in keys.items() if field in {"name", "description"})
    return all(isinstance(words, str) for words in texts)


def _read_example(item: JsonObject, keys: Mapping[str, str]) -> JsonObject:
    fields = {field: item[key] for key, field in keys.items() if key in item}
    extra = without(item, keys)
    return {**fields, "extra": extra} if extra else fields


def _with_extra(fields: JsonObject, item: JsonObject) -> JsonObject:
    extra = without(item, fields)
    return {**fields, "extra": extra} if extra else fields


def _written(card: Card, write: Writer) -> list[JsonObject] | UnsetType:
    if card.examples is UNSET:
        return UNSET
    usable = [one for one in card.examples if isinstance(one.input, dict)]
    return [write(card, one) for one in usable] if usable or not card.examples else UNSET


def _goal_example(card: Card, one: Example) -> JsonObject:
    return _keyed(one, GOAL_KEYS, name=_heading(card, one), expected=_expected_text(card, one))


def _keyed(one: Example, keys: Mapping[str, str], **required: str) -> JsonObject:
    fields = {key: required.get(field, getattr(one, field)) for key, field in keys.items()}
    present = {key: value for key, value in fields.items() if value is not UNSET}
    return {**present, **without(one.extra, keys)}


def _heading(card: Card, one: Example) -> str:
    for words in (one.name, one.description):
        if words is not UNSET:
            return words
    return words_for(card)


def _expected_text(card: Card, one: Example) -> str:
    if one.expected is UNSET:
        return words_for(card)
    return one.expected if isinstance(one.expected, str) else text(one.expected)
