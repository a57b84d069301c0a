"""Our own JSON Schemas for OpenAPI documents, 3.1 and 3.0, as far as a tool catalogue needs them."""

from collections.abc import Mapping

from toolpost.convert.openapi import METHODS
from toolpost.convert.openapi_schema import BRANCHES, COUNTS, FLAGS, NUMBERS
from toolpost.convert.schemas import FLAG, LIST, OBJECT, TEXT, TEXTS, listed, record
from toolpost.convert.usage import TYPES
from toolpost.convert.wire import JsonObject

ANY: JsonObject = {}
SCHEMA: JsonObject = {"$ref": "#/$defs/schema"}
MEDIA: JsonObject = {"$ref": "#/$defs/content"}
REFERENCE = record({"$ref": TEXT})
NUMBER: JsonObject = {"type": "number"}
COUNT: JsonObject = {"type": "integer", "minimum": 0}
WORDS: JsonObject = {"summary": TEXT, "description": TEXT}


def extensible(required: Mapping[str, object], optional: Mapping[str, object]) -> JsonObject:
    """Describe an object that holds these keys and `x-` extensions."""
    return {**record(required, optional), "patternProperties": {"^x-": {}}, "additionalProperties": False}


def or_reference(schema: JsonObject) -> JsonObject:
    return {"if": {"type": "object", "required": ["$ref"]}, "then": REFERENCE, "else": schema}


def keyed(pattern: str, schema: JsonObject) -> JsonObject:
    """Describe an object whose keys follow a pattern, or are `x-` extensions."""
    return {
        "type": "object",
        "patternProperties": {"^x-": {}, pattern: schema},
        "additionalProperties": False,
    }


CONTENT: JsonObject = {
    "type": "object",
    "additionalProperties": extensible(
        {}, {"schema": SCHEMA, "example": ANY, "examples": OBJECT, "encoding": OBJECT}
    ),
}
PARAMETER: JsonObject = {
    **extensible(
        {"name": TEXT, "in": {"enum": ["path", "query", "header", "cookie"]}},
        {
            "description": TEXT,
            **dict.fromkeys(("required", "deprecated", "allowEmptyValue", "explode", "allowReserved"), FLAG),
            "style": TEXT,
            "schema": SCHEMA,
            "content": MEDIA,
            "example": ANY,
            "examples": OBJECT,
        },
    ),
    "oneOf": [{"required": ["schema"]}, {"required": ["content"]}],
    "if": {"properties": {"in": {"const": "path"}}},
    "then": {"required": ["required"], "properties": {"required": {"const": True}}},
}
BODY = extensible({"content": MEDIA}, {"description": TEXT, "required": FLAG})
RESPONSE = extensible({"description": TEXT}, {"headers": OBJECT, "content": MEDIA, "links": OBJECT})
PARAMETERS = listed(or_reference(PARAMETER))
RESPONSES = keyed("^([1-5]([0-9][0-9]|XX)|default)$", or_reference(RESPONSE))
OPERATION: JsonObject = {
    **WORDS,
    "tags": TEXTS,
    "externalDocs": OBJECT,
    "operationId": TEXT,
    "parameters": PARAMETERS,
    "requestBody": or_reference(BODY),
    "callbacks": OBJECT,
    "deprecated": FLAG,
    "security": listed(OBJECT),
    "servers": listed(OBJECT),
}
INFO = extensible(
    {"title": TEXT, "version": TEXT},
    {
        **WORDS,
        "termsOfService": {"type": "string", "format": "uri-reference"},
        "contact": record({}, {"name": TEXT, "url": {"format": "uri"}, "email": {"format": "email"}}),
        "license": record({"name": TEXT}),
    },
)
HEAD: JsonObject = {
    "components": OBJECT,
    "servers": listed(OBJECT),
    "security": listed(OBJECT),
    "tags": listed(record({"name": TEXT})),
    "externalDocs": OBJECT,
}


def _item(operation: JsonObject) -> JsonObject:
    shared = {**WORDS, "$ref": TEXT, "servers": listed(OBJECT), "parameters": PARAMETERS}
    return extensible({}, {**shared, **dict.fromkeys(METHODS, operation)})


SCHEMA_31: JsonObject = {"type": ["object", "boolean"]}
SCHEMA_30: JsonObject = or_reference(
    extensible(
        {},
        {
            **dict.fromkeys(("title", "description", "format"), TEXT),
            "pattern": {"type": "string", "format": "regex"},
            **dict.fromkeys(NUMBERS, NUMBER),
            "multipleOf": {"type": "number", "exclusiveMinimum": 0},
            **dict.fromkeys(COUNTS, COUNT),
            **dict.fromkeys((*FLAGS, "nullable", "exclusiveMinimum", "exclusiveMaximum"), FLAG),
            **dict.fromkeys(BRANCHES, listed(SCHEMA, minItems=1)),
            "required": listed(TEXT, minItems=1, uniqueItems=True),
            "enum": {**LIST, "minItems": 1},
            "type": {"enum": [word for word in TYPES if word != "null"]},
            "not": SCHEMA,
            "items": SCHEMA,
            "properties": {"type": "object", "additionalProperties": SCHEMA},
            "additionalProperties": {"if": {"type": "boolean"}, "else": SCHEMA},
            "default": ANY,
            "example": ANY,
            **dict.fromkeys(("discriminator", "xml", "externalDocs"), OBJECT),
        },
    )
)
SCHEMA_30_TYPED: JsonObject = {
    **SCHEMA_30,
    "type": "object",
    "dependentSchemas": {
        "type": {"if": {"properties": {"type": {"const": "array"}}}, "then": {"required": ["items"]}}
    },
}

DOCUMENT_31: JsonObject = {
    **extensible(
        {"openapi": {"type": "string", "pattern": r"^3\.1\.\d+$"}, "info": INFO},
        {
            **HEAD,
            "paths": keyed("^/", _item(extensible({}, {**OPERATION, "responses": RESPONSES}))),
            "webhooks": OBJECT,
            "jsonSchemaDialect": {"type": "string", "format": "uri"},
        },
    ),
    "anyOf": [{"required": [key]} for key in ("paths", "components", "webhooks")],
    "$defs": {"schema": SCHEMA_31, "content": CONTENT},
}
DOCUMENT_30: JsonObject = {
    **extensible(
        {
            "openapi": {"type": "string", "pattern": r"^3\.0\.\d+$"},
            "info": INFO,
            "paths": keyed("^/", _item(extensible({"responses": RESPONSES}, OPERATION))),
        },
        HEAD,
    ),
    "$defs": {"schema": SCHEMA_30_TYPED, "content": CONTENT},
}
DOCUMENTS: Mapping[str, JsonObject] = {"openapi": DOCUMENT_31, "openapi-3.0": DOCUMENT_30}
