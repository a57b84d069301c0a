"""Every question answered the slow way: all files looked at, one after another."""

from collections.abc import Callable, Iterable

from toolpost.index.limits import NAME_WORDS
from toolpost.index.model import DEFAULT, Doc
from toolpost.index.names.words import words

Rank = tuple[int, str, int]


def answer(docs: Iterable[Doc], kind: str, value: str) -> list[Doc]:
    """Every file that matches, in the order they are to come."""
    every = list(docs)
    if kind == "exports":
        return _exporting(every, value)
    accepts: dict[str, Callable[[Doc], bool]] = {
        "tag": lambda doc: value in doc.tags,
        "pathPrefix": lambda doc: _bytes(doc).startswith(value.encode("utf-8", "surrogateescape")),
        "listAll": lambda _: True,
    }
    return sorted((doc for doc in every if accepts[kind](doc)), key=_bytes)


def _exporting(docs: list[Doc], value: str) -> list[Doc]:
    sought = _joined(value)
    ways: list[Callable[[Doc], Rank | None]] = [
        lambda doc: _strictly(doc, value, sought),
        lambda doc: _loosely(doc, lambda run: run.startswith(sought)),
        lambda doc: _loosely(doc, lambda run: len(sought) >= 3 and _one_slip(run, sought)),
    ]
    for rank in ways:
        found = [(best, _bytes(doc), doc) for doc in docs if (best := rank(doc)) is not None]
        if found:
            return [doc for *_, doc in sorted(found, key=lambda one: one[:2])]
    return []


def _strictly(doc: Doc, value: str, sought: str) -> Rank | None:
    found: list[Rank] = []
    for name, claim in _claims(doc):
        parts, passed = words(name), claim == 2
        if name == value:
            found.append((0, "", claim))
        elif _joined(name) == sought:
            found.append((1, name, claim))
        elif any(_is_run(parts, sought, 0, end) for end in range(1, NAME_WORDS + 1)):
            found.append((2, "", passed))
        elif sought in _runs(parts):
            found.append((2, "", 2 + passed))
    return min(found, default=None)


def _loosely(doc: Doc, accepts: Callable[[str], bool]) -> Rank | None:
    found: list[Rank] = []
    for name, claim in _claims(doc):
        passed = claim == 2
        if accepts(_joined(name)):
            found.append((0, "", passed))
        if any(accepts(run) for run in _runs(words(name)) if run != _joined(name)):
            found.append((0, "", 2))
    return min(found, default=None)


def _claims(doc: Doc) -> list[tuple[str, int]]:
    found = []
    for export in doc.exports:
        passed = bool(export.source or export.origin)
        found.append((export.name, 2 if passed else 0))
        if export.name == DEFAULT and export.local:
            found.append((export.local, 2 if passed else 1))
    return found


def _joined(name: str) -> str:
    return "".join(words(name)) or name.casefold()


def _runs(parts: list[str]) -> set[str]:
    parts = parts[:NAME_WORDS]
    return {"".join(parts[a:b]) for a in range(len(parts)) for b in range(a + 1, len(parts) + 1)}


def _is_run(parts: list[str], sought: str, begin: int, end: int) -> bool:
    return "".join(parts[begin:end]) == sought


def _one_slip(one: str, other: str) -> bool:
    letters = set(other)
    cuts = [(one[:at], one[at:]) for at in range(len(one) + 1)]
    made = {a + b[1:] for a, b in cuts if b} | {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
    made |= {a + c + b[1:] for a, b in cuts if b for c in letters} | {
        a + c + b for a, b in cuts for c in letters
    }
    return one != other and other in made


def _bytes(doc: Doc) -> bytes:
    return doc.path.encode("utf-8", "surrogateescape")
