"""OpenAPI parameters and a body as one input schema, and apart again. `x-in` says where a property goes."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from toolpost.convert.refs import has_local_ref
from toolpost.convert.wire import JsonObject, as_list, as_object, without

PLACES = ("path", "query", "header", "cookie")
SPREADABLE = frozenset({"type", "properties", "required", "title", "description"})
Translate: TypeAlias = Callable[[JsonObject], JsonObject]


def merge(parameters: list[JsonObject], body: JsonObject | None, *, body_required: bool) -> JsonObject | None:
    """One schema for all an operation takes; None when it takes nothing. Schemas come in translated."""
    if not parameters and body is None:
        return None
    if not parameters and body is not None and body.get("type", "object") == "object":
        return body
    properties: JsonObject = {}
    required: list[str] = []
    defs: JsonObject = {}
    for name, whole, needed in [*map(_from_parameter, parameters), *_from_body(body, needed=body_required)]:
        schema = _lift_defs(whole, defs)
        key = name if name not in properties else f"{name}_{schema['x-in']}"
        properties[key] = schema if key == name else {**schema, "x-name": name}
        required += [key] if needed else []
    made: JsonObject = {"type": "object", "properties": properties}
    lifted: JsonObject = {"$defs": defs} if defs else {}
    return {**made, "required": required, **lifted} if required else {**made, **lifted}


def part(schema: JsonObject, path: str, translate: Translate) -> tuple[list[JsonObject], JsonObject | None]:
    """The parameters and the body for an input schema; with no `x-in` in it, all of it is the body."""
    properties = {name: as_object(one) for name, one in as_object(schema.get("properties")).items()}
    if not any("x-in" in one for one in properties.values()):
        return [], schema
    required = as_list(schema.get("required"))
    apart = {key: one for key, one in properties.items() if one.get("x-in") in PLACES}
    parameters = [
        _parameter(key, _lend_defs(one, schema), path, translate, required=key in required)
        for key, one in apart.items()
    ]
    body = _body({key: one for key, one in properties.items() if key not in apart}, required)
    return parameters, None if body is None else _lend_defs(body, schema)


def _lift_defs(schema: JsonObject, defs: JsonObject) -> JsonObject:
    """Move the definitions of a schema to the root, where its references look; an id makes it a root."""
    if "$id" in schema or "$defs" not in schema:
        return schema
    defs.update(as_object(schema["$defs"]))
    return without(schema, ["$defs"])


def _lend_defs(schema: JsonObject, root: JsonObject) -> JsonObject:
    return {**schema, "$defs": root["$defs"]} if "$defs" in root and has_local_ref(schema) else schema


def _from_parameter(parameter: JsonObject) -> tuple[str, JsonObject, bool]:
    words = {"description": parameter["description"]} if "description" in parameter else {}
    schema = {**as_object(parameter.get("schema")), **words, "x-in": parameter.get("in")}
    return str(parameter.get("name")), schema, parameter.get("required") is True


def _from_body(body: JsonObject | None, *, needed: bool) -> Iterable[tuple[str, JsonObject, bool]]:
    if body is None:
        return []
    if body.get("type") != "object" or body.keys() - SPREADABLE:
        return [("body", {**body, "x-in": "body", "x-whole": True}, needed)]
    required = as_list(body.get("required"))
    properties = as_object(body.get("properties")).items()
    return [(name, {**as_object(one), "x-in": "body"}, name in required) for name, one in properties]


def _parameter(
    key: str, schema: JsonObject, path: str, translate: Translate, *, required: bool
) -> JsonObject:
    name = str(schema.get("x-name", key))
    place = schema["x-in"] if schema["x-in"] != "path" or f"{{{name}}}" in path else "query"
    written: JsonObject = {"name": name, "in": place}
    if required or place == "path":
        written["required"] = True
    if isinstance(schema.get("description"), str):
        written["description"] = schema["description"]
    return {**written, "schema": translate(without(schema, ["x-in", "x-name", "description"]))}


def _body(properties: dict[str, JsonObject], required: list[object]) -> JsonObject | None:
    if not properties:
        return None
    whole = [one for one in properties.values() if one.get("x-whole") is True]
    if len(whole) == len(properties) == 1:
        return without(whole[0], ["x-in", "x-name", "x-whole"])
    named = {str(one.get("x-name", key)): without(one, ["x-in", "x-name"]) for key, one in properties.items()}
    needed = [str(one.get("x-name", key)) for key, one in properties.items() if key in required]
    made: JsonObject = {"type": "object", "properties": named}
    return {**made, "required": needed} if needed else made
