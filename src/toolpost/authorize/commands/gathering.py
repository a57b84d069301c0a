"""What a command gathers beside its name, and how its parts are put together."""

from typing import TYPE_CHECKING

from msgspec import structs

from toolpost.authorize.commands.reading import WORDS, merged
from toolpost.authorize.commands.script import Block, Part, Piece, Raw, Redirect, Simple, Step

if TYPE_CHECKING:
    from tree_sitter import Node


_BEFORE = frozenset({"!", "time", "coproc", "-p", "--"})
_KEYWORDS = frozenset(
    {
        *("{", "}", "if", "then", "elif", "else", "fi", "for", "select", "while", "until", "do", "done"),
        *("case", "esac", "in", "function", "[[", "]]"),
    }
)


class Found:
    """What a command gathers beside its name."""

    def __init__(self) -> None:
        self.words: list[Raw] = []
        self.redirects: list[Redirect] = []
        self.inner: list[Block] = []
        self.documents: list[Raw] = []

    def added_to(self, simple: Simple) -> Simple:
        return Simple(
            (*simple.words, *self.words),
            simple.assigns,
            (*simple.redirects, *self.redirects),
            (*simple.inner, *self.inner),
            (*simple.documents, *self.documents),
            simple.lasting,
            simple.sums,
        )


def with_last(steps: list[Step], found: Found) -> list[Step]:
    if not steps:
        return [found.added_to(Simple())]
    last = steps[-1]
    if isinstance(last, Simple):
        return [*steps[:-1], found.added_to(last)]
    inner = tuple(with_last(list(last.steps), found))
    return [*steps[:-1], Block(inner, last.redirects, last.own, last.piped, last.background, last.sure)]


def glued(word: Raw, more: Raw, *, quoted: bool) -> Raw:
    """Parts without a blank between them are one word; of `$"..."` the dollar is no part."""
    pieces = word.pieces
    if quoted and pieces[-1] == Piece(Part.PLAIN, "$"):
        pieces = pieces[:-1]
    return merged([*pieces, *more.pieces])


def holds_keyword(words: list[Raw]) -> bool:
    """Whether a keyword was taken for a program: after `!` and `time` the grammar knows no groups or conditions."""
    for word in words:
        piece = word.pieces[0] if len(word.pieces) == 1 else None
        if piece is None or piece.part is not Part.PLAIN or piece.text not in _BEFORE:
            return piece is not None and piece.part is Part.PLAIN and piece.text in _KEYWORDS
    return False


def linked(links: list[Step], *, sure: bool) -> list[Step]:
    return [Block(tuple(links), sure=True)] if sure and len(links) > 1 else links


def piped_in(steps: list[Step]) -> list[Step]:
    """The steps, the first of which reads from a pipe."""
    if not steps or isinstance(steps[0], Simple):
        return steps
    first = steps[0]
    if first.sure:
        return [structs.replace(first, steps=tuple(piped_in(list(first.steps)))), *steps[1:]]
    return [structs.replace(first, piped=True), *steps[1:]]


def unfolded(node: "Node") -> "tuple[Node, list[list[Node]]]":
    """`a && b && c` leans to the left, as deep as it is long: what it begins with, and what is joined to that."""
    right: list[list[Node]] = []
    while node.type == "list":
        first, *others = node.children
        right.append(others)
        node = first
    return node, right[::-1]


def leaves(node: "Node") -> "list[Node]":
    """The words of an expression, such as that of `[[ ]]`, in their order."""
    found: list[Node] = []
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.child_count == 0 or current.type in WORDS:
            found.append(current)
        else:
            waiting.extend(reversed(current.children))
    return found
