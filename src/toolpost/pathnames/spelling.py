"""How path patterns are written: read once, with every mistake named, into what the matcher takes."""

from enum import Enum
from itertools import pairwise
from typing import NamedTuple, NoReturn
from unicodedata import normalize

from toolpost.errors import InvalidArgument
from toolpost.limits import GLOB_BRACES, GLOB_CHARS, GLOB_STARS, RULE_CHOICES
from toolpost.pathnames.folded import fold
from toolpost.pathnames.states import Letters, Mark, Token

_KNOWN = "Patterns know `*`, `?`, `**`, `[a-z]`, `[!a]`, `{a,b}` and `\\` before a character taken as it is."


class Anchor(Enum):
    """Where a pattern begins."""

    ROOT = "root"
    DISK = "disk"
    HOME = "home"
    NAME = "name"
    """Anywhere: a name without a folder."""


class Choice(NamedTuple):
    anchor: Anchor
    names: tuple[str, ...]
    """As they are written; `**` stands for any number of them."""


def read_choices(text: str) -> tuple[Choice, ...]:
    """Raises InvalidArgument, which says what is wrong."""
    _refuse_unbounded(text)
    choices = tuple(_choice(spelled) for spelled in _multiplied(text))
    for choice in choices:
        for name in choice.names:
            tokens_of(name, folded=True)
    return choices


def read_names(text: str) -> tuple[tuple[str, ...], ...]:
    """Choices of names divided by `/`, none of which is a folder. Raises InvalidArgument."""
    _refuse_unbounded(text)
    choices = tuple(tuple(spelled.split("/")) for spelled in _multiplied(text))
    if not all(name.strip() for names in choices for name in names):
        _refuse(f"{text!r} has nothing before or after a slash.")
    return choices


def tokens_of(name: str, *, folded: bool) -> tuple[Token, ...]:
    """One name of a pattern. Raises InvalidArgument."""
    tokens: list[Token] = []
    literal, at = "", 0
    while at < len(name):
        token, at = _token(name, at, folded=folded)
        if isinstance(token, str):
            literal += token
            continue
        tokens += [*_between(literal, folded=folded), token]
        literal = ""
    if not tokens:
        return tuple(_alone(literal, folded=folded))
    if literal.rstrip(" .") != literal:
        _refuse(f"{name!r} ends in dots or blanks after a wildcard, and no name does once it is compared.")
    return (*tokens, *_between(literal, folded=folded))


def is_plain(name: str) -> bool:
    """Whether a name of a pattern has no wildcard."""
    return all(isinstance(token, str) for token in tokens_of(name, folded=False))


def exact(name: str) -> str:
    """A name as disks that normalize keep it; nothing else about it is set aside."""
    return name if name.isascii() else normalize("NFC", name)


def _between(literal: str, *, folded: bool) -> str:
    """Letters beside a wildcard: what is stripped at the end of a name is kept here."""
    return fold(f"{literal}|")[:-1] if folded else exact(literal)


def _alone(literal: str, *, folded: bool) -> str:
    return (fold(literal) or literal) if folded else exact(literal)


def _token(name: str, at: int, *, folded: bool) -> tuple[Token, int]:
    letter = name[at]
    if letter == "*":
        while name[at : at + 1] == "*":
            at += 1
        return Mark.MANY, at
    if letter == "?":
        return Mark.ONE, at + 1
    if letter == "[":
        return _letters(name, at, folded=folded)
    if letter == "\\":
        if at + 1 == len(name):
            _refuse(f"{name!r} ends in a backslash with nothing after it. {_KNOWN}")
        return name[at + 1], at + 2
    return letter, at + 1


def _letters(name: str, at: int, *, folded: bool) -> tuple[Letters, int]:
    start = at + 1
    negated = name[start : start + 1] in {"!", "^"}
    start += negated
    end = name.find("]", start + 1)
    if end < 0:
        _refuse(f"{name!r} has a `[` that no `]` closes within the name. {_KNOWN}")
    inside, ranges = name[start:end], []
    if inside.startswith("[:") or "\\" in inside:
        _refuse(f"{name!r} has a set with `[:` or a backslash, which sets do not know. {_KNOWN}")
    while inside:
        if inside[1:2] == "-" and len(inside) > 2:
            ranges.append((inside[0], inside[2]))
            inside = inside[3:]
        else:
            ranges.append((inside[0], inside[0]))
            inside = inside[1:]
    if any(first > last for first, last in ranges):
        _refuse(f"{name!r} has a set whose range runs backwards. {_KNOWN}")
    return Letters(tuple(ranges), negated, folded), end + 1


