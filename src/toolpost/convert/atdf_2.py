"""ATDF 2.x: every input holds its own schema; what the root cannot say travels in `x-toolpost`."""

from msgspec import UNSET

from toolpost.convert import lossless
from toolpost.convert.atdf_1 import ID_KEYS, ident, read_id, write_id, write_texts
from toolpost.convert.card import Card, Catalogue
from toolpost.convert.envelope import Layout
from toolpost.convert.examples import GOAL_KEYS, goal_examples, read_examples
from toolpost.convert.fields import beside, build, put, take
from toolpost.convert.format import Format
from toolpost.convert.usage import Room, read_usage, write_usage
from toolpost.convert.wire import JsonObject, as_object, without

NAME = "2"
SCHEMA_VERSION = "2.0.0"
COLUMNS = {
    "description": "description",
    "when_to_use": "when_to_use",
    "prerequisites": "prerequisites",
    "localization": "localization",
    "feedback": "feedback",
}
METADATA = {"version": "version", "author": "author", "tags": "tags", "category": "category"}


def read_one(value: JsonObject, _: JsonObject) -> Card:
    name, noted = read_id(value)
    fields, left = take(value, COLUMNS)
    about, left = read_common(without(left, [*ID_KEYS, "how_to_use"]), SCHEMA_VERSION)
    usage = read_usage(value.get("how_to_use"))
    return build(NAME, {"name": name, **fields, **usage, **about}, {**left, **noted})


def write_one(card: Card) -> JsonObject:
    extra = card.extra.get(NAME, {})
    written = {
        **write_version(extra, SCHEMA_VERSION),
        **write_id(card, extra),
        **put(card, COLUMNS),
        **write_texts(card),
        "how_to_use": write_usage(card, Room.SCHEMA),
        **write_common(card, extra),
    }
    return beside(written, extra, [*ID_KEYS, "id_key", "schema_version"])


def read_common(value: JsonObject, schema_version: str) -> tuple[JsonObject, JsonObject]:
    """Metadata and examples as card fields, and what is left. A null schema_version says it was absent."""
    left = dict(value)
    if left.setdefault("schema_version", None) == schema_version:
        del left["schema_version"]
    fields, metadata = take(as_object(left.get("metadata")), METADATA)
    if fields:
        left = {**without(left, ["metadata"]), **({"metadata": metadata} if metadata else {})}
    examples = read_examples(left.get("examples"), GOAL_KEYS)
    if examples is not None:
        fields, left = {**fields, "examples": examples}, without(left, ["examples"])
    return fields, left


def write_common(card: Card, extra: JsonObject) -> JsonObject:
    metadata = beside(put(card, METADATA), as_object(extra.get("metadata")))
    examples = goal_examples(card)
    written: JsonObject = {"metadata": metadata} if metadata else {}
    return written if examples is UNSET else {**written, "examples": examples}


def write_version(extra: JsonObject, default: str) -> JsonObject:
    version = extra.get("schema_version", default)
    return {} if version is None else {"schema_version": version}


_LAYOUT = Layout(marks=frozenset({"how_to_use"}))

FORMAT = Format(
    name=NAME,
    read=read_one,
    write=write_one,
    split=_LAYOUT.split,
    join=_LAYOUT.join,
    ident=ident,
    shapes=_LAYOUT.shapes,
)


def read(value: object) -> Catalogue:
    return lossless.read(FORMAT, value)


def write(catalogue: Catalogue) -> object:
    return lossless.write(FORMAT, catalogue).value
