"""The arguments of one call: checked, clamped where asked, made into the tool's own type."""

import copy
from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from msgspec import UNSET, Struct

from toolpost import messages, redact, suggest
from toolpost.call import Call
from toolpost.define import Tool
from toolpost.errors import InvalidArgument, MissingParameter, Several, ToolError, UnknownParameter, named
from toolpost.limits import ECHO_CHARS
from toolpost.problem import Problem
from toolpost.validate.compiled import Compiled, compile_schema
from toolpost.validate.faults import Fault, Path, flatten

_BOUNDS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}


class Checked(Struct, frozen=True):
    """Arguments that passed: plain for rules and budgets, typed for the tool."""

    plain: dict[str, Any]
    typed: Any
    notes: tuple[str, ...] = ()


class Arguments:
    """Checks calls against their tools' schemas, each compiled once."""

    def __init__(self) -> None:
        self._compiled: WeakKeyDictionary[Tool, Compiled] = WeakKeyDictionary()

    def prepare(self, tool: Tool) -> Compiled:
        """Compile now, so that a bad schema is refused at registration and not at the first call."""
        compiled = self._compiled.get(tool)
        if compiled is None:
            compiled = self._compiled[tool] = compile_schema(tool.input_schema, tool.name)
        return compiled

    def check(self, tool: Tool, call: Call) -> Checked:
        compiled = self.prepare(tool)
        if _passes(compiled, call.args) and not tool.checks:
            return Checked(call.args, _typed(tool, call.args))
        return _explain(compiled, tool, call)


def _passes(compiled: Compiled, args: dict[str, Any]) -> bool:
    try:
        return compiled.validator.is_valid(args)
    except ValueError as error:
        raise InvalidArgument(f"The arguments are not JSON: {error}.") from None


def _explain(compiled: Compiled, tool: Tool, call: Call) -> Checked:
    found = list(flatten(compiled.validator.iter_errors(call.args), compiled.flat))
    args, clamped = _clamp(found, call)
    faults = _without_doubles([fault for fault in found if fault not in clamped], call)
    problems = [_problem(fault, compiled, tool, call) for fault in faults]
    problems += _checked(tool, args, {_head(fault.path) for fault in faults})
    if problems:
        ordered = sorted(problems, key=lambda problem: _place(problem, tool, call))
        raise Several(tuple(ordered), _repaired(compiled, faults, problems, args, call))
    notes = tuple(_clamp_note(fault, args, call) for fault in clamped)
    return Checked(args, _typed(tool, args), notes)


def _without_doubles(faults: list[Fault], call: Call) -> list[Fault]:
    """A misspelt required parameter is one fault, not one unknown and one missing."""
    meant = {
        (*fault.path[:-1], _in_our_words(fault, _nearest_name(fault, call), call))
        for fault in faults
        if fault.rule == "additionalProperties"
    }
    return [fault for fault in faults if fault.rule != "required" or fault.path not in meant]


def _clamp(found: list[Fault], call: Call) -> tuple[dict[str, Any], list[Fault]]:
    args, clamped = call.args, []
    for fault in found:
        if fault.rule in _BOUNDS and fault.parameter in call.clamp:
            near = suggest.guess(fault.rule, fault.value, fault.part)
            if near:
                args = {**args, fault.parameter: near[0]}
                clamped.append(fault)
    return args, clamped


def _clamp_note(fault: Fault, args: dict[str, Any], call: Call) -> str:
    used = args[fault.parameter]
    return f"{call.said(fault.parameter)} was {fault.value}; {used} was used, the limit here."


def _problem(fault: Fault, compiled: Compiled, tool: Tool, call: Call) -> Problem:
    error = _error_class(fault, tool)
    context = _context(fault, call)
    problem = Problem(
        code=error.code,
        slug=error.slug,
        title=messages.rule_title(fault.rule, fault.facts) or error.title,
        rule=messages.rule_of(fault.rule, fault.facts),
        parameter=fault.parameter,
        suggested=_suggestion(fault, compiled, tool, call),
        context=context,
        retryable=True,
    )
    return msgspec.structs.replace(problem, detail=messages.detail(problem, fault.parameter))


def _error_class(fault: Fault, tool: Tool) -> type[ToolError]:
    code = tool.codes.get(f"{fault.parameter}:{fault.rule}")
    if code is not None:
        return named(code)
    classes = {"required": MissingParameter, "additionalProperties": UnknownParameter}
    return classes.get(fault.rule, InvalidArgument)


def _context(fault: Fault, call: Call) -> dict[str, Any]:
    facts = dict(fault.facts)
    if "known" in facts and len(fault.path) == 1:
        facts["known"] = [call.said(name) for name in facts["known"]]
    rule = f"{facts['format']}_format" if fault.rule == "format" else fault.rule
    shown = {} if fault.rule == "required" else {"provided_value": _echo(fault)}
    return {**shown, "validation_rule": rule, **facts}


