"""Whether an exec pattern covers a command: narrowly when it allows, widely when it denies or asks.

Patterns are tokens, not text. A final ` *` admits more arguments; other globs stay within one token.
"""

from fnmatch import fnmatchcase

from toolpost.atom import Alarm, Atom, Kind, Word
from toolpost.authorize.commands.escapes import escaping
from toolpost.authorize.commands.interpreters import CODE_FLAGS, SHELLS
from toolpost.authorize.commands.likeness import is_alike
from toolpost.authorize.commands.patterns import Pattern, folded, is_glob, pattern_of
from toolpost.authorize.commands.wrappers import SUB_COMMANDS, TRANSPARENT, TRUSTED, WRAPPERS

_CLEAR = TRANSPARENT | SHELLS | {"eval", "trap"}
_SCRIPTED = SHELLS | CODE_FLAGS.keys() | {"eval", "trap", "find", "fd", "source", "."}
"""Programs that run what is in their words, which a crude split has taken out of its quotes."""
_HERE = "./*"
"""Any program below the folder that a line is in; what stands above it is left by `cd` or `..` alone."""
_CRUDE = frozenset({Alarm.UNREADABLE, Alarm.TOO_LONG})
_TEXT_FLAGS: dict[str, frozenset[str]] = {
    "git": frozenset({"-m", "--message", "-am", "--author", "--date"}),
    "gh": frozenset({"-b", "--body", "-t", "--title", "--notes", "-n"}),
    "glab": frozenset({"-d", "--description", "-t", "--title"}),
    "jq": frozenset({"--arg", "--argjson"}),
}
"""Options whose value is a text: what it holds when it runs changes nothing but the text."""


def allows(pattern: str, atom: Atom) -> bool:
    """Only what the pattern says. A command in a wrapper that is not transparent needs a rule about the wrapper."""
    if atom.kind is not Kind.EXEC or atom.maybe:
        return False
    ready = pattern_of(pattern)
    if ready.blanket:
        return True
    if not atom.words:
        return False
    wrapper = next((name for name in atom.via if name not in _CLEAR), None)
    if wrapper is not None:
        return ready.program == wrapper  # the wrapper's own atom holds all these words, and is judged by them
    return _is_program(ready, atom.words[0]) and _fits(ready, atom.words)


def _is_program(pattern: Pattern, word: Word) -> bool:
    if not word.fixed or word.glob:
        return False
    if pattern.program == _HERE:
        return word.text.startswith("./") and ".." not in word.text.split("/")
    if word.text == pattern.program:
        return not is_glob(pattern.program)
    folder, _, name = word.text.rpartition("/")
    return folder in TRUSTED and name == pattern.program


def _fits(pattern: Pattern, words: tuple[Word, ...]) -> bool:
    count = len(pattern.arguments)
    given = len(words) - 1
    if given < count or (given > count and not pattern.open):
        return False
    for token, word in zip(pattern.arguments, words[1:], strict=False):
        if not word.fixed or (token != word.text and not (is_glob(token) and fnmatchcase(word.text, token))):
            return False
    program = folded(words[0].text)
    return _all_known(program, words, count + 1) and not escaping(
        program, words, pattern.literal + 1, pattern.named
    )


def _all_known(program: str, words: tuple[Word, ...], start: int) -> bool:
    """What is known only when it runs may be an option or a path, unless it is the text that an option takes."""
    texts = _TEXT_FLAGS.get(program, frozenset())
    for index in range(start, len(words)):
        word = words[index]
        if word.fixed or words[index - 1].text in texts:
            continue
        name, equals, _ = word.text.partition("=")
        if not (equals and name in texts):
            return False
    return True


def catches(pattern: str, atom: Atom) -> bool:
    """All that the pattern may mean: in any folder, in any order of flags, inside whatever runs it."""
    if atom.kind is not Kind.EXEC:
        return False
    ready = pattern_of(pattern)
    if ready.blanket:
        return True
    words = atom.words
    if not words:
        return False
    if _names(ready, words[0]) and is_alike(ready, words):
        return True
    if len(words) == 1 or not _may_run_any(words, atom):
        return False
    return any(
        _names(ready, words[start]) and is_alike(ready, words[start:]) for start in range(1, len(words))
    )


def _may_run_any(words: tuple[Word, ...], atom: Atom) -> bool:
    """Whether any of the words may begin a command: how many come before it is not known."""
    name = folded(words[0].text)
    wrapper = WRAPPERS.get(name)
    if atom.alarm in _CRUDE and (wrapper is not None or name in _SCRIPTED):
        return True
    if wrapper is not None:
        return wrapper.far
    subs = SUB_COMMANDS.get(name)
    return subs is not None and any(word.text in subs for word in words[1:])


def _names(pattern: Pattern, word: Word) -> bool:
    name = folded(word.text)
    if not name:
        return False
    return (
        name == pattern.base
        or (is_glob(pattern.base) and fnmatchcase(name, pattern.base))
        or (word.glob and fnmatchcase(pattern.base, name))
    )
