"""OpenAPI documents, 3.1 and 3.0: one operation is one tool.

References are inlined on read; the operation itself is kept wherever the card alone cannot rebuild it.
"""

import re
from dataclasses import dataclass
from urllib.parse import quote

import msgspec
from msgspec import UNSET

from toolpost.convert import lossless, openapi_schema
from toolpost.convert.card import Card, Catalogue, words_for
from toolpost.convert.envelope import Envelope
from toolpost.convert.errors import ConvertError
from toolpost.convert.fields import beside, build, object_schema, put, take
from toolpost.convert.format import Format
from toolpost.convert.parameters import Translate, merge, part
from toolpost.convert.refs import Inliner, has_local_ref
from toolpost.convert.wire import JsonObject, as_list, as_object, pointer, without

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
COLUMNS = {"operationId": "name", "summary": "title", "description": "description", "tags": "tags"}
JSON_MEDIA = "application/json"
CONSUMED = ("parameters", "requestBody", "responses")
FAILURE_CODE = re.compile(r"[45](\d\d|XX)|default")
SUCCESS_CODE = re.compile(r"2(\d\d|XX)")


@dataclass(frozen=True)
class Version:
    """One generation of OpenAPI: `up` makes its schemas JSON Schema, `down` writes them."""

    name: str
    sibling: str
    number: str
    old: bool

    def up(self, schema: object, rest: JsonObject) -> JsonObject:
        inlined = Inliner(rest, "#/components/").schema(schema)
        return as_object(openapi_schema.up(inlined)) if self.old else inlined

    def down(self, name: str) -> Translate:
        if self.old:
            return openapi_schema.down
        return lambda schema: _own_base(schema, name)


V31 = Version("openapi", "openapi-3.0", "3.1.0", old=False)
V30 = Version("openapi-3.0", "openapi", "3.0.3", old=True)


def read_one(version: Version, unit: JsonObject, rest: JsonObject) -> Card:
    operation = as_object(unit.get("operation"))
    path, method = str(unit.get("path")), str(unit.get("method"))
    fields, left = take(operation, COLUMNS)
    fields.setdefault("name", _spoken(method, path))
    schema = _read_input(version, operation, as_object(as_object(rest.get("paths")).get(path)), rest)
    if schema is not None:
        fields["input_schema"] = schema
    fields.update(_read_responses(version, operation, rest))
    permissions = _permissions(operation.get("security", rest.get("security")))
    if permissions:
        fields["prerequisites"] = {"permissions": permissions}
    slot = {} if (path, method) == _default_slot(str(fields["name"])) else {"path": path, "method": method}
    return build(version.name, fields, {**without(left, CONSUMED), **slot})


def write_one(version: Version, card: Card) -> JsonObject:
    path, method = slot_of(version, card)
    operation = put(card, COLUMNS)
    down = version.down(card.name)
    if card.input_schema is not UNSET:
        operation.update(_write_input(card, path, down))
    operation["responses"] = _write_responses(card, down)
    extra = card.extra.get(version.name, {})
    return {
        "path": path,
        "method": method,
        "operation": beside(operation, extra, ["path", "method", *CONSUMED]),
    }


def slot_of(version: Version, card: Card) -> tuple[str, str]:
    for form in (version.name, version.sibling):
        extra = card.extra.get(form, {})
        path, method = extra.get("path"), extra.get("method")
        if isinstance(path, str) and path.startswith("/") and isinstance(method, str) and method in METHODS:
            return path, method
    return _default_slot(card.name)


def fit_slots(version: Version, cards: list[Card]) -> list[Card]:
    """Cards that would share a path and method move to a path of their own."""
    taken: set[tuple[str, str]] = set()
    fitted: list[Card] = []
    for card in cards:
        path, method = slot_of(version, card)
        free = path
        while (free, method) in taken:
            free += "~"
        taken.add((free, method))
        fitted.append(card if free == path else _moved(version, card, free, method))
    return fitted


def seat(version: Version, card: Card, unit: JsonObject) -> Card:
    path, method = str(unit.get("path")), str(unit.get("method"))
    return card if slot_of(version, card) == (path, method) else _moved(version, card, path, method)


def split(version: Version, value: object) -> Envelope:
    if not isinstance(value, dict) or not str(value.get("openapi", "")).startswith(version.number[:3]):
        raise ConvertError(
            f"not an OpenAPI {version.number[:3]} document",
            pointer="/openapi",
            fix="name the version in 'openapi'",
        )
    units: list[JsonObject] = []
    pointers: list[str] = []
    paths: JsonObject = {}
    for path, raw in as_object(value.get("paths")).items():
        item = as_object(raw)
        found = [key for key in item if key in METHODS and isinstance(item[key], dict)]
        units += [{"path": path, "method": method, "operation": item[method]} for method in found]
        pointers += [pointer("paths", path, method) for method in found]
        left = without(item, found)
        if left or not found:
            paths[path] = left if found else raw
    rest = {**value, "paths": paths} if "paths" in value else value
    return Envelope("object", units, rest, {}, pointers)


def join(envelope: Envelope) -> object:
    paths = dict(as_object(envelope.rest.get("paths")))
    for unit in envelope.tools:
        path = str(unit["path"])
        paths[path] = {**as_object(paths.get(path)), str(unit["method"]): unit["operation"]}
    return {**envelope.rest, "paths": paths}


def fresh(version: Version, catalogue: Catalogue) -> JsonObject:
    """The head of a new document; the other generation's head where there is one."""
    other = as_object(catalogue.extra.get(version.sibling, {}).get("rest"))
    kept: JsonObject = {
        key: other[key] for key in ("info", "servers", "tags", "externalDocs") if key in other
    }
    return {"openapi": version.number, "info": _info(catalogue.cards), **kept, "paths": {}}


