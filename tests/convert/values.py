"""Generated tools in every format: `valid` ones follow their format strictly, `odd` ones only have a name."""

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from toolpost.convert.wire import JsonObject

Tools = SearchStrategy[JsonObject]
Values = SearchStrategy[object]

words = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12)
names = st.text(alphabet="abcXYZ019_-./ é", min_size=1, max_size=80)
plain_names = st.text(alphabet="abcXYZ019_-", min_size=1, max_size=64)
scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e9, 1e9) | words
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
json_objects = st.dictionaries(words, json_values, max_size=3)
vendor_keys = st.dictionaries(st.sampled_from(["x-vendor", "x-note", "x-data"]), json_values, max_size=2)


def some(required: dict[str, Values], optional: dict[str, Values]) -> Tools:
    """Objects in a random key order, with any of the optional keys."""
    made = st.fixed_dictionaries(required, optional=optional)
    return made.flatmap(lambda one: st.permutations(list(one.items())).map(dict))


texts_schema = some({"type": st.just("string")}, {"description": words, "title": words, "default": words})
numbers_schema = some(
    {"type": st.sampled_from(["integer", "number"])},
    {
        "minimum": st.integers(-9, 0),
        "exclusiveMaximum": st.integers(10**6, 10**7),
        "multipleOf": st.just(1),
        "examples": st.just([1]),
    },
)
choices_schema = some({"enum": st.just(["a", "b", 3])}, {"description": words, "x-vendor": json_values})
nullable_schema = some({"type": st.just(["string", "null"])}, {"maxLength": st.integers(20, 30)})
LEAVES: list[tuple[Tools, Values]] = [
    (texts_schema, words),
    (numbers_schema, st.integers(0, 99)),
    (choices_schema, st.sampled_from(["a", "b", 3])),
    (nullable_schema, st.none() | words),
    (some({"const": st.just({"k": 1})}, {}), st.just({"k": 1})),
    (some({"$ref": st.just("#/$defs/node")}, {"description": words}), st.just({"next": {}})),
    (some({}, {"description": words}), json_values),
]
leaf_schemas = st.one_of([schema for schema, _ in LEAVES])
inner_schemas = st.recursive(
    leaf_schemas | st.booleans().filter(bool),
    lambda inner: (
        some({"type": st.just("array")}, {"items": inner, "minItems": st.just(0)})
        | some(
            {"type": st.just("object"), "properties": st.dictionaries(words, inner, max_size=2)},
            {"additionalProperties": inner | st.booleans(), "required": st.just([])},
        )
        | some({}, {"anyOf": st.lists(inner, min_size=1, max_size=2), "description": words})
    ),
    max_leaves=4,
)
DEFS = {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}}


@st.composite
def schemas(draw: st.DrawFn) -> JsonObject:
    """An object schema that says a bit of everything, in any key order."""
    properties = draw(st.dictionaries(words, inner_schemas, max_size=4))
    required = draw(st.permutations(list(properties)))[: draw(st.integers(0, len(properties)))]
    made: JsonObject = {"type": "object", "$defs": DEFS}
    made |= draw(
        st.fixed_dictionaries(
            {"properties": st.just(properties)},
            optional={
                "required": st.just(required),
                "additionalProperties": st.booleans(),
                "description": words,
                "x-vendor": json_values,
            },
        )
    )
    return dict(draw(st.permutations(list(made.items()))))


@st.composite
def exampled(draw: st.DrawFn) -> tuple[JsonObject, list[JsonObject]]:
    """An object schema and inputs that pass it."""
    kinds = draw(st.dictionaries(words, st.sampled_from(LEAVES), max_size=3))
    properties = {name: draw(schema) for name, (schema, _) in kinds.items()}
    inputs = [
        {name: draw(value) for name, (_, value) in kinds.items()} for _ in range(draw(st.integers(0, 2)))
    ]
    return {"type": "object", "properties": properties, "required": list(kinds), "$defs": DEFS}, inputs


annotations: Tools = some(
    {},
    {
        "title": words,
        "readOnlyHint": st.booleans(),
        "idempotentHint": st.booleans(),
        "vendorHint": json_values,
    },
)

