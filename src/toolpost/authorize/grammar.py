"""The text of a rule: `effect`, then `!` if it opens a guard, `(pattern)`, and `[annotation]` of a tool.

Every mistake is named with its column and the next step, for it stands in a file that someone wrote by hand.
"""

import re
from collections.abc import Callable
from itertools import takewhile
from typing import NoReturn

from toolpost.atom import Kind
from toolpost.authorize.host_pattern import compile_host
from toolpost.authorize.rule import Rule
from toolpost.errors import InvalidArgument
from toolpost.limits import GLOB_CHARS, QUOTED_CHARS
from toolpost.pathnames.pattern import compile_name, compile_pattern
from toolpost.result import Decision
from toolpost.suggest import nearest
from toolpost.visible import visible

_EFFECT = re.compile(r"[^!()\[\]]*")
_HINT = re.compile(r"\[([A-Za-z][A-Za-z0-9_]{0,63})\]")
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_KINDS = ", ".join(Kind)
_FORM = "A rule is written as `read(docs/**)`, `exec(make *)`, `net(pypi.org)` or `tool(server/name)`."


def shown(value: object) -> str:
    """As Python writes it, which hides nothing; a long one is cut."""
    text = repr(value)
    return text if len(text) <= QUOTED_CHARS else f"{text[:QUOTED_CHARS]}..."


class RuleError(ValueError):
    """A text that is no rule. `column` counts from 1; `fix` is the next step."""

    def __init__(self, message: str, column: int, fix: str) -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        self.fix = fix


def parse_rule(text: str, decision: Decision, layer: str = "") -> Rule:
    """Raises RuleError."""
    _require_visible(text)
    kind, at = _kind(text)
    opens = text.startswith("!", at)
    if opens and decision is not Decision.ALLOW:
        _refuse("Only an allow opens a guard.", at, f"Leave the `!` out of what is to {decision}.")
    at += opens
    pattern, end = _pattern(text, at)
    hint = _hint(text, end, kind)
    _check(kind, pattern, at + 1)
    return Rule(decision, kind, pattern, opens, hint, layer)


def _require_visible(text: str) -> None:
    """Whoever reads the file has to see what it says."""
    at = sum(1 for _ in takewhile(_is_same, zip(text, visible(text), strict=False)))
    if at < len(text):
        _refuse(
            f"It holds a character that nobody sees: U+{ord(text[at]):04X}.", at, "Write `?` in its place."
        )


def _is_same(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]


def _kind(text: str) -> tuple[Kind, int]:
    found = _EFFECT.match(text)
    word = found[0] if found else ""
    if word in set(Kind):
        return Kind(word), len(word)
    if not word.strip():
        _refuse("The rule names no effect.", 0, f"Begin it with one of {_KINDS}.")
    near = nearest(_KNOWN_ELSEWHERE.get(word.strip().lower(), word), list(Kind), most=1)
    fix = f"Did you mean {near[0]}?" if near else f"Known are {_KINDS}."
    raise RuleError(f"There is no effect {shown(word.strip())}.", 1, fix)


_KNOWN_ELSEWHERE = {
    **dict.fromkeys(("bash", "shell", "run", "command", "terminal"), "exec"),
    **dict.fromkeys(("edit", "create"), "write"),
    **dict.fromkeys(("webfetch", "fetch", "network", "http", "url"), "net"),
    **dict.fromkeys(("remove", "rm", "unlink"), "delete"),
    **dict.fromkeys(("mcp",), "tool"),
}
"""What other programs call the same."""


def _pattern(text: str, at: int) -> tuple[str, int]:
    """What stands in the parentheses, and where the text goes on after them."""
    if not text.startswith("(", at):
        return "*", at
    end = _closing(text, at)
    pattern = text[at + 1 : end]
    if not pattern.strip():
        _refuse(
            "The pattern is empty.",
            at + 1,
            "Leave the parentheses out to mean everything, or name something.",
        )
    if pattern != pattern.strip():
        _refuse("The pattern begins or ends with a blank.", at + 1, f"Write ({pattern.strip()}).")
    return pattern, end + 1


def _closing(text: str, start: int) -> int:
    depth, at = 0, start
    while at < len(text):
        letter = text[at]
        if letter == "\\":
            at += 1
        elif letter in "()":
            depth += 1 if letter == "(" else -1
            if depth == 0:
                return at
        at += 1
    fix = r"Close it with `)`; one that belongs to the pattern is written `\(`."
    raise RuleError("A `(` is not closed.", start + 1, fix)


def _hint(text: str, at: int, kind: Kind) -> str:
    if at >= len(text):
        return ""
    found = _HINT.fullmatch(text, at)
    if found is None:
        _refuse(f"{shown(text[at:])} stands after the end of the rule.", at, _FORM)
    if kind is not Kind.TOOL:
        _refuse("Only tools have annotations.", at, f"Leave {found[0]} out, or write tool(...){found[0]}.")
    if found[1] not in _HINTS:
        near = nearest(found[1], _HINTS, most=1)
        fix = f"Did you mean {near[0]}?" if near else f"Known are {', '.join(_HINTS)}."
        _refuse(f"There is no annotation {shown(found[1])}.", at + 1, fix)
    return found[1]


def _check(kind: Kind, pattern: str, at: int) -> None:
    try:
        _CHECKS[kind](pattern)
    except InvalidArgument as error:
        raise RuleError(error.detail, at + 1, "Correct the pattern.") from None


def _check_command(pattern: str) -> None:
    if len(pattern) > GLOB_CHARS or not pattern.isprintable():
        raise InvalidArgument(
            f"A command pattern is printable text of at most {GLOB_CHARS:,} characters, words divided by blanks."
        )


_CHECKS: dict[Kind, Callable[[str], object]] = {
    Kind.READ: compile_pattern,
    Kind.WRITE: compile_pattern,
    Kind.DELETE: compile_pattern,
    Kind.EXEC: _check_command,
    Kind.NET: compile_host,
    Kind.TOOL: compile_name,
}


def _refuse(message: str, at: int, fix: str) -> NoReturn:
    raise RuleError(message, at + 1, fix)
