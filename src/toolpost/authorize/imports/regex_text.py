r"""Regular expressions that are but texts: a literal beginning, with choices such as `(build|test)`.

They are read and never run. Any other expression cannot be said in rules.
"""

from enum import Enum

from msgspec import Struct

from toolpost.authorize.imports import command_text
from toolpost.authorize.imports.imported import Told
from toolpost.limits import RULE_CHOICES
from toolpost.result import Decision

_MEANT = frozenset(r".^$*+?{}[]\|()")
_TAILS = {
    **dict.fromkeys(("$",), "whole"),
    **dict.fromkeys(
        (r"\b", r"\b.*", r"\b.*$", r"(\s|$)", r"(?:\s|$)", r"($|\s)", r"(?:$|\s)", r"( |$)"), "word"
    ),
    **dict.fromkeys(
        (r"(\s.*)?$", r"(?:\s.*)?$", r"( .*)?$", r"(?: .*)?$", r"(?:\s+.*)?$", r"(\s+.*)?$"), "word"
    ),
    **dict.fromkeys(("", ".*", ".*$"), "open"),
}
_NO_TEXT = "it is a regular expression that is more than a beginning."


class End(Enum):
    WHOLE = "whole"
    """Nothing may follow."""
    WORD = "word"
    """The word ends here."""
    OPEN = "open"
    """Anything may follow, also letters of the same word."""


class Beginning(Struct, frozen=True):
    texts: tuple[str, ...]
    end: End
    is_anchored: bool


def beginning(pattern: str) -> Beginning | None:
    """None for any other expression."""
    is_anchored = pattern.startswith("^")
    texts, at = [""], int(is_anchored)
    while pattern[at:] not in _TAILS:
        piece = _piece(pattern, at)
        if piece is None:
            return None
        choices, at = piece
        texts = [f"{text}{choice}" for text in texts for choice in choices]
        if len(texts) > RULE_CHOICES:
            return None
    return Beginning(tuple(texts), End(_TAILS[pattern[at:]]), is_anchored)


def _piece(pattern: str, at: int) -> tuple[list[str], int] | None:
    """What stands there, in each way it may be read, and where the expression goes on."""
    for blank in (r"\s+", " +", r"\s", " "):
        if pattern.startswith(blank, at):
            return [" "], at + len(blank)
    if pattern[at] == "(":
        return _group(pattern, at)
    if pattern[at] == "\\":
        letter = pattern[at + 1 : at + 2]
        is_plain = letter and not letter.isalnum()
        return _unrepeated([letter], pattern, at + 2) if is_plain else None
    return None if pattern[at] in _MEANT else _unrepeated([pattern[at]], pattern, at + 1)


def _unrepeated(choices: list[str], pattern: str, at: int) -> tuple[list[str], int] | None:
    return (
        None if pattern[at : at + 1] in {"*", "+", "?", "{"} and pattern[at:] not in _TAILS else (choices, at)
    )


def _group(pattern: str, at: int) -> tuple[list[str], int] | None:
    end = pattern.find(")", at)
    body = pattern[at + 1 : end].removeprefix("?:")
    if end < 0:
        return None
    choices: list[str] = []
    for part in body.split("|"):
        read = beginning(part) if part else None
        if read is None or read.end is not End.OPEN or read.is_anchored or part.endswith((".*", ".*$")):
            return None
        choices += read.texts
    return _unrepeated(choices, pattern, end + 1)


def command(pattern: str, decision: Decision, *, is_anchored: bool = False) -> Told:
    """`is_anchored`: it is tried at the beginning of a command only, whatever it says."""
    read = beginning(pattern)
    if read is None:
        return Told(less=_NO_TEXT)
    if not any(text.strip() for text in read.texts):
        return Told(("exec(*)",)) if read.end is End.OPEN else Told(less=_NO_TEXT)
    told = [_command(text, read.end, decision) for text in read.texts]
    less = next((one.less for one in told if one.less), "")
    if decision is not Decision.ALLOW and not (is_anchored or read.is_anchored):
        less = less or "it is looked for anywhere in a command there, and at its beginning here."
    starts = {one.start for one in told}
    rules = tuple(rule for one in told for rule in one.rules)
    return Told(rules, less, starts.pop() if len(starts) == 1 else ())


def _command(text: str, end: End, decision: Decision) -> Told:
    words = command_text.words_of(text)
    if not words or (text.startswith(" ") and decision is Decision.ALLOW):
        return Told(less=_NO_TEXT)
    told = command_text.prefix(words)
    if not told.rules:
        return told
    start = told.rules[0].removesuffix(" *)")
    if end is End.WHOLE:
        return Told((f"{start})",), start=told.start)
    if text.endswith(" "):
        return command_text.more(told) if decision is Decision.ALLOW else told
    is_argument = len(words) > 1
    if end is End.OPEN and (is_argument or decision is not Decision.ALLOW):
        return Told((*_flagged(words, told), f"{start}* *)"), start=told.start[:-1])
    return told


def _flagged(words: list[str], told: Told) -> tuple[str, ...]:
    """Options by themselves too: only without a wildcard are they known in any order and spelling."""
    return told.rules if words[-1].startswith("-") else ()