mcp_tools: Tools = some(
    {"name": names, "inputSchema": schemas()},
    {
        "title": words,
        "description": words,
        "outputSchema": schemas(),
        "annotations": annotations,
        "icons": st.just([{"src": "https://example.com/icon.png", "sizes": ["48x48"]}]),
        "execution": st.just({"taskSupport": "optional"}),
        "_meta": json_objects,
        "vendor": json_values,
    },
)


@st.composite
def spec_tools(draw: st.DrawFn) -> JsonObject:
    schema, inputs = draw(exampled())
    tool: JsonObject = {"name": draw(names), "description": draw(words), "inputSchema": schema}
    tool |= draw(
        some(
            {}, {"title": words, "version": words, "tags": st.lists(words, max_size=3), "vendor": json_values}
        )
    )
    if draw(st.booleans()):
        tool["examples"] = [{"name": draw(words), "input": one, **draw(vendor_keys)} for one in inputs]
    return tool


failures = st.lists(some({"code": words, "description": words}, {}), max_size=2)


@st.composite
def usages(draw: st.DrawFn, inputs: Callable[[str], Tools]) -> JsonObject:
    named = draw(st.lists(words, unique=True, max_size=3))
    outputs = {"success": draw(words), "failure": draw(failures)}
    return {"inputs": [draw(inputs(name)) for name in named], "outputs": outputs}


def inputs_1(name: str) -> Tools:
    types = st.sampled_from(["string", "integer", "object", "file"])
    return some({"name": st.just(name), "type": types}, {"description": words})


def inputs_2(name: str) -> Tools:
    types = st.sampled_from(["string", "integer", "object", "file"])
    return some(
        {"name": st.just(name), "type": types},
        {
            "description": words,
            "required": st.booleans(),
            "schema": leaf_schemas.filter(lambda one: "$ref" not in one),
        },
    )


def inputs_ardf(name: str) -> Tools:
    return some(
        {"name": st.just(name), "type": st.just("string"), "description": words},
        {"required": st.booleans(), "format": st.just("email"), "x-vendor": json_values},
    )


def one_id(tool: JsonObject) -> Tools:
    return st.tuples(st.sampled_from(["tool_id", "id"]), names).map(lambda pair: {pair[0]: pair[1], **tool})


atdf_1_tools: Tools = some(
    {"description": words, "when_to_use": words, "how_to_use": usages(inputs_1)},
    {"schema_version": st.just("1.0.0")},
).flatmap(one_id)

common: dict[str, Values] = {
    "metadata": some(
        {},
        {
            "version": words,
            "author": words,
            "tags": st.lists(words, max_size=2),
            "category": words,
            "created_at": st.just("2025-01-15T14:00:00Z"),
            "domain": json_values,
        },
    ),
    "localization": some(
        {}, {"es": some({}, {"description": words, "when_to_use": words}), "en-US": st.just({})}
    ),
    "prerequisites": some(
        {}, {"tools": st.lists(words, max_size=2), "permissions": st.lists(words, max_size=2)}
    ),
    "feedback": some({}, {"progress_indicators": st.lists(words, max_size=2)}),
    "x-vendor": json_values,
}
free_examples = st.lists(
    some({"goal": words, "input_values": st.just({}), "expected_result": words}, {}), max_size=2
)

atdf_2_tools: Tools = some(
    {"description": words, "when_to_use": words, "how_to_use": usages(inputs_2)},
    {"schema_version": st.sampled_from(["2.0.0", "2.1"]), **common},
).flatmap(one_id)

ardf_tools: Tools = some(
    {
        "schema_version": st.just("1.0.0"),
        "resource_id": names,
        "resource_type": st.just("tool"),
        "description": words,
    },
    {
        "when_to_use": words,
        "content": st.fixed_dictionaries(
            {
                "type": st.just("tool/io"),
                "data": usages(inputs_ardf) | st.just({}) | st.just({"x-vendor": 1}),
            }
        ),
        **common,
    },
)
ardf_others: Tools = some(
    {
        "schema_version": st.just("1.0.0"),
        "resource_id": names,
        "resource_type": st.sampled_from(["prompt", "document", "workflow"]),
        "description": words,
    },
    {"content": st.fixed_dictionaries({"type": st.just("prompt/text"), "data": json_values}), **common},
)

