"""A JSON Schema made ready once. Nothing is ever fetched for it."""

from typing import Any, NoReturn, Protocol

import jsonschema_rs
from msgspec import Struct

from toolpost.errors import BadTool
from toolpost.schema import Schema, Unfolds, inline


class Validator(Protocol):
    def is_valid(self, instance: Any) -> bool: ...
    def iter_errors(self, instance: Any) -> Any: ...


class Compiled(Struct, frozen=True):
    validator: Validator
    flat: Schema
    """The schema without local references, to look parameters up in."""


def compile_schema(schema: Schema, tool: str = "") -> Compiled:
    try:
        return Compiled(_validator(schema), _flat(schema))
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        why = str(error).split("\n", 1)[0]
        raise BadTool(f"The schema of {tool!r} cannot be used: {why}", tool=tool) from None
    except RecursionError:
        raise BadTool(f"The schema of {tool!r} cannot be used: it nests too deep.", tool=tool) from None


def _validator(schema: Schema) -> Validator:
    if "$schema" not in schema and _speaks_draft_4(schema):
        return jsonschema_rs.Draft4Validator(schema, validate_formats=True, retriever=_refuse)
    return jsonschema_rs.validator_for(schema, validate_formats=True, retriever=_refuse)


def _refuse(uri: str) -> NoReturn:
    message = f"{uri} would have to be fetched, and schemas are never fetched"
    raise ValueError(message)


def _speaks_draft_4(node: Any) -> bool:
    """Draft 4 alone writes an exclusive bound as true or false."""
    if isinstance(node, list):
        return any(_speaks_draft_4(item) for item in node)
    if not isinstance(node, dict):
        return False
    if any(isinstance(node.get(bound), bool) for bound in ("exclusiveMinimum", "exclusiveMaximum")):
        return True
    return any(_speaks_draft_4(item) for item in node.values())


def _flat(schema: Schema) -> Schema:
    try:
        return inline(schema)
    except Unfolds:
        raise
    except BadTool:  # a schema that contains itself validates well; only suggestions stop at the loop
        return schema
