"""A tree as a search sees it: one snapshot, the folder or file searched in it, and how its paths are shown."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from toolpost.index.model import Doc
from toolpost.index.search.facts import Facts, facts_of
from toolpost.index.snapshot import Snapshot, key
from toolpost.workspace.guard import Guard
from toolpost.workspace.walking.globs import Glob
from toolpost.workspace.walking.within import Question
from toolpost.workspace.workspace import Place


class Ground(Struct, frozen=True, dict=True):
    snapshot: Snapshot
    place: Place
    """The folder or file searched."""
    searched: str = ""
    """What is searched as the caller sees it: the place's own path, or "" where that is one root of many."""
    is_file: bool = False
    hidden: bool = True
    """Also files and folders whose names begin with a dot."""

    @cached_property
    def facts(self) -> Facts:
        return facts_of(self.snapshot.base)

    @cached_property
    def before(self) -> bytes:
        """What stands before a root's own path where the caller sees it."""
        shown, path = self.place.shown, self.place.path
        return _encoded(shown[: len(shown) - len(path)] if path else f"{shown}/" if shown else "")

    @cached_property
    def prefix(self) -> bytes:
        """What the paths of everything searched begin with."""
        path = _encoded(self.place.path)
        return path if self.is_file or not path else path + b"/"

    @cached_property
    def span(self) -> tuple[int, int]:
        """The files of the base that lie in it."""
        if not self.is_file:
            return self.snapshot.base.span(self.prefix)
        number = self.snapshot.base.find(self.prefix)
        return (number, number + 1) if number >= 0 else (0, 0)

    @cached_property
    def docs(self) -> list[tuple[bytes, Doc]]:
        if self.is_file:
            doc = self.snapshot.doc(self.prefix)
            return [] if doc is None else [(self.prefix, doc)]
        return [(key(doc), doc) for doc in self.snapshot.below(self.prefix)]

    def key(self, path: bytes) -> bytes:
        """A file's place in the order of answers."""
        return self.before + path

    def since(self, reached: bytes) -> bytes | None:
        """Where an answer that came so far goes on in this root; None when all of it is answered."""
        if reached.startswith(self.before):
            return reached[len(self.before) :]
        return None if reached > self.before else b""

    def first(self, since: bytes) -> int:
        """The first file searched that does not come before this path."""
        begin, end = self.span
        return min(max(begin, self.snapshot.base.span(since)[0]), end) if since else begin

    def relative(self, path: bytes) -> str:
        """Within what is searched, which globs are about."""
        shown = self.key(path).decode("utf-8", "surrogateescape")
        if self.is_file:
            return shown.rpartition("/")[2]
        return shown[len(self.searched) :].lstrip("/")


class Chosen:
    """Which files a question is about, each asked only when it comes up."""

    def __init__(self, ground: Ground, question: Question) -> None:
        self._ground = ground
        self._include = question.include
        self._exclude = question.exclude
        self.takes_all = ground.hidden and not (self._include or self._exclude)
        self._excluded: dict[str, bool] = {"": False}

    def takes(self, path: bytes) -> bool:
        if self.takes_all or (self._ground.is_file and not self._include):
            return True
        relative = self._ground.relative(path)
        if not self._ground.hidden and (relative.startswith(".") or "/." in relative):
            return False
        if self._include and not self._include.matches(relative):
            return False
        return self._exclude is None or self._ground.is_file or not self._leaves_out(self._exclude, relative)

    def _leaves_out(self, exclude: Glob, relative: str) -> bool:
        """A folder that is excluded takes with it all it holds."""
        known = self._excluded.get(relative)
        if known is None:
            folder = relative.rpartition("/")[0]
            known = self._leaves_out(exclude, folder) or exclude.matches(relative)
            if len(self._excluded) < _REMEMBERED:
                self._excluded[relative] = known
        return known


_REMEMBERED = 100_000


class Shown:
    """Which files of a base may be shown, and how their paths look to the caller."""

    def __init__(self, ground: Ground, chosen: Chosen, skipped: Counter[str]) -> None:
        self.ground = ground
        self.leaves_out: Callable[[bytes], bool] | None = None
        """Files that another part of the answer gives."""
        self._takes = None if chosen.takes_all else chosen.takes
        self._skipped = skipped
        self._path = ground.snapshot.base.path
        self._told = ground.facts.told
        self._gone = ground.snapshot.gone
        self._guard: Guard | None = getattr(ground.place.root, "guard", None)
        self._before = ground.before
        self._hides = ground.facts.hides

    def name(self, number: int) -> str | None:
        """None for a file that is not shown. The guard is asked again: its rules may have changed since."""
        if number in self._gone:
            return None
        path = self._path(number)
        if (self._takes and not self._takes(path)) or (self.leaves_out and self.leaves_out(path)):
            return None
        if self._guard is not None and self._hides(self._guard, number, path):
            self._skipped["secret"] += 1
            return None
        return (self._before + path).decode("utf-8", "surrogateescape")

    def names(self, numbers: Sequence[int], first: int, paths: Sequence[str]) -> list[str | None]:
        """Those of many files, in order; of all files from `first` on the paths are given, as text."""
        if self._takes or self.leaves_out:
            return [self.name(number) for number in numbers]
        before, gone = self._before.decode("utf-8", "surrogateescape"), self._gone
        told = None if self._guard is None else self._told(self._guard)
        return [
            before + paths[number - first]
            if (told is None or told[number] == 1) and number not in gone
            else self.name(number)
            for number in numbers
        ]


def between(ids: Sequence[int], begin: int, end: int) -> Iterator[int]:
    """Those of sorted numbers from `begin` to before `end`."""
    for at in range(bisect_left(ids, begin), bisect_left(ids, end)):
        yield ids[at]


def _encoded(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
