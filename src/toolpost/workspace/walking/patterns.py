r"""Text and regular expressions to look for, found line by line in linear time.

Regular expressions are RE2's, read as ripgrep reads them: `\w`, `\d`, `\s` and `\b` know all of Unicode, `^`
and `\A` are the begin of a line, `$` and `\z` its end, and a match stays within its line, also `\s+` and
`[^x]`. If the pattern itself speaks of a line's end by `\n`, a match may go on, and counts for the line it
begins in; with `multiline` every line it touches counts.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NoReturn, Protocol

import re2
from msgspec import Struct

from toolpost.errors import InvalidArgument
from toolpost.limits import PATTERN_CHARS, PATTERN_MEMORY, PATTERN_PIECE_BYTES, PATTERN_WORK
from toolpost.workspace.walking.forms import (
    has_capital,
    is_sensitive,
    loose,
    narrow,
    shadow,
    shadows,
    speaks_of_ends,
    wide,
)
from toolpost.workspace.walking.syntax import Node, Row, Text, parse

_LACKS = "RE2 reads it, which has no backreferences and no lookaround"
Unreadable = re2.error
"""What a bad expression raises."""


class Found(Protocol):
    @property
    def lastindex(self) -> int | None: ...
    def start(self, group: int = 0) -> int: ...
    def end(self, group: int = 0) -> int: ...


class Expression(Protocol):
    @property
    def programsize(self) -> int: ...
    def search(self, text: bytes | memoryview, begin: int = 0, end: int | None = None) -> Found | None: ...
    def fullmatch(self, text: bytes) -> Found | None: ...


def expression(source: str | bytes, *, memory: int, **options: Any) -> Expression:
    """RE2's compiled form; bytes are read as Latin-1. Raises Unreadable."""
    settings = re2.Options()
    settings.log_errors = False
    settings.max_mem = memory
    if isinstance(source, bytes):
        settings.encoding = re2.Options.Encoding.LATIN1
    for name, value in options.items():
        setattr(settings, name, value)
    made: Expression = re2.compile(source, settings)
    re2.purge()  # it would keep the last 128 with all their memory; who needs one again keeps it
    return made


class Span(Struct, frozen=True, gc=False):
    """A line with a match in it: where the line begins and ends, and its first match."""

    begin: int
    end: int
    match_begin: int
    match_end: int


class How(Struct, frozen=True, kw_only=True):
    """How a pattern is meant, as ripgrep's switches say it."""

    word: bool = False
    """Only where no word goes on at either end of the match (`-w`)."""
    line: bool = False
    """Only where it is the whole line (`-x`)."""
    multiline: bool = False
    """A match may cross lines, and every line it touches counts (`-U`)."""
    smart: bool = False
    """Case does not count if the pattern has no capital letter (`-S`)."""


PLAIN = How()


