"""ARDF 1.0.0 resources. Tools are mapped; prompts, documents and the rest are kept whole and listed."""

from msgspec import UNSET

from toolpost.convert import lossless
from toolpost.convert.atdf_2 import read_common, write_common, write_version
from toolpost.convert.card import Card, Catalogue, words_for
from toolpost.convert.envelope import Layout
from toolpost.convert.examples import write_failures
from toolpost.convert.fields import beside, build, named, put, take
from toolpost.convert.format import Format
from toolpost.convert.usage import Room, read_inputs, read_outputs, write_inputs
from toolpost.convert.wire import JsonObject, as_object, without

NAME = "ardf"
SCHEMA_VERSION = "1.0.0"
TOOL_CONTENT = "tool/io"
COLUMNS = {
    "resource_id": "name",
    "resource_type": "kind",
    "description": "description",
    "when_to_use": "when_to_use",
    "prerequisites": "prerequisites",
    "localization": "localization",
    "feedback": "feedback",
}


def read_one(value: JsonObject, _: JsonObject) -> Card:
    named(value, "resource_id")
    fields, left = take(value, COLUMNS)
    about, left = read_common(left, SCHEMA_VERSION)
    is_tool = fields.get("kind") == "tool"
    fields = {**without(fields, ["kind"] if is_tool else []), **about}
    content = as_object(left.get("content"))
    if not is_tool or content.get("type") != TOOL_CONTENT:
        return build(NAME, fields, left)
    inside, data = _read_data(as_object(content.get("data")))
    left = without(left, ["content"])
    return build(NAME, {**fields, **inside}, {**left, "data": data} if data else left)


def write_one(card: Card) -> JsonObject:
    extra = card.extra.get(NAME, {})
    written = {
        **write_version(extra, SCHEMA_VERSION),
        "resource_type": "tool",
        **put(card, COLUMNS),
        "description": words_for(card),
        **write_common(card, extra),
    }
    if card.kind is UNSET:
        written["content"] = {"type": TOOL_CONTENT, "data": _write_data(card, as_object(extra.get("data")))}
    return beside(written, extra, ["data", "schema_version"])


def _read_data(data: JsonObject) -> tuple[JsonObject, JsonObject]:
    schema = read_inputs(data.get("inputs"))
    fields: JsonObject = {} if schema is None else {"input_schema": schema}
    return {**fields, **read_outputs(data.get("outputs"))}, without(data, ["inputs", "outputs"])


def _write_data(card: Card, extra: JsonObject) -> JsonObject:
    written: JsonObject = {}
    if card.input_schema is not UNSET:
        written["inputs"] = write_inputs(card, Room.DESCRIBED)
    outputs: JsonObject = {} if card.success is UNSET else {"success": card.success}
    if card.failures is not UNSET:
        outputs["failure"] = write_failures(card, extras=True)
    return beside({**written, "outputs": outputs} if outputs else written, extra)


_LAYOUT = Layout(
    marks=frozenset({"resource_id", "resource_type"}),
    containers=(("object", "tools"), ("resources", "resources")),
)

FORMAT = Format(
    name=NAME,
    read=read_one,
    write=write_one,
    split=_LAYOUT.split,
    join=_LAYOUT.join,
    ident=lambda tool: named(tool, "resource_id"),
    shapes=_LAYOUT.shapes,
    place=("content", "data", "x-toolpost"),
)


def read(value: object) -> Catalogue:
    return lossless.read(FORMAT, value)


def write(catalogue: Catalogue) -> object:
    return lossless.write(FORMAT, catalogue).value