def _echo(fault: Fault) -> Any:
    """The value as received, secrets hidden and cut to what an error needs."""
    value = redact.value(fault.value, str(fault.path[-1]) if fault.path else "")
    if isinstance(value, str) and len(value) > ECHO_CHARS:
        return value[:ECHO_CHARS] + "…"
    if isinstance(value, dict | list) and len(str(value)) > ECHO_CHARS:
        return str(value)[:ECHO_CHARS] + "…"
    return value


def _suggestion(fault: Fault, compiled: Compiled, tool: Tool, call: Call) -> Any:
    if fault.rule == "additionalProperties":
        return _nearest_name(fault, call)
    for candidate in _candidates(fault, tool):
        if _cures(compiled, call.args, fault.path, candidate):
            return candidate
    return UNSET


def _nearest_name(fault: Fault, call: Call) -> Any:
    close = suggest.nearest(str(fault.path[-1]), _free_names(fault, call), most=1)
    return close[0] if close else UNSET


def _free_names(fault: Fault, call: Call) -> list[str]:
    """Names the place has and the caller did not use yet, in the caller's spelling at the top."""
    if len(fault.path) > 1:
        return [str(name) for name in fault.facts["known"]]
    return [call.said(name) for name in fault.facts["known"] if name not in call.args]


def _candidates(fault: Fault, tool: Tool) -> list[Any]:
    examples = [example.input for example in tool.examples]
    name = str(fault.path[0]) if len(fault.path) == 1 else ""
    if fault.rule == "required":
        return suggest.missing(name, fault.part, examples)
    shown = [example[name] for example in examples if name in example]
    return [*suggest.guess(fault.rule, fault.value, fault.part), *shown]


def _cures(compiled: Compiled, args: dict[str, Any], path: Path, candidate: Any) -> bool:
    """Whether no fault is left at this place once the candidate stands there."""
    cured = _put(args, path, candidate)
    faults = flatten(compiled.validator.iter_errors(cured), compiled.flat)
    return all(fault.path[: len(path)] != path for fault in faults)


def _put(args: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(args)
    if not path:
        return value if isinstance(value, dict) else changed
    place: Any = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return changed


def _checked(tool: Tool, args: dict[str, Any], faulty: set[str]) -> list[Problem]:
    """The tool's own checks, for parameters that are there and have no fault yet."""
    return [problem for check in tool.checks for problem in _one_check(check, args, faulty)]


def _one_check(check: Any, args: dict[str, Any], faulty: set[str]) -> Iterator[Problem]:
    if any(name not in args or name in faulty for name in check.parameters):
        return
    try:
        check.run(*(args[name] for name in check.parameters))
    except ToolError as error:
        yield from error.problems()


def _place(problem: Problem, tool: Tool, call: Call) -> tuple[int, int]:
    """Faults stand in the order the caller wrote the arguments; what was left out comes last."""
    head = _head((problem.parameter or "",))
    if head in call.args:
        return 0, list(call.args).index(head)
    known = list(tool.input_schema.get("properties", {}))
    return 1, known.index(head) if head in known else len(known)


def _head(path: Path) -> str:
    return str(path[0]).split(".", 1)[0].split("[", 1)[0] if path else ""


def _repaired(
    compiled: Compiled, faults: list[Fault], problems: list[Problem], args: dict[str, Any], call: Call
) -> dict[str, Any] | None:
    """The whole call with every suggestion in place, if that passes."""
    cure = {problem.parameter: problem.suggested for problem in problems}
    if UNSET in cure.values() or len(problems) != len(faults):
        return None
    changed = copy.deepcopy(args)
    for fault in sorted(faults, key=lambda fault: fault.rule != "additionalProperties"):
        changed = _cured(changed, fault, _in_our_words(fault, cure[fault.parameter], call))
    return changed if compiled.validator.is_valid(changed) else None


def _in_our_words(fault: Fault, cure: Any, call: Call) -> Any:
    """A suggested name was spelled for the caller; it is put back into our own."""
    if fault.rule != "additionalProperties":
        return cure
    return next((name for name in fault.facts["known"] if call.said(name) == cure), cure)


def _cured(args: dict[str, Any], fault: Fault, cure: Any) -> dict[str, Any]:
    if fault.rule != "additionalProperties":
        is_there = fault.rule == "required" and len(fault.path) == 1 and fault.path[0] in args
        return args if is_there else _put(args, fault.path, cure)
    renamed = _put(args, (*fault.path[:-1], cure), fault.value)
    place: Any = renamed
    for step in fault.path[:-1]:
        place = place[step]
    del place[fault.path[-1]]
    return renamed


def _typed(tool: Tool, args: dict[str, Any]) -> Any:
    if tool.args_type is None:
        return args
    try:
        return msgspec.convert(args, tool.args_type)
    except msgspec.ValidationError as error:
        raise _from_msgspec(str(error)) from None


def _from_msgspec(message: str) -> InvalidArgument:
    """What the schema could not say: msgspec names the place as `$.query.type`."""
    why, _, place = message.partition(" - at `$")
    parameter = place.rstrip("`").lstrip(".").replace("[...]", "[0]") or None
    return InvalidArgument(why, parameter=parameter, rule="schema", why=why, validation_rule="type")
