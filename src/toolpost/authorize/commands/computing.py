"""Which variables of a line are numbers for certain: the shell runs `$(...)` in what it computes with, once more.

A whole line is gathered before it is judged, since a loop may set below what it computes with above.
"""

import re
from collections.abc import Iterable, Mapping

from toolpost.authorize.commands.environment import SETTERS
from toolpost.authorize.commands.options import flags, given, parted
from toolpost.authorize.commands.script import Assign, Part, Piece, Raw
from toolpost.authorize.commands.terms import Term

NUMBER = Piece(Part.UNKNOWN, otherwise="0")
"""What is known only when it runs, but is a number."""
_NUMBER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|[0-9]*)")
_NAMES = re.compile(r"(?<![\w#])[A-Za-z_]\w*")
_LET = re.compile(r"([A-Za-z_]\w*)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)")
_OWN = frozenset(
    {"RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "BASHPID", "OPTIND", "SHLVL", "COLUMNS"}
)
_DECLARES = frozenset({"declare", "typeset", "local", "export", "readonly"})
_TESTS = frozenset({"test", "[", "[["})
_SETTING = frozenset({*SETTERS, "printf", "source", ".", "eval"})


class Computing:
    def __init__(self, env: Mapping[str, str]) -> None:
        self.unsure = False
        """Something is computed with that no name tells."""
        self._used: set[str] = set()
        self._numbers = set(_OWN)
        self._spoiled = {name for name in env if not _NUMBER.fullmatch(env[name])}

    @property
    def runs(self) -> bool:
        """Whether a command may be run that stands nowhere in the line."""
        return self.unsure or bool(self._used & self._spoiled) or not self._used <= self._numbers

    def use(self, names: Iterable[str]) -> None:
        self._used.update(names)

    def number(self, names: Iterable[str]) -> None:
        self._numbers.update(names)

    def spoil(self, names: Iterable[str]) -> None:
        self._spoiled.update(names)

    def loop(self, name: str, values: list[Term]) -> None:
        if values and all(term.word.fixed and _NUMBER.fullmatch(term.text) for term in values):
            self._numbers.add(name)
        else:
            self._spoiled.add(name)

    def assigned(self, assigns: Iterable[Assign], terms: list[Term]) -> None:
        alone = {term.text for term in terms}
        for assign in assigns:
            if assign.value is not None and _is_number(assign.value, assign.name):
                self._numbers.add(assign.name)
            elif assign.value is not None or assign.name not in alone:
                self._spoiled.add(assign.name)

    def command(self, name: str, terms: list[Term]) -> None:
        """What a builtin computes with, by its words."""
        texts = [term.text for term in terms]
        if name == "let":
            self._words(terms[1:])
            self.number(found for text in texts[1:] for found in _LET.findall(text))
        elif name in _DECLARES:
            self._declared(terms, texts)
        elif name in _TESTS:
            self._tested(terms, texts)
        if not _SETTING.isdisjoint(texts):
            self._set(name, terms, texts)

    def _words(self, terms: Iterable[Term]) -> None:
        for term in terms:
            self.unsure = self.unsure or not term.word.fixed
            self.use(_NAMES.findall(term.text))

    def _declared(self, terms: list[Term], texts: list[str]) -> None:
        if given(texts[1:], flags("-i")):
            self.use(text.partition("=")[0].rstrip("+") for text in texts[1:] if text[:1] not in {"-", "+"})
        names = [term for term in terms[1:] if "=" not in term.head]
        refers = given(texts[1:], flags("-n")) and terms[0].text != "export"
        self.unsure = self.unsure or refers or any(not term.word.fixed for term in names)

    def _tested(self, terms: list[Term], texts: list[str]) -> None:
        for index, text in enumerate(texts):
            if text in {"-v", "-R"}:
                self._subscripts(terms[index + 1 : index + 2])

    def _set(self, name: str, terms: list[Term], texts: list[str]) -> None:
        for text in texts:
            self._spoiled.update(_NAMES.findall(text.partition("[")[0])[:1])
        if name == "printf":
            self._subscripts(terms[2:3] if texts[1:2] == ["-v"] else [])
            glued = texts[1] if len(texts) > 1 and texts[1].startswith("-v") else ""
            self.use(_NAMES.findall(glued.partition("[")[2]))
        elif name in SETTERS:
            operands = [index for index, option, _ in parted(texts, flags(SETTERS[name])) if not option]
            self._subscripts(terms[index] for index in operands if name != "getopts" or index == 2)

    def _subscripts(self, terms: Iterable[Term]) -> None:
        for term in terms:
            self.unsure = self.unsure or not term.word.fixed
            self.use(_NAMES.findall(term.text.partition("[")[2]))


def _is_number(raw: Raw, name: str) -> bool:
    """Digits side by side are a number still."""
    pieces = raw.pieces
    if len(pieces) == 1 and pieces[0].part <= Part.QUOTED:
        return _NUMBER.fullmatch(pieces[0].text) is not None
    return all(
        piece == NUMBER
        or (piece.part <= Part.QUOTED and (not piece.text or piece.text.isdecimal()))
        or (piece.part in {Part.VARIABLE, Part.QUOTED_VARIABLE} and piece == Piece(piece.part, name))
        for piece in pieces
    )
