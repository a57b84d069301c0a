"""The decision: a pure function of the rules, the place, the tool and the atoms of a call.

For each atom: hard > deny > guard > ask > allow > the mode's default. The call gets the strictest verdict.
"""

from collections.abc import Iterable

from msgspec import Struct, structs

from toolpost.atom import Atom, Kind
from toolpost.authorize.commands.builtins import BUILTINS
from toolpost.authorize.guards import Held, held
from toolpost.authorize.hard import hard
from toolpost.authorize.history import shows_history
from toolpost.authorize.profiles import Mode
from toolpost.authorize.rule import Rule, covers, names
from toolpost.authorize.rulebook import Rulebook
from toolpost.authorize.scene import Scene
from toolpost.result import Decision, Verdict

_ORDER = {Decision.ALLOW: 0, Decision.ASK: 1, Decision.DENY: 2}
_BUILT_IN = "built in"
LAUNCH = "tool launch "
"""What is started to stay runs in no sandbox."""
SANDBOXED = 2
"""From this level on a sandbox holds what a command does."""


class Subject(Struct, frozen=True, kw_only=True):
    """The tool a call is for, as rules know it."""

    tool: str
    hints: frozenset[str] = frozenset()
    """Its annotations, if whoever wrote them is believed."""
    destructive: bool = False
    """It says of itself that it destroys: believed from anybody."""
    known: bool = True
    """Not a stranger's."""


class Judged(Struct, frozen=True):
    """An atom and what was decided about it; nothing, where a guess met no rule."""

    atom: Atom
    verdict: Verdict | None
    opened: bool = False
    """A guard would have held it, had no rule opened it."""
    guarded: bool = False
    """A guard wants it asked about."""


def decide(book: Rulebook, scene: Scene, subject: Subject, atoms: Iterable[Atom]) -> Verdict:
    """The strictest verdict over everything a call would do."""
    return strictest(judge(book, scene, subject, atoms), subject)


def strictest(judged: Iterable[Judged], subject: Subject) -> Verdict:
    verdicts = [one.verdict for one in judged if one.verdict is not None]
    if not verdicts:
        return Verdict(Decision.ALLOW, "tool(*)", "no effects", f"tool {subject.tool}")
    return max(verdicts, key=lambda verdict: _ORDER[verdict.decision])


def judge(
    book: Rulebook,
    scene: Scene,
    subject: Subject,
    atoms: Iterable[Atom],
    labels: frozenset[str] = frozenset(),
) -> tuple[Judged, ...]:
    """Every atom with its verdict, in the order of the call."""
    judging = _Judging(book, scene, subject, labels)
    return tuple(judging.of(atom) for atom in atoms)