def _choice(text: str) -> Choice:
    is_folder = text.endswith("/") and text != "/"
    anchor, body = _anchored(text)
    names = [name for name in body.split("/") if name not in {"", "."}]
    if ".." in names:
        _refuse(f"{text!r} holds `..`; write where it leads: `../x` as `/path/x` or `~/x`.")
    names += ["**"] if is_folder else []
    if anchor is not Anchor.DISK and not names:
        _refuse("The pattern names nothing; `**` is the workspace, `/**` every path, `*` every name.")
    return Choice(anchor, tuple(_collapsed(names)))


def _anchored(text: str) -> tuple[Anchor, str]:
    if text.startswith("/"):
        return Anchor.DISK, text
    if text == "~" or text.startswith("~/"):
        return Anchor.HOME, f"{text[2:]}/." if text[2:] else "**"
    if text.startswith("~"):
        _refuse(f"{text!r} is another user's home; write its path, such as `/home/name/x`.")
    bare = text.rstrip("/")
    if "/" not in bare and bare not in {"**", "."}:
        return Anchor.NAME, text
    return Anchor.ROOT, text


def _collapsed(names: list[str]) -> list[str]:
    """Two `**` in a row are one."""
    return [name for at, name in enumerate(names) if name != "**" or names[at - 1 : at] != ["**"]]


def _multiplied(text: str) -> list[str]:
    """Every choice of `{a,b}` written out."""
    waiting, found = [text], list[str]()
    while waiting:
        if len(waiting) + len(found) > RULE_CHOICES:
            _refuse(f"The groups of {text!r} come to more than {RULE_CHOICES} patterns. Write several rules.")
        spelled = waiting.pop()
        group = _group(spelled)
        if group is None:
            found.append(spelled)
            continue
        start, end, parts = group
        waiting += [f"{spelled[:start]}{part}{spelled[end:]}" for part in reversed(parts)]
    return found


def _group(text: str) -> tuple[int, int, list[str]] | None:
    """The first group: where it begins, where it ends, and its choices."""
    marks = [at for at, letter in enumerate(text) if letter in "{,}" and not _is_escaped(text, at)]
    depth, start, cuts = 0, -1, list[int]()
    for at in marks:
        if text[at] == "{":
            start = at if depth == 0 else start
            depth += 1
        elif text[at] == "," and depth == 1:
            cuts.append(at)
        elif text[at] == "}" and depth:
            depth -= 1
            if depth == 0:
                break
    if start < 0:
        return None
    if depth or not cuts:
        _refuse(f"{text!r} has a group that is not closed, or has one choice only. {_KNOWN}")
    edges = [start, *cuts, at]
    return start, at + 1, [text[first + 1 : last] for first, last in pairwise(edges)]


def _is_escaped(text: str, at: int) -> bool:
    before = text[:at]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _refuse_unbounded(text: str) -> None:
    if len(text) > GLOB_CHARS:
        _refuse(f"The pattern has {len(text):,} characters; at most {GLOB_CHARS:,} are taken.")
    if not text.strip():
        _refuse("The pattern is empty; `**` is the workspace, `/**` every path, `*` every name.")
    if any(letter < " " or letter == "\x7f" or "\ud800" <= letter <= "\udfff" for letter in text):
        _refuse("The pattern holds a control character or half of a surrogate pair.")
    for mark, most, what in (("{", GLOB_BRACES, "groups `{a,b}`"), ("*", GLOB_STARS, "stars")):
        if text.count(mark) > most:
            _refuse(f"The pattern has {text.count(mark)} {what}; at most {most} are taken.")


def _refuse(sentence: str) -> NoReturn:
    raise InvalidArgument(sentence, parameter="pattern")
