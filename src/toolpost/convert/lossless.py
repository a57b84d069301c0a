"""Cards in and out of a format without loss, whatever the format can say.

Writing a tool: the format writes what it can; the result is read back; what differs from the card
travels beside the tool as a patch. Reading undoes it. Where even that does not rebuild a source to the
letter, the card keeps the source itself. So both laws hold by construction, for every format:
`read(write(card)) == card` and `write(read(value)) == value`.
"""

from contextlib import suppress
from dataclasses import dataclass, replace

import msgspec
from msgspec import UNSET, Struct

from toolpost.convert.card import Card, Catalogue, dump, load
from toolpost.convert.envelope import Envelope
from toolpost.convert.errors import BadPatch, ConvertError
from toolpost.convert.format import Format
from toolpost.convert.patch import Patch, apply, decode, diff_records, encode
from toolpost.convert.wire import JsonObject, alike, as_object, same, text

EMPTY = Patch()


@dataclass(frozen=True)
class Written:
    """A written catalogue and the patches that travel in it: one a tool, in the order of the cards."""

    value: object
    tools: list[Patch]
    around: Patch


class Around(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What travels beside the tools: the patch of the catalogue, and each tool's where tools hold none."""

    catalogue: Patch = EMPTY
    tools: dict[str, dict[str, object]] = {}


class Facts(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A catalogue without its cards: what a file says beyond its tools."""

    shape: str
    names: list[str]
    extra: dict[str, dict[str, object]] = {}
    origin: dict[str, object] = {}


def read(form: Format, value: object) -> Catalogue:
    return read_placed(form, value)[0]


def read_placed(form: Format, value: object) -> tuple[Catalogue, dict[str, str]]:
    """The catalogue, and where in the value each tool stands, by name."""
    catalogue, places = _open(form, value)
    if same(close(form, catalogue).value, value):
        return catalogue, places
    return msgspec.structs.replace(catalogue, origin={**catalogue.origin, form.name: value}), places


def write(form: Format, catalogue: Catalogue) -> Written:
    source = catalogue.origin.get(form.name)
    closed = close(form, catalogue)
    if source is not None and _reads_as(form, source, catalogue):
        return replace(closed, value=source)
    return closed


def write_bare(form: Format, catalogue: Catalogue) -> Written:
    """Only what the format itself can say: everything in the patches is lost."""
    _refuse_twins([card.name for card in catalogue.cards])
    rest, outer = _beside(form, catalogue)
    made = [_encode(form, card, fitted, rest) for card, fitted in _fitted(form, catalogue)]
    tools = [detach(value, form.place)[0] for value, _ in made]
    envelope = Envelope(_shape(form, catalogue), tools, rest, outer)
    around = diff_records(_facts_of(form, envelope, _order(tools, catalogue)), _facts(catalogue))
    return Written(form.join(envelope), [patch for _, patch in made], around)


def attach(value: JsonObject, place: tuple[str, ...], item: object) -> JsonObject:
    head, *tail = place
    if tail:
        item = attach(as_object(value.get(head)), tuple(tail), item)
    return {**value, head: item}


def detach(value: JsonObject, place: tuple[str, ...]) -> tuple[JsonObject, object]:
    """The value without what is at `place`, and that, or UNSET. An object left empty goes too."""
    head, *tail = place
    inside, found = (
        (detach(as_object(value.get(head)), tuple(tail))) if tail else ({}, value.get(head, UNSET))
    )
    if found is UNSET:
        return value, UNSET
    kept = {key: inside if key == head else item for key, item in value.items() if inside or key != head}
    return kept, found


# One tool.


def read_tool(form: Format, value: JsonObject, rest: JsonObject) -> Card:
    card = _decode(form, value, rest)
    if same(_encode(form, card, form.seat(card, value), rest)[0], value):
        return card
    return msgspec.structs.replace(card, origin={**card.origin, form.name: value})


def _tool(form: Format, card: Card, fitted: Card, rest: JsonObject) -> tuple[JsonObject, Patch]:
    made, patch = _encode(form, card, fitted, rest)
    source = card.origin.get(form.name)
    if fitted is not card or not isinstance(source, dict):
        return made, patch
    with suppress(ConvertError):
        if alike(dump(read_tool(form, source, rest)), dump(card)):
            return source, EMPTY
    return made, patch


def _decode(form: Format, value: JsonObject, rest: JsonObject) -> Card:
    plain, carry = detach(value, form.place)
    if carry is not UNSET:
        with suppress(BadPatch):
            return load(apply(dump(form.read(plain, rest)), decode(carry)))
    return form.read(value, rest)


def _encode(form: Format, card: Card, fitted: Card, rest: JsonObject) -> tuple[JsonObject, Patch]:
    plain, _ = detach(form.write(fitted), form.place)
    wanted = dump(card)
    if alike(dump(form.read(plain, rest)), wanted):
        return plain, EMPTY
    carrier, _ = detach(attach(plain, form.place, {}), form.place)
    patch = diff_records(dump(form.read(carrier, rest)), wanted)
    return attach(plain, form.place, encode(patch)), patch


# A catalogue.


def close(form: Format, catalogue: Catalogue) -> Written:
    """The catalogue written from its fields, whatever source it may keep."""
    _refuse_twins([card.name for card in catalogue.cards])
    rest, outer = _beside(form, catalogue)
    made = [_tool(form, card, fitted, rest) for card, fitted in _fitted(form, catalogue)]
    tools, table = _set_aside(form, [value for value, _ in made])
    envelope = Envelope(_shape(form, catalogue), tools, rest, outer)
    order = _order(tools, catalogue)
    wanted = _facts(catalogue)
    if not table and alike(_facts_of(form, envelope, order), wanted):
        return Written(form.join(envelope), [patch for _, patch in made], EMPTY)
    envelope = replace(envelope, shape=_roomy(form, envelope.shape))
    carrier = replace(envelope, rest=detach(attach(rest, form.around, {}), form.around)[0])
    patch = diff_records(_facts_of(form, carrier, order), wanted)
    carry = msgspec.to_builtins(Around(patch, table))
    full = replace(envelope, rest=attach(rest, form.around, carry))
    return Written(form.join(full), [patch for _, patch in made], patch)


def _open(form: Format, value: object) -> tuple[Catalogue, dict[str, str]]:
    envelope = form.split(value)
    rest, carry = detach(envelope.rest, form.around)
    if carry is not UNSET:
        with suppress(BadPatch):
            return _opened(form, replace(envelope, rest=rest), _around(carry))
    return _opened(form, envelope, Around())


def _opened(form: Format, envelope: Envelope, around: Around) -> tuple[Catalogue, dict[str, str]]:
    cards = [
        _read_at(form, tool, around, envelope.rest, place)
        for tool, place in zip(envelope.tools, envelope.pointers, strict=True)
    ]
    names = [card.name for card in cards]
    _refuse_twins(names, envelope.pointers)
    facts = _load_facts(apply(_dump_facts(form, envelope, names), around.catalogue))
    if sorted(facts.names) != sorted(names):
        raise BadPatch("the catalogue names other tools than it holds")
    by_name = {card.name: card for card in cards}
    ordered = [by_name[name] for name in facts.names]
    catalogue = Catalogue(ordered, facts.shape, facts.extra, facts.origin)
    return catalogue, dict(zip(names, envelope.pointers, strict=True))


def _read_at(form: Format, tool: JsonObject, around: Around, rest: JsonObject, place: str) -> Card:
    try:
        return read_tool(form, _put_back(form, tool, around), rest)
    except ConvertError as error:
        raise ConvertError(error.message, pointer=place + error.pointer, fix=error.fix) from None


def _reads_as(form: Format, source: object, catalogue: Catalogue) -> bool:
    with suppress(ConvertError):
        return alike(msgspec.to_builtins(read(form, source)), msgspec.to_builtins(catalogue))
    return False


def _fitted(form: Format, catalogue: Catalogue) -> list[tuple[Card, Card]]:
    return list(zip(catalogue.cards, form.fit(catalogue.cards), strict=True))


def _beside(form: Format, catalogue: Catalogue) -> tuple[JsonObject, JsonObject]:
    own = catalogue.extra.get(form.name, {})
    rest, _ = detach(as_object(own.get("rest")), form.around)
    return {**form.fresh(catalogue), **rest}, as_object(own.get("outer"))


def _shape(form: Format, catalogue: Catalogue) -> str:
    if catalogue.shape not in form.shapes or (catalogue.shape == "one" and len(catalogue.cards) != 1):
        return "object"
    return catalogue.shape


def _roomy(form: Format, shape: str) -> str:
    """A lone tool and a bare list have no room for what travels beside them."""
    return "object" if shape in {"one", "list"} and "object" in form.shapes else shape


def _set_aside(
    form: Format, tools: list[JsonObject]
) -> tuple[list[JsonObject], dict[str, dict[str, object]]]:
    plain: list[JsonObject] = []
    table: dict[str, dict[str, object]] = {}
    if not form.aside:
        return tools, table
    for tool in tools:
        kept, carry = detach(tool, form.place)
        plain.append(kept)
        if carry is not UNSET:
            table[form.ident(kept)] = as_object(carry)
    return plain, table


def _put_back(form: Format, tool: JsonObject, around: Around) -> JsonObject:
    carry = around.tools.get(form.ident(tool)) if form.aside else None
    return tool if carry is None else attach(tool, form.place, carry)


def _order(tools: list[JsonObject], catalogue: Catalogue) -> dict[str, str]:
    """The name of the card behind each written tool."""
    return {text(tool): card.name for tool, card in zip(tools, catalogue.cards, strict=True)}


def _facts(catalogue: Catalogue) -> JsonObject:
    names = [card.name for card in catalogue.cards]
    built: JsonObject = msgspec.to_builtins(Facts(catalogue.shape, names, catalogue.extra, catalogue.origin))
    return built


def _facts_of(form: Format, envelope: Envelope, order: dict[str, str]) -> JsonObject:
    back = form.split(form.join(envelope))
    return _dump_facts(form, back, [order.get(text(tool), "") for tool in back.tools])


def _dump_facts(form: Format, envelope: Envelope, names: list[str]) -> JsonObject:
    own: JsonObject = {
        key: part for key, part in (("rest", envelope.rest), ("outer", envelope.outer)) if part
    }
    built: JsonObject = msgspec.to_builtins(Facts(envelope.shape, names, {form.name: own} if own else {}))
    return built


def _load_facts(value: JsonObject) -> Facts:
    try:
        return msgspec.convert(value, Facts)
    except msgspec.ValidationError as error:
        raise BadPatch(f"not a toolpost catalogue: {error}") from None


def _around(value: object) -> Around:
    try:
        return msgspec.convert(value, Around)
    except msgspec.ValidationError as error:
        raise BadPatch(f"not a toolpost catalogue: {error}") from None


def _refuse_twins(names: list[str], places: list[str] | None = None) -> None:
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name in seen:
            where = places[index] if places else f"/tools/{index}"
            raise ConvertError(
                f"two tools are called {name!r}", pointer=where, fix="give each tool its own name"
            )
        seen.add(name)
