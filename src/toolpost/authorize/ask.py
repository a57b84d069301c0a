"""Asking a person. The four answers are those of the Agent Client Protocol (C35)."""

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

from toolpost.call import Call
from toolpost.define import Tool
from toolpost.result import Decision, Verdict


class Answer(StrEnum):
    ALLOW_ONCE = "allow_once"
    ALLOW_ALWAYS = "allow_always"
    REJECT_ONCE = "reject_once"
    REJECT_ALWAYS = "reject_always"

    @property
    def decision(self) -> Decision:
        return Decision.ALLOW if self in {Answer.ALLOW_ONCE, Answer.ALLOW_ALWAYS} else Decision.DENY

    @property
    def lasts(self) -> bool:
        return self in {Answer.ALLOW_ALWAYS, Answer.REJECT_ALWAYS}


class Asker(Protocol):
    """Whoever can put a question to the user. None as an answer: nobody is there."""

    async def ask(self, tool: Tool, call: Call, verdict: Verdict) -> Answer | None: ...


class Nobody:
    """No user at hand: every question stays unanswered, and the call is refused."""

    async def ask(self, _tool: Tool, _call: Call, _verdict: Verdict) -> Answer | None:
        return None


class Always:
    """The same answer to every question, such as `--yes` on a command line."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    async def ask(self, _tool: Tool, _call: Call, _verdict: Verdict) -> Answer | None:
        return self._answer


class Asking:
    """An asker made of a plain function, which may wait for a person."""

    def __init__(self, question: Callable[[Tool, Call, Verdict], Answer | None]) -> None:
        self._question = question

    async def ask(self, tool: Tool, call: Call, verdict: Verdict) -> Answer | None:
        return self._question(tool, call, verdict)
