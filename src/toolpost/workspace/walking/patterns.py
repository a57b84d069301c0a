r"""Text and regular expressions to look for, found line by line in linear time.

Regular expressions are RE2's. `^` and `$` are a line's ends, and a match stays within its line, also `\s+` and
`[^x]`, unless the pattern itself speaks of a line's end by `\n`; then it may go on, and counts for the line
it begins in.
"""

from collections.abc import Iterator
from typing import Any, NoReturn, Protocol

import re2
from msgspec import Struct

from toolpost.errors import InvalidArgument
from toolpost.limits import PATTERN_CHARS, PATTERN_MEMORY, PATTERN_PIECE_BYTES, PATTERN_WORK

_LACKS = "RE2 reads it, which has no backreferences and no lookaround"
Unreadable = re2.error
"""What a bad expression raises."""


class Found(Protocol):
    @property
    def lastindex(self) -> int | None: ...
    def start(self) -> int: ...
    def end(self) -> int: ...


class Expression(Protocol):
    @property
    def programsize(self) -> int: ...
    def search(self, text: bytes, begin: int = 0, end: int | None = None) -> Found | None: ...
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


class Pattern:
    def __init__(
        self, text: str, *, regex: bool = False, case: bool = True, parameter: str = "query"
    ) -> None:
        """Raises InvalidArgument, which says what is wrong with the text and where."""
        _refuse_unbounded(text, parameter)
        self.text = text
        self.is_regex = regex
        self.crosses_lines = "\n" in text or (regex and "\\n" in text)
        self.needs_plain_ends = regex and ("$" in text or self.crosses_lines)
        source = text if regex else re2.escape(text)
        flags = "m" if case else "mi"
        try:
            self._regex = expression(
                f"(?{flags}){source}", memory=PATTERN_MEMORY, never_nl=not self.crosses_lines
            )
        except Unreadable as error:
            _refuse_unreadable(text, error.args[0].decode("utf-8", "replace"), parameter)

    def is_in(self, text: str) -> bool:
        return self._regex.search(text.encode("utf-8", "surrogatepass")) is not None

    def pieces(self, data: bytes, begin: int = 0) -> Iterator[tuple[int, int]]:
        """Where to cut a text, at line ends: no piece takes RE2 long, and between two there is time to stop."""
        while begin < len(data):
            end = len(data) if self.crosses_lines else _cut(data, begin)
            yield begin, end
            begin = end

    def is_too_much(self, begin: int, end: int) -> bool:
        """Whether a piece, which then is one very long line, may take this pattern too long."""
        return (end - begin) * self._regex.programsize > PATTERN_WORK

    def spans(self, data: bytes, begin: int, end: int) -> Iterator[Span]:
        """The lines of a piece that match, each once."""
        beyond = end + (data[end - 1 : end] != b"\n")  # an empty match may stand at the end of a last line
        while begin < end:
            match = self._regex.search(data, begin, end)
            if match is None or match.start() >= beyond:
                return
            stop = data.find(b"\n", match.start())
            stop = len(data) if stop < 0 else stop
            yield Span(data.rfind(b"\n", 0, match.start()) + 1, stop, match.start(), match.end())
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
