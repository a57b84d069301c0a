"""What a default export is really called, as far as its own syntax shows: read from the head of the expression."""

import re

from toolpost.index.extract.ecma.names import NAME, said
from toolpost.index.extract.ecma.place import Hard

WRAPPERS = frozenset(("memo", "forwardRef", "observer"))
"""Functions that give back what they are given, under its name."""
_MAKERS = frozenset(("connect", "compose", "inject"))
"""Functions that make such wrappers: `connect(state)(Button)`."""

_FUNCTION = rb"(?:async\s+)?function\b\s*\*?\s*(%b)?\s*[(<]" % NAME
_CLASS = (
    rb"(?:abstract\s+)?class\b(?:\s+(?!extends\b|implements\b)(%b))?\s*(?:[{<]|extends\b|implements\b)" % NAME
)
_DECLARED = re.compile(rb"(?:(%b)|(%b)|interface\s+(%b))" % (_FUNCTION, _CLASS, NAME))
_BARE = re.compile(rb"(%b)[ \t]*(?:;|(?:as|satisfies)[ \t]|\r?\n(?=\s*(?:[A-Za-z_$@}/'\"]|\Z))|\Z)" % NAME)
_CALL = re.compile(rb"(?:%b\.)*(%b)\(\s*" % (NAME, NAME))
_ARROW = re.compile(rb"(?:async\s+)?(?:\(\s*(?:\{[\w\s,$]*\}|[\w$]*)\s*\)|%b)\s*=>" % NAME)
_LITERAL = re.compile(rb"[{\['\"\d-]|new\s|(?:true|false|null)\b")
_CURRIED = re.compile(rb"[\w\s,.$]*+\)\(\s*(%b)\s*\)\s*(?:;|\Z)" % NAME)
_DIRECT = re.compile(rb"(%b)\s*\)\s*(?:;|\Z)" % NAME)
_PASSED = re.compile(rb"(%b)\s*[,)]" % NAME)
_WORDS = frozenset(
    (b"async", b"function", b"class", b"new", b"await", b"typeof", b"void", b"yield", b"import", b"this")
)


def wraps(name: str) -> bool:
    return name in WRAPPERS or _with(name)


def makes_wrapper(name: str) -> bool:
    return name in _MAKERS or _with(name)


def _with(name: str) -> bool:
    """`withRouter(Page)`, `withStyles(styles)(Page)`: the name people give to such functions."""
    return name.startswith("with") and name[4:5].isupper()


def default_of(text: bytes, at: int) -> tuple[str, str]:
    """Kind and real name of the default export whose expression begins here; either may be empty."""
    match = _DECLARED.match(text, at)
    if match:
        return _declared(match)
    match = _BARE.match(text, at)
    if match and match[1] not in _WORDS:
        return ("value", "") if match[1] in _CONSTANTS else ("", said(match[1]))
    match = _CALL.match(text, at)
    if match and match[1] not in _WORDS:
        return "value", _called(text, match)
    if _ARROW.match(text, at):
        return "function", ""
    if _LITERAL.match(text, at) and _plain(text, at):
        return "value", ""
    raise Hard


_CONSTANTS = frozenset((b"undefined", b"null", b"true", b"false"))


def _plain(text: bytes, at: int) -> bool:
    """A number and the like; `{}` may be followed by anything, but nothing that names it."""
    return text[at : at + 1] != b"-" or text[at + 1 : at + 2].isdigit()


def _declared(match: re.Match[bytes]) -> tuple[str, str]:
    if match[1] is not None:
        return "function", said(match[2] or b"")
    if match[3] is not None:
        return "class", said(match[4] or b"")
    return "interface", said(match[5])


def _called(text: bytes, match: re.Match[bytes] | None) -> str:
    """The function or class written within the call, or the name given to a wrapper."""
    while match and match[1] not in _WORDS:
        callee, given = said(match[1]), match.end()
        if makes_wrapper(callee):
            return _made(text, given, direct=wraps(callee))
        inner = _DECLARED.match(text, given)
        if inner and inner[5] is None:
            return _declared(inner)[1]
        passed = _PASSED.match(text, given) if wraps(callee) else None
        if passed:
            return said(passed[1])
        match = _CALL.match(text, given) if wraps(callee) else None
    return ""


def _made(text: bytes, at: int, *, direct: bool) -> str:
    """The name given to what a maker of wrappers made, or to one that wraps at once."""
    match = _CURRIED.match(text, at) or (_DIRECT.match(text, at) if direct else None)
    if match is None:
        raise Hard
    return said(match[1])
