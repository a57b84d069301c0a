"""MCP tools: one tool, a list, a `tools/list` result, or the JSON-RPC answer around it.

Icons, execution, `_meta` and unknown keys are kept as extras; what MCP cannot say travels in
`_meta["toolpost/card"]`.
"""

from msgspec import UNSET

from toolpost.convert import lossless
from toolpost.convert.card import Card, Catalogue
from toolpost.convert.envelope import Layout
from toolpost.convert.fields import beside, build, named, object_schema, put, take
from toolpost.convert.format import Format
from toolpost.convert.wire import JsonObject

NAME = "mcp"
COLUMNS = {
    "name": "name",
    "title": "title",
    "description": "description",
    "inputSchema": "input_schema",
    "outputSchema": "output_schema",
    "annotations": "annotations",
}
HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def read_one(value: JsonObject, _: JsonObject) -> Card:
    named(value, "name")
    return build(NAME, *take(value, COLUMNS))


def write_one(card: Card) -> JsonObject:
    written = {**put(card, COLUMNS), "inputSchema": object_schema(card)}
    if card.output_schema is not UNSET and card.output_schema.get("type") != "object":
        del written["outputSchema"]
    if card.annotations is not UNSET and not _are_annotations(card.annotations):
        del written["annotations"]
    return beside(written, card.extra.get(NAME, {}))


def _are_annotations(value: JsonObject) -> bool:
    hints = all(isinstance(value.get(hint, False), bool) for hint in HINTS)
    return hints and isinstance(value.get("title", ""), str)


_LAYOUT = Layout(marks=frozenset({"inputSchema"}), answers=True)

FORMAT = Format(
    name=NAME,
    read=read_one,
    write=write_one,
    split=_LAYOUT.split,
    join=_LAYOUT.join,
    ident=lambda tool: named(tool, "name"),
    shapes=_LAYOUT.shapes,
    place=("_meta", "toolpost/card"),
    around=("_meta", "toolpost/catalogue"),
)


def read(value: object) -> Catalogue:
    return lossless.read(FORMAT, value)


def write(catalogue: Catalogue) -> object:
    return lossless.write(FORMAT, catalogue).value
