"""Our own JSON Schemas for every format, as strict as the format is. Plain data; `check.py` applies it."""

from collections.abc import Mapping

from toolpost.convert.functions import PLAIN_NAME
from toolpost.convert.mcp import HINTS
from toolpost.convert.wire import JsonObject

TEXT: JsonObject = {"type": "string"}
FLAG: JsonObject = {"type": "boolean"}
NAME: JsonObject = {"type": "string", "minLength": 1}
OBJECT: JsonObject = {"type": "object"}
TEXTS: JsonObject = {"type": "array", "items": TEXT}
LIST: JsonObject = {"type": "array"}
OBJECT_SCHEMA: JsonObject = {
    "type": "object",
    "required": ["type"],
    "properties": {"type": {"const": "object"}},
}


def record(required: Mapping[str, object], optional: Mapping[str, object] | None = None) -> JsonObject:
    """Describe an object that may hold other keys too."""
    properties = {**required, **(optional or {})}
    return {"type": "object", "required": list(required), "properties": properties}


def closed(required: Mapping[str, object], optional: Mapping[str, object] | None = None) -> JsonObject:
    """Describe an object that holds these keys and no others."""
    return {**record(required, optional), "additionalProperties": False}


def listed(items: JsonObject, **more: object) -> JsonObject:
    return {"type": "array", "items": items, **more}


SPEC = record(
    {"name": NAME, "description": TEXT, "inputSchema": OBJECT_SCHEMA},
    {
        "title": TEXT,
        "version": TEXT,
        "tags": TEXTS,
        "examples": listed(record({"name": TEXT, "input": OBJECT})),
        "outputSchema": OBJECT,
        "annotations": OBJECT,
    },
)

MCP = record(
    {"name": NAME, "inputSchema": OBJECT_SCHEMA},
    {
        "title": TEXT,
        "description": TEXT,
        "outputSchema": OBJECT_SCHEMA,
        "annotations": record({}, {"title": TEXT, **dict.fromkeys(HINTS, FLAG)}),
        "icons": listed(record({"src": {"type": "string", "format": "uri"}})),
        "execution": OBJECT,
        "_meta": OBJECT,
    },
)

FAILURE = closed({"code": TEXT, "description": TEXT})
OUTPUTS = closed({"success": TEXT, "failure": listed(FAILURE)})
ONE_ID: JsonObject = {"oneOf": [{"required": ["tool_id"]}, {"required": ["id"]}]}
INPUT_1 = closed({"name": TEXT, "type": TEXT}, {"description": TEXT})
INPUT_2 = closed({"name": TEXT, "type": TEXT}, {"description": TEXT, "schema": OBJECT, "required": FLAG})
INPUT_ARDF = record(
    {"name": TEXT, "type": TEXT, "description": TEXT}, {"required": FLAG, "format": TEXT, "schema": OBJECT}
)
DAY_OR_TIME: JsonObject = {
    "type": "string",
    "anyOf": [{"format": "date-time"}, {"format": "date"}],
}
METADATA = record(
    {},
    {
        "version": TEXT,
        "author": TEXT,
        "tags": TEXTS,
        "category": TEXT,
        "created_at": DAY_OR_TIME,
        "updated_at": DAY_OR_TIME,
    },
)
LOCALIZATION: JsonObject = {
    "type": "object",
    "propertyNames": {"pattern": "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$"},
    "additionalProperties": record({}, {"description": TEXT, "when_to_use": TEXT}),
}
PREREQUISITES = record(
    {}, dict.fromkeys(("tools", "conditions", "permissions", "resources", "policies", "credentials"), LIST)
)
FEEDBACK = record({}, {"progress_indicators": LIST, "completion_signals": LIST})
GOAL_EXAMPLES = listed(record({"goal": TEXT, "input_values": OBJECT, "expected_result": TEXT}))
SHARED: JsonObject = {
    "metadata": METADATA,
    "localization": LOCALIZATION,
    "prerequisites": PREREQUISITES,
    "feedback": FEEDBACK,
    "examples": GOAL_EXAMPLES,
}