call_keys: dict[str, Values] = {
    "description": words,
    "parameters": schemas(),
    "strict": st.booleans() | st.none(),
}
chat_tools: Tools = some(
    {
        "type": st.just("function"),
        "function": some({"name": plain_names}, {**call_keys, "vendor": json_values}),
    },
    {"vendor": json_values},
)
responses_tools: Tools = some({"type": st.just("function"), "name": plain_names}, call_keys)
anthropic_tools: Tools = some(
    {"name": plain_names, "input_schema": schemas()},
    {"description": words, "cache_control": st.just({"type": "ephemeral"}), "type": st.just("custom")},
)

VALID: dict[str, Tools] = {
    "mcp": mcp_tools,
    "spec": spec_tools(),
    "1": atdf_1_tools,
    "2": atdf_2_tools,
    "ardf": ardf_tools | ardf_others,
    "functions": chat_tools,
    "responses": responses_tools,
    "anthropic": anthropic_tools,
}
NAME_KEYS = {"1": "tool_id", "2": "id", "ardf": "resource_id"}


def name_of(tool: JsonObject) -> object:
    inner = tool.get("function")
    holder = inner if isinstance(inner, dict) else tool
    return next(holder[key] for key in ("tool_id", "id", "resource_id", "name") if key in holder)


def odd_tools(form: str) -> Tools:
    """A tool that has a name and, under every key we know, any JSON at all."""
    key = NAME_KEYS.get(form, "name")
    known = [
        "title", "description", "when_to_use", "inputSchema", "outputSchema", "annotations", "version",
        "tags", "examples", "how_to_use", "metadata", "content", "parameters", "input_schema",
        "schema_version", "x-toolpost", "_meta", "strict", "type", "unfitted", "id_key", "data",
        "resource_type",
    ]  # fmt: skip
    odd = st.dictionaries(st.sampled_from([one for one in known if one != key]), odd_values, max_size=5)
    named = st.tuples(names, odd).map(lambda pair: {key: pair[0], **pair[1]})
    if form != "functions":
        return named
    return st.tuples(named, json_objects).map(lambda pair: {**pair[1], "function": pair[0]})


odd_patches = some(
    {},
    {
        "derived": st.lists(st.sampled_from(["title", "description", "name", "extra"]), max_size=2),
        "set": st.dictionaries(st.sampled_from(["title", "tags", "name", "shape"]), json_values, max_size=2),
        "order": st.lists(words, max_size=2),
        "at": st.just({"input_schema": {"derived": ["type"]}}),
    },
)
odd_values: Values = (
    json_values
    | odd_patches
    | st.just({})
    | st.fixed_dictionaries({"toolpost/card": odd_patches | json_values})
    | st.fixed_dictionaries({"inputs": st.just([{"name": "a", "type": "string"}] * 2)})
    | st.fixed_dictionaries({"type": st.just("tool/io"), "data": json_objects})
    | st.lists(st.fixed_dictionaries({"name": words, "input": json_values}), max_size=2)
)


def catalogues(tools: Tools, *, answers: bool = False) -> Values:
    """One tool, a list, an object around a list, or a JSON-RPC answer."""
    many = st.lists(tools, max_size=3, unique_by=lambda tool: str(name_of(tool)))
    beside = st.dictionaries(st.sampled_from(["x-vendor", "nextCursor", "$schema"]), json_values, max_size=2)
    boxed = st.tuples(many, beside).map(lambda pair: {"tools": pair[0], **pair[1]})
    answered = boxed.map(lambda box: {"jsonrpc": "2.0", "id": 7, "result": box})
    return tools | many | boxed | answered if answers else tools | many | boxed


ODD_VALUES: dict[str, Values] = {form: catalogues(odd_tools(form), answers=form == "mcp") for form in VALID}
