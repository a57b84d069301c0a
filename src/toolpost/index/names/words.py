"""What a name is made of: `HTMLElement`, `html_element` and `html-element` are all html and element.

A name is found by every run of its words, joined without anything between: `ZapButtonComponent` by `button`,
by `zapbutton` and by `buttoncomponent`. Joined, because `usestate` is asked for as often as `useState`.
"""

import re
from itertools import pairwise

from toolpost.index.limits import EXPORT_CHARS, NAME_WORDS

WHOLE, BEGINS, WITHIN = range(3)
"""How a run lies in its name: it is all of it, its beginning, or further inside."""

_ASCII_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_MARKS = "ɵ"
"""Letters that stand before names as `$` and `_` do: Angular's for what is its own."""
_MARKED = str.maketrans(_MARKS, "_" * len(_MARKS))


def words(name: str) -> list[str]:
    """Its words, casefolded; empty where it has neither letters nor digits."""
    name = name[:EXPORT_CHARS]
    if name.isascii():
        return " ".join(_ASCII_WORD.findall(name)).lower().split()
    return [word.casefold() for word in _split(name.translate(_MARKED))]


def key(name: str) -> str:
    """What all spellings of a name have in common: its words, joined, or where it has none, itself."""
    if name.isascii() and name.isalnum():  # every character is part of a word
        return name[:EXPORT_CHARS].lower()
    return key_of(name, words(name))


def key_of(name: str, parts: list[str]) -> str:
    """The same, of a name whose words are at hand."""
    return "".join(parts) or name[:EXPORT_CHARS].casefold()


def runs(name: str) -> dict[str, int]:
    """Every key the name is found by, with how the run lies in it."""
    parts = words(name)
    found = {key_of(name, parts): WHOLE}
    parts = parts[:NAME_WORDS]
    how = BEGINS
    for begin in range(len(parts)):
        run = ""
        for word in parts[begin:]:
            run += word
            found.setdefault(run, how)
        how = WITHIN
    return found


def _split(name: str) -> list[str]:
    """As the expression above does it, for letters of every alphabet."""
    kinds = [_kind(char) for char in name]
    cuts = [at for at in range(1, len(name)) if _begins(kinds, at)]
    pieces = [name[begin:end] for begin, end in pairwise([0, *cuts, len(name)])]
    return [piece for piece in pieces if _kind(piece[0])]


def _begins(kinds: list[str], at: int) -> bool:
    """Whether a word begins here: where kinds change but for `Ab`, and at the last capital of `ABc`."""
    before, now = kinds[at - 1], kinds[at]
    if before == now == "A":
        return kinds[at + 1 : at + 2] == ["a"]
    return now != before and (before, now) != ("A", "a")


def _kind(char: str) -> str:
    if char.isupper() or char.istitle():
        return "A"
    if char.isdigit():
        return "0"
    return "a" if char.isalpha() else ""
