"""Whether a command's arguments are, in any order and spelling, those of a pattern."""

from fnmatch import fnmatchcase
from functools import lru_cache

from msgspec import Struct

from toolpost.atom import Word
from toolpost.authorize.commands.patterns import Pattern, is_glob
from toolpost.authorize.commands.synonyms import ALIASES, MARKED, SYNONYMS
from toolpost.limits import COMMANDS_REMEMBERED

_NO_NAMES: dict[str, tuple[str, ...]] = {}


class _Wanted(Struct, frozen=True):
    flags: tuple[str, ...]
    operands: tuple[str, ...]
    loose: tuple[str, ...]
    """What stands after a flag may be its value, which has no place of its own."""
    names: dict[str, tuple[str, ...]]
    marks: dict[str, str]


def is_alike(pattern: Pattern, words: tuple[Word, ...]) -> bool:
    if not pattern.arguments:
        return pattern.open or not _operands(words)
    wanted = _wanted(pattern)
    operands = _operands(words)
    if wanted.flags and not _has_flags(wanted, words, operands):
        return False
    texts = [word.text for word in words]
    if not all(
        any(_is_same(loose, text) or text.endswith(f"={loose}") for text in texts) for loose in wanted.loose
    ):
        return False
    return _in_order(wanted.operands, operands, more=pattern.open or bool(wanted.loose))


@lru_cache(COMMANDS_REMEMBERED)
def _wanted(pattern: Pattern) -> _Wanted:
    flags: list[str] = []
    operands: list[str] = []
    loose: list[str] = []
    for index, token in enumerate(pattern.arguments):
        if _is_flag(token):
            flags.append(token)
        elif index and _is_flag(pattern.arguments[index - 1]) and "=" not in pattern.arguments[index - 1]:
            loose.append(token)
        else:
            operands.append(token)
    program = ALIASES.get(pattern.base, pattern.base)
    sub = f"{program} {operands[0]}" if operands else ""
    names = {**SYNONYMS.get(program, _NO_NAMES), **SYNONYMS.get(sub, _NO_NAMES)}
    return _Wanted(tuple(flags), tuple(operands), tuple(loose), names, MARKED.get(sub, {}))


def _is_flag(token: str) -> bool:
    return len(token) > 1 and token.startswith("-") and token[1:] != "-"


def _operands(words: tuple[Word, ...]) -> list[tuple[Word, bool]]:
    """Each operand, and whether it may be the value of the option before it."""
    found: list[tuple[Word, bool]] = []
    after = plain = False
    for word in words[1:]:
        text = word.text
        if not plain and text == "--":
            plain, after = True, False
        elif not plain and _is_flag(text):
            after = "=" not in text
        else:
            found.append((word, after))
            after = False
    return found


def _in_order(wanted: tuple[str, ...], operands: list[tuple[Word, bool]], *, more: bool) -> bool:
    index = 0
    for token in wanted:
        while index < len(operands) and not _is_operand(token, operands[index][0]):
            if not operands[index][1]:
                return False
            index += 1
        if index == len(operands):
            return False
        index += 1
    return more or all(after for _, after in operands[index:])


def _is_operand(token: str, word: Word) -> bool:
    return _is_same(token, word.text) or (word.glob and fnmatchcase(token, word.text))


def _is_same(token: str, text: str) -> bool:
    if token == text:
        return True
    token, text = token.removeprefix("./"), text.removeprefix("./")
    return token == text or (is_glob(token) and fnmatchcase(text, token))


def _has_flags(wanted: _Wanted, words: tuple[Word, ...], operands: list[tuple[Word, bool]]) -> bool:
    whole: set[str] = set()
    given: set[str] = set()
    for word in words[1:]:
        if _is_flag(word.text):
            whole.add(word.text)
            name = word.text.partition("=")[0]
            given.update(_meanings(name, wanted.names))
            given.update(_letters(name, wanted.names))
    for word, _ in operands:
        mark = wanted.marks.get(word.text[:1])
        if mark is not None:
            given.add(mark)
    return all(_is_given(flag, whole, given, wanted.names) for flag in wanted.flags)


def _meanings(name: str, names: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """A flag as it stands, what it means, and what it may abbreviate."""
    found = (name, *names.get(name, ()))
    if name.startswith("--") and len(name) > 2 and name not in names:
        for full, meaning in names.items():
            if full.startswith(name):
                found += meaning
    return found


def _letters(name: str, names: dict[str, tuple[str, ...]]) -> list[str]:
    if name[1] == "-" or len(name) == 2:
        return []
    return [meaning for letter in name[1:] for meaning in _meanings(f"-{letter}", names)]


def _is_given(flag: str, whole: set[str], given: set[str], names: dict[str, tuple[str, ...]]) -> bool:
    if flag in whole or flag in given or any(is_glob(flag) and fnmatchcase(text, flag) for text in whole):
        return True
    name, equals, value = flag.partition("=")
    if equals:
        return any(text.startswith(name) and text.endswith(value) for text in whole)
    meaning = names.get(name)
    if meaning is not None and given.issuperset(meaning):
        return True
    letters = [f"-{letter}" for letter in name[1:]] if name[1] != "-" and len(name) > 2 else []
    if letters and all(given.issuperset(names.get(letter, (letter,))) for letter in letters):
        return True
    return name.startswith("--") and any(
        text.startswith("--") and len(text) > 2 and name.startswith(text) for text in given
    )
