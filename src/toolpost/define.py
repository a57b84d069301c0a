"""A tool: what it is called, what it takes, what it may do, and the function that does it."""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from enum import StrEnum
from functools import partial
from typing import Any, get_type_hints, overload

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from toolpost.atom import Touch
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
    aliases: dict[str, str] = {}
    """Other agents' words for a parameter -> ours. A model uses the words it was trained on."""
    ease: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    """Turns forms models are known to send, such as a list as JSON text, into those the schema asks for."""
    touches: Callable[[Mapping[str, Any]], Iterable[Touch]] | None = None
    """What a call with these arguments would do, file by file and host by host, before it does it. Without it a call
    is judged by `effects` alone. It must not wait, and raises ToolError for arguments that can mean nothing."""
    cost: Cost = {}
    blocking: bool = False
    at_once: Run | None = None
    """What a blocking tool does first, on the event loop, where it must never wait: BlockingIOError means
    that it would have to, and the tool runs in a thread after all."""
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
    name = settings.pop("name", "") or _named(function)
    description = settings.pop("description", "") or inspect.getdoc(function) or ""
    hints = _hints(function, name)
    answer = hints.pop("return", None)
    call_parameter = next((key for key, kind in hints.items() if kind is Call), "")
    args_type, spread = _arguments(function, name, hints, call_parameter)
    settings.setdefault("blocking", not _waits(function))
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
    is_plain = execute is not None and not _waits(execute)
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
    unknown = sorted(set(fields) - set(Tool.__struct_fields__))
    if unknown:
        raise BadTool(f"A tool has no setting {unknown[0]!r}.", parameter=unknown[0])
    for plural in _PLURALS & set(fields):
        fields[plural] = _several(plural, fields[plural])
    for name, value in fields.items():
        is_right, wanted = _SETTINGS.get(name, (_is_anything, ""))
        if not is_right(value):
            raise BadTool(f"The setting {name!r} must be {wanted}, not {value!r}.", parameter=name)
    fields["effects"] = _effects(fields.get("effects", ()))
    return Tool(**fields)


_PLURALS = {"tags", "examples", "scopes", "checks", "effects"}


def _several(name: str, values: Any) -> tuple[Any, ...]:
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise BadTool(f"The setting {name!r} takes a list: pass [{values!r}].", parameter=name)
    return tuple(_example(value) for value in values) if name == "examples" else tuple(values)


def _example(value: Any) -> Example:
    if isinstance(value, Example):
        return value
    try:
        return msgspec.convert({"name": "", **value} if isinstance(value, dict) else value, Example)
    except msgspec.ValidationError as error:
        wanted = "an Example, or a dict with `name` and `input`"
        raise BadTool(f"An example must be {wanted}: {error}.", parameter="examples") from None


def _effects(names: tuple[Any, ...]) -> frozenset[Effect]:
    try:
        return frozenset(Effect(effect) for effect in names)
    except ValueError as error:
        known = ", ".join(Effect)
        raise BadTool(f"{error}; effects are {known}.", parameter="effects") from None


def _is_anything(_value: Any) -> bool:
    return True


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_location(value: Any) -> bool:
    return _is_text(value) and (value in {"local", "cloud"} or value.startswith(("remote:", "mcp:")))


def _are_texts(values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_time(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is None or (is_number and value > 0)


def _is_count(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 1)


def _is_cost(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return callable(value)
    return _are_texts(value) and all(isinstance(units, int) and units >= 0 for units in value.values())


_TEXT = (_is_text, "a text")
_SETTINGS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "name": _TEXT,
    "title": _TEXT,
    "description": _TEXT,
    "version": _TEXT,
    "source": _TEXT,
    "location": (_is_location, "'local', 'cloud', 'remote:NAME' or 'mcp:SERVER'"),
    "tags": (_are_texts, "a list of texts"),
    "scopes": (_are_texts, "a list of texts"),
    "checks": (lambda values: all(isinstance(value, Check) for value in values), "a list of Check"),
    "input_schema": (_is_object, "a JSON Schema, which is a dict"),
    "output_schema": (lambda value: value is None or _is_object(value), "a JSON Schema, which is a dict"),
    "codes": (
        lambda value: _is_object(value) and _are_texts((*value, *value.values())),
        "a dict of `parameter:rule` to error code",
    ),
    "aliases": (
        lambda value: _is_object(value) and _are_texts((*value, *value.values())),
        "a dict of another word to the parameter it means",
    ),
    "ease": (lambda value: value is None or callable(value), "a callable, or None"),
    "touches": (lambda value: value is None or callable(value), "a callable, or None"),
    "cost": (_is_cost, "a mapping of units to whole numbers from 0 up, or a function that gives one"),
    "blocking": (lambda value: isinstance(value, bool), "True or False"),
    "idempotent": (lambda value: value is None or isinstance(value, bool), "True, False or None"),
    "timeout_s": (_is_time, "a number of seconds above 0, or None"),
    "concurrency": (_is_count, "a whole number from 1 up, or None"),
    "run": (lambda value: value is None or callable(value), "a callable, or None"),
    "at_once": (lambda value: value is None or callable(value), "a callable, or None"),
}


def _waits(function: Any) -> bool:
    """Whether calling it gives a coroutine: also an object whose `__call__` is `async def`."""
    if inspect.iscoroutinefunction(function):
        return True
    return callable(function) and inspect.iscoroutinefunction(type(function).__call__)


def _named(function: Any) -> str:
    if isinstance(function, type) or not callable(function):
        raise BadTool(f"A tool is made of a function, not of {function!r}.", parameter="run")
    name = getattr(function, "__name__", "")
    if not isinstance(name, str) or not name.isidentifier():
        raise BadTool("This function has no name of its own: pass name=.", parameter="name")
    return name


def _signature(function: Run, name: str, hints: dict[str, Any]) -> inspect.Signature:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        raise BadTool(f"{name!r} does not say which parameters it takes; wrap it in a function.") from None
    first = next(iter(signature.parameters), "")
    if first in {"self", "cls"} and first not in hints:
        raise BadTool(
            f"{name!r} is a method that is not bound yet: make the tool of the instance's own, "
            f"`tool(thing.{name})`.",
            parameter=first,
        )
    return signature


def _annotated(function: Any) -> Any:
    """Where the annotations stand: an object that can be called has them on its `__call__`."""
    is_plain = (
        inspect.isroutine(function) or hasattr(function, "__wrapped__") or isinstance(function, partial)
    )
    return function if is_plain else type(function).__call__


def _hints(function: Run, name: str) -> dict[str, Any]:
    try:
        return get_type_hints(_annotated(function), include_extras=True)
    except (NameError, TypeError) as error:
        raise BadTool(f"The annotations of {name!r} cannot be read: {error}.") from None


def _arguments(
    function: Run, name: str, hints: dict[str, Any], call_parameter: str
) -> tuple[type[Struct], bool]:
    """The struct the arguments are read into, and whether the function wants them one by one."""
    parameters = [
        parameter
        for parameter in _signature(function, name, hints).parameters.values()
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
