"""The tool shape of the ATDF specification: name, description, inputSchema and open extras."""

from msgspec import UNSET

from toolpost.convert import lossless
from toolpost.convert.card import Card, Catalogue, words_for
from toolpost.convert.envelope import Layout
from toolpost.convert.examples import SPEC_KEYS, read_examples, spec_examples
from toolpost.convert.fields import beside, build, named, object_schema, put, take
from toolpost.convert.format import Format
from toolpost.convert.wire import JsonObject, without

NAME = "spec"
COLUMNS = {
    "name": "name",
    "title": "title",
    "description": "description",
    "version": "version",
    "tags": "tags",
    "inputSchema": "input_schema",
    "outputSchema": "output_schema",
    "annotations": "annotations",
}


def read_one(value: JsonObject, _: JsonObject) -> Card:
    named(value, "name")
    fields, left = take(value, COLUMNS)
    examples = read_examples(left.get("examples"), SPEC_KEYS)
    if examples is not None:
        fields, left = {**fields, "examples": examples}, without(left, ["examples"])
    return build(NAME, fields, left)


def write_one(card: Card) -> JsonObject:
    written = {**put(card, COLUMNS), "description": words_for(card), "inputSchema": object_schema(card)}
    examples = spec_examples(card)
    if examples is not UNSET:
        written["examples"] = examples
    return beside(written, card.extra.get(NAME, {}))


_LAYOUT = Layout(marks=frozenset({"inputSchema"}))

FORMAT = Format(
    name=NAME,
    read=read_one,
    write=write_one,
    split=_LAYOUT.split,
    join=_LAYOUT.join,
    ident=lambda tool: named(tool, "name"),
    shapes=_LAYOUT.shapes,
)


def read(value: object) -> Catalogue:
    return lossless.read(FORMAT, value)


def write(catalogue: Catalogue) -> object:
    return lossless.write(FORMAT, catalogue).value
