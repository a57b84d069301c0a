"""Which files' exports may change when others do: those that pass on from them, at any remove."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from toolpost.index.limits import MODULE_WORDS
from toolpost.index.model import Extract
from toolpost.index.resolve.stars import Pass
from toolpost.index.resolve.tree import MANIFESTS

_SETTINGS = ("tsconfig", "jsconfig")
Passes = Mapping[str, tuple[Pass, ...]]


class Dependents:
    """Made of the `passes` of one whole resolving, and kept right by those of later ones."""

    def __init__(self, passes: Passes) -> None:
        self._passes: dict[str, tuple[Pass, ...]] = {}
        self._by_target: dict[str, set[str]] = {}
        self._by_word: dict[str, set[str]] | None = None
        """Made when a file first comes or goes."""
        self.replace(passes)

    def replace(self, passes: Passes, gone: Iterable[str] = ()) -> None:
        """Takes over what was resolved anew; `gone` pass nothing on any more."""
        for path, now in (*passes.items(), *((path, ()) for path in gone)):
            before = self._passes.pop(path, ())
            if now:
                self._passes[path] = now
            if now is not before:
                self._exchange(path, before, now)

    def _exchange(self, path: str, before: tuple[Pass, ...], now: tuple[Pass, ...]) -> None:
        """A barrel may have ten thousand, of which one changed."""
        for each in set(before).difference(now):
            self._by_target.get(each.target, set()).discard(path)
        new = set(now).difference(before) if before else now
        for each in new:
            self._by_target.setdefault(each.target, set()).add(path)
        # Words of what is passed on no more stay: they lead to a file that is looked at in vain, no worse.
        if self._by_word is not None:
            _add_words(self._by_word, path, new)

    def passes(self, path: str) -> tuple[Pass, ...]:
        return self._passes.get(path, ())

    def affected(self, changed: Iterable[str], moved: Collection[str] = ()) -> set[str]:
        """The changed files themselves, and all whose exports may now differ.

        `moved` are those that are new or gone: a file that comes may be what others have named all along.
        """
        found = set(changed) | set(moved)
        waiting = list(found)
        if any(map(is_setting, found)):
            waiting += self._named
        if moved:
            waiting += self._meant(moved)
        found.update(waiting)
        while waiting:
            more = self._by_target.get(waiting.pop(), set()) - found
            found |= more
            waiting += more
        return found

    def _meant(self, moved: Iterable[str]) -> Iterator[str]:
        """Files that pass on from a module which may be meant to lie where one of these does."""
        if self._by_word is None:
            self._by_word = {}
            for path, passes in self._passes.items():
                _add_words(self._by_word, path, passes)
        for word in words(moved):
            yield from self._by_word.get(word, ())

    @property
    def _named(self) -> list[str]:
        return [
            path
            for path, passes in self._passes.items()
            if any(not each.source.startswith(".") for each in passes)
        ]


def _add_words(by_word: dict[str, set[str]], path: str, passes: Iterable[Pass]) -> None:
    for each in passes:
        by_word.setdefault(word_of(each.source), set()).add(path)


def is_setting(path: str) -> bool:
    """Whether other files' modules may lie elsewhere once this one changes."""
    name = path.rpartition("/")[2]
    return name in MANIFESTS or (path.endswith(".json") and any(word in path for word in _SETTINGS))


def differs(before: Extract, now: Extract) -> bool:
    """Whether those who pass on from a file can tell the difference: most edits change no export."""
    return _seen(before) != _seen(now)


def _seen(extract: Extract) -> list[tuple[str, str, str, str]]:
    return [(export.name, export.kind, export.local, export.source) for export in extract.exports]


def words(paths: Iterable[str]) -> set[str]:
    """The last words of all modules that may be meant to lie there; the empty one is of `.` and `..`."""
    found = {_cut(name) for path in paths for name in path.split("/")}
    return found | {""} if found else found


@lru_cache(MODULE_WORDS)
def word_of(source: str) -> str:
    """The last word of a module's name: of a file or folder on its path, in every language."""
    last = source.rpartition("/")[2].rpartition("::")[2]
    is_path = "/" in source and last.strip(".")
    return _cut(last) if is_path else last.rpartition(".")[2]


def _cut(name: str) -> str:
    return name[:1] + name[1:].partition(".")[0]
