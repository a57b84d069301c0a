"""Files by name: those that match, those that do not, and how often each does."""

from collections.abc import Iterable
from itertools import islice

from toolpost.cli.searching.asked import Form, Show
from toolpost.cli.searching.matches import Block, Finder
from toolpost.cli.searching.paint import Paint
from toolpost.cli.searching.tally import Out, Tally


class Names:
    def __init__(self, form: Form, finder: Finder, out: Out, *, invert: bool) -> None:
        self._form = form
        self._finder = finder
        self._out = out
        self._invert = invert
        self._paint = Paint(is_on=form.color)

    def file(self, shown: str, data: bytes, found: Iterable[Block], most: int | None, tally: Tally) -> int:
        """Lines that matched: of a file only named, the first is enough."""
        show = self._form.show
        if show in {Show.NAME, Show.WITHOUT, Show.NOTHING}:
            most = 1 if most is None else min(most, 1)
        kept = list(islice(found, most))
        if show in {Show.COUNT, Show.COUNT_MATCHES} and kept:
            self._count(shown, self._counted(data, kept, tally))
        elif (show is Show.NAME and kept) or (show is Show.WITHOUT and not kept):
            self._out.write([self._paint.path(shown)])
        return len(kept)

    def _counted(self, data: bytes, kept: list[Block], tally: Tally) -> int:
        is_matches = self._form.show is Show.COUNT_MATCHES or self._finder.how.multiline
        if self._invert or not (is_matches or self._form.stats):
            return len(kept)
        matches = sum(len(self._finder.within(data[one.begin : one.end])) for one in kept)
        tally.matches += matches
        return matches if is_matches else len(kept)

    def _count(self, shown: str, count: int) -> None:
        path = f"{self._paint.path(shown)}:" if self._form.filenames else ""
        self._out.write([f"{path}{count}"])
