"""The arguments of one call: checked, clamped where asked, made into the tool's own type."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from toolpost import messages, redact, suggest
from toolpost.call import Call
from toolpost.compiled import Compiled, compile_schema
from toolpost.define import Tool
from toolpost.errors import (
    InvalidArgument,
    MissingParameter,
    Several,
    ToolError,
    ToolFailed,
    UnknownParameter,
    named,
)
from toolpost.limits import ECHO_CHARS, FAULTS_TOLD
from toolpost.problem import Problem
from toolpost.schema import Schema
from toolpost.validate.faults import Fault, Path, flatten

_BOUNDS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}


class Checked(Struct, frozen=True, gc=False):
    """Arguments that passed: plain for rules and budgets, typed for the tool."""

    plain: dict[str, Any]
    typed: Any
    notes: tuple[str, ...] = ()


class Arguments:
    """Checks calls against their tools' schemas, each compiled once."""

    def __init__(self) -> None:
        self._compiled: dict[Tool, Compiled] = {}

    def prepare(self, tool: Tool) -> Compiled:
        """Compile now, so that a bad schema is refused at registration and not at the first call."""
        compiled = self._compiled.get(tool)
        if compiled is None:
            compiled = self._compiled[tool] = compile_schema(tool.input_schema, tool.name)
        return compiled

    def forget(self, tool: Tool) -> None:
        self._compiled.pop(tool, None)

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


class _Trial(Struct, frozen=True):
    """A call that failed: what a suggestion is tried against before anyone sees it."""

    compiled: Compiled
    tool: Tool
    call: Call
    found: tuple[Fault, ...]


def _explain(compiled: Compiled, tool: Tool, call: Call) -> Checked:
    every = flatten(compiled.validator.iter_errors(call.args), compiled.flat)
    trial = _Trial(compiled, tool, call, tuple(islice(every, FAULTS_TOLD + 1)))
    args, clamped = _clamp(trial)
    faults = _without_doubles([fault for fault in trial.found if fault not in clamped], call)
    problems = [_problem(fault, trial) for fault in faults[:FAULTS_TOLD]]
    problems += _checked(tool, args, {_head(fault.path) for fault in faults})
    if problems:
        ordered = sorted(problems, key=lambda problem: _place(problem, tool, call))
        raise Several(tuple(ordered), _repaired(trial, faults, problems, args))
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


def _clamp(trial: _Trial) -> tuple[dict[str, Any], list[Fault]]:
    args, clamped = trial.call.args, []
    for fault in trial.found:
        if fault.rule in _BOUNDS and fault.parameter in trial.call.clamp:
            near = suggest.guess(fault.rule, fault.value, _ruled(fault))[:1]
            if near and _cures(trial, fault.path, near[0]):
                args = {**args, fault.parameter: near[0]}
                clamped.append(fault)
    return args, clamped


def _clamp_note(fault: Fault, args: dict[str, Any], call: Call) -> str:
    used = args[fault.parameter]
    return f"{call.said(fault.parameter)} was {fault.value}; {used} was used, the limit here."


