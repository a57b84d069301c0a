"""Where a text stands in a file, when it was quoted not quite as it stands there.

Five steps, from strict to lenient; the first one that finds anything decides. Whatever is found literally
occurs: a step sets aside how something is written, never what is written, and nothing is matched by
likeness.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import cached_property
from itertools import accumulate, compress, islice

from msgspec import Struct, structs

from toolpost.errors import InvalidArgument
from toolpost.limits import MATCH_LINES, MATCH_WORK, MATCHES_MAX, SPAN_GROWTH, SPAN_LINE_CHARS
from toolpost.workspace.editing.indent import Shift, indent_of, shift_of
from toolpost.workspace.editing.lines import BLANKS, split, without_blanks, without_ending


class Step(StrEnum):
    """How strictly a text was found."""

    EXACT = "exact"
    LINE_ENDINGS = "line_endings"
    TRAILING_BLANKS = "trailing_blanks"
    INDENT = "indent"
    UNICODE = "unicode"


class Span(Struct, frozen=True, gc=False):
    """A stretch of the file, [start, end)."""

    start: int
    end: int
    shift: Shift | None = None
    """What takes the indent of the text looked for to that of the file."""
    is_open: bool = False
    """The text looked for ends with a line ending, where the file ends without one."""


class Found(Struct, frozen=True):
    """Every place, in order and none overlapping another; none at all when nothing was found."""

    spans: tuple[Span, ...] = ()
    step: Step | None = None
    twin: Span | None = None
    """A second place that overlaps the only one: which of the two is meant cannot be told."""


def find(text: str, old: str) -> Found:
    """Every place of `old` in `text`, or one more than MATCHES_MAX of them."""
    if not old:
        raise InvalidArgument("The text to look for is empty: give it as it stands in the file.")
    found = _as_written(text, old)
    if found.spans or (text.isascii() and old.isascii()):
        return found
    found = _as_written(plain(text), plain(old))
    return structs.replace(found, step=Step.UNICODE) if found.spans else found


def plain(text: str) -> str:
    """Typographic quotes, dashes and spaces as a keyboard writes them, each one character for one."""
    if text.isascii():
        return text
    for char, typed in _TYPED.items():
        text = text.replace(char, typed)
    return text


_TYPED = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("\u00a0\u1680\u202f\u205f\u3000", " "),
    **dict.fromkeys(map(chr, range(0x2000, 0x200B)), " "),
}


def _as_written(text: str, old: str) -> Found:
    """The first four steps."""
    for step, look in _LOOKS.items():
        if step is Step.LINE_ENDINGS and text.count("\n") > MATCH_LINES:
            break
        spans = tuple(islice(look(text, old), MATCHES_MAX + 1))
        if len(spans) > 1 and spans[1].start < spans[0].end:
            return Found(spans[:1], step, twin=spans[1])
        if spans:
            return Found(spans, step)
    return Found()


def _exact(text: str, old: str) -> Iterator[Span]:
    for start in _places(text, old):
        span = Span(start, start + len(old))
        if not _cuts_ending(text, span):
            yield span


def _cuts_ending(text: str, span: Span) -> bool:
    r"""Whether a span has only one half of an `\r\n`."""
    return text[span.start - 1 : span.start + 1] == "\r\n" or text[span.end - 1 : span.end + 1] == "\r\n"


def _places(text: str, old: str) -> Iterator[int]:
    """Where a text occurs, without overlaps; where it occurs once, also the place overlapping that."""
    first = at = text.find(old)
    count = 0
    while at >= 0:
        yield at
        count += 1
        at = text.find(old, at + len(old))
    if count == 1 and (twin := text.find(old, first + 1)) >= 0:
        yield twin


def _line_endings(text: str, old: str) -> Iterator[Span]:
    is_open = old.endswith("\n") and not text.endswith("\n")
    return _folded(text, old, without_ending) if is_open or "\r" in text or "\r" in old else iter(())


def _trailing_blanks(text: str, old: str) -> Iterator[Span]:
    return _folded(text, old, without_blanks) if _may_stand(text, old) else iter(())


def _may_stand(text: str, old: str) -> bool:
    """Whether the longest line, which no later step changes, is there at all. Blanks alone are no text."""
    longest = max((line.strip() for line in split(old)), key=len)
    return longest != "" and longest in text


_AROUND = BLANKS + "\r\n"


class _Folded:
    r"""A text with the end of every line cut down to `\n`, and the way back to the text itself."""

    def __init__(self, text: str, fold: Callable[[str], str]) -> None:
        self._length = len(text)
        self._lines = split(text)
        self._kept = [fold(line) for line in self._lines]
        self.text = "\n".join((*self._kept, "")) if self._lines else ""
        self.is_open = not text.endswith("\n")

    def span(self, start: int, end: int) -> Span:
        return Span(self._offset(start), self._offset(end), is_open=self.is_open and end == len(self.text))

    def _offset(self, at: int) -> int:
        line = bisect_right(self._folded_starts, at) - 1
        if line == len(self._lines):
            return self._length
        return self._starts[line] + at - self._folded_starts[line]

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate(map(len, self._lines), initial=0))

    @cached_property
    def _folded_starts(self) -> list[int]:
        return list(accumulate((len(line) + 1 for line in self._kept), initial=0))


def _folded(text: str, old: str, fold: Callable[[str], str]) -> Iterator[Span]:
    """Where a text occurs once both are folded. One cut at its very end must end where a line does."""
    lines = split(old)
    needle = "".join(f"{fold(line)}\n" if line.endswith("\n") else fold(line) for line in lines)
    is_cut = not needle.endswith(lines[-1][-1])
    look_ahead = "\n" if is_cut else ""
    folded = _Folded(text, fold)
    spans = (folded.span(at, at + len(needle)) for at in _places(folded.text, needle + look_ahead))
    return _near(spans, old)


def _near(spans: Iterable[Span], old: str) -> Iterator[Span]:
    """Without those that take in much more than was looked for, or nothing but an ending that is not there."""
    most = SPAN_GROWTH * len(old) + SPAN_LINE_CHARS * (old.count("\n") + 1)
    return (span for span in spans if 0 < span.end - span.start <= most)


def _indent(text: str, old: str) -> Iterator[Span]:
    """Whole lines that differ by one common shift of their indent."""
    if not _may_stand(text, old):
        return iter(())
    return _apart(_near(_shifted(split(text), split(old)), old))


def _shifted(lines: list[str], wanted: list[str]) -> list[Span]:
    """Every such place; none at all where there are too many to look at, for one of them may be the second."""
    bodies, needle = _bodies(lines), _bodies(wanted)
    indents, given = [indent_of(line) for line in lines], [indent_of(line) for line in wanted]
    visible = [line.strip(_AROUND) != "" for line in wanted]
    starts = list(accumulate(map(len, lines), initial=0))
    spans = []
    first = offset = 0
    work = 0
    while (at := bodies.find(needle, offset)) >= 0:
        work += len(needle)
        if work > MATCH_WORK:
            return []
        first += bodies.count("\n", offset, at)
        there = indents[first : first + len(given)]
        shift = shift_of(compress(zip(given, there, strict=True), visible))
        if shift is not None:
            spans.append(_block(lines, starts, first, wanted, shift))
        first, offset = first + 1, at + 1
    return spans


def _bodies(lines: list[str]) -> str:
    """All lines between newlines, without what stands around them: so that whole lines are found."""
    return "\n".join(("", *(line.strip(_AROUND) for line in lines), ""))


def _block(lines: list[str], starts: list[int], first: int, wanted: list[str], shift: Shift) -> Span:
    """The span of whole lines; without the last one's ending where the text looked for has none."""
    last = first + len(wanted) - 1
    if wanted[-1].endswith("\n"):
        return Span(starts[first], starts[last + 1], shift, is_open=not lines[last].endswith("\n"))
    return Span(starts[first], starts[last] + len(without_blanks(lines[last])), shift)


def _apart(spans: Iterable[Span]) -> Iterator[Span]:
    """Without those that overlap an earlier one, unless only one would be left."""
    every = list(spans)
    apart = every[:1]
    for span in every[1:]:
        if span.start >= apart[-1].end:
            apart.append(span)
    return iter(every[:2] if len(apart) == 1 else apart)


_LOOKS: dict[Step, Callable[[str, str], Iterator[Span]]] = {
    Step.EXACT: _exact,
    Step.LINE_ENDINGS: _line_endings,
    Step.TRAILING_BLANKS: _trailing_blanks,
    Step.INDENT: _indent,
}
