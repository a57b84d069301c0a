r"""Path patterns of rules: which paths one means, and which calls could touch a path that it means.

`src/**` begins at each root of the workspace, `/etc/**` at the disk's, `~/x` at home; a name without `/` is
meant at any depth. `**` is the workspace, `/**` every path there is; `dir/**` and `dir/` cover `dir` too. `*`, `?`
and `[a-z]` stay within one name, `{a,b}` is a choice, `\` takes the next character as it is.

Whoever allows asks `admits`, whoever denies asks `reaches`: nothing that one pattern admits escapes it there.
"""

from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from itertools import takewhile

from toolpost.limits import FOLDED_NAMES, PATTERNS_KEPT
from toolpost.pathnames.folded import fold
from toolpost.pathnames.spelling import Anchor, Choice, exact, is_plain, read_choices, read_names, tokens_of
from toolpost.pathnames.states import Mark, States, Token
from toolpost.pathnames.touched import folded, folder_of, is_wild, names_of, touched

PathPattern = tuple[Choice, ...]
"""A pattern that was read: one of its choices has to match."""
_Roots = tuple[str, ...]


class _Sense(Enum):
    """How a pattern is read."""

    LETTERS = "letter by letter"
    FOLDED = "folded"
    WIDE = "folded; a bare name everywhere on the disk, a plain name with all that lies below"


@lru_cache(PATTERNS_KEPT)
def compile_pattern(text: str) -> PathPattern:
    """Raises InvalidArgument for what is no pattern."""
    return read_choices(text)


def matches(pattern: str, path: str, roots: _Roots, home: str) -> bool:
    """Whether the pattern means this very path, folded. A bare name is looked for inside the roots."""
    if _is_odd(path):
        return False
    rows = _rows(pattern, roots, home, _Sense.FOLDED)
    return any(row.accepts(_subject(spelled)) for spelled in _absolute(path, roots) for row in rows)


def admits(
    pattern: str, path: str, roots: _Roots, home: str, *, tree: bool = False, glob: bool = False
) -> bool:
    """The narrow reading: letter by letter, and all that the call may touch has to match."""
    wild = glob and is_wild(path)
    known = folder_of(path) if wild else path
    if known is None or _is_odd(known):
        return False
    rows = _rows(pattern, roots, home, _Sense.LETTERS)
    return all(_one_admits(rows, spelled, whole=tree or wild) for spelled in _absolute(known, roots))


def reaches(
    pattern: str, path: str, roots: _Roots, home: str, *, tree: bool = False, glob: bool = False
) -> bool:
    """The wide reading: whether something that the pattern means could be touched.

    A bare name is meant everywhere on the disk, and a plain name at the end with all that lies below it.
    """
    rows = _rows(pattern, roots, home, _Sense.WIDE)
    if not (tree or glob or "\0" in path):
        return any(row.accepts(_subject(spelled)) for spelled in _absolute(path, roots) for row in rows)
    plain = pattern.isascii()
    ways = [touched(spelled, tree=tree, glob=glob, plain=plain) for spelled in _absolute(path, roots)]
    return any(row.meets(way) for way in ways for row in rows)


def contains(wide: str, narrow: str) -> bool:
    """Whether one pattern surely reaches all that another admits, in whatever workspace."""
    everywhere, rows = _outline(wide)
    return all(
        name in everywhere or _holds_all(rows, subject, is_all=is_all)
        for name, subject, is_all in _known(narrow)
    )


_NOWHERE = (("/\ue000",), "/\ue001")
"""Roots and a home that no pattern names."""


@lru_cache(PATTERNS_KEPT)
def _outline(pattern: str) -> tuple[frozenset[str], tuple[States, ...]]:
    """The bare names that it means everywhere, and the pattern made ready."""
    names = (
        names[0] for anchor, names in compile_pattern(pattern) if anchor is Anchor.NAME and len(names) == 1
    )
    return frozenset(names), _rows(pattern, *_NOWHERE, _Sense.WIDE)


