"""The public list of shell lines, each with what is due, and what the rules say of it.

The lists stand beside their tests, in tests/authorize/cases.
"""

import hashlib
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from bench.permission_syntax import Intent

from toolpost.atom import Kind
from toolpost.authorize.commands.line import line_atoms
from toolpost.authorize.decide import Subject, decide
from toolpost.authorize.policy import read_policy
from toolpost.authorize.profiles import PROFILES
from toolpost.authorize.rule import Rule
from toolpost.authorize.rulebook import Rulebook
from toolpost.authorize.scene import Scene
from toolpost.result import Decision, Verdict

FOLDER = Path(__file__).parents[1] / "tests" / "authorize" / "cases"
PROJECT, HOME = "/home/dev/shop", "/home/dev"
PROFILE = PROFILES["workspace"]
OWN = (f"{PROJECT}/.toolpost", f"{HOME}/.config/toolpost")
BARE, BOXED = (Scene(roots=(PROJECT,), home=HOME, own=OWN, level=level) for level in (0, 2))
"""Without a sandbox, and in one that hides what must not be read: there a search through all files may run."""
_SUBJECT = Subject(tool="run_command")
_STRICTNESS = {Decision.ALLOW: 0, Decision.ASK: 1, Decision.DENY: 2}


class Case(NamedTuple):
    """One line. `shown` says how a generated one is made."""

    line: str
    kind: str
    due: Decision
    why: str = ""
    shown: tuple[str, int, str] | None = None
    withheld: bool = False
    """It is kept from programs that would run it: it could hurt even in a box."""

    @property
    def id(self) -> str:
        return hashlib.sha256(self.line.encode()).hexdigest()[:12]


def attacks() -> tuple[Case, ...]:
    return _cases("attacks")


def everyday() -> tuple[Case, ...]:
    return _cases("everyday")


@cache
def _cases(name: str) -> tuple[Case, ...]:
    return tuple(_case(entry) for entry in tomllib.loads(_text(f"{name}.toml"))["case"])


def _case(entry: dict[str, Any]) -> Case:
    line, times, then = entry["line"], entry.get("times", 1), entry.get("then", "")
    return Case(
        line=line * times + then,
        kind=entry["kind"],
        due=Decision(entry["due"]),
        why=entry.get("why", ""),
        shown=(line, times, then) if times > 1 else None,
        withheld=entry.get("withheld", False),
    )


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


@cache
def book() -> Rulebook:
    """The profile, and the policy on top of it."""
    return Rulebook(PROFILE, _rules())


@cache
def _rules() -> tuple[Rule, ...]:
    return read_policy(_text("policy.toml").encode(), "user", "policy.toml").rules


def verdict(case: Case, scene: Scene = BOXED) -> Verdict:
    return decide(book(), scene, _SUBJECT, line_atoms(case.line, scene))


def is_kept(case: Case, found: Decision) -> bool:
    """As strict as is due, or stricter; what is due to run must run."""
    if case.due is Decision.ALLOW:
        return found is Decision.ALLOW
    return _STRICTNESS[found] >= _STRICTNESS[case.due]


def intent() -> Intent:
    """The same policy as other programs are given it."""
    everything = (*_rules(), *PROFILE.rules)

    def patterns(decision: Decision, kind: Kind) -> tuple[str, ...]:
        return tuple(rule.pattern for rule in everything if (rule.decision, rule.kind) == (decision, kind))

    return Intent(
        allow=tuple(text for text in patterns(Decision.ALLOW, Kind.EXEC) if text != "curl *"),
        ask=patterns(Decision.ASK, Kind.EXEC),
        deny=patterns(Decision.DENY, Kind.EXEC),
        unread=patterns(Decision.DENY, Kind.READ),
        unwritten=patterns(Decision.DENY, Kind.WRITE),
        hosts=patterns(Decision.ALLOW, Kind.NET),
    )
