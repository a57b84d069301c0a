"""Text out of its quotes, and braces into the words they stand for."""

import re

from toolpost.authorize.commands.script import Part, Piece, Raw
from toolpost.limits import BRACE_GROUPS, BRACE_WORDS

_ESCAPE = re.compile(
    r"\\(?:x(?P<x>[0-9a-fA-F]{1,2})|u(?P<u>[0-9a-fA-F]{1,4})|U(?P<U>[0-9a-fA-F]{1,8})"
    r"|(?P<o>[0-7]{1,3})|c(?P<c>.)|(?P<other>.))",
    re.DOTALL,
)
_LETTERS = dict(zip("abeEfnrtv\\'\"?", "\a\b\x1b\x1b\f\n\r\t\v\\'\"?", strict=True))
_IN_DOUBLE = re.compile(r'\\([$`"\\]|\n)')
_ESCAPED = re.compile(r"\\(.?)", re.DOTALL)
_RANGE = re.compile(r"(?P<first>-?[0-9]{1,4}|[A-Za-z])\.\.(?P<last>-?[0-9]{1,4}|[A-Za-z])")


def ansi_c(text: str) -> str:
    r"""What `$'...'` holds: `\x70` is a letter; a NUL ends the text, as it does in bash."""
    return _ESCAPE.sub(_decoded, text).partition("\0")[0]


def _decoded(escape: re.Match[str]) -> str:
    if escape["c"]:
        return chr(ord(escape["c"]) & 0x1F)
    if escape["other"]:
        return _LETTERS.get(escape["other"], escape[0])
    digits = escape["x"] or escape["u"] or escape["U"]
    value = int(digits, 16) if digits else int(escape["o"], 8) & 0xFF
    return chr(value) if value <= 0x10FFFF else "\ufffd"


def in_double(text: str) -> str:
    return _IN_DOUBLE.sub(lambda found: found[1].strip("\n"), text) if "\\" in text else text


def plain_pieces(text: str) -> list[Piece]:
    """An unquoted word: what follows a backslash is quoted."""
    if "\\" not in text:
        return [Piece(Part.PLAIN, text)]
    pieces: list[Piece] = []
    position = 0
    for escape in _ESCAPED.finditer(text):
        if escape.start() > position:
            pieces.append(Piece(Part.PLAIN, text[position : escape.start()]))
        if escape[1] != "\n":
            pieces.append(Piece(Part.QUOTED, escape[1]))
        position = escape.end()
    if position < len(text):
        pieces.append(Piece(Part.PLAIN, text[position:]))
    return pieces


def braces(raw: Raw) -> tuple[Raw, ...] | None:
    """The words that `{a,b}c` stands for; None when they are too many to tell."""
    if not any(piece.part is Part.PLAIN and "{" in piece.text for piece in raw.pieces):
        return (raw,)
    items = _items(raw)
    if items.count("{") > BRACE_GROUPS:
        return None
    words = _expand(items)
    return None if words is None else tuple(Raw(_joined(word)) for word in words)


_Item = str | Piece


def _items(raw: Raw) -> list[_Item]:
    """Plain text letter by letter, all else as it is."""
    items: list[_Item] = []
    for piece in raw.pieces:
        items.extend(piece.text if piece.part is Part.PLAIN else [piece])
    return items


def _joined(items: list[_Item]) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    letters: list[str] = []
    for item in [*items, None]:
        if isinstance(item, str):
            letters.append(item)
            continue
        if letters:
            pieces.append(Piece(Part.PLAIN, "".join(letters)))
            letters = []
        if item is not None:
            pieces.append(item)
    return tuple(pieces)


def _expand(items: list[_Item]) -> list[list[_Item]] | None:
    group = _first_group(items)
    if group is None:
        return [items]
    start, end, choices = group
    tails = _expand(items[end + 1 :])
    middles: list[list[_Item]] = []
    for choice in choices:
        expanded = _expand(choice)
        if expanded is None or len(middles) > BRACE_WORDS:
            return None
        middles.extend(expanded)
    if tails is None or len(middles) * len(tails) > BRACE_WORDS:
        return None
    return [[*items[:start], *middle, *tail] for middle in middles for tail in tails]


def _first_group(items: list[_Item]) -> tuple[int, int, list[list[_Item]]] | None:
    ends = _ends(items)
    for start, end in sorted(ends.items()):
        choices = _choices(items[start + 1 : end])
        if choices is not None:
            return start, end, choices
    return None


def _ends(items: list[_Item]) -> dict[int, int]:
    ends: dict[int, int] = {}
    opened: list[int] = []
    for index, item in enumerate(items):
        if item == "{" and (index == 0 or items[index - 1] != "$"):
            opened.append(index)
        elif item == "}" and opened:
            ends[opened.pop()] = index
    return ends


def _choices(inside: list[_Item]) -> list[list[_Item]] | None:
    choices: list[list[_Item]] = [[]]
    depth = 0
    for item in inside:
        depth += (item == "{") - (item == "}")
        if item == "," and depth == 0:
            choices.append([])
        else:
            choices[-1].append(item)
    return choices if len(choices) > 1 else _counted(inside)


def _counted(inside: list[_Item]) -> list[list[_Item]] | None:
    text = "".join(item if isinstance(item, str) else " " for item in inside)
    span = _RANGE.fullmatch(text)
    if span is None:
        return None
    first, last = span["first"], span["last"]
    if first.isalpha() != last.isalpha():
        return None
    numbers = not first.isalpha()
    low, high = sorted((int(first), int(last)) if numbers else (ord(first), ord(last)))
    if high - low >= BRACE_WORDS:
        return [["*"]]
    return [list(str(value) if numbers else chr(value)) for value in range(low, high + 1)]
