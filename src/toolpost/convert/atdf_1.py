"""ATDF 1.x: closed at every level, so a schema cannot live in the tool; the catalogue carries it."""

from toolpost.convert import lossless
from toolpost.convert.card import Card, Catalogue, words_for
from toolpost.convert.envelope import Layout
from toolpost.convert.errors import ConvertError
from toolpost.convert.fields import beside, build, named, put, take
from toolpost.convert.format import Format
from toolpost.convert.usage import Room, read_usage, write_usage
from toolpost.convert.wire import JsonObject, without

NAME = "1"
COLUMNS = {"description": "description", "when_to_use": "when_to_use"}
ID_KEYS = ("tool_id", "id")


def read_one(value: JsonObject, _: JsonObject) -> Card:
    fields, left = take(value, COLUMNS)
    usage = read_usage(left.get("how_to_use"))
    name, noted = read_id(value)
    return build(
        NAME, {"name": name, **fields, **usage}, {**without(left, [*ID_KEYS, "how_to_use"]), **noted}
    )


def write_one(card: Card) -> JsonObject:
    extra = card.extra.get(NAME, {})
    written = {**write_id(card, extra), **write_texts(card), "how_to_use": write_usage(card, Room.TYPE)}
    return beside(written, extra, [*ID_KEYS, "id_key"])


def read_id(value: JsonObject) -> tuple[str, JsonObject]:
    """The tool's name, and a note of the key when it is not `tool_id`."""
    found = [key for key in ID_KEYS if key in value]
    if len(found) != 1:
        raise ConvertError(
            "a tool has exactly one of 'tool_id' and 'id'", fix="keep 'tool_id' and remove 'id'"
        )
    return named(value, found[0]), {"id_key": "id"} if found == ["id"] else {}


def write_id(card: Card, extra: JsonObject) -> JsonObject:
    return {"id" if extra.get("id_key") == "id" else "tool_id": card.name}


def write_texts(card: Card) -> JsonObject:
    """Both texts are demanded; one that the source lacks repeats the description."""
    words = words_for(card)
    return {"description": words, "when_to_use": words, **put(card, COLUMNS)}


def ident(tool: JsonObject) -> str:
    return read_id(tool)[0]


_LAYOUT = Layout(marks=frozenset({"how_to_use"}))

FORMAT = Format(
    name=NAME,
    read=read_one,
    write=write_one,
    split=_LAYOUT.split,
    join=_LAYOUT.join,
    ident=ident,
    shapes=_LAYOUT.shapes,
    aside=True,
)


def read(value: object) -> Catalogue:
    return lossless.read(FORMAT, value)


def write(catalogue: Catalogue) -> object:
    return lossless.write(FORMAT, catalogue).value
