"""Files by a tag, in the order of their paths."""

from toolpost.index.ask.nearest import nearest
from toolpost.index.ask.order import Matches, Stretch, gone_from, ranked
from toolpost.index.names.lookup import Names, names_of
from toolpost.index.snapshot import Snapshot


def tagged(snapshot: Snapshot, tag: str) -> Matches:
    names = names_of(snapshot.base)
    changed = ranked((0, "", 0, doc) for doc in snapshot.docs if tag in doc.tags)
    number = names.tags.find(tag)
    if number < 0:
        note = "" if changed else _unknown(snapshot, names, tag)
        return Matches(len(changed), (), changed, note)
    entries = names.tagged(number)
    total = len(entries) - gone_from([entries], snapshot.gone) + len(changed)
    return Matches(total, (Stretch(0, entries),), changed)


def _unknown(snapshot: Snapshot, names: Names, tag: str) -> str:
    known = {names.tags.at(number) for number in range(names.tags.count)}
    known.update(other for doc in snapshot.docs for other in doc.tags)
    alike = nearest(tag, sorted(known))
    told = f"The nearest are: {', '.join(alike)}." if alike else f"Known are: {', '.join(_few(known))}."
    return f"No file has the tag {tag!r}. {told}" if known else "No file has any tag."


def _few(known: set[str]) -> list[str]:
    return sorted(known)[:20]