class Pattern:
    def __init__(
        self,
        text: str,
        *,
        regex: bool = False,
        case: bool = True,
        how: How = PLAIN,
        parameter: str = "query",
    ) -> None:
        """Raises InvalidArgument, which says what is wrong with the text and where."""
        _refuse_unbounded(text, parameter)
        self.text = text
        self.is_regex = regex
        self.how = how
        self.crosses_lines = how.multiline or "\n" in text or (regex and "\\n" in text)
        self.folds = not case or (how.smart and not has_capital(_tree(text, regex=regex, folds=False)))
        self.needs_plain_ends = how.line or self.crosses_lines or (regex and speaks_of_ends(self.tree))
        self.is_sensitive = how.word or (regex and is_sensitive(self.tree))
        """Whether it means more in a line that is not ASCII than RE2 by itself would find."""
        self.literal = self._as_literal()
        """The bytes it stands for, if it stands for just these and nothing more is asked."""
        self.size = 1
        """In instructions of RE2, which a literal does not need."""
        if regex or self.literal is None:
            self._refuse_unreadable(parameter)

    def _refuse_unreadable(self, parameter: str) -> None:
        """What is wrong is told of the text as it was given; our own form of it is compiled if it is another."""
        try:
            given = self._compiled(self.text) if self.is_regex else None
            source = self._source(narrow)
            if given is not None and source == self.text:
                self.__dict__["_regex"] = given
            self.size = 1 if self.literal is not None else self._regex.programsize
        except Unreadable as error:
            _refuse_unreadable(self.text, error.args[0].decode("utf-8", "replace"), parameter)

    def _compiled(self, source: str) -> Expression:
        flags = "mi" if self.folds else "m"
        # Captures cost RE2 a second pass; only a word's own is ever looked at.
        return expression(
            f"(?{flags}){source}",
            memory=PATTERN_MEMORY,
            never_nl=not self.crosses_lines,
            never_capture=not self.how.word,
        )

    def _source(self, form: Any, text: str | None = None) -> str:
        """Its text, or another in its place, as RE2 is to read it."""
        if self.is_regex:
            tree = self.tree if text is None else parse(text, folds=self.folds)
            by_line, captures = not self.crosses_lines, not self.how.word
            source = form(text or self.text, tree, by_line=by_line, captures=captures)
        else:
            source = re2.escape(self.text)
        if self.how.line:
            return f"^(?:{source})$"
        if self.how.word:
            outside = form("\\W", parse("\\W"), by_line=True, captures=False)
            return f"(?:^|{outside})({source})(?:{outside}|$)"
        return str(source)

    def _as_literal(self) -> bytes | None:
        if self.crosses_lines or self.how.word or self.how.line:
            return None
        if not self.is_regex:
            return None if self.folds else self.text.encode()
        if not isinstance(self.tree, Row):
            return None
        letters = [part for part in self.tree.parts if isinstance(part, Text) and not part.folds]
        if not letters or len(letters) < len(self.tree.parts):
            return None
        return "".join(chr(part.code) for part in letters).encode("utf-8", "surrogatepass")

    @cached_property
    def tree(self) -> Node:
        """What it is made of; its places are those of `text`."""
        return _tree(self.text, regex=self.is_regex, folds=self.folds)

    @cached_property
    def _regex(self) -> Expression:
        """For lines of ASCII. A literal hardly ever needs it: 60 us are half of what finding nothing takes."""
        return self._compiled(self._source(narrow))

    @cached_property
    def _shadows(self) -> Any:
        return shadows(self.tree)

    @cached_property
    def shadow(self) -> tuple[Any, Expression] | None:
        """What a line that is not ASCII is translated by, and what is then looked for in it; None where `_wide` is."""
        if self._shadows is not None:
            return self._shadows, self._regex
        found = shadow(self.text, self.tree) if self.is_regex else None
        return None if found is None else (found[1], self._compiled(self._source(narrow, found[0])))

    @cached_property
    def _wide(self) -> Expression:
        """With its classes spelled out; where that is more than RE2 takes, as it is."""
        try:
            return self._compiled(self._source(wide))
        except Unreadable:
            return self._regex

    @cached_property
    def _loose(self) -> Expression:
        source = loose(self.text, self.tree) if self.is_regex else re2.escape(self.text)
        if self.how.word:
            source = rf"(?:^|\W)(?:{source})(?:\W|$)"
        try:
            return self._compiled(f"^(?:{source})$" if self.how.line else source)
        except Unreadable:
            return self._compiled("")  # every line

    @property
    def _group(self) -> int:
        return int(self.how.word and not self.how.line)

    def is_in(self, text: str) -> bool:
        if not text.isascii() and self.is_sensitive:
            data = text.encode("utf-8", "replace")
            return next(self.spans(data, 0, len(data)), None) is not None
        return self._regex.search(text.encode("utf-8", "surrogatepass")) is not None

    def plain_ends(self, data: bytes) -> bytes:
        """The text with line ends this pattern can speak of."""
        if self.needs_plain_ends and b"\r\n" in data:
            return data.replace(b"\r\n", b"\n")
        return data

    def find(self, data: bytes | memoryview, begin: int, end: int) -> int:
        """Where the next match begins, -1 for none; as RE2 alone sees it."""
        match = self._regex.search(data, begin, end)
        return -1 if match is None else match.start()

    def pieces(self, data: bytes, begin: int = 0) -> Iterator[tuple[int, int]]:
        """Where to cut a text, at line ends: no piece takes RE2 long, and between two there is time to stop."""
        while begin < len(data):
            end = len(data) if self.crosses_lines else _cut(data, begin)
            yield begin, end
            begin = end

    def is_too_much(self, begin: int, end: int) -> bool:
        """Whether a piece, which then is one very long line, may take this pattern too long."""
        return (end - begin) * self.size > PATTERN_WORK

    def spans(self, data: bytes, begin: int, end: int) -> Iterator[Span]:
        """The lines of a piece that match, each once."""
        if self.literal is not None:
            return _literal_spans(self.literal, data, begin, end)
        if self.is_sensitive and not data[begin:end].isascii():
            return self._wide_spans(data, begin, end)
        return self._spans(self._regex, data, begin, end)

    def _spans(self, regex: Expression, data: bytes, begin: int, end: int) -> Iterator[Span]:
        if self.how.multiline:
            return self._touched(regex, data, begin, end)
        return self._matched(regex, data, begin, end)

    def _matched(self, regex: Expression, data: bytes, begin: int, end: int) -> Iterator[Span]:
        group = self._group
        beyond = end + (data[end - 1 : end] != b"\n")  # an empty match may stand at the end of a last line
        while begin < end:
            match = regex.search(data, begin, end)
            if match is None:
                return
            start = match.start(group)
            if start >= beyond:
                return
            stop = data.find(b"\n", start)
            stop = len(data) if stop < 0 else stop
            yield Span(data.rfind(b"\n", 0, start) + 1, stop, start, match.end(group))
            begin = stop + 1

    def _touched(self, regex: Expression, data: bytes, begin: int, end: int) -> Iterator[Span]:
        """Every line any match touches."""
        group = self._group
        told = begin
        while begin <= end:
            match = regex.search(data, begin, end)
            if match is None:
                return
            start, stop = match.start(group), match.end(group)
            line = data.rfind(b"\n", 0, start) + 1
            while line < end and (line <= start or line < stop):
                after = data.find(b"\n", line)
                after = len(data) if after < 0 else after
                if line >= told:
                    yield Span(line, after, max(line, start), min(after, stop))
                told = line = after + 1
            begin = stop if stop > start else stop + 1

    def _wide_spans(self, data: bytes, begin: int, end: int) -> Iterator[Span]:
        """Of a text that is not ASCII: lines that may match, each looked at by itself."""
        if self.crosses_lines:
            yield from self._shadowed(data, begin, end)
            return
        while 0 <= (start := self.find_loosely(data, begin, end)) < end:
            low, stop = data.rfind(b"\n", 0, start) + 1, data.find(b"\n", start)
            stop = len(data) if stop < 0 else stop
            found = self._in_line(data[low:stop])
            if found is not None:
                yield Span(low, stop, low + found[0], low + found[1])
            begin = stop + 1

    def find_loosely(self, data: bytes | memoryview, begin: int, end: int) -> int:
        """As `find`, for texts that are not ASCII: it misses no line, and takes some for matching that are not."""
        match = self._loose.search(data, begin, end)
        return -1 if match is None else match.start()

    def _in_line(self, line: bytes) -> tuple[int, int] | None:
        group = self._group
        if line.isascii() or self.shadow is None:
            match = (self._regex if line.isascii() else self._wide).search(line)
            return None if match is None else (match.start(group), match.end(group))
        text = line.decode("utf-8", "replace")
        shadows, regex = self.shadow
        match = regex.search(text.translate(shadows).encode())
        if match is None:
            return None
        start = len(text[: match.start(group)].encode())
        return start, start + len(text[match.start(group) : match.end(group)].encode())

    def _shadowed(self, data: bytes, low: int, high: int) -> Iterator[Span]:
        if self.shadow is None:
            yield from self._spans(self._wide, data, low, high)
            return
        shadows, regex = self.shadow
        text = data[low:high].decode("utf-8", "replace")
        translated = text.translate(shadows).encode()
        at, before = 0, low
        for span in self._spans(regex, translated, 0, len(translated)):
            places = []
            for char in (span.begin, span.match_begin, span.match_end, span.end):
                before += len(text[at:char].encode()) if char >= at else -len(text[char:at].encode())
                at = char
                places.append(before)
            yield Span(places[0], places[3], places[1], places[2])


