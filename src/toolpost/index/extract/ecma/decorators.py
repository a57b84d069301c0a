"""The names of classes' decorators, at the top level and within functions, as tests write them."""

import re

from toolpost.index.extract.ecma.names import NAME, said
from toolpost.index.extract.ecma.objects import closing
from toolpost.index.extract.ecma.place import Places
from toolpost.index.limits import ECMA_LOOK_BACK_BYTES

DECORATED = rb"(?m)^[ \t]*@[A-Za-z_$\x80-\xff]|\bexport[ \t]+(?:default[ \t]+)?@"
"""In RE2, what a text holds that has a class's decorator where this module looks for one."""
_DECORATOR = re.compile(rb"@(?:%b\.)*(%b)" % (NAME, NAME))
_GAP = re.compile(rb"(?:\s++|//[^\n]*+|/\*.*?\*/)*+", re.DOTALL)
_CLASS = re.compile(rb"(?:(?:export|default|abstract|declare)\s+)*class\b")
_OF_MEMBER = re.compile(
    rb"(?:\([^()\n]*+\))?+[ \t\n]++(?!@|/|(?:export|default|abstract|declare|class)\b)[\w$#\[*]"
)
"""Behind its name: what a member follows, as it does in nine of ten; tells them without a look at their place."""


def decorators(places: Places) -> set[str]:
    """Lines of the top level that start with one are a class's; an indented one may be a member's."""
    text = places.text
    names: set[str] = set()
    at = text.find(b"@")
    while at >= 0:
        match = _DECORATOR.match(text, at)
        begins = match and said(match[1]) not in names and _begins(text, at)
        if match is None or not begins:
            at += 1
        elif begins == _TOP:
            if places.code(at):
                names.add(said(match[1]))
            at += 1
        elif not _OF_MEMBER.match(text, match.end()) and places.code(at):
            at = _add_chain(text, match, names)
        else:
            at += 1
        at = text.find(b"@", at)
    return names


_TOP, _INDENTED = "top", "indented"


def _begins(text: bytes, at: int) -> str:
    """How a line goes that may begin with a decorator here; empty for none."""
    before = text[max(0, at - ECMA_LOOK_BACK_BYTES) : at]
    before = before[before.rfind(b"\n") + 1 :]
    if not before or before.endswith((b"export ", b"export default ")):
        return _TOP
    return _INDENTED if before.isspace() else ""


def _add_chain(text: bytes, first: re.Match[bytes], names: set[str]) -> int:
    """Add decorators that follow each other if a class follows them; where to go on, so that all is read once."""
    chain: list[str] = []
    match: re.Match[bytes] | None = first
    at = first.end()
    while match:
        chain.append(said(match[1]))
        at = match.end()
        if text.startswith(b"(", at):
            at = closing(text, at)
        gap = _GAP.match(text, at)
        at = gap.end() if gap else at
        match = _DECORATOR.match(text, at)
    if _CLASS.match(text, at):
        names.update(chain)
    return at
