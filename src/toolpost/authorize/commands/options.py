"""Options among words: clusters, glued values and abbreviated long names, as getopt reads them."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from toolpost.limits import COMMANDS_REMEMBERED


@lru_cache(COMMANDS_REMEMBERED)
def flags(names: str) -> frozenset[str]:
    return frozenset(names.split())


def long_name(given: str, known: Iterable[str]) -> str:
    """The full name of an abbreviated long option, when it begins exactly one; else the name itself."""
    if not given.startswith("--") or len(given) < 4:
        return given
    found = {name for name in known if name.startswith(given)}
    return found.pop() if len(found) == 1 and given not in found else given


def taken(text: str, values: frozenset[str]) -> tuple[str, str | None, bool] | None:
    """An option that takes a value, what is glued to it, and whether its value is the next word."""
    name, equals, glued = text.partition("=")
    if text in values:
        return text, None, True
    if equals and (name in values or long_name(name, values) in values):
        return long_name(name, values), glued, False
    if text.startswith("--"):
        full = long_name(text, values)
        return (full, None, True) if full in values else None
    return _clustered(text, values)


def _clustered(text: str, values: frozenset[str]) -> tuple[str, str | None, bool] | None:
    for index, letter in enumerate(text[1:], 1):
        if f"-{letter}" in values:
            rest = text[index + 1 :]
            return f"-{letter}", rest or None, not rest
        if not letter.isalnum():
            break
    return None


def is_option(text: str) -> bool:
    return len(text) > 1 and text[0] == "-"


def given(texts: list[str], names: frozenset[str]) -> bool:
    """Whether one of the flags is among the words: alone, in a cluster, with a value, or abbreviated."""
    return any(_is_one(text, names) for text in texts)


def _is_one(text: str, names: frozenset[str]) -> bool:
    if not is_option(text):
        return False
    name = text.partition("=")[0]
    if name in names or long_name(name, names) in names:
        return True
    return text[1] != "-" and any(f"-{letter}" in names for letter in text[1:])


def parted(texts: list[str], values: frozenset[str]) -> Iterator[tuple[int, str, str | None]]:
    """Each word after the program: its index, the option it is (or the value of; empty for an operand), and the value.

    An option that takes no value comes as (index, option, None).
    """
    index = 1
    plain = False
    while index < len(texts):
        text = texts[index]
        if plain or not is_option(text):
            yield index, "", text
        elif text == "--":
            plain = True
        else:
            found = taken(text, values)
            if found is None:
                yield index, text, None
            elif not found[2]:
                yield index, found[0], found[1]
            else:
                index += 1
                yield index, found[0], texts[index] if index < len(texts) else None
        index += 1
