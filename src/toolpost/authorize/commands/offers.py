"""Which rules "always allow" may store: one prefix a command, never one that opens everything."""

import re
from collections.abc import Iterable

from toolpost.atom import Atom, Kind, Word
from toolpost.authorize.commands.arity import ARITY, NEVER, NEVER_PREFIXES
from toolpost.authorize.commands.builtins import BUILTINS
from toolpost.authorize.commands.escapes import escaping
from toolpost.authorize.commands.interpreters import is_interpreter
from toolpost.authorize.commands.matching import allows
from toolpost.authorize.commands.patterns import folded
from toolpost.authorize.commands.wrappers import TRANSPARENT, WRAPPERS

_LONGEST = 3
_SAYABLE = re.compile(r"[A-Za-z0-9_./:,@%+=-]+")


def offers(atoms: Iterable[Atom]) -> tuple[str, ...]:
    """Rule texts, one for each command that needs one; none at all when one of them may never be offered."""
    rules: list[str] = []
    for atom in atoms:
        if atom.kind is not Kind.EXEC or atom.maybe:
            continue
        if atom.alarm is not None:
            return ()
        if folded(atom.words[0].text) in BUILTINS:
            continue
        rule = _rule(atom)
        if rule is None:
            return ()
        rules.append(rule)
    return tuple(dict.fromkeys(rules))


def _rule(atom: Atom) -> str | None:
    """None when no rule may be offered, or none that would be would cover the command."""
    words = atom.words
    if _is_never(words):
        return None
    count = _arity(words)
    tokens = [word.text for word in words[: count or len(words)]]
    if not all(_is_sayable(word) for word in words[: len(tokens)]) or (count and len(tokens) < count):
        return None
    pattern = " ".join(tokens) if count is None else f"{' '.join(tokens)} *"
    return f"exec({pattern})" if allows(pattern, atom) else None


def _is_sayable(word: Word) -> bool:
    return word.fixed and not word.glob and _SAYABLE.fullmatch(word.text) is not None


def _is_never(words: tuple[Word, ...]) -> bool:
    program = folded(words[0].text)
    if program in NEVER or program in WRAPPERS.keys() - TRANSPARENT:
        return True
    if not is_interpreter(program) and escaping(program, words, 1, frozenset()):
        return True
    texts = [program, *(word.text for word in words[1:])]
    if is_interpreter(program):
        return texts[1:2] != ["-m"] or " ".join(texts[:3]) in NEVER_PREFIXES
    return any(" ".join(texts[:count]) in NEVER_PREFIXES for count in (2, 3))


def _arity(words: tuple[Word, ...]) -> int | None:
    """By the longest prefix the table knows; None: only all the words together say what is done."""
    for count in range(min(_LONGEST, len(words)), 0, -1):
        arity = ARITY.get(" ".join(word.text for word in words[:count]))
        if arity is not None:
            return arity
    return None
