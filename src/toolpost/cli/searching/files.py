"""The files of a target and their texts: from the index where there is one, else from the tree itself."""

from collections.abc import Iterable
from functools import cached_property
from typing import Protocol

from toolpost.cli.searching.choice import Choice
from toolpost.cli.searching.targets import Target
from toolpost.index.disk.docs import reason_of
from toolpost.index.indexes import Indexes
from toolpost.index.search.engine import answer
from toolpost.index.search.facts import facts_of
from toolpost.index.search.ground import Ground
from toolpost.index.snapshot import Snapshot
from toolpost.limits import BINARY_BYTES, SEARCH_FILE_BYTES, SEARCH_FILES_PAGE, SEARCH_LOOKED_UP
from toolpost.workspace.root import Entry, Kind
from toolpost.workspace.walking.cursor import START, Cursor
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


def files(target: Target, choice: Choice, *, ignored: bool, indexes: Indexes | None) -> Files:
    if target.is_file:
        return Alone(target)
    snapshot = None if ignored or indexes is None else indexes.now(target.place.root)
    return Scanned(target, choice, ignored=ignored) if snapshot is None else Indexed(target, choice, snapshot)


class Scanned:
    def __init__(self, target: Target, choice: Choice, *, ignored: bool) -> None:
        self._target = target
        self._choice = choice
        self._ignored = ignored
        self.size = 0

    def every(self) -> list[str]:
        target = self._target
        walk = Walk(target.place.root, ignored=self._ignored, leaves=self._leaves)
        found = (entry for entry in walk.below(target.place.path) if entry.kind is Kind.FILE)
        listed = _ordered(target.relative(entry.path) for entry in found)
        self.size = len(listed)
        return listed

    def holding(self, _pattern: Pattern) -> list[str]:
        return self.every()

    def text(self, relative: str) -> bytes | None:
        path = self._target.place.path
        return read(self._target, f"{path}/{relative}" if path else relative)

    def _leaves(self, entry: Entry) -> bool:
        judged = self._target.judged(self._target.relative(entry.path))
        if entry.is_dir:
            return not self._choice.takes_folder(judged)
        return not self._choice.takes(judged, is_below=self._target.below)


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
            data = source.stream.read()
        text = None if is_binary(data[:BINARY_BYTES], len(data)) else plain(data)
        return data if text is None else text


class Indexed:
    def __init__(self, target: Target, choice: Choice, snapshot: Snapshot) -> None:
        self._target = target
        self._choice = choice
        self._snapshot = snapshot
        self._ground = Ground(snapshot, target.place, searched=target.place.shown)
        self._prefix = self._ground.prefix
        self._looked_up = 0
        self.size = len(range(*self._ground.span))

    def every(self) -> list[str]:
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
        return self._chosen(found)

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
        skip, below = len(self._prefix), self._target.below
        names = (path[skip:].decode() for path in paths if _can_be_shown(path))
        return _ordered(
            name for name in names if self._choice.takes(self._target.judged(name), is_below=below)
        )


def _can_be_shown(path: bytes) -> bool:
    """Whether a name is UTF-8: of the tree itself no other file is listed."""
    try:
        path.decode()
    except UnicodeDecodeError:
        return False
    return True


def _ordered(relatives: Iterable[str]) -> list[str]:
    return sorted(relatives, key=_key)


def _key(relative: str) -> bytes:
    """Folder by folder: no name holds a NUL, and it comes before everything a name may hold."""
    return relative.encode("utf-8", "surrogateescape").replace(b"/", b"\0")


def read(target: Target, path: str) -> bytes | None:
    if _hides(target, path):
        return None
    try:
        with target.place.root.open(path) as source:
            head = source.stream.read(BINARY_BYTES)
            if source.entry.size_bytes > SEARCH_FILE_BYTES or is_binary(head, source.entry.size_bytes):
                return None
            return plain(head + source.stream.read(SEARCH_FILE_BYTES))
    except ITS_OWN:
        return None


def _hides(target: Target, path: str) -> bool:
    """Asked of an index's files too: rules may have changed since it was built."""
    guard = getattr(target.place.root, "guard", None)
    return guard is not None and bool(guard.hides(path))
