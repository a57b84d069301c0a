"""Checking what an agent is about to give back: by a registered type, or by any JSON Schema (C57)."""

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta, structs

from toolpost import codec
from toolpost.compiled import Validator, compile_schema
from toolpost.define import Example, Tool, from_function
from toolpost.errors import BadTool, InvalidArgument, MalformedMessage
from toolpost.limits import ECHO_CHARS, NAME_CHARS
from toolpost.schema import Schema
from toolpost.suggest import nearest
from toolpost.tools import domain_map
from toolpost.tools.json_text import parsed, trimmed
from toolpost.tools.verdict import Verdict

Checker = Callable[[Any], Verdict]
Inline = Annotated[dict[str, Any], Meta(description="JSON Schema for validation")]
Type = Annotated[
    str | dict[str, Any], Meta(description="A registered type, such as domain_map, or a JSON Schema")
]


class Outputs:
    """The types of output that are known by name."""

    def __init__(self) -> None:
        self._checkers: dict[str, Checker] = {domain_map.NAME: domain_map.check}

    @property
    def known(self) -> tuple[str, ...]:
        return tuple(self._checkers)

    def register(self, name: str, rule: Schema | Checker) -> None:
        """A schema that cannot be used is refused now: BadTool."""
        if not name or len(name) > NAME_CHARS:
            raise BadTool(f"An output type is named by 1 to {NAME_CHARS} characters.", parameter="name")
        self._checkers[name] = rule if callable(rule) else _by(compile_schema(rule, name).validator)

    def checker(self, output_type: str | Schema) -> Checker:
        if isinstance(output_type, dict):
            return by_schema(output_type, "output_type")
        if output_type not in self._checkers:
            raise self._unknown(output_type)
        return self._checkers[output_type]

    def _unknown(self, name: str) -> InvalidArgument:
        near = nearest(name, self.known, most=1)
        known = ", ".join(self.known)
        return InvalidArgument(
            f"There is no output type {name[:ECHO_CHARS]!r}. Known are: {known}. "
            "A JSON Schema in its place works too.",
            parameter="output_type",
            **({"suggested": near[0]} if near else {}),
            known=list(self.known),
        )


def tools(outputs: Outputs) -> tuple[Tool, ...]:
    def validate_output(
        output_type: Type,
        data: Annotated[Any, Meta(description="The output to check; JSON as text is read first")],
    ) -> Verdict:
        """Check an output before it is given: every error that makes it invalid, and warnings that do not."""
        return judged(outputs.checker(output_type), data)

    def validate_data(data: Annotated[Any, Meta(description="Data to validate")], schema: Inline) -> Verdict:
        """Validate input data against schema. Nothing is fetched for the schema."""
        return judged(by_schema(schema, "schema"), data)

    shared: dict[str, Any] = {"tags": ["check"], "idempotent": True, "source": "toolpost"}
    given = {"domains": [{"name": "orders"}], "layout": {}, "summary": {"totalDomains": 1}}
    named = Example("A registered type", {"output_type": domain_map.NAME, "data": given})
    age = {"type": "object", "properties": {"age": {"type": "integer", "minimum": 0}}}
    inline = Example("An age", {"data": {"age": 7}, "schema": age})
    return (
        from_function(
            validate_output,
            name="output.validate",
            aliases={"outputType": "output_type"},
            ease=_ease("output_type"),
            examples=[named],
            **shared,
        ),
        from_function(validate_data, ease=_ease("schema"), examples=[inline], **shared),
    )


def by_schema(schema: Schema, parameter: str) -> Checker:
    """A check by a caller's own schema."""
    try:
        return _by(compile_schema(schema, parameter).validator)
    except BadTool as error:
        raise InvalidArgument(error.detail, parameter=parameter) from None


def judged(check: Checker, data: Any) -> Verdict:
    """A text that does not pass as it is may hold JSON that does, with talk around it (C53)."""
    verdict = check(data)
    if verdict.valid or not isinstance(data, str):
        return verdict
    found = parsed(data)
    if not isinstance(found, str):
        return check(found)
    cut = trimmed(data)
    if cut is None:
        return verdict
    try:
        verdict = check(codec.decode(cut))
    except MalformedMessage as error:
        return Verdict.of([error.detail])
    said = "The JSON was cut out of the text around it; give it alone"
    return structs.replace(verdict, warnings=[said, *verdict.warnings])


def _by(validator: Validator) -> Checker:
    def check(data: Any) -> Verdict:
        return Verdict.of(_said(error) for error in validator.iter_errors(data))

    return check


def _said(error: Any) -> str:
    """Where, as a JSON pointer, and what; a long value is cut."""
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in error.instance_path)
    message = error.message
    shown = message if len(message) <= 2 * ECHO_CHARS else f"{message[:ECHO_CHARS]}…{message[-ECHO_CHARS:]}"
    where = "".join(f"/{step}" for step in steps)
    return f"{where}: {shown}" if where else shown


def _ease(name: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def ease(args: dict[str, Any]) -> dict[str, Any]:
        """A schema as JSON text."""
        return {**args, name: parsed(args[name])} if name in args else args

    return ease
