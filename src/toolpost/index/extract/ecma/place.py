"""Where a position of a text stands: in code, or in a comment, a string or a template.

Only what spans lines is followed from line to line; within a line the rest is read once it is asked for. Four of
five files hold no template and no open comment, and for them an answer is two searches.
"""

import re
from bisect import bisect_right
from functools import cache
from typing import Protocol

from toolpost.index.limits import ECMA_STRING_BYTES


class Hard(Exception):
    """The fast path is not sure of this text; its syntax tree is."""


class Places(Protocol):
    """What finds a word and must know whether it is code."""

    text: bytes

    def starts(self, at: int) -> bool:
        """Of the start of a line: that it is code."""
        ...

    def code(self, at: int) -> bool:
        """True where no comment, string, template or pattern holds the byte."""
        ...

    def doubt(self) -> None:
        """Something was met that no whole file holds; raises Hard where that is news."""
        ...


_PLAIN = rb"""[^{}`'"]++|'(?:[^'\\\n]++|\\.)*+'|"(?:[^"\\\n]++|\\.)*+\""""


_SAID = rb"[^`\\$]++|\\.|\$(?!\{)"


def _substitution(within: bytes) -> bytes:
    """Code that holds this, or braces two deep."""
    code = rb"%b|%b" % (_PLAIN, within)
    return rb"\$\{(?:%b|\{(?:%b)*+\})*+\}" % (code, code)


def _template(within: bytes) -> bytes:
    return rb"`(?:%b|%b)*+`" % (_SAID, _substitution(within))


_INNER = _template(rb"`(?:%b)*+`" % _SAID)
TEMPLATE = _template(_INNER)
"""One in another's substitution, and one more in that; deeper is Hard."""
_TEMPLATE = re.compile(TEMPLATE, re.DOTALL)
_TEXT = re.compile(rb"(?:%b)*+" % _SAID, re.DOTALL)
_INLINE = re.compile(
    rb"""(?:[^'"`/]++|'(?:[^'\\]++|\\.)*+'|"(?:[^"\\]++|\\.)*+"|%b|/\*.*?\*/|/(?![/*]))*+""" % TEMPLATE,
    re.DOTALL,
)
_UNSURE = re.compile(rb"""['"`/>]""")
"""Before a `/*` that nothing closes: it may stand in a string, a comment, or the text of an element."""
_PERHAPS_PATTERN = re.compile(rb"/|(?<!=)>")
"""Before a quote: it may stand in a regular expression or in the text of an element, and open nothing."""
_TICK = ord("`")


class Lines:
    """Places told from lines alone, or Hard raised."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self._first_tick = text.find(b"`")
        self._first_comment = text.find(b"/*")
        self._clear = 0
        self._read = (-1, -1)
        """Where a line's part begins, and how far it is known to be made of whole strings and code."""
        self._templates: tuple[list[int], list[int]] | None = None

    def starts(self, at: int) -> bool:
        if 0 <= self._first_comment < at and not self._past_comments(at):
            return False
        if self._first_tick < 0 or at < self._first_tick:
            return True
        return self._template_end(at) < 0

    def code(self, at: int) -> bool:
        if 0 <= self._first_comment < at and not self._past_comments(at):
            return False
        begin = self.text.rfind(b"\n", 0, at) + 1
        if 0 <= self._first_tick < at:
            end = self._template_end(begin)
            if end > at:
                return False
            begin = max(begin, end)
        return begin == at or self._inline(begin, at)

    def doubt(self) -> None:
        raise Hard

    def _past_comments(self, at: int) -> bool:
        """An open comment means no `*/` after the last `/*`: the other way round is certain, whatever strings hold."""
        text = self.text
        opened = text.rfind(b"/*", self._clear if self._clear <= at else 0, at)
        if opened < 0 or text.find(b"*/", opened + 2, at) >= 0:
            self._clear = at
            return True
        begin = text.rfind(b"\n", 0, opened) + 1
        if _UNSURE.search(text, begin, opened):
            raise Hard
        return False

    def _inline(self, begin: int, at: int) -> bool:
        """Of a place in a line whose part from `begin` starts as code."""
        text = self.text
        known, lexed = self._read
        match = _INLINE.match(text, lexed if known == begin and lexed <= at else begin, at)
        end = match.end() if match else begin
        self._read = begin, end
        if end == at:
            return True
        if at - end > ECMA_STRING_BYTES:
            raise Hard
        closed = text.rfind(b"*/", end, at)
        if closed >= 0 and text.find(b"/*", begin, closed) < 0:
            return self._inline(closed + 2, at)
        if text[end] == 0x2F:  # a slash
            return False
        if _PERHAPS_PATTERN.search(text, begin, end) or (
            text.find(b"${", end, at) >= 0 and not (text[end] == _TICK and _in_text(text, end, at))
        ):
            raise Hard
        return False

    def _template_end(self, at: int) -> int:
        """Where the template that holds a place ends, behind its backtick; -1 for a place in none."""
        if self._templates is None:
            self._templates = self._find_templates()
        begins, ends = self._templates
        index = bisect_right(begins, at) - 1
        return ends[index] if index >= 0 and at < ends[index] else -1

    def _find_templates(self) -> tuple[list[int], list[int]]:
        """Those over more than one line, which leave an odd number of backticks on their first one."""
        text = self.text
        begins: list[int] = []
        ends: list[int] = []
        at = self._first_tick
        while at >= 0:
            stop = text.find(b"\n", at)
            stop = len(text) if stop < 0 else stop
            if not _odd(text, at, stop):
                at = text.find(b"`", stop)
                continue
            begin = text.rfind(b"`", at, stop)
            if self._opens(begin, ends[-1] if ends else 0):
                match = _TEMPLATE.match(text, begin)
                if match is None:
                    raise Hard
                begins.append(begin)
                ends.append(match.end())
                stop = match.end()
            at = text.find(b"`", stop)
        return begins, ends

    def _opens(self, at: int, since: int) -> bool:
        begin = max(self.text.rfind(b"\n", 0, at) + 1, since)
        if not self._past_comments(at):
            return False
        opens = self._inline(begin, at)
        if not opens and self.text[self._read[1]] == _TICK:
            raise Hard  # it stands in a template that begins before it on its line
        return opens


class Everywhere:
    """Places of a text that is not looked into: all of them are taken for code."""

    def __init__(self, text: bytes) -> None:
        self.text = text

    def starts(self, _at: int) -> bool:
        return True

    def code(self, _at: int) -> bool:
        return True

    def doubt(self) -> None:
        """It is in doubt already."""


@cache
def _substituted() -> re.Pattern[bytes]:
    """Seldom needed, and it takes 2 ms to compile."""
    return re.compile(_substitution(_INNER), re.DOTALL)


def _in_text(text: bytes, opened: int, at: int) -> bool:
    """Of a place after a template's beginning: that it is text of it, and lies in no substitution."""
    begin = opened + 1
    while True:
        said = _TEXT.match(text, begin)
        begin = said.end() if said else begin
        if at < begin:
            return True
        held = _substituted().match(text, begin)
        if held is None or at < held.end():
            return False
        begin = held.end()


def _odd(text: bytes, begin: int, end: int) -> bool:
    if text.count(b"`", begin, end) % 2:
        return True
    if text.count(b"${", begin, end) > text.count(b"}", begin, end):
        raise Hard
    return False
