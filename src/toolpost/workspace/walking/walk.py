"""Walking a tree: every entry below a folder, in one order, links never followed.

Entries come sorted by their paths' bytes, a folder's counted with a `/` at its end and before what it holds.
For files that is the order of `git ls-files`: `a-b`, then `a.c`, then `a/b`. `.git` is never entered nor
shown. Ignore files hold from the root down, also when a walk begins further below; the folder it begins at
is walked even if they leave it out.
"""

import heapq
from collections.abc import Callable, Iterator
from itertools import islice
from operator import itemgetter

from toolpost.errors import Denied, InvalidArgument, IoFailed, LimitExceeded, NotFound
from toolpost.limits import WALK_DEPTH, WALK_ENTRIES
from toolpost.workspace.root import Entry, Root
from toolpost.workspace.walking.ignore import GIT, Ignore, telling

ITS_OWN = (Denied, InvalidArgument, IoFailed, NotFound)
"""Errors that tell of one entry, which is passed over. Others, such as of a remote that is down, tell of all."""
_NO_RULES = Ignore()


def walk(
    root: Root, path: str = "", *, ignored: bool = False, hidden: bool = True, depth: int = WALK_DEPTH
) -> Iterator[Entry]:
    """Everything below a folder. `ignored` shows what ignore files leave out, `hidden` names with a dot first.

    Raises what `root.scan` does for the folder itself; one further below that cannot be listed, or is gone
    meanwhile, is passed over. More than WALK_ENTRIES raise LimitExceeded.
    """
    return Walk(root, ignored=ignored, hidden=hidden, depth=depth).below(path)


def folder(root: Root, path: str = "", *, ignored: bool = False, hidden: bool = True) -> Iterator[Entry]:
    """One level of a walk."""
    return Walk(root, ignored=ignored, hidden=hidden, depth=1).below(path)


def first(
    root: Root, path: str, limit: int, predicate: Callable[[Entry], bool], *, ignored: bool = False
) -> tuple[list[Entry], int]:
    """The first entries of one folder that pass, and how many do: no more than `limit` are held at once."""
    level = Walk(root, ignored=ignored)
    rules = level.rules_in(path)
    total = 0

    def passing() -> Iterator[Entry]:
        nonlocal total
        for entry in root.scan(path):
            if level.keeps(entry, rules) and predicate(entry):
                total += 1
                yield entry

    return heapq.nsmallest(limit, passing(), key=order), total


def order(entry: Entry) -> bytes:
    """What entries are sorted by."""
    path = entry.path.encode("utf-8", "surrogateescape")
    return path + b"/" if entry.is_dir else path


class Walk:
    """One walk, and what it passed over."""

    def __init__(
        self,
        root: Root,
        *,
        ignored: bool = False,
        hidden: bool = True,
        depth: int = WALK_DEPTH,
        since: bytes = b"",
        leaves: Callable[[Entry], bool] | None = None,
    ) -> None:
        """`since` leaves out what comes before it in the order, `leaves` what it says: folders with all they hold."""
        self.root = root
        self.leaves = leaves
        self.hidden = hidden
        self.depth = min(depth, WALK_DEPTH)
        self.since = since
        self.honours = not ignored and getattr(root, "ignores", False)
        self.seen = 0
        self.ignored = 0
        self.unlisted = 0
        """Folders that could not be listed, or lie too deep."""

    def below(self, path: str) -> Iterator[Entry]:
        levels = [self._level(path, self._rules_above(path))]
        while levels:
            entries, rules = levels[-1]
            entry = next(entries, None)
            if entry is None:
                levels.pop()
                continue
            if not self.since or order(entry) >= self.since:
                yield entry
            if entry.is_dir:
                levels += self._deeper(entry.path, rules, len(levels))

    def rules_in(self, path: str) -> Ignore:
        """What holds in a folder, from the root's ignore files down to its own."""
        rules = self._rules_above(path)
        return rules.within(self.root, path, telling(self.root, path)) if self.honours else rules

    def keeps(self, entry: Entry, rules: Ignore) -> bool:
        name = entry.name
        if name == GIT or (name[0] == "." and not self.hidden) or (self.leaves and self.leaves(entry)):
            return False
        if self.honours and rules.leaves_out(entry):
            self.ignored += 1
            return False
        return True

    def _rules_above(self, path: str) -> Ignore:
        rules = Ignore()
        if self.honours and path:
            names = path.split("/")
            for depth in range(len(names)):
                above = "/".join(names[:depth])
                rules = rules.within(self.root, above, telling(self.root, above))
        return rules

    def _deeper(self, path: str, rules: Ignore, depth: int) -> list[tuple[Iterator[Entry], Ignore]]:
        """Nothing where the walk ends: at its depth, or at a folder that cannot be listed."""
        if depth == self.depth:
            self.unlisted += depth == WALK_DEPTH
            return []
        try:
            return [self._level(path, rules)]
        except LimitExceeded:
            raise
        except ITS_OWN:
            self.unlisted += 1
            return []

    def _level(self, path: str, rules: Ignore) -> tuple[Iterator[Entry], Ignore]:
        """What one folder holds, sorted, and the rules in it."""
        found = list(islice(self.root.scan(path), WALK_ENTRIES - self.seen + 1))
        self.seen += len(found)
        if self.seen > WALK_ENTRIES:
            raise LimitExceeded(
                f"There are more than {WALK_ENTRIES:,} entries below; begin at a folder further down.",
                parameter="path",
            )
        if self.honours:
            rules = rules.within(self.root, path, found)
        names = [entry.name.encode("utf-8", "surrogateescape") for entry in found] if self.honours else []
        judges = _NO_RULES if rules.is_silent(path, names) else rules
        kept = [(order(entry), entry) for entry in found if self.keeps(entry, judges)]
        kept.sort(key=itemgetter(0))
        return (entry for key, entry in kept if self._reaches(key, entry)), rules

    def _reaches(self, key: bytes, entry: Entry) -> bool:
        return key >= self.since or (entry.is_dir and self.since.startswith(key))
