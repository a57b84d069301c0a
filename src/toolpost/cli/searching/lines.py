"""Matching lines as ripgrep prints them: `path:line:text`, or below a heading; `-` marks lines around a match."""

from collections.abc import Iterable, Iterator
from itertools import islice

from toolpost.cli.searching.around import Around, Kind, Shown
from toolpost.cli.searching.asked import Form, Show
from toolpost.cli.searching.matches import Block, Finder, Match
from toolpost.cli.searching.paint import Paint
from toolpost.cli.searching.tally import Out, Tally


class Lines:
    def __init__(self, form: Form, finder: Finder, out: Out, *, invert: bool) -> None:
        self._form = form
        self._finder = finder
        self._out = out
        self._invert = invert
        self._paint = Paint(is_on=form.color)
        self._is_simple = (
            form.show is Show.LINES
            and not (form.before or form.after or form.column or form.color or form.stats)
            and not finder.how.multiline
        )
        self._needs_matches = not invert and (
            form.show is Show.MATCHES or form.column or form.color or form.stats
        )

    def file(self, shown: str, data: bytes, found: Iterable[Block], most: int | None, tally: Tally) -> int:
        """Lines that matched, printed."""
        if self._is_simple:
            return self._simple(shown, data, islice(found, most))
        around = Around(data, self._form.before, self._form.after, most)
        lines: list[str] = []
        for one in around.each(found):
            if one.kind is Kind.BREAK:
                lines.append("--")
            else:
                lines += self._lines(shown, data, one, tally)
        if lines:
            self._out.write([*self._opening(shown), *lines])
        return around.matched

    def _simple(self, shown: str, data: bytes, found: Iterable[Block]) -> int:
        """Line after line with nothing around or marked in it: three times as fast as what can do more."""
        form, number, counted = self._form, 1, 0
        path = f"{shown}:" if form.filenames and not form.heading else ""
        lines: list[str] = []
        for block in found:
            number += data.count(b"\n", counted, block.begin)
            counted = block.begin
            line = data[block.begin : block.end].removesuffix(b"\n").decode("utf-8", "replace")
            lines.append(f"{path}{number}:{line}" if form.numbers else f"{path}{line}")
        if lines:
            self._out.write([*self._opening(shown), *lines])
        return len(lines)

    def binary(self, shown: str, at: int) -> None:
        """One that was named is told of, and not shown."""
        path = f"{self._paint.path(shown)}: " if self._form.filenames else ""
        self._out.write([f'{path}binary file matches (found "\\0" byte around offset {at})'])

    def _opening(self, shown: str) -> list[str]:
        form = self._form
        if form.heading:
            above = [self._paint.path(shown)] if form.filenames else []
            return above if self._out.is_silent else ["", *above]
        has_context = form.before or form.after
        return ["--"] if has_context and not self._out.is_silent else []

    def _lines(self, shown: str, data: bytes, one: Shown, tally: Tally) -> Iterator[str]:
        whole = data[one.begin : one.end]
        block = whole.removesuffix(b"\n")
        if one.kind is Kind.CONTEXT:
            yield self._head(shown, one.number, "-") + self._paint.line(block)
            return
        matches = self._finder.within(whole) if self._needs_matches else []
        tally.matches += len(matches)
        if self._form.show is Show.MATCHES and not self._invert:
            yield from self._each(shown, block, matches, one.number)
        else:
            yield from self._whole(shown, block, matches, one.number)

    def _whole(self, shown: str, block: bytes, matches: list[Match], number: int) -> Iterator[str]:
        """Each line of it once; the column is that of the first match."""
        begin = 0
        column = matches[0][0] + 1 if matches else 1
        for line in block.split(b"\n"):
            head = self._head(shown, number, ":", column if self._form.column else 0)
            yield head + self._paint.line(line, _within(matches, begin, len(line)))
            begin += len(line) + 1
            number += 1

    def _each(self, shown: str, block: bytes, matches: list[Match], number: int) -> Iterator[str]:
        """Each match by itself: alone, or in the lines it goes over."""
        for begin, end in matches:
            at = block.rfind(b"\n", 0, begin) + 1
            line_number = number + block.count(b"\n", 0, at)
            column = begin - at + 1
            while at <= begin or at < end:
                after = block.find(b"\n", at)
                after = len(block) if after < 0 else after
                low, high = max(at, begin), min(after, end)
                head = self._head(shown, line_number, ":", column if self._form.column else 0)
                if self._form.only and low == high and begin < end:
                    pass  # an end of line alone
                elif self._form.only:
                    yield head + self._paint.line(block[low:high], [(0, high - low)])
                else:
                    yield head + self._paint.line(block[at:after], [(low - at, high - at)])
                at, line_number, column = after + 1, line_number + 1, 1

    def _head(self, shown: str, number: int, mark: str, column: int = 0) -> str:
        form, paint = self._form, self._paint
        parts = [paint.path(shown)] if form.filenames and not form.heading else []
        if form.numbers:
            parts.append(paint.number(number))
        if column:
            parts.append(paint.column(column))
        return "".join(f"{part}{mark}" for part in parts)


def _within(matches: list[Match], begin: int, size: int) -> list[Match]:
    """The parts of matches that lie in one line, from its begin."""
    return [
        (max(low - begin, 0), min(high - begin, size))
        for low, high in matches
        if low <= begin + size and high >= begin
    ]
