"""A tool: what it is called, what it takes, what it may do, and the function that does it."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from typing import Any, get_type_hints, overload

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from toolpost.call import Call
from toolpost.content import Content, Data, Diff, Image, Ref, Text
from toolpost.errors import BadTool
from toolpost.schema import Schema, schema_of


class Effect(StrEnum):
    """What a tool does to the world. A tool without effects only computes."""

    READ = "read"
    WRITE = "write"
    DELETE = "delete"
    EXEC = "exec"
    NET = "net"
    LAUNCH = "launch"


class Example(Struct, frozen=True):
    """Arguments that work, and what they are for."""

    name: str
    input: dict[str, Any]
    description: str = ""
    expected: Any | UnsetType = UNSET


class Check(Struct, frozen=True):
    """A rule no schema can say, such as "not in the past": it gets the named values and raises.

    Checks run beside the schema, so that one answer holds every fault of a call.
    """

    parameters: tuple[str, ...]
    run: Callable[..., None]


class Output(Struct, frozen=True, kw_only=True):
    """What a tool may return when a plain value is not enough."""

    content: tuple[Content, ...] = ()
    data: Any | UnsetType = UNSET
    usage: Mapping[str, int] = {}
    """What the call really cost, unit by unit; the reservation is settled with it."""
    notes: tuple[str, ...] = ()
    cached: bool = False


Run = Callable[..., Awaitable[Any] | Any]
Cost = Mapping[str, int] | Callable[[Mapping[str, Any]], Mapping[str, int]]


class Tool(Struct, frozen=True, kw_only=True, eq=False, weakref=True):
    name: str
    description: str = ""
    input_schema: Schema = field(default_factory=lambda: {"type": "object"})
    run: Run | None = None
    """Takes the checked arguments; None makes a known tool that cannot be called (contract 000)."""
    args_type: type[Struct] | None = None
    spread: bool = False
    """The function takes the arguments as parameters, not as one value."""
    call_parameter: str = ""
    """The parameter through which the function asked for the Call itself."""
    output_schema: Schema | None = None
    title: str = ""
    version: str = "1.0.0"
    tags: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    effects: frozenset[Effect] = frozenset()
    location: str = "local"
    scopes: tuple[str, ...] = ()
    """What a caller's credentials must carry."""
    checks: tuple[Check, ...] = ()
    codes: dict[str, str] = {}
    """`parameter:rule` -> the error code a broken rule gets, where a contract names one."""
    cost: Cost = {}
    blocking: bool = False
    timeout_s: float | None = None
    concurrency: int | None = None
    idempotent: bool | None = None
    source: str = "user"

    @property
    def read_only(self) -> bool:
        return self.effects <= {Effect.READ, Effect.NET}


@overload
def tool(function: Run, /) -> Tool: ...
@overload
def tool(*, name: str = "", description: str = "", **settings: Any) -> Callable[[Run], Tool]: ...
def tool(function: Run | None = None, /, **settings: Any) -> Tool | Callable[[Run], Tool]:
    """Make a Tool of a function. Its name, docstring and annotations say the rest.

    Settings are the fields of `Tool`; `effects` and `tags` may be any iterable. A plain function runs in
    a thread unless `blocking=False` says that it never waits.
    """
    if function is None:
        return lambda late: from_function(late, **settings)
    return from_function(function, **settings)


def from_function(function: Run, **settings: Any) -> Tool:
    name = settings.pop("name", "") or function.__name__
    description = settings.pop("description", "") or inspect.getdoc(function) or ""
    hints = _hints(function, name)
    answer = hints.pop("return", None)
    call_parameter = next((key for key, kind in hints.items() if kind is Call), "")
    args_type, spread = _arguments(function, name, hints, call_parameter)
    settings.setdefault("blocking", not inspect.iscoroutinefunction(function))
    settings.setdefault("output_schema", _answer_schema(answer))
    return make(
        name=name,
        description=description,
        input_schema=_titleless(schema_of(args_type)),
        run=function,
        args_type=args_type,
        spread=spread,
        call_parameter=call_parameter,
        **settings,
    )


def from_schema(
    name: str, description: str, input_schema: Schema, execute: Run | None, **settings: Any
) -> Tool:
    """Register by hand, as contract 004 does: a JSON Schema and a callable that takes the input."""
    is_plain = execute is not None and not inspect.iscoroutinefunction(execute)
    settings.setdefault("blocking", is_plain)
    return make(name=name, description=description, input_schema=input_schema, run=execute, **settings)


def from_factory(factory: Callable[..., Mapping[str, Any]], *context: Any, **settings: Any) -> Tool:
    """Contract 000: `createXTool(ctx, productId)` gives {name, description?, execute}, bound to its context.

    It has no schema, so the tool takes any object.
    """
    made = factory(*context)
    if not isinstance(made, Mapping) or not isinstance(made.get("name"), str):
        raise BadTool("The factory gave no tool: it must return a mapping with a `name`.", parameter="name")
    schema = made.get("inputSchema", {"type": "object"})
    return from_schema(made["name"], made.get("description", ""), schema, made.get("execute"), **settings)


def make(**fields: Any) -> Tool:
    """A Tool from loosely typed fields; a wrong one is named at once."""
    for plural in ("tags", "examples", "scopes", "checks"):
        if plural in fields:
            fields[plural] = tuple(fields[plural])
    unknown = sorted(set(fields) - set(Tool.__struct_fields__))
    if unknown:
        raise BadTool(f"A tool has no setting {unknown[0]!r}.", parameter=unknown[0])
    try:
        fields["effects"] = frozenset(Effect(effect) for effect in fields.get("effects", ()))
    except ValueError as error:
        known = ", ".join(Effect)
        raise BadTool(f"{error}; effects are {known}.", parameter="effects") from None
    return Tool(**fields)


def _hints(function: Run, name: str) -> dict[str, Any]:
    try:
        return get_type_hints(function, include_extras=True)
    except NameError as error:
        raise BadTool(f"The annotations of {name!r} cannot be read: {error}.") from None


def _arguments(
    function: Run, name: str, hints: dict[str, Any], call_parameter: str
) -> tuple[type[Struct], bool]:
    """The struct the arguments are read into, and whether the function wants them one by one."""
    parameters = [
        parameter
        for parameter in inspect.signature(function).parameters.values()
        if parameter.name != call_parameter
    ]
    if len(parameters) == 1 and _is_struct(hints.get(parameters[0].name)):
        return hints[parameters[0].name], False
    return _struct(name, parameters, hints), True


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _struct(name: str, parameters: list[inspect.Parameter], hints: dict[str, Any]) -> type[Struct]:
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = []
    for parameter in parameters:
        if parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY}:
            raise BadTool(f"Parameter {parameter.name!r} of {name!r} has no name a caller could send.")
        kind = hints.get(parameter.name, Any)
        if parameter.default is parameter.empty:
            fields.append((parameter.name, kind))
        else:
            fields.append((parameter.name, kind, parameter.default))
    return msgspec.defstruct(name, fields, kw_only=True, forbid_unknown_fields=True)


_CONTENT = (Text, Image, Diff, Data, Ref, Output, str, type(None))


def _answer_schema(answer: Any) -> Schema | None:
    """Only an answer that is an object has a schema worth publishing."""
    if answer in _CONTENT or answer is None or answer is Any:
        return None
    try:
        schema = _titleless(schema_of(answer))
    except BadTool:
        return None
    return schema if schema.get("type") == "object" else None


def _titleless(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key != "title"}
