"""A line split without understanding it, so that what is denied is found where nothing can be parsed."""

import re

from toolpost.atom import Alarm, Atom, Kind, Word
from toolpost.authorize.commands.quoting import braces
from toolpost.authorize.commands.script import Part, Piece, Raw
from toolpost.limits import CRUDE_COMMANDS

_ENDS = re.compile(r"[;&|\n`()<>]+|\$\(")
_QUOTES = re.compile(r"""\$?['"]|\\\n?""")
_KEYWORDS = frozenset(
    {"then", "do", "else", "elif", "if", "while", "until", "!", "{", "}", "time", "coproc", "in"}
)
_GLOB = frozenset("*?[")
_ASSIGN = re.compile(r"[A-Za-z_]\w*\+?=.*")


def crude_atoms(text: str, alarm: Alarm) -> list[Atom]:
    """Guesses: one for each part that may be a command. Past a number the rest is one, so that nothing is left out."""
    parts = _ENDS.split(_QUOTES.sub("", text))
    if len(parts) > CRUDE_COMMANDS:
        parts = [*parts[:CRUDE_COMMANDS], "env " + " ".join(parts[CRUDE_COMMANDS:])]
    atoms: list[Atom] = []
    for part in dict.fromkeys(parts):
        words = _words(part)
        if words:
            shown = " ".join(word.text for word in words)
            atoms.append(Atom(kind=Kind.EXEC, target=shown, words=words, maybe=True, alarm=alarm))
    return atoms


def _words(part: str) -> tuple[Word, ...]:
    texts = part.split()
    start = 0
    while start < len(texts) and (texts[start] in _KEYWORDS or _ASSIGN.fullmatch(texts[start])):
        start += 1
    words: list[Word] = []
    for text in texts[start:]:
        words.extend(_braced(text) if "{" in text else [_word(text)])
    return tuple(words)


def _braced(text: str) -> list[Word]:
    several = braces(Raw((Piece(Part.PLAIN, text),)))
    expanded = [Word("".join(piece.text for piece in raw.pieces)) for raw in several or ()]
    return [_word(word.text.strip("{}") or word.text) for word in expanded] or [_word(text)]


def _word(text: str) -> Word:
    return Word(text, glob=not _GLOB.isdisjoint(text))
