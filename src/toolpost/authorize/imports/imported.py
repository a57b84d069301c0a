"""What a file of another program comes to, and what of it cannot be said here.

An allow may only get narrower on the way. A deny or a question that is lost, or gets narrower, takes with it every
allow that it held back there.
"""

from itertools import takewhile

from msgspec import Struct

from toolpost.atom import Kind
from toolpost.authorize.grammar import RuleError, parse_rule
from toolpost.authorize.rule import Rule
from toolpost.authorize.unreachable import contains
from toolpost.result import Decision

_WILD = frozenset("*?[\\")
_BLANKETS = frozenset({"*", "/**"})


_EVERY = (
    "it allows every command that no rule denies or asks about. Leave it out if you meant less: the profiles workspace "
    "and auto run everyday commands unasked."
)


class Imported(Struct, frozen=True):
    rules: tuple[Rule, ...] = ()
    """Each with where it comes from as its layer."""
    left_out: tuple[str, ...] = ()
    """A sentence for whatever is not here, or less here than there."""


class Unreadable(ValueError):
    """The text is no such file; the message is a sentence."""


class Said(Struct, frozen=True):
    """A rule in the other program's words."""

    decision: Decision
    text: str
    strength: int = 0
    """Where order or priority decides, the greater wins; else all are the same, and the strictest wins."""

    def __str__(self) -> str:
        return f"{self.decision} {self.text}"


class Told(Struct, frozen=True):
    """What it is in ours."""

    rules: tuple[str, ...] = ()
    less: str = ""
    """Why that covers less than it does there, or nothing at all."""
    start: tuple[str, ...] = ()
    """How every command begins that it is about, as far as it is written out."""


class _Held(Struct, frozen=True):
    said: Said
    kind: Kind | None
    """None: anything."""
    start: tuple[str, ...]
    is_doubt: bool = False

    def __str__(self) -> str:
        if self.is_doubt:
            return f"{self.said.text} may hold it back there, and cannot be read."
        return f"{self.said} held some of it back there, and cannot be said wholly here."

    def holds(self, rule: Rule, strength: int) -> bool:
        """Whether some of what the rule allows may be meant."""
        if strength > self.said.strength or self.kind not in {None, rule.kind}:
            return False
        if rule.kind is not Kind.EXEC:
            return True
        words = takewhile(lambda word: not set(word) & _WILD, rule.pattern.split())
        return all(one == other for one, other in zip(self.start, words, strict=False))


def _is_every(rule: Rule) -> bool:
    return rule.decision is Decision.ALLOW and rule.kind is Kind.EXEC and rule.pattern == "*"


class Gathering:
    """Rules as they are found, one after the other."""

    def __init__(self) -> None:
        self._found: list[tuple[Said, Rule]] = []
        self._left_out: list[str] = []
        self._held: list[_Held] = []

    def take(self, said: Said, kind: Kind, told: Told) -> None:
        rules = [rule for text in told.rules if (rule := self._parsed(said, text)) is not None]
        self._found += [(said, rule) for rule in rules]
        is_lost = len(rules) < len(told.rules) or not told.rules
        if told.less:
            so = "" if not rules else f" It became {' and '.join(map(str, rules))}, which covers less."
            self._left_out.append(f"{said}: {told.less}{so}")
        if (told.less or is_lost) and said.decision is not Decision.ALLOW:
            self._held.append(_Held(said, kind, told.start))

    def lose(self, said: Said, why: str, kind: Kind | None = None) -> None:
        """A rule that cannot be said here at all; without a kind it may have been about anything."""
        self._left_out.append(f"{said}: {why}")
        if said.decision is not Decision.ALLOW:
            self._held.append(_Held(said, kind, ()))

    def doubt(self, what: str, why: str) -> None:
        """A part that may be any rule, or none: no allow can be relied on beside it."""
        self._left_out.append(f"{what}: {why} It could deny anything, so no allow of the file is taken.")
        self._held.append(_Held(Said(Decision.DENY, what), None, (), is_doubt=True))

    def note(self, text: str) -> None:
        """Something that is no rule."""
        self._left_out.append(text)

    def imported(self) -> Imported:
        kept = [(said, rule) for said, rule in self._found if not self._is_held(said, rule)]
        kept = [(said, rule) for said, rule in kept if not self._is_ground(said, rule, kept)]
        self._tell_order(kept)
        unique: dict[tuple[Decision, str], Rule] = {}
        for _, rule in kept:
            unique.setdefault((rule.decision, str(rule)), rule)
        self._left_out += [
            f"{rule.decision} {rule.layer}: {_EVERY}" for rule in unique.values() if _is_every(rule)
        ]
        return Imported(tuple(unique.values()), tuple(dict.fromkeys(self._left_out)))

    def _parsed(self, said: Said, text: str) -> Rule | None:
        try:
            return parse_rule(text, said.decision, said.text)
        except RuleError as error:
            self._left_out.append(f"{said}: {error.message}")
            return None

    def _is_held(self, said: Said, rule: Rule) -> bool:
        if rule.decision is not Decision.ALLOW:
            return False
        held = next((one for one in self._held if one.holds(rule, said.strength)), None)
        if held is not None:
            self._left_out.append(f"{said}: {held}")
        return held is not None

    def _is_ground(self, said: Said, rule: Rule, kept: list[tuple[Said, Rule]]) -> bool:
        """A question or a deny of everything that later rules make exceptions from: here no exception could be made."""
        if rule.decision is Decision.ALLOW or rule.pattern not in _BLANKETS:
            return False
        allows = [
            one.strength
            for one, other in kept
            if other.kind is rule.kind and other.decision is Decision.ALLOW
        ]
        if not allows or min(allows) <= said.strength:
            return False
        here = (
            "asked about"
            if rule.decision is Decision.ASK
            else "asked about, and denied in the profile headless"
        )
        self._left_out.append(
            f"{said}: other rules make exceptions from it there, and here {rule.decision} beats allow. What no rule "
            f"names is {here}."
        )
        return True

    def _tell_order(self, kept: list[tuple[Said, Rule]]) -> None:
        stricter = [(said, rule) for said, rule in kept if rule.decision is not Decision.ALLOW]
        for said, rule in kept:
            if rule.decision is not Decision.ALLOW:
                continue
            for other, above in stricter:
                if other.strength < said.strength and contains(above, rule):
                    self._left_out.append(
                        f"{said}: it won over {other} by order or priority there; here {above.decision} beats allow."
                    )
                    break
