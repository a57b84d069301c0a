"""The files of a target and their texts: from the index where there is one, else from the tree itself."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Protocol

from toolpost.cli.searching.choice import Choice
from toolpost.cli.searching.missed import Missed
from toolpost.cli.searching.targets import Target
from toolpost.errors import IoFailed
from toolpost.index.disk.docs import reason_of
from toolpost.index.indexes import Indexes
from toolpost.index.limits import SEARCH_FILES_PAGE, SEARCH_LOOKED_UP
from toolpost.index.search.engine import answer, covers
from toolpost.index.search.facts import facts_of
from toolpost.index.search.ground import Ground
from toolpost.index.snapshot import Snapshot
from toolpost.limits import BINARY_BYTES, SEARCH_FILE_BYTES
from toolpost.workspace.root import Entry, Kind
from toolpost.workspace.walking.cursor import START, Cursor
from toolpost.workspace.walking.ignore import Ignore
from toolpost.workspace.walking.patterns import Pattern
from toolpost.workspace.walking.plain import is_binary, plain
from toolpost.workspace.walking.walk import ITS_OWN, Walk
from toolpost.workspace.walking.within import Mode, Question


class Files(Protocol):
    """Paths are within the target, in ripgrep's order: folder by folder, by name."""

    size: int
    """Files there are to search, as far as it is known."""

    def every(self) -> list[str]: ...

    def holding(self, pattern: Pattern) -> list[str]:
        """At least those that match."""

    def text(self, relative: str) -> bytes | None:
        """None for what is no text, is too large, or may not be read."""


def files(target: Target, choice: Choice, missed: Missed, *, ignored: bool, indexes: Indexes | None) -> Files:
    if target.is_file:
        return Alone(target)
    snapshot = None if ignored or indexes is None else indexes.now(target.place.root)
    if snapshot is not None:
        found = Indexed(target, choice, snapshot, missed)
        if found.covers:
            return found
    return Scanned(target, choice, missed, ignored=ignored)


class Scanned:
    def __init__(self, target: Target, choice: Choice, missed: Missed, *, ignored: bool) -> None:
        self._target = target
        self._choice = choice
        self._missed = missed
        self._ignored = ignored
        self.size = 0

    def every(self) -> list[str]:
        target = self._target
        walk = _Telling(target, self._missed, ignored=self._ignored, leaves=self._leaves)
        listed = _ordered(target.relative(entry.path) for entry in self._searchable(walk))
        self.size = len(listed)
        return listed

    def _searchable(self, walk: Walk) -> Iterator[Entry]:
        for entry in walk.below(self._target.place.path):
            if entry.kind is Kind.FILE:
                yield entry
            elif (
                entry.kind is Kind.OTHER and "\ufffd" in entry.name
            ):  # so a root shows a name that is not UTF-8
                self._missed.unnamed()

    def holding(self, _pattern: Pattern) -> list[str]:
        return self.every()

    def text(self, relative: str) -> bytes | None:
        path = self._target.place.path
        return read(self._target, f"{path}/{relative}" if path else relative, self._missed)

    def _leaves(self, entry: Entry) -> bool:
        judged = self._target.judged(self._target.relative(entry.path))
        if entry.is_dir:
            return not self._choice.takes_folder(judged)
        return not self._choice.takes(judged, is_below=self._target.below)


class _Telling(Walk):
    """Tells of folders that cannot be listed, which a walk only counts."""

    def __init__(
        self, target: Target, missed: Missed, *, ignored: bool, leaves: Callable[[Entry], bool]
    ) -> None:
        super().__init__(target.place.root, ignored=ignored, leaves=leaves)
        self._target = target
        self._missed = missed

    def _level(self, path: str, rules: Ignore) -> tuple[Iterator[Entry], Ignore]:
        try:
            return super()._level(path, rules)
        except IoFailed as error:
            if path != self._target.place.path:  # of that one the search itself tells
                self._missed.unreadable(self._target.shown(self._target.relative(path)), error)
            raise


class Alone:
    """One file that was named: whatever it is called, and even if it is ignored."""

    size = 1

    def __init__(self, target: Target) -> None:
        self._target = target

    def every(self) -> list[str]:
        return [""]

    def holding(self, _pattern: Pattern) -> list[str]:
        return [""]

    def text(self, _relative: str) -> bytes:
        """A binary one as it is. Raises what opening it does."""
        with self._target.place.root.open(self._target.place.path) as source:
            return as_it_is(source.stream.read())


def as_it_is(data: bytes) -> bytes:
    """What was named is searched even if it is no text."""
    text = None if is_binary(data[:BINARY_BYTES], len(data)) else plain(data)
    return data if text is None else text