@lru_cache(PATTERNS_KEPT)
def _known(pattern: str) -> tuple[tuple[str, str, bool], ...]:
    """Of every choice the last name, the path before the first wildcard, and whether that is all of it."""
    found = []
    for choice in compile_pattern(pattern):
        for names in _placed(choice, *_NOWHERE, _Sense.FOLDED):
            plain = tuple(takewhile(is_plain, names))
            subject = "".join(str(token) for token in _tokens(plain, _Sense.FOLDED))
            found.append((names[-1] if names else "", subject, plain == names))
    return tuple(found)


def _holds_all(rows: tuple[States, ...], subject: str, *, is_all: bool) -> bool:
    return any(row.accepts(subject) if is_all else row.accepts_below(subject) for row in rows)


def matches_name(pattern: str, name: str, *, folded: bool = True) -> bool:
    """The same wildcards for names that are no paths, such as `server/tool`; `*` alone is every one of them."""
    subject = "".join(f"/{fold(part) if folded else part}" for part in name.split("/"))
    return pattern == "*" or any(row.accepts(subject) for row in compile_name(pattern, folded=folded))


@lru_cache(PATTERNS_KEPT)
def compile_name(pattern: str, *, folded: bool = True) -> tuple[States, ...]:
    """Raises InvalidArgument for what is no pattern."""
    return tuple(
        States(tuple(token for name in names for token in ("/", *tokens_of(name, folded=folded))))
        for names in read_names(pattern)
    )


def _one_admits(rows: tuple[States, ...], path: str, *, whole: bool) -> bool:
    subject = _lettered(path)
    return any(row.accepts_below(subject) if whole else row.accepts(subject) for row in rows)


def _is_odd(path: str) -> bool:
    """A path that says nothing for certain: none, one cut short, or one that leads up past a link."""
    return not path or "\0" in path or (".." in path and ".." in path.split("/"))


def _absolute(path: str, roots: _Roots) -> _Roots:
    """A relative path may be meant in any root."""
    if path.startswith("/") or any(path == root or path.startswith(f"{root}/") for root in roots):
        return (path,)
    return tuple(f"{root}/{path}" for root in roots) or (path,)


@lru_cache(FOLDED_NAMES)
def _lettered(path: str) -> str:
    return "".join(f"/{exact(name)}" for name in names_of(path))


@lru_cache(FOLDED_NAMES)
def _subject(path: str) -> str:
    return folded(names_of(path))


@lru_cache(PATTERNS_KEPT)
def _rows(pattern: str, roots: _Roots, home: str, sense: _Sense) -> tuple[States, ...]:
    """The pattern made ready for these roots; none where it could never match."""
    return tuple(
        States(tuple(_tokens(names, sense)))
        for choice in compile_pattern(pattern)
        for names in _placed(choice, roots, home, sense)
    )


def _placed(choice: Choice, roots: _Roots, home: str, sense: _Sense) -> Iterator[tuple[str, ...]]:
    """The names of the pattern from the disk's root on."""
    anchor, names = choice
    ending = ("**",) if sense is _Sense.WIDE and names and is_plain(names[-1]) else ()
    if anchor is Anchor.DISK:
        yield (*names, *ending)
    elif anchor is Anchor.NAME and sense is _Sense.WIDE:
        yield ("**", *names, *ending)
    elif anchor is Anchor.HOME:
        if home:
            yield (*_quoted(home), *names, *ending)
    else:
        deep = ("**",) if anchor is Anchor.NAME else ()
        for root in roots:
            yield (*_quoted(root), *deep, *names, *ending)


def _quoted(path: str) -> Iterator[str]:
    for name in names_of(path):
        yield "".join(f"\\{letter}" for letter in name)


def _tokens(names: tuple[str, ...], sense: _Sense) -> Iterator[Token]:
    for at, name in enumerate(names):
        if name == "**" or (name == "*" and at == len(names) - 1 and names[at - 1 : at] == ("**",)):
            if at == 0 or names[at - 1] != "**":
                yield Mark.DEEP
        else:
            yield "/"
            yield from tokens_of(name, folded=sense is not _Sense.LETTERS)
