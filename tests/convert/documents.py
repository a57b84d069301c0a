"""Generated OpenAPI documents, and generated values of every format by name."""

from hypothesis import strategies as st
from tests.convert.values import (
    VALID,
    Tools,
    Values,
    catalogues,
    json_values,
    scalars,
    schemas,
    some,
    vendor_keys,
    words,
)

from toolpost.convert.wire import JsonObject


@st.composite
def operations(draw: st.DrawFn, schema: Tools, *, path: str) -> JsonObject:
    parameter = some(
        {"name": st.just("limit"), "in": st.just("query"), "schema": schema},
        {"description": words, "required": st.booleans()},
    )
    here = (
        [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
        if "{id}" in path
        else []
    )
    body = st.just({"$ref": "#/components/requestBodies/Body"}) | some(
        {"content": st.fixed_dictionaries({"application/json": st.fixed_dictionaries({"schema": schema})})},
        {"required": st.booleans()},
    )
    good = some(
        {"description": words},
        {"content": st.just({"application/json": {"schema": {"type": "array", "items": {}}}})},
    )
    operation = draw(
        some(
            {
                "responses": st.fixed_dictionaries(
                    {"200": good}, optional={"404": st.just({"description": "gone"})}
                )
            },
            {
                "summary": words,
                "description": words,
                "tags": st.lists(words, max_size=2),
                "deprecated": st.booleans(),
                "requestBody": body,
                "security": st.just([{"key": []}, {"oauth": ["read", "write"]}]),
                "x-vendor": json_values,
            },
        )
    )
    extra = draw(st.lists(parameter, max_size=1))
    return {**operation, "parameters": [*here, *extra]} if here or extra else operation


old_schemas: Tools = st.recursive(
    some({"type": st.sampled_from(["string", "integer"])}, {"nullable": st.booleans(), "example": scalars})
    | some(
        {"type": st.just("number"), "minimum": st.integers(0, 9)},
        {"exclusiveMinimum": st.booleans(), "maximum": st.just(99), "exclusiveMaximum": st.booleans()},
    )
    | st.just({"$ref": "#/components/schemas/Node"}),
    lambda inner: (
        some(
            {"type": st.just("object"), "properties": st.dictionaries(words, inner, max_size=2)},
            {"not": inner},
        )
        | some(
            {"allOf": st.lists(inner, min_size=1, max_size=2)},
            {"additionalProperties": inner | st.booleans()},
        )
        | some({"type": st.just("array"), "items": inner}, {})
    ),
    max_leaves=4,
)
component_schemas = {
    "Node": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}}
}


@st.composite
def openapi_documents(draw: st.DrawFn, version: str) -> JsonObject:
    schema = old_schemas if version.startswith("3.0") else new_schemas
    slots = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["/users", "/users/{id}", "/files"]), st.sampled_from(["get", "post", "put"])
            ),
            unique=True,
            max_size=3,
        )
    )
    paths: dict[str, JsonObject] = {}
    for index, (path, method) in enumerate(slots):
        operation = draw(operations(schema, path=path))
        if draw(st.booleans()):
            operation["operationId"] = f"op{index}"
        paths.setdefault(path, {})[method] = operation
    for item in paths.values():
        if draw(st.booleans()):
            item["parameters"] = [{"name": "trace", "in": "header", "schema": {"type": "string"}}]
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}}
    return {
        "openapi": version,
        "info": {"title": draw(words), "version": draw(words)},
        "paths": paths,
        "components": {"schemas": component_schemas, "requestBodies": {"Body": body}},
        **draw(vendor_keys),
    }


NODE: JsonObject = {"$ref": "#/components/schemas/Node"}
new_schemas: Tools = st.just(NODE) | schemas().map(
    lambda schema: {key: value for key, value in schema.items() if "$defs" not in str({key: value})}
)

VALUES: dict[str, Values] = {
    **{form: catalogues(tools, answers=form == "mcp") for form, tools in VALID.items()},
    "openapi": openapi_documents("3.1.0"),
    "openapi-3.0": openapi_documents("3.0.3"),
}
