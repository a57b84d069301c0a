"""The first line of what is said of a definition: the comment above it, or the docstring within."""

import re

from toolpost.index.limits import DOC_CHARS, DOC_LINES

_COMMENT = re.compile(rb"\s*(?:///?!?|/\*\*?|\*/?|#+(?:\s|$)|--|<!--)")
_ATTRIBUTE = re.compile(rb"\s*(?:@[\w.]|#\[|\[[A-Z]|export\s*$)")
_BEFORE = re.compile(rb"[{;]")
_MARKS = re.compile(r"^\s*(?:/\*+!?|\*/|\*|///?!?|#+|--|<!--)\s?|\s*(?:\*+/|-->)\s*$")
_DOCSTRING = re.compile(rb"\s*[rRuU]?(?:\"\"\"|'''|\"|')\s*(?P<line>[^\n]*)")
_QUOTES = re.compile(r"\s*(?:\"\"\"|'''|\"|')\s*$")
_WORD = re.compile(r"\w")


def doc_line(text: bytes, begin: int, head: int) -> str:
    """`begin` is where a definition begins, `head` where its body does."""
    return _cut(_docstring(text, head) or _above(text, begin))


def _docstring(text: bytes, head: int) -> str:
    """Python's: a text that is the first thing of a body."""
    if text[head - 1 : head] not in {b"\n", b" ", b"\t"} or b":" not in text[max(0, head - 200) : head]:
        return ""
    found = _DOCSTRING.match(text, head)
    if found is None:
        return ""
    return _QUOTES.sub("", found["line"].decode("utf-8", "replace")).strip()


def _above(text: bytes, begin: int) -> str:
    """The first line with a word in it of the comment that ends right above."""
    end = text.rfind(b"\n", 0, begin)
    if _BEFORE.search(text, end + 1, begin):
        return ""  # another definition stands before it on its line
    said: list[str] = []
    for _ in range(DOC_LINES):
        if end <= 0:
            break
        start = text.rfind(b"\n", 0, end) + 1
        line = text[start:end]
        if _COMMENT.match(line):
            said.append(_bare(line))
        elif said or not _ATTRIBUTE.match(line):
            break
        end = start - 1
    return next((line for line in reversed(said) if _WORD.search(line)), "")


def _bare(line: bytes) -> str:
    text = line.decode("utf-8", "replace").strip()
    return _MARKS.sub("", _MARKS.sub("", text)).strip()


def _cut(line: str) -> str:
    return line if len(line) <= DOC_CHARS else f"{line[: DOC_CHARS - 1]}…"
