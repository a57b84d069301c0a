"""The gate a call passes: credentials, then rules, then the user, whose answer may be kept."""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from toolpost.atom import Kind
from toolpost.authorize.ask import Asker, Nobody, Question, Scope
from toolpost.authorize.commands.offers import offers
from toolpost.authorize.compile import atoms_of, depends_on_arguments, is_foreign
from toolpost.authorize.decide import Judged, Subject, judge, strictest
from toolpost.authorize.grants import Grant, Grants
from toolpost.authorize.kept import KeptGrants
from toolpost.authorize.rule import Rule
from toolpost.authorize.rulebook import Rulebook
from toolpost.authorize.scene import Scene
from toolpost.call import Call
from toolpost.clock import Clock
from toolpost.define import Effect, Tool
from toolpost.errors import Denied, NeedsApproval, Unauthenticated
from toolpost.events import Event, PermissionAsked, PermissionGiven
from toolpost.limits import BOOKS_KEPT
from toolpost.result import Decision, Verdict

_NOWHERE = Scene(roots=())
_NONE: frozenset[tuple[str, str]] = frozenset()
_ALTERING = frozenset({Kind.WRITE, Kind.DELETE})


class Rights(Struct, frozen=True, kw_only=True):
    """What a gate judges by."""

    book: Rulebook
    scene: Scene = _NOWHERE
    kept: KeptGrants | None = None
    """Where answers for a project or for good are kept; without it they last as long as their session."""
    project: str = ""
    """The project's identity, wherever it is checked out."""


class Ruling(Struct, frozen=True):
    """What was decided about a call, and about each thing it does."""

    verdict: Verdict
    judged: tuple[Judged, ...] = ()


class Carried(Protocol):
    """What a session brings to the gate, and takes from it."""

    grants: Grants
    labels: set[str]
    """What its calls have seen: `secret`, once a guarded file was read."""


class Gate:
    def __init__(
        self, rights: Rights, asker: Asker | None, tell: Callable[[Event], None], clock: Clock
    ) -> None:
        self._rights = rights
        self._asker = Nobody() if asker is None else asker
        self._tell = tell
        self._clock = clock
        self._decided: dict[Tool, Ruling] = {}
        self._subjects: dict[Tool, Subject] = {}
        self._books: dict[tuple[Rule, ...], Rulebook] = {(): rights.book}

    def grants(self, carried: Carried) -> tuple[Grant, ...]:
        kept = self._rights.kept.all() if self._rights.kept else ()
        ours = (
            grant
            for grant in kept
            if grant.scope is not Scope.PROJECT or grant.project == self._rights.project
        )
        return (*carried.grants, *ours)

    def revoke(self, named: str, carried: Carried) -> bool:
        """By its id, its rule or its tool; whether there was one."""

        def is_meant(grant: Grant) -> bool:
            return named in {grant.id, grant.rule, grant.tool}

        was_kept = bool(self._rights.kept and self._rights.kept.drop(is_meant))
        return carried.grants.drop(is_meant) or was_kept

    def let_through(self, ruling: Ruling, carried: Carried) -> frozenset[tuple[str, str]]:
        """What the call may pass although a guard stands by the disk; the session is marked with what it sees."""
        if not any(one.opened or one.guarded for one in ruling.judged):
            return _NONE
        carried.labels |= labels_of(ruling)
        return openings(ruling, self._rights.scene)

    def forget(self, tool: Tool) -> None:
        self._decided.pop(tool, None)
        self._subjects.pop(tool, None)

    def judge(self, tool: Tool, call: Call, args: Mapping[str, Any], carried: Carried) -> Ruling:
        """What the rules and the user's lasting answers say; when that is to ask, `ask` does."""
        if tool.scopes:
            require_scopes(tool, call)
        if not carried.grants and not self._rights.kept and not carried.labels:
            known = self._decided.get(tool)
            if known is not None:
                return known
        return self._judge(tool, call, args, carried)

    def _judge(self, tool: Tool, call: Call, args: Mapping[str, Any], carried: Carried) -> Ruling:
        granted = tuple(self._granted(tool, call, carried.grants))
        subject = self._subjects.get(tool) or self._subject(tool)
        atoms = atoms_of(tool, args, self._rights.scene)
        book = self._book(granted)
        judged = judge(book, self._rights.scene, subject, atoms, frozenset(carried.labels))
        ruling = Ruling(strictest(judged, subject), judged)
        if not granted and not carried.labels and not depends_on_arguments(tool):
            self._decided[tool] = ruling
        return ruling

    def _book(self, granted: tuple[Rule, ...]) -> Rulebook:
        book = self._books.get(granted)
        if book is None:
            if len(self._books) >= BOOKS_KEPT:
                self._books = {(): self._rights.book}
            book = self._books[granted] = self._rights.book.with_rules(granted)
        return book

    def _granted(self, tool: Tool, call: Call, grants: Grants) -> Iterable[Rule]:
        kept = self._rights.kept.all() if self._rights.kept else ()
        now = self._clock.now()
        for grant in (*grants, *kept):
            if grant.expires is not None and grant.expires <= now:
                continue
            rule = grant.rule_in_force() if self._holds(grant, tool, call) else None
            if rule is not None:
                yield rule

    def _holds(self, grant: Grant, tool: Tool, call: Call) -> bool:
        if grant.scope is Scope.PROJECT and grant.project != self._rights.project:
            return False
        if grant.agent and grant.agent != call.caller.name:
            return False
        return not (grant.definition and grant.tool == tool.name and grant.definition != definition_of(tool))

    def _subject(self, tool: Tool) -> Subject:
        foreign = is_foreign(tool)
        server = tool.location.partition(":")[2]
        believed = not foreign or server in self._rights.book.servers
        hints = frozenset({"readOnlyHint"}) if believed and tool.read_only else frozenset[str]()
        subject = self._subjects[tool] = Subject(
            tool=tool.name,
            hints=hints,
            destructive=Effect.DELETE in tool.effects and foreign,
            known=not foreign,
        )
        return subject

    async def ask(self, tool: Tool, call: Call, ruling: Ruling, carried: Carried) -> Verdict:
        """The user's verdict; one that still says ask had nobody to ask."""
        question = self.question(tool, call, ruling)
        self._tell(PermissionAsked(call, ruling.verdict))
        answer = await self._asker.ask(question)
        verdict = ruling.verdict
        if answer is None:
            return verdict
        if answer.scope is not None:
            self._keep(question, answer.scope, answer.decision, carried)
        said = Verdict(answer.decision, verdict.rule, verdict.layer, verdict.atom, "user")
        self._tell(PermissionGiven(call, said, str(answer)))
        return said

    def question(self, tool: Tool, call: Call, ruling: Ruling) -> Question:
        return Question(
            tool=tool,
            call=call,
            verdict=ruling.verdict,
            judged=ruling.judged,
            offers=_offered(tool, ruling.judged),
            refusals=_refused(tool, ruling.judged),
        )

    def _keep(self, question: Question, scope: Scope, decision: Decision, carried: Carried) -> None:
        rules = question.offers if decision is Decision.ALLOW else question.refusals
        kept = self._rights.kept
        for rule in rules:
            grant = Grant(
                id=self._clock.uuid()[:8],
                rule=rule,
                decision=decision,
                scope=scope,
                tool=question.tool.name,
                definition=definition_of(question.tool) if rule.startswith("tool(") else "",
                project=self._rights.project if scope is Scope.PROJECT else "",
                agent=question.call.caller.name if scope is not Scope.SESSION else "",
                made=self._clock.now(),
            )
            if scope is Scope.SESSION or kept is None:
                carried.grants.add(grant)
            else:
                kept.add(grant)