def _problem(fault: Fault, trial: _Trial) -> Problem:
    error = _error_class(fault, trial.tool)
    context = _context(fault, trial.call)
    problem = Problem(
        code=error.code,
        slug=error.slug,
        title=messages.rule_title(fault.rule, fault.facts) or error.title,
        sentence=messages.rule_of(fault.rule, fault.facts),
        parameter=fault.parameter,
        suggested=_suggestion(fault, trial),
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


def _suggestion(fault: Fault, trial: _Trial) -> Any:
    """None where there are more faults than anyone would mend one by one: each trial reads the whole call."""
    if len(trial.found) > FAULTS_TOLD:
        return UNSET
    if fault.rule == "additionalProperties":
        return _nearest_name(fault, trial.call)
    for candidate in _candidates(fault, trial.tool):
        if _cures(trial, fault.path, candidate):
            return candidate
    return UNSET


def _nearest_name(fault: Fault, call: Call) -> Any:
    close = suggest.nearest(str(fault.path[-1]), _free_names(fault, call), most=1)
    return close[0] if close else UNSET


def _free_names(fault: Fault, call: Call) -> list[str]:
    """Names the place has and the caller did not use yet, in the caller's spelling at the top."""
    used = _at(call.args, fault.path[:-1])
    free = [str(name) for name in fault.facts["known"] if name not in used]
    return free if len(fault.path) > 1 else [call.said(name) for name in free]


def _candidates(fault: Fault, tool: Tool) -> list[Any]:
    examples = [example.input for example in tool.examples]
    name = str(fault.path[0]) if len(fault.path) == 1 else ""
    if fault.rule == "required":
        return suggest.missing(name, fault.part, examples)
    shown = [example[name] for example in examples if name in example]
    return [*suggest.guess(fault.rule, fault.value, _ruled(fault)), *shown]


def _ruled(fault: Fault) -> Schema:
    """The part of the schema with the broken rule in it, also where the value has no part of its own."""
    match fault.facts:
        case {"limit": limit}:
            return {**fault.part, fault.rule: limit}
        case {"allowed": [only]} if fault.rule == "const":
            return {**fault.part, "const": only}
        case {"allowed": allowed}:
            return {**fault.part, "enum": allowed}
        case {"expected": expected}:
            return {**fault.part, "type": expected.split(" or ")}
        case {"format": form}:
            return {**fault.part, "format": form}
    return fault.part


def _cures(trial: _Trial, path: Path, candidate: Any) -> bool:
    """Whether the candidate has no fault where it stands, and brings none to what stands around it."""
    cured = _put(trial.call.args, path, candidate)
    before = {(fault.path, fault.rule) for fault in trial.found}
    for fault in flatten(trial.compiled.validator.iter_errors(cured), trial.compiled.flat):
        is_around = path[: len(fault.path)] == fault.path
        if fault.path[: len(path)] == path or (is_around and (fault.path, fault.rule) not in before):
            return False
    faulty = {_head(fault.path) for fault in trial.found} - {_head(path)}
    return not any(_head((problem.parameter or "",)) == _head(path) for problem in _own(trial, cured, faulty))


def _own(trial: _Trial, args: dict[str, Any], faulty: set[str]) -> Iterator[Problem]:
    """What the schema cannot say: the tool's own checks, and its own types."""
    yield from _checked(trial.tool, args, faulty)
    try:
        _typed(trial.tool, args)
    except InvalidArgument as error:
        yield error.problem()


def _at(args: Any, path: Path) -> Any:
    for step in path:
        args = args[step]
    return args


def _put(args: Any, path: Path, value: Any) -> Any:
    """The arguments with one value in place; only what lies on the way to it is copied."""
    if not path:
        return value if isinstance(value, dict) else args
    step, rest = path[0], path[1:]
    changed = args.copy()
    changed[step] = _put(args[step], rest, value) if rest else value
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
    except Exception as error:
        broke = f"A check of the tool broke: {type(error).__name__}: {error}"
        yield ToolFailed(broke, parameter=check.parameters[0]).problem()


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
    trial: _Trial, faults: list[Fault], problems: list[Problem], args: dict[str, Any]
) -> dict[str, Any] | None:
    """The whole call with every suggestion in place, if that passes."""
    cure = {problem.parameter: problem.suggested for problem in problems}
    if UNSET in cure.values() or len(problems) != len(faults):
        return None
    changed = args
    for fault in sorted(faults, key=lambda fault: fault.rule != "additionalProperties"):
        right = _in_our_words(fault, cure[fault.parameter], trial.call)
        if fault.rule == "additionalProperties" and right in _at(changed, fault.path[:-1]):
            return None  # two names that both mean this one: whichever is dropped, a value is lost
        changed = _cured(changed, fault, right)
    is_right = trial.compiled.validator.is_valid(changed) and not any(_own(trial, changed, set()))
    return changed if is_right else None


def _in_our_words(fault: Fault, cure: Any, call: Call) -> Any:
    """A suggested name was spelled for the caller; it is put back into our own."""
    if fault.rule != "additionalProperties":
        return cure
    return next((name for name in fault.facts["known"] if call.said(name) == cure), cure)


def _cured(args: dict[str, Any], fault: Fault, cure: Any) -> dict[str, Any]:
    if fault.rule != "additionalProperties":
        is_there = fault.rule == "required" and len(fault.path) == 1 and fault.path[0] in args
        return args if is_there else _put(args, fault.path, cure)
    renamed: dict[str, Any] = _put(args, (*fault.path[:-1], cure), fault.value)
    del _at(renamed, fault.path[:-1])[fault.path[-1]]
    return renamed


def _typed(tool: Tool, args: dict[str, Any]) -> Any:
    if tool.args_type is None:
        return _copied(args)
    try:
        return msgspec.convert(args, tool.args_type, strict=False)  # to JSON Schema 1.0 is an integer
    except msgspec.ValidationError as error:
        raise _from_msgspec(str(error)) from None


def _copied(value: Any) -> Any:
    """A tool may change what it is given; what was asked stays for the answer and the record."""
    if isinstance(value, dict):
        return {name: _copied(inner) for name, inner in value.items()}
    return [_copied(inner) for inner in value] if isinstance(value, list) else value


def _from_msgspec(message: str) -> InvalidArgument:
    """What the schema could not say: msgspec names the place as `$.query.type`."""
    why, _, place = message.partition(" - at `$")
    parameter = place.rstrip("`").lstrip(".").replace("[...]", "[0]") or None
    return InvalidArgument(why, parameter=parameter, sentence="schema", why=why, validation_rule="type")