def _tree(text: str, *, regex: bool, folds: bool) -> Node:
    if regex:
        return parse(text, folds=folds)
    return Row(0, len(text), tuple(Text(at, at + 1, ord(letter), folds) for at, letter in enumerate(text)))


def _literal_spans(literal: bytes, data: bytes, begin: int, end: int) -> Iterator[Span]:
    while True:
        start = data.find(literal, begin, end)
        if start < 0:
            return
        stop = data.find(b"\n", start)
        stop = len(data) if stop < 0 else stop
        yield Span(data.rfind(b"\n", 0, start) + 1, stop, start, start + len(literal))
        begin = stop + 1


def _cut(data: bytes, begin: int) -> int:
    """The end of a piece: a line's end, and beyond the usual size only for one line that is longer."""
    if len(data) - begin <= PATTERN_PIECE_BYTES:
        return len(data)
    cut = data.rfind(b"\n", begin, begin + PATTERN_PIECE_BYTES) + 1
    return cut or (data.find(b"\n", begin) + 1) or len(data)


def _refuse_unbounded(text: str, parameter: str) -> None:
    if not text:
        _refuse("There is nothing to look for: give at least one character.", parameter)
    if len(text) > PATTERN_CHARS:
        _refuse(f"It has {len(text):,} characters; at most {PATTERN_CHARS:,} are looked for.", parameter)
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        _refuse("It holds half of a surrogate pair, which no text can match.", parameter)


def _refuse_unreadable(text: str, said: str, parameter: str) -> NoReturn:
    """RE2 says `reason: the part it means`."""
    reason, _, part = said.partition(": ")
    at = text.find(part)
    where = f" at character {at + 1}, {part!r}" if part and at >= 0 and part != text else ""
    _refuse(
        f"The regular expression cannot be read: {reason}{where}. {_LACKS}; to look for the text as it is, "
        "set regex to false.",
        parameter,
        reason=reason,
    )


def _refuse(sentence: str, parameter: str, **context: Any) -> NoReturn:
    raise InvalidArgument(sentence, parameter=parameter, **context)