def _info(cards: list[Card]) -> JsonObject:
    if len(cards) != 1:
        return {"title": "tools", "version": "0"}
    card = cards[0]
    return {
        "title": card.name if card.title is UNSET else card.title,
        "version": "0" if card.version is UNSET else card.version,
    }


def _default_slot(name: str) -> tuple[str, str]:
    return "/" + quote(name, safe="", errors="surrogatepass"), "post"


def _moved(version: Version, card: Card, path: str, method: str) -> Card:
    extra = {**card.extra.get(version.name, {}), "path": path, "method": method}
    return msgspec.structs.replace(card, extra={**card.extra, version.name: extra})


def _spoken(method: str, path: str) -> str:
    """A name for an operation that has none: get /users/{id} is get_users_id."""
    return "_".join([method, *re.findall(r"[A-Za-z0-9]+", path)])


def _own_base(schema: JsonObject, name: str) -> JsonObject:
    """Inside a document `#/$defs` would mean the document's; an id makes the schema its own base."""
    if "$id" in schema or not has_local_ref(schema):
        return schema
    return {**schema, "$id": f"urn:toolpost:{quote(name, safe='', errors='surrogatepass')}"}


def _read_input(
    version: Version, operation: JsonObject, item: JsonObject, rest: JsonObject
) -> JsonObject | None:
    found: dict[tuple[object, object], JsonObject] = {}
    for raw in [*as_list(item.get("parameters")), *as_list(operation.get("parameters"))]:
        parameter = _resolved(raw, rest)
        schema = _media_schema(parameter) if "content" in parameter else parameter.get("schema")
        found[parameter.get("name"), parameter.get("in")] = {**parameter, "schema": version.up(schema, rest)}
    body = _resolved(operation.get("requestBody"), rest)
    raw_body = _media_schema(body)
    schema_of_body = None if raw_body is None else version.up(raw_body, rest)
    return merge(list(found.values()), schema_of_body, body_required=body.get("required") is True)


def _write_input(card: Card, path: str, down: Translate) -> JsonObject:
    parameters, body = part(object_schema(card), path, down)
    written: JsonObject = {"parameters": parameters} if parameters else {}
    if body is not None:
        written["requestBody"] = {"required": True, "content": {JSON_MEDIA: {"schema": down(body)}}}
    return written


def _read_responses(version: Version, operation: JsonObject, rest: JsonObject) -> JsonObject:
    fields: JsonObject = {}
    failures: list[JsonObject] = []
    for code, raw in as_object(operation.get("responses")).items():
        response = _resolved(raw, rest)
        words = response.get("description")
        if FAILURE_CODE.fullmatch(code) and isinstance(words, str):
            failures.append({"code": code, "description": words})
        elif SUCCESS_CODE.fullmatch(code) and isinstance(words, str):
            fields.setdefault("success", words)
            schema = _media_schema(response)
            if isinstance(schema, dict):
                fields.setdefault("output_schema", version.up(schema, rest))
    return {**fields, "failures": failures} if failures else fields


def _write_responses(card: Card, down: Translate) -> JsonObject:
    good: JsonObject = {"description": words_for(card) if card.success is UNSET else card.success}
    if card.output_schema is not UNSET:
        good["content"] = {JSON_MEDIA: {"schema": down(card.output_schema)}}
    failures = [] if card.failures is UNSET else card.failures
    bad = {
        one.code: {"description": words_for(card) if one.description is UNSET else one.description}
        for one in failures
        if FAILURE_CODE.fullmatch(one.code)
    }
    return {"200": good, **bad}


def _media_schema(holder: JsonObject) -> object:
    """The schema under the JSON media type, or under the first one there is."""
    content = as_object(holder.get("content"))
    media = next((key for key in content if "json" in key), next(iter(content), ""))
    return as_object(content.get(media)).get("schema")


def _resolved(value: object, rest: JsonObject) -> JsonObject:
    found, hops = as_object(value), 0
    while isinstance(found.get("$ref"), str) and hops < len(METHODS):
        found, hops = as_object(Inliner(rest, "#/").find(str(found["$ref"]))), hops + 1
    return found


def _permissions(security: object) -> list[str]:
    named: dict[str, None] = {}
    for need in as_list(security):
        for scheme, scopes in as_object(need).items():
            named.update(dict.fromkeys([str(scope) for scope in as_list(scopes)] or [scheme]))
    return list(named)


def _format(version: Version) -> Format:
    return Format(
        name=version.name,
        read=lambda unit, rest: read_one(version, unit, rest),
        write=lambda card: write_one(version, card),
        split=lambda value: split(version, value),
        join=join,
        ident=lambda unit: f"{unit['method']} {unit['path']}",
        shapes=("object",),
        place=("operation", "x-toolpost"),
        fit=lambda cards: fit_slots(version, cards),
        seat=lambda card, unit: seat(version, card, unit),
        fresh=lambda catalogue: fresh(version, catalogue),
    )


FORMAT_31 = _format(V31)
FORMAT_30 = _format(V30)


def form_of(value: object) -> Format:
    """The format of a document by the version it names."""
    is_old = isinstance(value, dict) and str(value.get("openapi", "")).startswith("3.0")
    return FORMAT_30 if is_old else FORMAT_31


def read(value: object) -> Catalogue:
    return lossless.read(form_of(value), value)


def write(catalogue: Catalogue) -> object:
    return lossless.write(FORMAT_31, catalogue).value