class Indexed:
    def __init__(self, target: Target, choice: Choice, snapshot: Snapshot, missed: Missed) -> None:
        self._target = target
        self._choice = choice
        self._snapshot = snapshot
        self._missed = missed
        self._ground = Ground(snapshot, target.place, searched=target.place.shown)
        self._prefix = self._ground.prefix
        self._looked_up = 0
        self.size = len(range(*self._ground.span))

    @property
    def covers(self) -> bool:
        """False for a folder that is named and that ignore files leave out: the index knows nothing of it."""
        return not self._target.place.path or covers(self._ground)

    def every(self) -> list[str]:
        self._tell_unread()
        base, gone = self._snapshot.base, self._snapshot.gone
        begin, end = self._ground.span
        paths = (path for number, path in enumerate(base.paths(begin, end), begin) if number not in gone)
        changed = (path for path, _ in self._ground.docs)
        return self._chosen([*paths, *changed])

    def holding(self, pattern: Pattern) -> list[str]:
        question = Question(pattern=pattern, mode=Mode.FILES)
        found: list[bytes] = []
        cursor: Cursor | None = START
        while cursor is not None:
            page = answer([self._ground], question, limit=SEARCH_FILES_PAGE, cursor=cursor)
            found += (hit.path.encode("utf-8", "surrogateescape") for hit in page.hits)
            cursor = page.rest
            if "long_line" in page.skipped:  # whose is told where each text is looked at
                return self.every()
        self._tell_unread()
        self._chosen(self._passed("not_utf8"))  # which counts names that cannot be shown
        return self._chosen(found)

    def _tell_unread(self) -> None:
        """Files that could not be read when they were indexed are opened again, to tell why."""
        for name in self._chosen(self._passed("unreadable")):
            read(self._target, (self._prefix + name.encode()).decode(), self._missed)

    def _passed(self, reason: str) -> list[bytes]:
        base, gone = self._snapshot.base, self._snapshot.gone
        begin, end = self._ground.span
        numbers = base.passed.get(reason, ())
        paths = [base.path(number) for number in numbers if begin <= number < end and number not in gone]
        return [*paths, *(path for path, doc in self._ground.docs if doc.passed == reason)]

    def text(self, relative: str) -> bytes | None:
        path = self._prefix + relative.encode()
        doc = self._snapshot.doc(path)
        if doc is not None:
            return None if _hides(self._target, doc.path) else doc.text
        base, number = self._snapshot.base, self._number(path)
        guard = getattr(self._target.place.root, "guard", None)
        if guard is not None and facts_of(base).hides(guard, number, path):
            return None
        return None if reason_of(base, number) else facts_of(base).read(number)

    def _number(self, path: bytes) -> int:
        """The first are looked up one by one, 40 us each; where there are many, all are listed."""
        self._looked_up += 1
        return self._snapshot.find(path) if self._looked_up < SEARCH_LOOKED_UP else self._numbers[path]

    @cached_property
    def _numbers(self) -> dict[bytes, int]:
        begin, end = self._ground.span
        return {path: number for number, path in enumerate(self._snapshot.base.paths(begin, end), begin)}

    def _chosen(self, paths: list[bytes]) -> list[str]:
        skip = len(self._prefix)
        return _ordered(name for path in paths if (name := self._name(path[skip:])) is not None)

    def _name(self, path: bytes) -> str | None:
        """Of a file that is chosen. One whose name is not UTF-8 is counted: of the tree itself none is listed."""
        name = path.decode("utf-8", "replace")
        if not self._choice.takes(self._target.judged(name), is_below=self._target.below):
            return None
        if "\ufffd" in name and name.encode() != path:
            self._missed.unnamed()
            return None
        return name


def _ordered(relatives: Iterable[str]) -> list[str]:
    return sorted(relatives, key=_key)


def _key(relative: str) -> bytes:
    """Folder by folder: no name holds a NUL, and it comes before everything a name may hold."""
    return relative.encode("utf-8", "surrogateescape").replace(b"/", b"\0")


def read(target: Target, path: str, missed: Missed) -> bytes | None:
    if _hides(target, path):
        return None
    try:
        with target.place.root.open(path) as source:
            head = source.stream.read(BINARY_BYTES)
            if source.entry.size_bytes > SEARCH_FILE_BYTES or is_binary(head, source.entry.size_bytes):
                return None
            return plain(head + source.stream.read(SEARCH_FILE_BYTES))
    except IoFailed as error:
        missed.unreadable(target.shown(target.relative(path)), error)
    except ITS_OWN:
        pass  # it went meanwhile, or may not be read
    return None


def _hides(target: Target, path: str) -> bool:
    """Asked of an index's files too: rules may have changed since it was built."""
    guard = getattr(target.place.root, "guard", None)
    return guard is not None and bool(guard.hides(path))
