"""Values that would pass, each tried before anyone sees it, and no more of them than a call is worth.

A trial looks at one parameter alone where the schema allows it, and its cost is counted: a call that is
large or has many faults gets fewer suggestions, not a slower answer.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec
from msgspec import UNSET, Struct, field

from toolpost import suggest
from toolpost.call import Call
from toolpost.compiled import Compiled
from toolpost.define import Tool
from toolpost.limits import FAULTS_TOLD, KIB, TRIAL_BYTES, TRIALS_BYTES, TRIES
from toolpost.problem import Problem
from toolpost.schema import Schema
from toolpost.validate.faults import Fault, Path, at, flatten, head, put
from toolpost.validate.typed import misfits

Checks = Callable[[Tool, dict[str, Any], set[str]], Iterable[Problem]]


class Trial(Struct, frozen=True):
    """A call that failed: what a suggestion is tried against."""

    compiled: Compiled
    tool: Tool
    call: Call
    found: tuple[Fault, ...]
    checks: Checks
    sizes: dict[str, int] = field(default_factory=dict)
    near: dict[Path, Any] = field(default_factory=dict)
    spent: list[int] = field(default_factory=list)

    def may_read(self, path: Path) -> bool:
        """Whether one more trial of this place is worth its cost; if so the cost is counted."""
        name = head(path)
        if name not in self.sizes:
            is_alone = self.compiled.alone(name) is not None
            args = self.call.args
            self.sizes[name] = len(msgspec.json.encode(args.get(name) if is_alone else args))
        cost = self.sizes[name] + KIB
        if cost > TRIAL_BYTES or sum(self.spent) + cost > TRIALS_BYTES:
            return False
        self.spent.append(cost)
        return True


def suggestion(fault: Fault, trial: Trial) -> Any:
    """None where there are more faults than anyone would mend one by one."""
    if len(trial.found) > FAULTS_TOLD:
        return UNSET
    if fault.rule == "additionalProperties":
        return nearest_name(fault, trial)
    for candidate in islice(_candidates(fault, trial.tool), TRIES):
        if not trial.may_read(fault.path):
            return UNSET
        if cures(trial, fault.path, candidate):
            return candidate
    return UNSET


def nearest_name(fault: Fault, trial: Trial) -> Any:
    if fault.path not in trial.near:
        names = _free_names(fault, trial.call)
        close = suggest.nearest(str(fault.path[-1]), names, most=1)
        trial.near[fault.path] = close[0] if close else UNSET
    return trial.near[fault.path]


def _free_names(fault: Fault, call: Call) -> list[str]:
    """Names the place has and the caller did not use yet, in the caller's spelling at the top."""
    used = at(call.args, fault.path[:-1])
    free = [str(name) for name in fault.facts["known"] if name not in used]
    return free if len(fault.path) > 1 else [call.said(name) for name in free]


def _candidates(fault: Fault, tool: Tool) -> Iterator[Any]:
    name = str(fault.path[0]) if len(fault.path) == 1 else ""
    part = ruled(fault)
    examples = [example.input for example in tool.examples]
    if fault.rule == "required":
        yield from suggest.missing(name, part, examples)
        return
    yield from suggest.guess(fault.rule, fault.value, part)
    if fault.rule == "format":  # contract 003: a malformed address is answered with one that shows the form
        yield from (example[name] for example in examples if name in example)
    yield from suggest.exemplary(name, part, examples)


def ruled(fault: Fault) -> Schema:
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


def cures(trial: Trial, path: Path, candidate: Any) -> bool:
    """Whether the candidate has no fault where it stands, and brings none to what stands around it."""
    cured = put(trial.call.args, path, candidate)
    before = {(fault.path, fault.rule) for fault in trial.found}
    for fault in flatten(_near(_left(trial, head(path), cured), path), trial.compiled.flat):
        is_around = path[: len(fault.path)] == fault.path
        if fault.path[: len(path)] == path or (is_around and (fault.path, fault.rule) not in before):
            return False
    return not any(_own(trial, cured, head(path)))


def _left(trial: Trial, name: str, cured: dict[str, Any]) -> Iterable[Any]:
    """The errors that are left: of one parameter, where the others have no say in it."""
    alone = trial.compiled.alone(name)
    if alone is not None:
        return alone.iter_errors({name: cured[name]})
    return trial.compiled.validator.iter_errors(cured)


def _near(errors: Iterable[Any], path: Path) -> Iterator[Any]:
    """Errors at, in or around a place: the others are not read, which costs more than finding them."""
    for error in errors:
        where = tuple(error.instance_path)
        if all(one == other for one, other in zip(where, path, strict=False)):
            yield error


def _own(trial: Trial, cured: dict[str, Any], name: str) -> Iterator[Problem | Fault]:
    """What the schema cannot say of one parameter: the tool's own checks, and its own types."""
    faulty = {head(fault.path) for fault in trial.found} - {name}
    for problem in trial.checks(trial.tool, cured, faulty):
        if head((problem.parameter or "",)) == name:
            yield problem
    if name in cured:
        yield from misfits(trial.tool, {name: cured[name]}, {})


def repaired(trial: Trial, faults: list[Fault], cure: dict[str | None, Any], args: dict[str, Any]) -> Any:
    """The whole call with every suggestion in place, or None where that is lost work."""
    changed = args
    for fault in sorted(faults, key=lambda fault: fault.rule != "additionalProperties"):
        right = in_our_words(fault, cure[fault.parameter], trial.call)
        if fault.rule == "additionalProperties" and right in at(changed, fault.path[:-1]):
            return None  # two names that both mean this one: whichever is dropped, a value is lost
        changed = _cured(changed, fault, right)
    return changed


def in_our_words(fault: Fault, cure: Any, call: Call) -> Any:
    """A suggested name was spelled for the caller; it is put back into our own."""
    if fault.rule != "additionalProperties":
        return cure
    return next((name for name in fault.facts["known"] if call.said(name) == cure), cure)


def _cured(args: dict[str, Any], fault: Fault, cure: Any) -> dict[str, Any]:
    if fault.rule != "additionalProperties":
        is_there = fault.rule == "required" and len(fault.path) == 1 and fault.path[0] in args
        return args if is_there else put(args, fault.path, cure)
    renamed: dict[str, Any] = put(args, (*fault.path[:-1], cure), fault.value)
    del at(renamed, fault.path[:-1])[fault.path[-1]]
    return renamed
