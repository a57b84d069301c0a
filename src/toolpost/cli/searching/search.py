"""One search from its options to its exit code."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Protocol

from msgspec import structs

from toolpost.cli import indexing, show
from toolpost.cli.exits import Exit
from toolpost.cli.searching.asked import Form, Show, Wanted, Where
from toolpost.cli.searching.choice import Choice
from toolpost.cli.searching.files import Alone, Files, Indexed, files
from toolpost.cli.searching.json_lines import JsonLines
from toolpost.cli.searching.lines import Lines
from toolpost.cli.searching.matches import Block, Finder, blocks
from toolpost.cli.searching.missed import Missed
from toolpost.cli.searching.names import Names
from toolpost.cli.searching.paint import Paint
from toolpost.cli.searching.piped import NAME, Piped
from toolpost.cli.searching.tally import Out, Tally
from toolpost.cli.searching.targets import Target, Targets
from toolpost.cli.settings import settled
from toolpost.errors import IoFailed, ToolError
from toolpost.index.disk.damage import Damaged
from toolpost.index.indexes import Indexes
from toolpost.index.limits import SEARCH_NUDGE_FILES

NOTHING = 1
"""What ripgrep ends with when nothing matched."""


class Printer(Protocol):
    def file(
        self, shown: str, data: bytes, found: Iterable[Block], most: int | None, tally: Tally
    ) -> int: ...


def search(finder: Finder, wanted: Wanted, where: Where, form: Form) -> int:
    given = settled()
    with closing(Targets(given)) as targets, closing(indexing.indexes(given)) as indexes:
        return Search(finder, wanted, form, Reach(targets, where, indexes)).run()


def listed(where: Where, form: Form) -> int:
    """The names of the files a search would go through."""
    given = settled()
    out, paint = Out(Tally()), Paint(is_on=form.color)
    with closing(Targets(given)) as targets, closing(indexing.indexes(given)) as indexes:
        reach = Reach(targets, where, indexes)
        for target, found in reach.each():
            names = [target.shown(name) for name in found.every()]
            if form.show is not Show.NOTHING:
                out.write([paint.path(name) for name in names])
            reach.is_found = reach.is_found or bool(names)
    out.end()
    reach.missed.end()
    return Exit.USAGE if reach.has_failed else Exit.OK if reach.is_found else NOTHING


class Reach:
    """Every target with its files; what cannot be opened is told, and the rest is searched."""

    def __init__(self, targets: Targets, where: Where, indexes: Indexes) -> None:
        self._targets = targets
        self._where = where
        self._choice = Choice(where)
        self.indexes: Indexes | None = indexes
        self.missed = Missed()
        self._failed = False
        self.is_found = False

    def each(self) -> Iterator[tuple[Target | Piped, Files]]:
        for target in self._all():
            yield target, self.files(target)

    def files(self, target: Target | Piped) -> Files:
        if isinstance(target, Piped):
            return target
        return files(target, self._choice, self.missed, ignored=self._where.ignored, indexes=self.indexes)

    def fail(self, error: ToolError) -> None:
        show.trouble(error.detail)
        self._failed = True

    @property
    def has_failed(self) -> bool:
        return self._failed or self.missed.is_unreadable

    @property
    def is_alone(self) -> bool:
        """Whether one file was named and nothing else: then its name need not be shown."""
        return len(self._where.paths) == 1

    def _all(self) -> Iterator[Target | Piped]:
        if not self._where.paths:
            yield from self._targets.all()
        for path in self._where.paths:
            try:
                yield Piped() if path == NAME else self._targets.named(path)
            except IoFailed as error:
                self.missed.unreadable(path, error)
            except ToolError as error:
                self.fail(error)


class Search:
    def __init__(self, finder: Finder, wanted: Wanted, form: Form, reach: Reach) -> None:
        self._finder = finder
        self._wanted = wanted
        self._form = form
        self._reach = reach
        self._tally = Tally()
        self._out = Out(self._tally)
        self._is_nudged = False

    def run(self) -> int:
        is_done = self._wanted.max_count == 0
        for target, found in self._reach.each():
            if is_done:
                break
            is_done = self._target(target, found)
        return self._end()

    def _target(self, target: Target | Piped, found: Files) -> bool:
        """Whether enough was found."""
        printer, searched, done = self._printer(target), self._tally.searched, set[str]()
        try:
            return self._each(target, found, printer, done)
        except Damaged:  # the files themselves are whole, and what was printed was right
            show.note("The index is damaged, so the files were read: toolpost index build --full mends it.")
            self._reach.indexes = None
            self._tally.searched = searched
            return self._each(target, self._reach.files(target), printer, done)
        except ToolError as error:
            self._reach.fail(error)
            return False

    def _each(self, target: Target | Piped, found: Files, printer: Printer, done: set[str]) -> bool:
        names = self._names(found)
        self._tally.searched += found.size
        if not isinstance(found, Indexed | Alone | Piped):
            self._nudge(found.size)
        for name in names:
            if name in done:
                continue
            data = found.text(name)
            if data is not None and self._file(printer, target.shown(name), data, is_named=target.is_file):
                return True
            done.add(name)
        return False

    def _names(self, found: Files) -> list[str]:
        if self._wanted.invert or self._form.show is Show.WITHOUT:
            return found.every()
        return found.holding(self._finder)

    def _file(self, printer: Printer, shown: str, data: bytes, *, is_named: bool) -> bool:
        tally, wanted = self._tally, self._wanted
        tally.bytes_searched += len(data)
        plain = self._finder.plain_ends(data)
        passed: list[Block] = []
        found = blocks(self._finder, plain, invert=wanted.invert, passed=passed.append)
        if is_named and b"\0" in data and isinstance(printer, Lines):
            matched = int(next(found, None) is not None)
            if matched:
                printer.binary(shown, data.index(b"\0"))
        else:
            matched = printer.file(shown, plain, found, self._most(), tally)
        if passed:
            self._tell_passed(shown, plain, passed)
        tally.lines += matched
        tally.files += bool(matched)
        is_enough = wanted.limit is not None and tally.lines >= wanted.limit
        return is_enough or (self._form.show is Show.NOTHING and bool(matched))

    def _tell_passed(self, shown: str, data: bytes, passed: list[Block]) -> None:
        size = sum(one.end - one.begin for one in passed)
        lines = sum(data.count(b"\n", one.begin, one.end - 1) + 1 for one in passed)
        self._reach.missed.long_lines(shown, lines, size)
        self._tally.bytes_searched -= size
        self._tally.searched -= size == len(data)

    def _most(self) -> int | None:
        wanted = self._wanted
        left = None if wanted.limit is None else wanted.limit - self._tally.lines
        counts = [count for count in (wanted.max_count, left) if count is not None]
        return min(counts, default=None)

    def _printer(self, target: Target | Piped) -> Printer:
        form = self._form
        if form.filenames is None:
            form = structs.replace(form, filenames=not (target.is_file and self._reach.is_alone))
        if form.show is Show.JSON:
            return JsonLines(form, self._finder, self._out, invert=self._wanted.invert)
        is_lines = form.show in {Show.LINES, Show.MATCHES}
        kind = Lines if is_lines else Names
        return kind(form, self._finder, self._out, invert=self._wanted.invert)

    def _nudge(self, size: int) -> None:
        if size > SEARCH_NUDGE_FILES and sys.stderr.isatty() and not self._is_nudged:
            self._is_nudged = True
            show.note("`toolpost index build` makes searches of this tree faster.")

    def _end(self) -> int:
        tally = self._tally
        if self._form.show is Show.JSON:
            JsonLines(self._form, self._finder, self._out, invert=False).summary(tally)
        elif self._form.stats:
            self._out.write(_stats(tally))
        self._out.end()
        if self._wanted.limit is not None and tally.lines >= self._wanted.limit:
            show.note(f"--limit {self._wanted.limit} is reached; there may be more.")
        self._reach.missed.end()
        if self._reach.has_failed and not (self._form.show is Show.NOTHING and tally.lines):
            return Exit.USAGE
        is_found = not self._out.is_silent if self._form.show is Show.WITHOUT else bool(tally.lines)
        if is_found:
            return Exit.OK
        return Exit.USAGE if self._reach.missed.is_passed else NOTHING


def _stats(tally: Tally) -> list[str]:
    return [
        "",
        f"{tally.matches} matches",
        f"{tally.lines} matched lines",
        f"{tally.files} files contained matches",
        f"{tally.searched} files searched",
        f"{tally.bytes_printed} bytes printed",
        f"{tally.bytes_searched} bytes searched",
        f"{tally.seconds:.6f} seconds",
    ]
