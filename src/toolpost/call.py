"""What was asked, by whom, and in which words."""

from typing import Any

from msgspec import Struct

from toolpost.problem import Problem


class Caller(Struct, frozen=True, kw_only=True, gc=False):
    """Who asks, and the scopes the call is counted in (C61)."""

    name: str = "local"
    tenant: str = ""
    run: str = ""
    session: str = ""
    component: str = ""
    scopes: tuple[str, ...] | None = None
    """What this caller may do, when it came with credentials; None: it came with none."""


LOCAL = Caller()


class Words(Struct, frozen=True, kw_only=True, gc=False):
    """The words a tool was called in, so that an answer can speak them back."""

    dialect: str = ""
    tool: str = ""
    spelling: dict[str, str] = {}
    """Our parameter name -> the caller's."""
    fixed: frozenset[str] = frozenset()
    """Parameters of ours that this contract sets itself: the caller never hears of them."""
    known: tuple[str, ...] | None = None
    """Every tool name this caller could have used; None when it spoke our own names."""


PLAIN = Words()


class Call(Struct, frozen=True, kw_only=True, gc=False):
    tool: str
    """Our name of the tool; empty when the caller's word names none."""
    args: dict[str, Any] = {}
    caller: Caller = LOCAL
    words: Words = PLAIN
    input: Any = None
    """The arguments exactly as received: contract 000 echoes them."""
    reply_to: str | int | float | None = None
    """The caller's own id for its message, when its wire has one."""
    form: str = ""
    """Which of a dialect's wire forms the message came in."""
    request_id: str = ""
    call_id: str = ""
    language: str = "en"
    timeout_s: float | None = None
    clamp: frozenset[str] = frozenset()
    """Parameters that are brought within their bounds, and said so, instead of refused (C6)."""
    fault: Problem | None = None
    """What was wrong with the message itself: the call is refused for it, and recorded."""

    def said(self, parameter: str) -> str:
        """A parameter path in the caller's spelling: `path` -> `directory`."""
        head, dot, rest = _split(parameter)
        return self.words.spelling.get(head, head) + dot + rest

    @property
    def said_tool(self) -> str:
        return self.words.tool or self.tool


def _split(parameter: str) -> tuple[str, str, str]:
    for at, char in enumerate(parameter):
        if char in ".[":
            return parameter[:at], char, parameter[at + 1 :]
    return parameter, "", ""
