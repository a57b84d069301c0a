"""`inputs[]` and `outputs` of the how-to-use formats (1.x, 2.x, ARDF), to and from a JSON Schema."""

from enum import Enum

from msgspec import UNSET

from toolpost.convert.card import Card, words_for
from toolpost.convert.examples import read_failures, write_failures
from toolpost.convert.wire import JsonObject, alike, as_list, as_object, without

TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
INPUT_KEYS = ("name", "type", "description", "required", "schema")


class Room(Enum):
    """How much an input may say: a name and a type, a schema too, or a text it must not lack."""

    TYPE = 1
    SCHEMA = 2
    DESCRIBED = 3


def read_inputs(value: object) -> JsonObject | None:
    """The inputs as one object schema, or None when they are not a list of distinct named inputs."""
    if not isinstance(value, list) or not all(_is_input(item) for item in value):
        return None
    properties = {str(item["name"]): _read_input(item) for item in value}
    if len(properties) != len(value):
        return None
    required = [item["name"] for item in value if item.get("required") is True]
    schema: JsonObject = {"type": "object", "properties": properties}
    return {**schema, "required": required} if required else schema


def write_inputs(card: Card, room: Room) -> list[JsonObject]:
    schema = {} if card.input_schema is UNSET else card.input_schema
    required = as_list(schema.get("required"))
    properties = as_object(schema.get("properties"))
    return [
        _write_input(name, as_object(one), required=name in required, room=room)
        for name, one in properties.items()
    ]


def read_outputs(value: object) -> JsonObject:
    """The card fields `success` and `failures`, as far as they are there."""
    outputs = as_object(value)
    success, failures = outputs.get("success"), read_failures(outputs.get("failure"))
    fields: JsonObject = {"success": success} if isinstance(success, str) else {}
    return fields if failures is None else {**fields, "failures": failures}


def write_outputs(card: Card) -> JsonObject:
    success = words_for(card) if card.success is UNSET else card.success
    return {"success": success, "failure": write_failures(card, extras=False)}


def read_usage(value: object) -> JsonObject:
    usage = as_object(value)
    schema = read_inputs(usage.get("inputs"))
    outputs = read_outputs(usage.get("outputs"))
    return outputs if schema is None else {"input_schema": schema, **outputs}


def write_usage(card: Card, room: Room) -> JsonObject:
    return {"inputs": write_inputs(card, room), "outputs": write_outputs(card)}


def type_name(schema: JsonObject) -> str:
    """The one type word for a schema that may have none or many; the schema itself travels with it."""
    foreign = schema.get("x-type")
    if isinstance(foreign, str):
        return foreign
    declared = schema.get("type")
    words = declared if isinstance(declared, list) else [declared]
    for word in words:
        if word in TYPES and word != "null":
            return str(word)
    return _implied_type(schema)


def _implied_type(schema: JsonObject) -> str:
    if "properties" in schema:
        return "object"
    if "items" in schema:
        return "array"
    members = [*as_list(schema.get("enum")), *([schema["const"]] if "const" in schema else [])]
    return _type_of(members[0]) if members else "string"


def _type_of(value: object) -> str:
    for kind, word in (
        (bool, "boolean"),
        (int, "integer"),
        (float, "number"),
        (list, "array"),
        (dict, "object"),
    ):
        if isinstance(value, kind):
            return word
    return "string"


def _is_input(item: object) -> bool:
    if not isinstance(item, dict):
        return False
    words = (item.get("name"), item.get("type"), item.get("description", ""))
    return all(isinstance(word, str) for word in words) and isinstance(item.get("schema", {}), dict)


def _read_input(item: JsonObject) -> JsonObject:
    schema = as_object(item.get("schema"))
    typed = {"type" if item["type"] in TYPES else "x-type": item["type"]}
    described = {"description": item["description"]} if "description" in item else {}
    outside = {**typed, **described, **without(item, INPUT_KEYS)}
    if not schema:
        return outside
    return {**schema, **without(outside, schema)}


def _write_input(name: str, schema: JsonObject, *, required: bool, room: Room) -> JsonObject:
    words = schema.get("description")
    simple: JsonObject = {"name": name, "type": type_name(schema)}
    if isinstance(words, str):
        simple["description"] = words
    elif room is Room.DESCRIBED:
        title = schema.get("title")
        simple["description"] = title if isinstance(title, str) else name
    if room is Room.TYPE:
        return simple
    whole = {**simple, "required": required}
    return whole if not schema or alike(_read_input(simple), schema) else {**whole, "schema": schema}
