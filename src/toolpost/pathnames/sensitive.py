"""Whether a path names what may hold secrets, or what other programs would execute.

Names are judged folded, at any depth, and whether or not the file is there.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, product

from toolpost.limits import COPIES_OF_COPIES, FOLDED_NAMES
from toolpost.pathnames.folded import fold, long_form, short_form, without_stream
from toolpost.pathnames.tables import (
    COPIES,
    PROTECTED_FOLDERS,
    PROTECTED_NAMES,
    PROTECTED_PAIRS,
    SECRET_FOLDERS,
    SECRET_FORM,
    SECRET_NAMES,
    SECRET_PAIRS,
    Pairs,
)

_SHORT_FORMS = {
    short_form(name): name
    for name in {*SECRET_NAMES, *SECRET_FOLDERS, *PROTECTED_FOLDERS, *PROTECTED_NAMES, ".env", ".github"}
}
_GIT_CONFIG = frozenset({"config", "config.worktree"})
"""A remote's URL may carry a token; submodules and worktrees keep such files deeper below."""
_FIRSTS = frozenset(first for first, _ in SECRET_PAIRS | PROTECTED_PAIRS)
_HOLDERS = frozenset(first for first in _FIRSTS if first.startswith("."))


def is_secret(path: str) -> bool:
    """Also a copy of one, such as an editor's backup: `.aws/credentials.bak`, `.id_rsa.swp`."""
    names = [_readings(name) for name in path.split("/")]
    readings = frozenset().union(*names)
    return (
        _is_secret_name(path.rpartition("/")[2])
        or not SECRET_FOLDERS.isdisjoint(readings)
        or (not _FIRSTS.isdisjoint(readings) and _pairs(names))
        or (not _GIT_CONFIG.isdisjoint(names[-1]) and any(name.endswith(".git") for name in readings))
        or ("environ" in names[-1] and "proc" in names[0])
    )


def is_protected(path: str) -> bool:
    names = _folded(path)
    return (
        names[-1] in PROTECTED_NAMES
        or not PROTECTED_FOLDERS.isdisjoint(names)
        or _holds(names, PROTECTED_PAIRS)
    )


def _folded(path: str) -> list[str]:
    return [_meant(name) for name in path.split("/")]


@lru_cache(FOLDED_NAMES)
def _meant(name: str) -> str:
    return long_form(without_stream(fold(name)), _SHORT_FORMS)


@lru_cache(FOLDED_NAMES)
def _readings(name: str) -> frozenset[str]:
    """What a name may mean: `a:b.pem` is a stream of `a` on one system and a key on another, `.env~` a copy."""
    found = newest = {fold(name), _meant(name)}
    for _ in range(COPIES_OF_COPIES):
        newest = {fold(original) for reading in newest for original in _originals(reading)} - found
        found |= newest
    return frozenset(found)


@lru_cache(FOLDED_NAMES)
def _is_secret_name(name: str) -> bool:
    return any(reading in SECRET_NAMES or SECRET_FORM.fullmatch(reading) for reading in _readings(name))


def _pairs(names: list[frozenset[str]]) -> bool:
    return any(not SECRET_PAIRS.isdisjoint(product(*pair)) for pair in pairwise(names))


def _originals(name: str) -> Iterator[str]:
    for form in COPIES:
        copy = form.fullmatch(name)
        if copy is not None:
            yield "".join(part for part in copy.groups() if part)


def _holds(names: list[str], pairs: Pairs) -> bool:
    return len(names) > 1 and not _FIRSTS.isdisjoint(names) and not pairs.isdisjoint(pairwise(names))


def may_hold_protected(path: str) -> bool:
    """Whether a folder's own name is the first half of a protected pair: `.github` brings workflows unnamed."""
    return _meant(path.rpartition("/")[2]) in _HOLDERS
