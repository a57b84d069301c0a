"""The arguments of one call: checked, clamped where asked, made into the tool's own type."""

from collections.abc import Iterable, Iterator
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
from toolpost.limits import ECHO_CHARS, ECHO_PARTS, FAULTS_COUNTED, FAULTS_TOLD, OPTIONS_TOLD
from toolpost.problem import Problem
from toolpost.validate import cure
from toolpost.validate.cure import Trial
from toolpost.validate.faults import Fault, flatten, head
from toolpost.validate.typed import copied, misfits, plain, refuse_halves, typed

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
        compiled = self._compiled.get(tool) or self.prepare(tool)
        args = call.args
        if _passes(compiled, args) and not tool.checks:
            if tool.args_type is not None:
                (plain if compiled.is_open else refuse_halves)(args)
            try:
                return Checked(_for_rules(tool, args), typed(tool, args))
            except msgspec.ValidationError:
                pass  # explained below, with every other fault
        return _explain(compiled, tool, call)


def _passes(compiled: Compiled, args: dict[str, Any]) -> bool:
    try:
        return compiled.validator.is_valid(args)
    except (ValueError, TypeError, OverflowError, RecursionError):
        return False  # no JSON: said with its place when it is explained


def _for_rules(tool: Tool, args: dict[str, Any]) -> dict[str, Any]:
    """A cost that is a function is its author's code: what it changes must not change the record."""
    return copied(args) if callable(tool.cost) else args


def _explain(compiled: Compiled, tool: Tool, call: Call) -> Checked:
    plain(call.args)
    found, more = _found(compiled, tool, call)
    trial = Trial(compiled, tool, call, found, _checked)
    args, clamped = _clamp(trial)
    faults = _without_doubles([fault for fault in found if fault not in clamped], trial)
    problems = [_problem(fault, trial) for fault in faults[:FAULTS_TOLD]]
    problems += _checked(tool, args, {head(fault.path) for fault in faults})
    if problems:
        ordered = sorted(problems, key=lambda problem: _place(problem, tool, call))
        raise Several(_told(ordered, more, call), _repaired(trial, faults, problems, args))
    notes = tuple(_clamp_note(fault, args, call) for fault in clamped)
    return Checked(_for_rules(tool, args), _typed(tool, args), notes)


def _found(compiled: Compiled, tool: Tool, call: Call) -> tuple[tuple[Fault, ...], int]:
    """The faults of the schema, then those of the types where the schema has none; and how many are left out."""
    every = flatten(compiled.validator.iter_errors(call.args), compiled.flat)
    found = _unlike(islice(every, FAULTS_COUNTED))
    faulty = {head(fault.path) for fault in found}
    passed = {name: value for name, value in call.args.items() if name not in faulty}
    found += misfits(tool, passed, compiled.flat)
    return tuple(found[: FAULTS_TOLD + 1]), max(0, len(found) - FAULTS_TOLD)


def _unlike(faults: Iterable[Fault]) -> list[Fault]:
    """Two parts of a schema that ask for the same make one fault."""
    first: dict[tuple[Any, str, str], Fault] = {}
    for fault in faults:
        first.setdefault((fault.path, fault.rule, str(fault.facts.get("limit"))), fault)
    return list(first.values())


def _told(problems: list[Problem], more: int, call: Call) -> tuple[Problem, ...]:
    """What is left out is said in the last one."""
    if not more:
        return tuple(problems)
    *before, last = problems
    said = messages.detail(last, call.said(last.parameter or ""), call.language)
    count = f"more than {FAULTS_COUNTED - FAULTS_TOLD}" if more >= FAULTS_COUNTED - FAULTS_TOLD else more
    detail = f"{said} (and {count} more faults in this call)"
    context = {**last.context, "more_faults": more}
    return (*before, msgspec.structs.replace(last, detail=detail, sentence="", context=context))


def _without_doubles(faults: list[Fault], trial: Trial) -> list[Fault]:
    """A misspelt required parameter is one fault, not one unknown and one missing."""
    meant = {
        (*fault.path[:-1], cure.in_our_words(fault, cure.nearest_name(fault, trial), trial.call))
        for fault in faults
        if fault.rule == "additionalProperties" and "known" in fault.facts
    }
    return [fault for fault in faults if fault.rule != "required" or fault.path not in meant]


def _clamp(trial: Trial) -> tuple[dict[str, Any], list[Fault]]:
    args, clamped = trial.call.args, []
    for fault in trial.found:
        if fault.rule in _BOUNDS and fault.parameter in trial.call.clamp:
            near = suggest.guess(fault.rule, fault.value, cure.ruled(fault))[:1]
            if near and cure.cures(trial, fault.path, near[0]):
                args = {**args, fault.parameter: near[0]}
                clamped.append(fault)
    return args, clamped


