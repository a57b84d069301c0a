"""Raw words to terms, with what is known at that point of a line: variables, the folder, the user's home."""

import re
from itertools import chain
from posixpath import normpath

from msgspec import Struct

from toolpost.atom import Word
from toolpost.authorize.commands.quoting import braces
from toolpost.authorize.commands.script import Part, Piece, Raw

_GLOB = re.compile(r"[*?]|\[[^\]]*\]")
_USER = re.compile(r"~[\w.-]+")


class Term(Struct, frozen=True, gc=False):
    """A word, and what only its making can tell."""

    word: Word
    head: str
    """Its text up to the first part that is known only when it runs."""
    made: Part = Part.PLAIN
    """COMMAND or PROCESS when a script's output is in it."""

    @property
    def text(self) -> str:
        return self.word.text


def fixed(text: str) -> Term:
    return Term(Word(text), text)


class Known:
    """What a line has told so far. A process of its own works on a copy."""

    def __init__(self, folder: str | None, home: str, variables: dict[str, str | None] | None = None) -> None:
        self.folder = folder
        """None: known only when it runs."""
        self.home = home
        self.base = folder or ""
        """Where the line began."""
        self.doubts: frozenset[str] = frozenset()
        """Folders it may be in as well, should a `cd` have failed."""
        self.lost = False
        """There are more such folders than are followed."""
        self.variables = {} if variables is None else variables
        """Texts that variables were given in this line; None: one that is not known."""

    def copy(self) -> "Known":
        other = Known(self.folder, self.home, dict(self.variables))
        other.base, other.doubts, other.lost = self.base, self.doubts, self.lost
        return other

    def place_arguments(self, texts: list[str]) -> None:
        """What `$0`, `$1` and `$@` are."""
        self.variables.update({str(index): text for index, text in enumerate(texts)})
        self.variables["@"] = self.variables["*"] = " ".join(texts[1:])

    def value(self, piece: Piece) -> tuple[str | None, bool]:
        """A variable's text, and whether it is certain. What the line itself sets may not be what it runs with."""
        name = piece.text
        if name in self.variables:
            return self.variables[name], False
        if name == "HOME" and self.home:
            return self.home, True
        if name == "PWD" and self.folder is not None:
            return self.folder, True
        return piece.otherwise or None, False

    def path(self, text: str) -> str | None:
        """The absolute path that a text means; None when the folder it starts from is not known."""
        if text.startswith("/"):
            return clean(text)
        return None if self.folder is None else clean(f"{self.folder}/{text}")


def clean(path: str) -> str:
    """Without `.`, `..` and doubled slashes, all by name alone."""
    plain = normpath(path)
    return plain[1:] if plain.startswith("//") else plain


def expand(raw: Raw, known: Known) -> list[Term]:
    """The words that one raw word becomes: braces make several, and so do blanks in an unquoted variable."""
    pieces = raw.pieces
    if len(pieces) == 1 and pieces[0].part is Part.PLAIN and not _is_special(pieces[0].text):
        text = pieces[0].text
        return [Term(Word(text), text)]
    several = braces(raw)
    if several is None:
        text = "".join(piece.text for piece in raw.pieces if piece.part <= Part.QUOTED)
        return [Term(Word(text, fixed=False, glob=True), "")]
    return list(chain.from_iterable(_terms(word.pieces, known) for word in several))


def _is_special(text: str) -> bool:
    return not text or text[0] == "~" or any(mark in text for mark in "*?[{")


class _Making:
    """A word in the making."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.head: str | None = None
        self.fixed = True
        self.glob = False
        self.made = Part.PLAIN
        self.begun = False

    def add(self, text: str, *, certain: bool = True, glob: bool = False) -> None:
        self.text.append(text)
        self.begun = True
        self.fixed = self.fixed and certain
        self.glob = self.glob or glob

    def unknown(self, part: Part) -> None:
        if self.head is None:
            self.head = "".join(self.text)
        self.fixed = False
        self.begun = True
        if part >= Part.COMMAND:
            self.made = part

    def done(self) -> Term:
        text = "".join(self.text)
        head = text if self.head is None else self.head
        return Term(Word(text, self.fixed, self.glob), head, self.made)


def _terms(pieces: tuple[Piece, ...], known: Known) -> list[Term]:
    making = _Making()
    done: list[Term] = []
    for index, piece in enumerate(pieces):
        if piece.part is Part.PLAIN:
            _add_plain(making, piece.text, known, first=index == 0, alone=len(pieces) == 1)
        elif piece.part is Part.QUOTED:
            making.add(piece.text)
        elif piece.part is Part.QUOTED_VARIABLE and piece.text != "@":
            _add_variable(making, known.value(piece))
        elif piece.part in {Part.VARIABLE, Part.QUOTED_VARIABLE}:
            making = _split_variable(making, known.value(piece), done)
        else:
            making.unknown(piece.part)
    return [*done, making.done()] if making.begun else done


def _add_variable(making: _Making, value: tuple[str | None, bool]) -> None:
    text, certain = value
    if text is None:
        making.unknown(Part.UNKNOWN)
    else:
        making.add(text, certain=certain, glob=not certain and _GLOB.search(text) is not None)


def _split_variable(making: _Making, value: tuple[str | None, bool], done: list[Term]) -> _Making:
    """An unquoted variable: blanks part words, and globs count."""
    text, certain = value
    if text is None:
        making.unknown(Part.UNKNOWN)
        return making
    words = text.split()
    for index, word in enumerate(words):
        if index:
            done.append(making.done())
            making = _Making()
        making.add(word, certain=certain, glob=_GLOB.search(word) is not None)
    return making


def _add_plain(making: _Making, text: str, known: Known, *, first: bool, alone: bool) -> None:
    glob = _GLOB.search(text) is not None
    if not first or not text.startswith("~"):
        making.add(text, glob=glob)
        return
    prefix, slash, rest = text.partition("/")
    folder = _tilde(prefix, known) if slash or alone else None
    if folder is None:
        making.unknown(Part.UNKNOWN)
        making.add(text, glob=glob)
        return
    making.add(folder, certain=prefix in {"~", "~+"} and "HOME" not in known.variables)
    making.add(f"{slash}{rest}", glob=glob)


def _tilde(prefix: str, known: Known) -> str | None:
    if prefix == "~":
        return known.variables.get("HOME", known.home) or None
    if prefix == "~+":
        return known.folder
    if _USER.fullmatch(prefix) is None:
        return None
    return "/root" if prefix == "~root" else f"/home/{prefix[1:]}"
