"""Asking a person: the question, the answers, and those who can put it to somebody."""

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from toolpost.authorize.decide import Judged
from toolpost.call import Call
from toolpost.define import Tool
from toolpost.result import Decision, Verdict


class Scope(StrEnum):
    """How far an answer reaches."""

    SESSION = "session"
    PROJECT = "project"
    USER = "user"


class Answer(StrEnum):
    ALLOW_ONCE = "allow_once"
    ALLOW_SESSION = "allow_session"
    ALLOW_PROJECT = "allow_project"
    ALLOW_ALWAYS = "allow_always"
    REJECT_ONCE = "reject_once"
    REJECT_ALWAYS = "reject_always"

    @property
    def decision(self) -> Decision:
        return Decision.DENY if self in {Answer.REJECT_ONCE, Answer.REJECT_ALWAYS} else Decision.ALLOW

    @property
    def scope(self) -> Scope | None:
        """None for an answer to this one call."""
        return _SCOPES.get(self)


_SCOPES = {
    Answer.ALLOW_SESSION: Scope.SESSION,
    Answer.ALLOW_PROJECT: Scope.PROJECT,
    Answer.ALLOW_ALWAYS: Scope.USER,
    Answer.REJECT_ALWAYS: Scope.SESSION,
}


class Question(Struct, frozen=True, kw_only=True):
    tool: Tool
    call: Call
    verdict: Verdict
    judged: tuple[Judged, ...] = ()
    """Everything the call would do, each with its own verdict."""
    offers: tuple[str, ...] = ()
    """The rules that a lasting yes would store, word for word; none: only this call can be allowed."""
    refusals: tuple[str, ...] = ()
    """The rules that a lasting no would store."""


class Asker(Protocol):
    """Whoever can put a question to the user. None as an answer: nobody is there."""

    async def ask(self, question: Question) -> Answer | None: ...


class Nobody:
    """No user at hand: every question stays unanswered, and the call is refused."""

    async def ask(self, _question: Question) -> Answer | None:
        return None


class Always:
    """The same answer to every question, such as `--yes` on a command line."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    async def ask(self, _question: Question) -> Answer | None:
        return self._answer


class Asking:
    """An asker made of a plain function, which may wait for a person."""

    def __init__(self, question: Callable[[Question], Answer | None]) -> None:
        self._question = question

    async def ask(self, question: Question) -> Answer | None:
        return self._question(question)