def _clamp_note(fault: Fault, args: dict[str, Any], call: Call) -> str:
    used = args[fault.parameter]
    return f"{call.said(fault.parameter)} was {fault.value}; {used} was used, the limit here."


def _problem(fault: Fault, trial: Trial) -> Problem:
    error = _error_class(fault, trial.tool)
    titled = messages.rule_title(fault.rule, fault.facts) if "format" in fault.facts else ""
    problem = Problem(
        code=error.code,
        slug=error.slug,
        title=titled or error.title,
        sentence="schema" if "why" in fault.facts else messages.rule_of(fault.rule, fault.facts),
        parameter=fault.parameter,
        suggested=cure.suggestion(fault, trial),
        context=_context(fault, trial.call),
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
    for name in ("known", "allowed"):
        if len(facts.get(name, ())) > OPTIONS_TOLD:
            facts |= {name: facts[name][:OPTIONS_TOLD], f"{name}_in_all": len(facts[name])}
    if "known" in facts and len(fault.path) == 1:
        facts["known"] = [call.said(name) for name in facts["known"] if name not in call.words.fixed]
    rules = {"format": f"{facts.get('format', 'known')}_format", "convert": "type"}
    shown = {} if fault.rule == "required" else {"provided_value": _echo(fault)}
    return {**shown, "validation_rule": rules.get(fault.rule, fault.rule), **facts}


def _echo(fault: Fault) -> Any:
    """The value as received, secrets hidden and cut to what an error needs."""
    few = _sample(fault.value, [ECHO_PARTS])
    value = redact.value(few, str(fault.path[-1]) if fault.path else "")
    if isinstance(value, str) and len(value) > ECHO_CHARS:
        return value[:ECHO_CHARS] + "…"
    if isinstance(value, dict | list) and len(str(value)) > ECHO_CHARS:
        return str(value)[:ECHO_CHARS] + "…"
    return value


def _sample(value: Any, left: list[int]) -> Any:
    """The beginning of a value: a large one is not read to its end to show its first words."""
    left[0] -= 1
    if isinstance(value, str):
        return value[: 10 * ECHO_CHARS]
    if isinstance(value, dict):
        return {name: _sample(inner, left) for name, inner in value.items() if left[0] > 0}
    return [_sample(inner, left) for inner in value if left[0] > 0] if isinstance(value, list) else value


def _checked(tool: Tool, args: dict[str, Any], faulty: set[str]) -> list[Problem]:
    """The tool's own checks, for parameters that are there and have no fault yet."""
    return [problem for check in tool.checks for problem in _one_check(check, args, faulty)]


def _one_check(check: Any, args: dict[str, Any], faulty: set[str]) -> Iterator[Problem]:
    if any(name not in args or name in faulty for name in check.parameters):
        return
    try:
        check.run(*(copied(args[name]) for name in check.parameters))
    except ToolError as error:
        yield from error.problems()
    except Exception as error:
        broke = f"A check of the tool broke: {type(error).__name__}: {error}"
        yield ToolFailed(broke, parameter=check.parameters[0]).problem()


def _place(problem: Problem, tool: Tool, call: Call) -> tuple[int, int]:
    """Faults stand in the order the caller wrote the arguments; what was left out comes last."""
    first = head((problem.parameter or "",))
    if first in call.args:
        return 0, list(call.args).index(first)
    known = list(tool.input_schema.get("properties", {}))
    return 1, known.index(first) if first in known else len(known)


def _repaired(
    trial: Trial, faults: list[Fault], problems: list[Problem], args: dict[str, Any]
) -> dict[str, Any] | None:
    """The whole call with every suggestion in place, if that passes."""
    cures = {problem.parameter: problem.suggested for problem in problems}
    if UNSET in cures.values() or len(problems) != len(faults):
        return None
    changed = cure.repaired(trial, faults, cures, args)
    if changed is None or not _passes(trial.compiled, changed) or _checked(trial.tool, changed, set()):
        return None
    try:
        typed(trial.tool, changed)
    except msgspec.ValidationError:
        return None
    return dict(changed)


def _typed(tool: Tool, args: dict[str, Any]) -> Any:
    """After every field passed alone: what is left is a rule of the type as a whole."""
    try:
        return typed(tool, args)
    except msgspec.ValidationError as error:
        why = str(error)
        raise InvalidArgument(why, sentence="schema", why=why, validation_rule="type") from None