class _Judging:
    """One call's atoms, one after the other: what follows from a command is judged with that command in mind."""

    def __init__(self, book: Rulebook, scene: Scene, subject: Subject, labels: frozenset[str]) -> None:
        self.book = book
        self.scene = scene
        self.subject = subject
        self.labels = labels
        self.command: Atom | None = None
        self.allowed_by: Rule | None = None
        self.wrapper: tuple[Atom, Rule] | None = None
        self.known: dict[Atom, Judged] = {}

    def of(self, atom: Atom) -> Judged:
        """The same thing done again is judged once, unless it depends on the command it follows from."""
        if atom.implied or atom.kind is Kind.EXEC:
            return self._judged(atom)
        known = self.known.get(atom)
        if known is None:
            known = self.known[atom] = self._judged(atom)
        return known

    def _judged(self, atom: Atom) -> Judged:
        program = self._follow(atom)
        why = hard(atom, self.scene, program)
        if why is not None:
            return Judged(atom, _verdict(Decision.DENY, why, _BUILT_IN, atom))
        rule = self._met(Decision.DENY, atom)
        if rule is not None:
            return Judged(atom, _by(rule, atom))
        return self._past_denial(atom)

    def _follow(self, atom: Atom) -> str:
        """Note which command is under way; the name of its program."""
        if atom.kind is Kind.EXEC and not atom.maybe and atom.alarm is None:
            self.wrapper = (self.command, self.allowed_by) if self.command and self.allowed_by else None
            self.command, self.allowed_by = atom, None
        command = self.command
        return command.words[0].text.rpartition("/")[2] if atom.implied and command and command.words else ""

    def _past_denial(self, atom: Atom) -> Judged:
        guard = held(atom, self.scene, self.labels) or self._history(atom)
        opened = False
        if guard is not None:
            opened = self._opens(atom) is not None
            if not opened and (guard[0] is Decision.DENY or not atom.maybe):
                verdict = _verdict(guard[0], guard[1], _BUILT_IN, atom)
                return Judged(atom, self._softened(verdict, is_guard=True), guarded=True)
        if atom.maybe:
            return Judged(atom, self._stray(atom))
        return Judged(atom, self._open(atom), opened=opened)

    def _history(self, atom: Atom) -> Held | None:
        """What a rule denies may stand in a repository's history, which nothing masks."""
        denied = self.book.of(Decision.DENY, Kind.READ)
        if not denied or not shows_history(atom):
            return None
        return Decision.ASK, f"guard: git may show what {denied[0]} denies; name paths after --"

    def _stray(self, atom: Atom) -> Verdict | None:
        """A rule that allows a command means the workspace: what it seems to take from elsewhere is asked about."""
        is_taken = atom.implied and self.allowed_by is not None and atom.kind in {Kind.READ, Kind.NET}
        if not is_taken or (atom.kind is Kind.READ and is_inside(atom, self.scene)):
            return None
        if self._met(Decision.ALLOW, structs.replace(atom, maybe=False)) is not None:
            return None
        return self._softened(_verdict(Decision.ASK, f"{atom.kind} elsewhere", _BUILT_IN, atom))

    def _open(self, atom: Atom) -> Verdict:
        if atom.alarm is not None and self._opens(atom) is None:
            return self._softened(_verdict(Decision.ASK, str(atom.alarm), _BUILT_IN, atom), is_alarm=True)
        rule = self._met(Decision.ASK, atom)
        if rule is not None:
            return self._softened(_by(rule, atom), is_rule=True)
        rule = self._met(Decision.ALLOW, atom) or self._opened_and_allowed(atom) or self._implied(atom)
        if rule is None:
            return self._default(atom)
        if atom is self.command:
            self.allowed_by = rule
        return _by(rule, atom)

    def _met(self, decision: Decision, atom: Atom) -> Rule | None:
        """The rule that covers an atom, or names its tool."""
        for kind in _KINDS[decision, atom.kind]:
            is_command = kind is Kind.EXEC and decision is Decision.ALLOW and atom.words
            for rule in self.book.allowing(atom) if is_command else self.book.of(decision, kind):
                if covers(rule, atom, self.scene) and not self._is_wild(rule):
                    return rule
        return next((rule for rule in self.book.of(decision, Kind.TOOL) if self._names(rule)), None)

    def _names(self, rule: Rule) -> bool:
        return names(rule, self.subject.tool, self.subject.hints) and not self._is_wild(rule)

    def _is_wild(self, rule: Rule) -> bool:
        """Nobody who allows all tools means those that say they destroy."""
        is_allow_of_tools = rule.decision is Decision.ALLOW and rule.kind is Kind.TOOL
        return is_allow_of_tools and self.subject.destructive and "*" in rule.pattern

    def _opens(self, atom: Atom) -> Rule | None:
        rules = self.book.opening(atom.kind)
        return next((rule for rule in rules if covers(rule, atom, self.scene)), None)

    def _opened_and_allowed(self, atom: Atom) -> Rule | None:
        rule = self._opens(atom)
        return rule if rule is not None and rule.decision is Decision.ALLOW else None

    def _implied(self, atom: Atom) -> Rule | None:
        """An allowed command is allowed what it is for, in the workspace; and what it starts, if its rule names that."""
        if atom is self.command and self.wrapper is not None:
            return self.wrapper[1] if _is_named(atom, *self.wrapper) else None
        if not atom.implied or self.allowed_by is None:
            return None
        is_covered = not atom.fixed if atom.kind is Kind.NET else is_inside(atom, self.scene)
        return self.allowed_by if is_covered else None

    def _default(self, atom: Atom) -> Verdict:
        mode = self.book.mode
        layer = f"profile:{self.book.profile.name}"
        if self._is_free(atom):
            rule, layer = ("tool(*)", "no effects") if atom.kind is Kind.TOOL else (str(atom.kind), layer)
            return _verdict(Decision.ALLOW, rule, layer, atom, self.subject)
        if mode is Mode.PLAN and atom.kind in {Kind.WRITE, Kind.DELETE}:
            return _verdict(Decision.DENY, str(atom.kind), layer, atom, self.subject)
        return self._softened(_verdict(Decision.ASK, str(atom.kind), layer, atom, self.subject))

    def _is_free(self, atom: Atom) -> bool:
        if atom.kind is Kind.TOOL:
            return self.subject.known and atom.target == self.subject.tool
        if atom.kind is Kind.EXEC:
            return is_builtin(atom)
        is_writing = atom.kind is Kind.WRITE and self.book.mode in {Mode.EDIT, Mode.AUTO}
        return (atom.kind is Kind.READ or is_writing) and is_inside(atom, self.scene)

    def _could_hide(self) -> bool:
        """Whether a program that nobody can name might be one that a rule denies."""
        return bool(self.book.of(Decision.DENY, Kind.EXEC))

    def _softened(
        self, verdict: Verdict, *, is_guard: bool = False, is_alarm: bool = False, is_rule: bool = False
    ) -> Verdict:
        """What the mode makes of a question."""
        if verdict.decision is not Decision.ASK:
            return verdict
        mode = self.book.mode
        if mode is Mode.HEADLESS:
            return _instead(verdict, Decision.DENY)
        if mode is Mode.YOLO and not is_guard and not (is_alarm and self._could_hide()):
            return _instead(verdict, Decision.ALLOW)
        is_plain = not (is_guard or is_alarm or is_rule)
        is_held = self.scene.level >= SANDBOXED and not verdict.atom.startswith(LAUNCH)
        if mode is Mode.AUTO and is_plain and is_held:
            return _instead(verdict, Decision.ALLOW)
        return verdict