ATDF_1: JsonObject = {
    **closed(
        {
            "description": TEXT,
            "when_to_use": TEXT,
            "how_to_use": closed({"inputs": listed(INPUT_1), "outputs": OUTPUTS}),
        },
        {"tool_id": NAME, "id": NAME, "schema_version": {"type": "string", "pattern": r"^1(\.\d+){1,2}$"}},
    ),
    **ONE_ID,
}

ATDF_2: JsonObject = {
    **record(
        {
            "description": TEXT,
            "when_to_use": TEXT,
            "how_to_use": record({"inputs": listed(INPUT_2), "outputs": OUTPUTS}),
        },
        {
            "tool_id": NAME,
            "id": NAME,
            "schema_version": {"type": "string", "pattern": r"^2(\.\d+){1,2}$"},
            **SHARED,
        },
    ),
    **ONE_ID,
}

ARDF_KINDS = ["tool", "prompt", "document", "workflow", "policy", "model", "dataset", "connector"]
ARDF: JsonObject = {
    **record(
        {
            "schema_version": {"const": "1.0.0"},
            "resource_id": NAME,
            "resource_type": {"enum": ARDF_KINDS},
            "description": TEXT,
        },
        {"when_to_use": TEXT, "content": record({"type": TEXT, "data": {}}), **SHARED},
    ),
    "if": {
        "required": ["content"],
        "properties": {"content": {"required": ["type"], "properties": {"type": {"const": "tool/io"}}}},
    },
    "then": {
        "properties": {
            "content": {
                "properties": {
                    "data": record(
                        {},
                        {
                            "inputs": listed(INPUT_ARDF),
                            "outputs": record(
                                {},
                                {
                                    "success": TEXT,
                                    "failure": listed(record({"code": TEXT, "description": TEXT})),
                                },
                            ),
                        },
                    )
                }
            }
        }
    },
}

CALL_NAME: JsonObject = {"type": "string", "pattern": f"^{PLAIN_NAME.pattern}$"}
STRICT: JsonObject = {"type": ["boolean", "null"]}
CALL: JsonObject = {"description": TEXT, "parameters": OBJECT_SCHEMA, "strict": STRICT}
CHAT = record({"type": {"const": "function"}, "function": record({"name": CALL_NAME}, CALL)})
RESPONSES = record({"type": {"const": "function"}, "name": CALL_NAME}, CALL)
ANTHROPIC = record({"name": CALL_NAME, "input_schema": OBJECT_SCHEMA}, {"description": TEXT})

PROBLEM = closed(
    {
        "type": {"type": "string", "format": "uri"},
        "title": TEXT,
        "detail": TEXT,
        "instance": TEXT,
        "tool_name": TEXT,
    },
    {
        "parameter_name": {"type": ["string", "null"]},
        "suggested_value": {"type": ["string", "null"]},
        "context": OBJECT,
        "code": TEXT,
    },
)
ERRORS = closed({"errors": listed(PROBLEM, minItems=1)}, {"status": {"const": "error"}, "meta": OBJECT})
EXPECTED = record({"conditions": TEXTS}, {"format": TEXT, "constraints": {}, "examples": LIST})
DETAILS = record({"field": TEXT, "received": {}, "expected": EXPECTED, "solution": TEXT})
ANSWER = record(
    {
        "status": {"const": "error"},
        "data": record(
            {"code": {"type": "string", "pattern": "^[A-Z_]+$"}, "message": TEXT, "details": DETAILS}
        ),
        "meta": record({"timestamp": {"type": "string", "format": "date-time"}}),
    }
)

TOOLS: Mapping[str, JsonObject] = {
    "spec": SPEC,
    "mcp": MCP,
    "1": ATDF_1,
    "2": ATDF_2,
    "ardf": ARDF,
    "functions": CHAT,
    "responses": RESPONSES,
    "anthropic": ANTHROPIC,
}
