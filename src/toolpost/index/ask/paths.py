"""Files by what their paths begin with, and all files, in the order of their paths."""

from toolpost.index.ask.order import Listed, Matches, Stretch, ranked
from toolpost.index.snapshot import Snapshot


def beginning(snapshot: Snapshot, prefix: str) -> Matches:
    """`src/comp` finds `src/components/a.ts` and `src/comp.ts`: a prefix of the text, not only of folders."""
    cleaned = clean(prefix)
    matches = _spanning(snapshot, cleaned)
    if matches.total or not snapshot.count:
        return matches
    return Matches(0, (), [], _nearest(snapshot, cleaned))


def everything(snapshot: Snapshot) -> Matches:
    return _spanning(snapshot, "")


def clean(prefix: str) -> str:
    """Without what people write before a path that begins at the root."""
    cleaned = prefix.strip()
    while cleaned.startswith(("./", "/")):
        cleaned = cleaned.removeprefix(".").lstrip("/")
    return "" if cleaned == "." else cleaned


def _spanning(snapshot: Snapshot, prefix: str) -> Matches:
    sought = prefix.encode("utf-8", "surrogateescape")
    begin, end = snapshot.base.span(sought)
    changed = ranked((0, "", 0, doc) for doc in snapshot.below(sought))
    gone = sum(begin <= number < end for number in snapshot.gone)
    return Matches(end - begin - gone + len(changed), (Stretch(0, Listed(range(begin, end))),), changed)


def _nearest(snapshot: Snapshot, prefix: str) -> str:
    """The deepest folder above that holds something."""
    folder = prefix.rstrip("/")
    while "/" in folder:
        folder = folder.rpartition("/")[0]
        if _spanning(snapshot, f"{folder}/").total:
            return f"No path begins with {prefix!r}; {folder!r} is there."
    return f"No path begins with {prefix!r}. Paths are relative to the root, such as {_example(snapshot)!r}."


def _example(snapshot: Snapshot) -> str:
    if snapshot.docs:
        return snapshot.docs[0].path
    number = next(number for number in range(snapshot.base.count) if number not in snapshot.gone)
    return snapshot.base.path(number).decode("utf-8", "replace")
