"""Words of the grammar's tree to raw words, and the scripts that are substituted in them."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from toolpost.authorize.commands.computing import NUMBER
from toolpost.authorize.commands.quoting import ansi_c, in_double, plain_pieces
from toolpost.authorize.commands.script import Block, Part, Piece, Raw, Step
from toolpost.authorize.commands.strays import scripts, unticked
from toolpost.authorize.commands.sums import expansion_sums, sums_of
from toolpost.limits import COMMAND_DEPTH

if TYPE_CHECKING:
    from tree_sitter import Node

_BLANK = re.compile(r"(?<!\\)\s")
_MARKS = ("`", "$(", "<(", ">(")
_FALLBACKS = frozenset({":-", "-", ":=", "="})


class WordReader(ABC):
    def __init__(self, text: str, *, depth: int) -> None:
        self._source = text.encode("utf-8", "replace")
        self._depth = depth
        self._unreadable = False
        self._commands = 0

    @property
    def is_too_deep(self) -> bool:
        return self._depth >= COMMAND_DEPTH

    def _text(self, node: "Node") -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    @abstractmethod
    def _within(self, nodes: "list[Node]") -> list[Step]: ...

    @abstractmethod
    def _read(self, text: str) -> list[Step]:
        """The steps of a script that stands in this one as raw text."""

    def _raw(self, node: "Node", inner: list[Block]) -> Raw:
        pieces: list[Piece] = []
        self._pieces(node.children[0] if node.type == "command_name" else node, pieces, inner)
        return merged(pieces)

    def _pieces(self, node: "Node", pieces: list[Piece], inner: list[Block]) -> None:
        handler = WORDS.get(node.type)
        if handler is None:
            handler = WordReader.leaf if node.child_count == 0 else WordReader.parts
        if self.is_too_deep:
            self._unreadable = True
            pieces.append(Piece(Part.UNKNOWN))
            return
        self._depth += 1
        handler(self, node, pieces, inner)
        self._depth -= 1

    def parts(self, node: "Node", pieces: list[Piece], inner: list[Block]) -> None:
        children = node.children
        for before, after in pairwise(children):
            if before.end_byte != after.start_byte:
                self._unreadable = True
        for child in children:
            self._pieces(child, pieces, inner)

    def _check_gap(self, before: "Node", after: "Node") -> None:
        """Between words there are blanks; what else is there, the grammar has dropped."""
        if self._source[before.end_byte : after.start_byte].strip():
            self._unreadable = True

    def leaf(self, node: "Node", pieces: list[Piece], inner: list[Block]) -> None:
        text = self._text(node)
        if _BLANK.search(
            text
        ):  # bash would begin another word or command here; before `\\` the grammar misses it
            self._unreadable = True
        if any(mark in text for mark in _MARKS) and self._strays(text, inner):
            pieces.append(Piece(Part.COMMAND))
        else:
            pieces.extend(plain_pieces(text))

    def _strays(self, text: str, inner: list[Block]) -> bool:
        """Whether raw text held scripts, which are read."""
        found = scripts(text)
        inner.extend(Block(tuple(self._read(script)), own=True) for script in found)
        return bool(found)

    def single_quoted(self, node: "Node", pieces: list[Piece], _: list[Block]) -> None:
        pieces.append(Piece(Part.QUOTED, self._text(node)[1:-1]))

    def ansi_c_quoted(self, node: "Node", pieces: list[Piece], _: list[Block]) -> None:
        pieces.append(Piece(Part.QUOTED, ansi_c(self._text(node)[2:-1])))

    def double_quoted(self, node: "Node", pieces: list[Piece], inner: list[Block]) -> None:
        """What stands between the parts belongs to it too: the grammar drops some blanks."""
        pieces.append(Piece(Part.QUOTED))
        end = node.start_byte
        for child in node.children:
            gap = self._source[end : child.start_byte].decode("utf-8", "replace")
            if gap:
                pieces.append(Piece(Part.QUOTED, in_double(gap)))
            end = child.end_byte
            if child.type in WORDS:
                text = self._source[child.start_byte : end]
                blank = len(text) - len(text.lstrip())
                before = len(pieces)
                pieces.append(Piece(Part.QUOTED, text[:blank].decode()))
                self._pieces(child, pieces, inner)
                pieces[before:] = [_quoted(piece) for piece in pieces[before:]]
            elif child.type != '"':
                self._content(child, pieces, inner)

    def _content(self, node: "Node", pieces: list[Piece], inner: list[Block]) -> None:
        text = self._text(node)
        if any(mark in text for mark in _MARKS[:2]) and self._strays(text, inner):
            pieces.append(Piece(Part.COMMAND))
        else:
            pieces.append(Piece(Part.QUOTED, in_double(text)))

    def translated(self, node: "Node", pieces: list[Piece], inner: list[Block]) -> None:
        for child in node.children:
            if child.is_named:
                self._pieces(child, pieces, inner)

    def variable(self, node: "Node", pieces: list[Piece], _: list[Block]) -> None:
        name = self._text(node).lstrip()[1:]
        if name.isidentifier() or name.isdigit() or name in {"@", "*"}:
            pieces.append(Piece(Part.VARIABLE, name))
        else:
            pieces.append(NUMBER if name in {"#", "?", "$"} else Piece(Part.UNKNOWN))

    def expansion(self, node: "Node", pieces: list[Piece], inner: list[Block]) -> None:
        inner.extend(expansion_sums(node))
        names = [child for child in node.children if child.type == "variable_name"]
        operators = [child.type.strip() for child in node.children if not child.is_named]
        others: list[Piece] = []
        for child in node.children:
            if child.is_named and child.type != "variable_name":
                self._pieces(child, others, inner)
        if len(names) == 1 and operators == ["${", "}"] and not others:
            pieces.append(Piece(Part.VARIABLE, self._text(names[0])))
        elif len(names) == 1 and len(operators) == 3 and operators[1] in _FALLBACKS:
            pieces.append(Piece(Part.VARIABLE, self._text(names[0]), "".join(p.text for p in others)))
        else:
            pieces.append(NUMBER if operators[:2] == ["${", "#"] else Piece(Part.UNKNOWN))

    def command_substitution(self, node: "Node", pieces: list[Piece], inner: list[Block]) -> None:
        text = self._text(node).lstrip()
        if text.startswith("`") and "\\" in text:
            steps = self._read(unticked(text[1:-1]))
        else:
            steps = self._within(node.children)
        inner.append(Block(tuple(steps), own=True))
        pieces.append(Piece(Part.COMMAND))

    def process_substitution(self, node: "Node", pieces: list[Piece], inner: list[Block]) -> None:
        piped = self._text(node).startswith(">")
        inner.append(Block(tuple(self._within(node.children)), own=True, piped=piped))
        pieces.append(Piece(Part.PROCESS))

    def arithmetic(self, node: "Node", pieces: list[Piece], inner: list[Block]) -> None:
        waiting = [child for child in reversed(node.children) if child.is_named]
        while waiting:
            child = waiting.pop()
            if child.child_count == 0 or child.type in WORDS or child.is_error:
                self._pieces(child, [], inner)
            else:
                waiting.extend(part for part in reversed(child.children) if part.is_named)
        inner.extend(sums_of(node.children))
        pieces.append(NUMBER)

    def subshell_word(self, node: "Node", pieces: list[Piece], inner: list[Block]) -> None:
        inner.append(Block(tuple(self._within(node.children)), own=True))
        pieces.append(Piece(Part.UNKNOWN))


def merged(pieces: list[Piece]) -> Raw:
    """Plain pieces side by side are one: the grammar parts `[ab]c` in four."""
    if len(pieces) < 2:
        return Raw(tuple(pieces))
    whole: list[Piece] = []
    for piece in pieces:
        if whole and piece.part is Part.PLAIN and whole[-1].part is Part.PLAIN:
            whole[-1] = Piece(Part.PLAIN, whole[-1].text + piece.text)
        else:
            whole.append(piece)
    return Raw(tuple(whole))


def _quoted(piece: Piece) -> Piece:
    if piece.part is Part.VARIABLE:
        return Piece(Part.QUOTED_VARIABLE, piece.text, piece.otherwise)
    return piece


WORDS: "dict[str, Callable[[WordReader, Node, list[Piece], list[Block]], None]]" = {
    "raw_string": WordReader.single_quoted,
    "ansi_c_string": WordReader.ansi_c_quoted,
    "string": WordReader.double_quoted,
    "translated_string": WordReader.translated,
    "concatenation": WordReader.parts,
    "simple_expansion": WordReader.variable,
    "expansion": WordReader.expansion,
    "command_substitution": WordReader.command_substitution,
    "process_substitution": WordReader.process_substitution,
    "arithmetic_expansion": WordReader.arithmetic,
    "subshell": WordReader.subshell_word,
}
