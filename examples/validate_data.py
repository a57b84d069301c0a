"""The validating tool of contract 003: data and a JSON Schema in, every fault out.

The schema comes from the caller, so nothing is fetched for it and its patterns run in linear time.

The tour:   python examples/validate_data.py
As a tool:  toolpost --tools examples/validate_data.py call validate_data \
                '{"data": {"age": -1}, "schema": {"properties": {"age": {"minimum": 0}}}}'
"""

from typing import Annotated, Any

import jsonschema_rs
from msgspec import Meta, Struct

from toolpost import Bench, InvalidArgument, tool
from toolpost.define import Example

Data = Annotated[dict[str, Any], Meta(description="Data to validate")]
JsonSchema = Annotated[dict[str, Any], Meta(description="JSON Schema for validation")]


class Fault(Struct, frozen=True):
    at: str
    """A JSON pointer into the data; empty for the whole."""
    rule: str
    message: str


class Verdict(Struct, frozen=True):
    valid: bool
    errors: list[Fault]


AGE = {"type": "object", "properties": {"age": {"type": "integer", "minimum": 0}}, "required": ["age"]}


@tool(examples=[Example("An age", {"data": {"age": 7}, "schema": AGE})])
def validate_data(data: Data, schema: JsonSchema) -> Verdict:
    """Validate input data against schema."""
    errors = [_fault(error) for error in _validator(schema).iter_errors(data)]
    return Verdict(not errors, errors)


TOOLS = [validate_data]


def _validator(schema: dict[str, Any]) -> Any:
    try:
        return jsonschema_rs.validator_for(
            schema, validate_formats=True, offline=True, pattern_options=jsonschema_rs.RegexOptions()
        )
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        why = str(error).split("\n", 1)[0]
        raise InvalidArgument(f"This is no schema that can be used: {why}", parameter="schema") from None


def _fault(error: Any) -> Fault:
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in error.instance_path)
    return Fault("".join(f"/{step}" for step in steps), error.kind.name, error.message)


if __name__ == "__main__":
    bench = Bench(TOOLS)
    for age in (7, -1, "seven"):
        print(age, bench.call_sync("validate_data", data={"age": age}, schema=AGE).data)
