"""find and fd: where they look, what they delete, and the commands they run."""

import re
from collections.abc import Iterator

from toolpost.atom import Atom, Kind, Word
from toolpost.authorize.commands.paths import path_atoms
from toolpost.authorize.commands.terms import Known, Term, fixed

_HERE = fixed(".")
_ACTIONS = frozenset({"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"})
_NAMED = frozenset({"-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex"})
_NARROW = frozenset(
    {
        *(
            "-empty",
            "-newer",
            "-mtime",
            "-mmin",
            "-atime",
            "-amin",
            "-ctime",
            "-cmin",
            "-size",
            "-user",
            "-group",
        ),
        *(
            "-perm",
            "-inum",
            "-links",
            "-samefile",
            "-newermt",
            "-anewer",
            "-cnewer",
            "-nouser",
            "-nogroup",
            "-lname",
        ),
    }
)
_DELETERS = frozenset({"rm", "unlink", "shred", "rmdir", "trash", "trash-put"})
_WRITES = frozenset({"-fprint", "-fprintf", "-fls", "-fprint0"})
_ANYTHING = re.compile(r"[*?./\[\]\\]*")
_STARTS = re.compile(r"-[HLP]|-O[0-9]|-D")


def find_atoms(terms: list[Term], known: Known) -> Iterator[Atom]:
    starts = _starts(terms)
    for start in starts:
        yield from path_atoms(Kind.READ, start, known, tree=True)
    texts = [term.text for term in terms]
    for index, text in enumerate(texts[:-1]):
        if text in _WRITES:
            yield from path_atoms(Kind.WRITE, terms[index + 1], known)
    if "-delete" in texts or _runs_deleter(texts):
        yield from _deletes(texts, starts, known)


def _is_fd(terms: list[Term]) -> bool:
    return terms[0].text.rpartition("/")[2].lower().startswith("fd")


def _starts(terms: list[Term]) -> list[Term]:
    found: list[Term] = []
    if _is_fd(terms):
        rest = _before_action(terms)
        found = [term for term in rest if not term.text.startswith("-")][1:]
        return found or [_HERE]
    for term in terms[1:]:
        if term.text.startswith(("-", "(", "!")) or term.text == ",":
            if _STARTS.fullmatch(term.text):
                continue
            break
        found.append(term)
    return found or [_HERE]


def _before_action(terms: list[Term]) -> list[Term]:
    for index, term in enumerate(terms):
        if term.text in _ACTIONS:
            return terms[1:index]
    return terms[1:]


def _deletes(texts: list[str], starts: list[Term], known: Known) -> Iterator[Atom]:
    pattern = _narrowed(texts)
    for start in starts:
        if pattern is None:
            yield from path_atoms(Kind.DELETE, start, known, tree=True)
        else:
            folder = start.text.rstrip("/") or "/"
            below = Term(Word(f"{folder}/**/{pattern}", start.word.fixed, glob=True), f"{start.head}/")
            yield from path_atoms(Kind.DELETE, below, known)


def _narrowed(texts: list[str]) -> str | None:
    """The name that what is deleted must have, `?*` for another test; None when all may be meant."""
    if {"-o", "-or", ",", "!", "-not"} & set(texts):
        return None
    for index, text in enumerate(texts[:-1]):
        if text in _NAMED and _ANYTHING.fullmatch(texts[index + 1]) is None:
            last = texts[index + 1].rpartition("/")[2]
            return "?*" if _ANYTHING.fullmatch(last) else last
    return "?*" if _NARROW & set(texts) else None


def _runs_deleter(texts: list[str]) -> bool:
    return any(texts[start].rpartition("/")[2] in _DELETERS for start, _ in inner_spans(texts))


def inner_spans(texts: list[str]) -> list[tuple[int, int]]:
    """Where the commands begin and end that `-exec` and its kin run."""
    spans: list[tuple[int, int]] = []
    index = 1
    while index < len(texts):
        if texts[index] in _ACTIONS and index + 1 < len(texts):
            end = index + 1
            while end < len(texts) and texts[end] not in {";", "+"}:
                end += 1
            spans.append((index + 1, end))
            index = end
        index += 1
    return spans
