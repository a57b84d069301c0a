"""Exec patterns made ready for matching."""

import shlex
from functools import lru_cache

from msgspec import Struct

from toolpost.limits import COMMANDS_REMEMBERED

_GLOBS = frozenset("*?[")


class Pattern(Struct, frozen=True):
    program: str
    base: str
    """The program's name without its folder, folded."""
    arguments: tuple[str, ...]
    open: bool
    """A final `*` admits more arguments."""
    blanket: bool
    """`*` alone: every command, wrappers and escape flags too."""
    literal: int
    """How many arguments at the beginning hold no glob."""
    named: frozenset[str]
    """What the rule says in so many words: flags without their values, and operands."""


@lru_cache(COMMANDS_REMEMBERED)
def pattern_of(text: str) -> Pattern:
    tokens = _tokens(text)
    if tokens in ([], ["*"]):
        return Pattern("*", "*", (), open=True, blanket=True, literal=0, named=frozenset())
    program, *arguments = tokens
    is_open = bool(arguments) and arguments[-1] == "*"
    arguments = arguments[:-1] if is_open else arguments
    literal = next((index for index, token in enumerate(arguments) if is_glob(token)), len(arguments))
    named = {token.partition("=")[0] for token in arguments if not is_glob(token.partition("=")[0])}
    named |= {f"-{letter}" for token in arguments if token[:1] == "-" != token[1:2] for letter in token[1:]}
    return Pattern(
        program=program,
        base=folded(program),
        arguments=tuple(arguments),
        open=is_open,
        blanket=False,
        literal=literal,
        named=frozenset(named),
    )


def is_glob(token: str) -> bool:
    return not _GLOBS.isdisjoint(token)


def folded(program: str) -> str:
    return program.rpartition("/")[2].lower().removesuffix(".exe")


def _tokens(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()
