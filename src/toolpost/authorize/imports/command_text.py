r"""Command patterns of other programs, as exec rules.

There a pattern is text, and `*` takes blanks too; here it is words, and `*` stays in one unless it ends the pattern.
"""

import re
import shlex
from collections.abc import Sequence
from itertools import takewhile

from toolpost.authorize.imports.imported import Told
from toolpost.result import Decision

_SHELL = re.compile(r"[;&|<>()$`\n\r]")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_PLAIN = re.compile(r"[A-Za-z0-9_./:,@%+=~^*?\[\]!-]")
_ANY = Told(("exec(*)",))
_NO_WORDS = "it holds what the shell reads, and rules are about single commands."
_PROGRAM = "an allow names its program in so many letters."
_SPANS = "a `*` within it takes several words there, and one here."


def prefix(words: Sequence[str]) -> Told:
    """Commands that begin with these words."""
    if not words:
        return _ANY
    if not _is_program(words[0]):
        return Told(less=_NO_WORDS if _ASSIGNMENT.match(words[0]) else _PROGRAM)
    return Told((f"exec({' '.join(map(literal, words))} *)",), start=tuple(words))


def text_prefix(text: str, decision: Decision) -> Told:
    """Commands whose text begins so, up to the end of a word; a blank at the end wants one more."""
    words = words_of(text)
    if words is None:
        return Told(less=_NO_WORDS)
    told = prefix(words)
    return more(told) if words and text.endswith(" ") and decision is Decision.ALLOW else told


def more(told: Told) -> Told:
    """With at least one argument after those that are named."""
    rules = tuple(f"{rule.removesuffix(' *)')} ?* *)" for rule in told.rules)
    return Told(rules, told.less, told.start)


def glob(text: str, decision: Decision, wild: str = "*") -> Told:
    """`wild` are the letters that stand for others there."""
    words = words_of(text)
    if words is None:
        return Told(less=_NO_WORDS)
    if words in ([], ["*"]):
        return _ANY
    if _ASSIGNMENT.match(words[0]):
        return Told(less=_NO_WORDS)
    is_open = words[-1].endswith("*")
    body = words[:-1] if words[-1] == "*" else words
    spans = any("*" in word.removesuffix("*" if at == len(words) - 1 else "") for at, word in enumerate(body))
    tokens = [_token(word, wild) for word in body]
    if not _is_program(body[0]) and decision is Decision.ALLOW:
        return _narrowed(body, is_open=is_open)
    start = tuple(takewhile(_is_plain, body))
    return Told((f"exec({' '.join(tokens)}{' *' * is_open})",), _SPANS if spans else "", start)


def _narrowed(words: list[str], *, is_open: bool) -> Told:
    """`ls*` means lsof too; what surely was meant is `ls`."""
    name = words[0].removesuffix("*")
    if len(words) > 1 or not is_open or not name or not _is_program(name):
        return Told(less=_PROGRAM)
    return Told((f"exec({literal(name)} *)",), _PROGRAM, (name,))


def words_of(text: str) -> list[str] | None:
    """None where it is not one plain command."""
    if _SHELL.search(text):
        return None
    try:
        return shlex.split(text)
    except ValueError:
        return None


def literal(word: str) -> str:
    """The word and nothing else: wildcards as sets of themselves."""
    return _quoted("".join(f"[{letter}]" if letter in "*?[" else letter for letter in word))


def _token(word: str, wild: str) -> str:
    return _quoted(
        "".join(f"[{letter}]" if letter in "*?[" and letter not in wild else letter for letter in word)
    )


def _quoted(word: str) -> str:
    return "".join(letter if _PLAIN.fullmatch(letter) else f"\\{letter}" for letter in word) or "''"


def _is_program(word: str) -> bool:
    return bool(word) and _is_plain(word) and not _ASSIGNMENT.match(word)


def _is_plain(word: str) -> bool:
    return not any(letter in "*?[" for letter in word)
