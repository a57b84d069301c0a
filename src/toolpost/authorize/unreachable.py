"""Rules that can never decide: a stricter one covers all that they do, or the same one stands there before.

Only what is certain is told; that a rule is not named here does not mean that it can decide.
"""

import re
from collections.abc import Callable, Sequence

from toolpost.atom import Kind
from toolpost.authorize.host_pattern import HostPattern, compile_host
from toolpost.authorize.rule import Rule
from toolpost.pathnames.pattern import contains as contains_path
from toolpost.pathnames.pattern import matches_name
from toolpost.result import Decision

_STRICTNESS = {Decision.ALLOW: 0, Decision.ASK: 1, Decision.DENY: 2}


def unreachable(rules: Sequence[Rule]) -> tuple[str, ...]:
    """A sentence for each, in the order of the rules."""
    stricter = {kind: _stricter(rules, kind) for kind in Kind}
    told: list[str] = []
    seen: dict[Rule, Rule] = {}
    for rule in rules:
        bare = Rule(rule.decision, rule.kind, rule.pattern, rule.opens, rule.hint)
        first = seen.setdefault(bare, rule)
        if first is not rule:
            told.append(
                f"{rule.layer}: {rule.decision} {rule} stands at {first.layer} already. Leave one out."
            )
            continue
        above = next((other for other in stricter[rule.kind] if _is_below(rule, other)), None)
        if above is not None:
            told.append(
                f"{rule.layer}: {rule.decision} {rule} can never decide: {above.decision} {above} at {above.layer} "
                "covers all of it. Leave it out, or narrow the other."
            )
    return tuple(told)


def _stricter(rules: Sequence[Rule], kind: Kind) -> list[Rule]:
    """The rules that may stand above one of this kind, the strictest first."""
    kinds = {kind, Kind.WRITE} if kind is Kind.DELETE else {kind}
    found = [rule for rule in rules if rule.decision is not Decision.ALLOW and rule.kind in kinds]
    return sorted(found, key=lambda rule: -_STRICTNESS[rule.decision])


def _is_below(rule: Rule, other: Rule) -> bool:
    return _STRICTNESS[other.decision] > _STRICTNESS[rule.decision] and contains(other, rule)


def contains(wide: Rule, narrow: Rule) -> bool:
    """Whether a stricter rule surely covers all that another does."""
    if narrow.opens and wide.decision is Decision.ASK:
        return False  # it opens the guard all the same, so that it is asked and not denied
    kinds = (
        {wide.kind, Kind.DELETE}
        if wide.decision is Decision.DENY and wide.kind is Kind.WRITE
        else {wide.kind}
    )
    if narrow.kind not in kinds or wide.hint not in {"", narrow.hint}:
        return False
    return wide.pattern in {"*", narrow.pattern} or _CONTAINS[wide.kind](wide.pattern, narrow.pattern)


def _words(wide: str, narrow: str) -> bool:
    """`git push *` contains `git push origin` and `git push`."""
    if not wide.endswith(" *"):
        return False
    prefix = wide.split()[:-1]
    return not any(mark in "".join(prefix) for mark in "*?[") and narrow.split()[: len(prefix)] == prefix


def _hosts(wide: str, narrow: str) -> bool:
    outer, inner = compile_host(wide), compile_host(narrow)
    return (
        _names_all(outer, inner)
        and outer.scheme in {"", inner.scheme}
        and outer.port in {None, inner.port}
        and (not outer.path or f"{inner.path}/".startswith(f"{outer.path}/"))
    )


def _names_all(outer: HostPattern, inner: HostPattern) -> bool:
    if not outer.host or not inner.host:
        return not outer.host
    if inner.is_below:
        return outer.is_below and f".{inner.host}".endswith(f".{outer.host}")
    return outer.names(inner.host)


_SET = re.compile(r"[?\[{\\]")


def _tools(wide: str, narrow: str) -> bool:
    """A `*` of the wider one takes the other's wildcards as letters; of other wildcards nothing is certain."""
    return _SET.search(wide) is None and matches_name(wide, narrow)


_CONTAINS: dict[Kind, Callable[[str, str], bool]] = {
    Kind.READ: contains_path,
    Kind.WRITE: contains_path,
    Kind.DELETE: contains_path,
    Kind.EXEC: _words,
    Kind.NET: _hosts,
    Kind.TOOL: _tools,
}