_KINDS = {
    (decision, kind): (Kind.DELETE, Kind.WRITE)
    if (kind, decision) == (Kind.DELETE, Decision.DENY)
    else (kind,)
    for decision in Decision
    for kind in Kind
}
"""Which rules an atom meets: a denied write denies the deletion too."""


def _is_named(inner: Atom, outer: Atom, rule: Rule) -> bool:
    """Whether a rule such as `npx tsc *` says by name what the wrapper starts."""
    named = rule.pattern.removesuffix(" *").split(" ")
    start = len(outer.words) - len(inner.words)
    is_inner = 0 < start < len(named) and outer.words[start:] == inner.words
    return is_inner and bool(inner.via) and named[start] == inner.words[0].text


def is_builtin(atom: Atom) -> bool:
    """Words of the shell itself that change nothing outside it."""
    words = atom.words
    return bool(words) and words[0].fixed and not atom.via and words[0].text in BUILTINS


def is_inside(atom: Atom, scene: Scene) -> bool:
    """Whether all that an atom may touch lies in the workspace."""
    if atom.inside or not (atom.fixed and atom.target):
        return atom.inside
    return any(atom.target == root or atom.target.startswith(f"{root}/") for root in scene.roots)


def _by(rule: Rule, atom: Atom) -> Verdict:
    return Verdict(rule.decision, str(rule), rule.layer, str(atom))


def _verdict(
    decision: Decision, rule: str, layer: str, atom: Atom, subject: Subject | None = None
) -> Verdict:
    shown = f"{atom.kind} {subject.tool}" if subject is not None and not atom.target else str(atom)
    return Verdict(decision, rule, layer, shown)


def _instead(verdict: Verdict, decision: Decision) -> Verdict:
    return Verdict(decision, verdict.rule, verdict.layer, verdict.atom, "mode")