def openings(ruling: Ruling, scene: Scene) -> frozenset[tuple[str, str]]:
    """What a guard beside the disk would hold, and this call may pass: paths relative to their root."""
    passed = [one.atom for one in ruling.judged if one.opened or one.guarded]
    return frozenset(
        ("write" if atom.kind in _ALTERING else "read", atom.target[len(root) + 1 :])
        for atom in passed
        for root in scene.roots
        if atom.target.startswith(f"{root}/")
    )


def labels_of(ruling: Ruling) -> set[str]:
    """What a call that was let through has seen."""
    is_secret = any(one.atom.kind is Kind.READ and (one.opened or one.guarded) for one in ruling.judged)
    return {"secret"} if is_secret else set()


def _offered(tool: Tool, judged: tuple[Judged, ...]) -> tuple[str, ...]:
    """What "always" would store: for commands a prefix each, for other tools the tool.

    Nothing, for what a guard or a rule wants asked every time.
    """
    asked = [one for one in judged if _is_asked(one)]
    if any(one.guarded or one.atom.alarm for one in asked):
        return ()
    if any(
        one.verdict and one.verdict.layer and not one.verdict.layer.startswith("profile:") for one in asked
    ):
        return ()
    if any(one.atom.kind is Kind.EXEC and one.atom.words for one in judged):
        return offers(tuple(one.atom for one in asked))
    return (f"tool({tool.name})",)


def _refused(tool: Tool, judged: tuple[Judged, ...]) -> tuple[str, ...]:
    """What "never" would store: the programs that were asked about, or else the tool."""
    programs = {
        one.atom.words[0].text.rpartition("/")[2]: None
        for one in judged
        if one.atom.kind is Kind.EXEC and one.atom.words and one.atom.words[0].fixed and _is_asked(one)
    }
    return tuple(f"exec({program} *)" for program in programs) or (f"tool({tool.name})",)


def _is_asked(one: Judged) -> bool:
    return one.verdict is not None and one.verdict.decision is Decision.ASK


def definition_of(tool: Tool) -> str:
    """The hash of all that a user could have read of a tool; the order of keys is no change."""
    whole = msgspec.json.encode(
        [tool.name, tool.description, tool.input_schema, sorted(tool.effects)], order="sorted"
    )
    return sha256(whole).hexdigest()[:32]


def permit(verdict: Verdict, call: Call) -> None:
    """Nothing, if the call may go on; else the refusal, naming what decided."""
    if verdict.decision is Decision.ALLOW:
        return
    if verdict.decision is Decision.ASK:
        said = f"{call.said_tool} needs the user's approval, and nobody could be asked."
        raise NeedsApproval(said, **_facts(verdict))
    by = "the user" if verdict.who == "user" else f"the rule {verdict.rule}"
    said = f"{call.said_tool} was denied by {by} ({verdict.layer})."
    raise Denied(said, parameter=_parameter(verdict, call), **_facts(verdict))


def _parameter(verdict: Verdict, call: Call) -> str | None:
    """The argument that names what was denied, if one does."""
    for name, value in call.args.items():
        if isinstance(value, str) and value.strip("./") and verdict.atom.endswith(value.strip("./")):
            return name
    return None


def _facts(verdict: Verdict) -> dict[str, str]:
    return {"rule": verdict.rule, "layer": verdict.layer, "atom": verdict.atom, "who": verdict.who}


def require_scopes(tool: Tool, call: Call) -> None:
    held = call.caller.scopes or ()
    lacking = [scope for scope in tool.scopes if scope not in held]
    if lacking:
        raise Unauthenticated(
            "Valid authentication credentials are required to access this resource",
            parameter="authentication",
            required_scope=" ".join(lacking),
            provided_scope=" ".join(held) or None,
            authentication_method="bearer_token",
        )
