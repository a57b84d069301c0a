"""Function-calling tools: OpenAI chat, OpenAI responses and Anthropic.

They have no room for more than a name, a text and a schema: the rest travels in the catalogue, keyed by
name. Names are fitted to 64 plain characters.
"""

import hashlib
import re

import msgspec

from toolpost.convert import lossless
from toolpost.convert.card import Card, Catalogue
from toolpost.convert.envelope import Layout
from toolpost.convert.errors import ConvertError
from toolpost.convert.fields import beside, build, named, object_schema, put, take
from toolpost.convert.format import Format
from toolpost.convert.wire import JsonObject, as_object, without

CHAT_NAME = "functions"
RESPONSES_NAME = "responses"
ANTHROPIC_NAME = "anthropic"
MAX_NAME = 64  # OpenAI function names
PLAIN_NAME = re.compile(rf"[A-Za-z0-9_-]{{1,{MAX_NAME}}}")
OPENAI = {"name": "name", "description": "description", "parameters": "input_schema"}
ANTHROPIC_COLUMNS = {"name": "name", "description": "description", "input_schema": "input_schema"}


def read_chat(value: JsonObject, _: JsonObject) -> Card:
    _chat_name(value)
    inner = as_object(value["function"])
    fields, left = take(inner, OPENAI)
    outside = without(value, ["type", "function"])
    return _built(CHAT_NAME, fields, {**left, "outside": outside} if outside else left)


def write_chat(card: Card) -> JsonObject:
    extra = card.extra.get(CHAT_NAME, {})
    inner = beside(_openai(card), extra, ["outside", "unfitted"])
    return beside({"type": "function", "function": inner}, as_object(extra.get("outside")))


def read_responses(value: JsonObject, _: JsonObject) -> Card:
    named(value, "name")
    fields, left = take(value, OPENAI)
    return _built(RESPONSES_NAME, fields, without(left, ["type"]))


def write_responses(card: Card) -> JsonObject:
    written = {"type": "function", **_openai(card)}
    return beside(written, card.extra.get(RESPONSES_NAME, {}), ["unfitted"])


def read_anthropic(value: JsonObject, _: JsonObject) -> Card:
    named(value, "name")
    return _built(ANTHROPIC_NAME, *take(value, ANTHROPIC_COLUMNS))


def write_anthropic(card: Card) -> JsonObject:
    written = {**put(card, ANTHROPIC_COLUMNS), "input_schema": object_schema(card)}
    return beside(written, card.extra.get(ANTHROPIC_NAME, {}), ["unfitted"])


def _openai(card: Card) -> JsonObject:
    written = put(card, OPENAI)
    return {**written, "parameters": object_schema(card)} if "parameters" in written else written


def named_at(inner: JsonObject, at: str) -> str:
    try:
        return named(inner, "name")
    except ConvertError as error:
        raise ConvertError(error.message, pointer=at + error.pointer, fix=error.fix) from None


def fit_names(cards: list[Card], form: str) -> list[Card]:
    """Cards under names the providers accept; a name that would clash gets a short digest of its own."""
    kept = {card.name for card in cards if _stays(card, form)}
    fitted: list[Card] = []
    for card in cards:
        name = card.name if card.name in kept else _free_name(card.name, kept)
        kept.add(name)
        fitted.append(_renamed(card, name))
    return fitted


def _built(form: str, fields: JsonObject, left: JsonObject) -> Card:
    """A name the providers would refuse is noted, so that it goes back as it came."""
    if PLAIN_NAME.fullmatch(str(fields["name"])):
        return build(form, fields, left)
    return build(form, fields, {**left, "unfitted": fields["name"]})


def _stays(card: Card, form: str) -> bool:
    came_so = card.extra.get(form, {}).get("unfitted") == card.name
    return came_so or PLAIN_NAME.fullmatch(card.name) is not None


def _free_name(name: str, taken: set[str]) -> str:
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    if plain and len(plain) <= MAX_NAME and plain not in taken:
        return plain
    salt = 0
    while True:
        digest = hashlib.sha256(f"{name}{salt or ''}".encode("utf-8", "surrogatepass")).hexdigest()[:8]
        candidate = f"{plain[: MAX_NAME - 9]}_{digest}"
        if candidate not in taken:
            return candidate
        salt += 1


def _chat_name(tool: JsonObject) -> str:
    return named_at(as_object(tool.get("function")), "/function")


def _flat_name(tool: JsonObject) -> str:
    return named(tool, "name")


def _renamed(card: Card, name: str) -> Card:
    return card if name == card.name else msgspec.structs.replace(card, name=name)


_LAYOUT = Layout(marks=frozenset({"function", "parameters", "input_schema"}))

CHAT = Format(
    name=CHAT_NAME,
    read=read_chat,
    write=write_chat,
    split=_LAYOUT.split,
    join=_LAYOUT.join,
    ident=_chat_name,
    seat=lambda card, tool: _renamed(card, _chat_name(tool)),
    shapes=_LAYOUT.shapes,
    aside=True,
    fit=lambda cards: fit_names(cards, CHAT_NAME),
)
RESPONSES = Format(
    name=RESPONSES_NAME,
    read=read_responses,
    write=write_responses,
    split=_LAYOUT.split,
    join=_LAYOUT.join,
    ident=_flat_name,
    seat=lambda card, tool: _renamed(card, _flat_name(tool)),
    shapes=_LAYOUT.shapes,
    aside=True,
    fit=lambda cards: fit_names(cards, RESPONSES_NAME),
)
ANTHROPIC = Format(
    name=ANTHROPIC_NAME,
    read=read_anthropic,
    write=write_anthropic,
    split=_LAYOUT.split,
    join=_LAYOUT.join,
    ident=_flat_name,
    seat=lambda card, tool: _renamed(card, _flat_name(tool)),
    shapes=_LAYOUT.shapes,
    aside=True,
    fit=lambda cards: fit_names(cards, ANTHROPIC_NAME),
)


def read(value: object) -> Catalogue:
    return lossless.read(CHAT, value)


def write(catalogue: Catalogue) -> object:
    return lossless.write(CHAT, catalogue).value
