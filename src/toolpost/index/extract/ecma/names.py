"""Names and what they stand for within a file: its own declarations and what it imports."""

import re

from toolpost.index.limits import ECMA_SEARCHED
from toolpost.index.model import DEFAULT, STAR

NAME = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*+"
COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
ALIAS = re.compile(rb"\s+import\s+(?:type\s+)?(%b)\s*=\s*(?:require\(\s*['\"]([^'\"\\\n]+)['\"])?" % NAME)
_ESCAPE = re.compile(r"\\u(?:\{([0-9A-Fa-f]{1,8})\}|([0-9A-Fa-f]{4}))")
_LAST_CODE = 0x10FFFF
_WORD = re.compile(rb"[\w$\x80-\xff]")
_DECLARATION = (
    rb"(?:export )?(?:default )?(?:declare )?(?:async )?(?:abstract )?"
    rb"(function ?\*?|class|interface|type|const enum|enum|const|let|var|namespace|module)"
)
_DECLARED = re.compile(_DECLARATION)
_DECLARING = re.compile(rb"^%b (%b)" % (_DECLARATION, NAME), re.MULTILINE)
KINDS = {b"module": "namespace", b"const enum": "enum", b"abstract class": "class"}
_IMPORT = re.compile(
    rb"import\s+(?:type\s+)?(?:(%b)\s*,?\s*)?(?:\*\s*as\s+(%b)\s*|\{((?:[^}/]|//[^\n]*|/\*.*?\*/)*)\}\s*)?"
    rb"from\s*['\"]([^'\"\n]*)['\"]" % (NAME, NAME),
    re.DOTALL,
)


def word(text: bytes, at: int) -> bool:
    """True for a byte that may go on a name."""
    return _WORD.match(text, at) is not None


def said(name: bytes) -> str:
    return name.decode("utf-8", "replace")


def unescaped(name: str) -> str:
    r"""A name as it is meant: `\u0061bc` is `abc`. What stands for no character stays."""
    return _ESCAPE.sub(_character, name)


def _character(escape: re.Match[str]) -> str:
    code = int(escape[1] or escape[2], 16)
    is_one = code <= _LAST_CODE and not 0xD800 <= code <= 0xDFFF
    return chr(code) if is_one else escape[0]


def kind_named(keyword: bytes) -> str:
    """The kind a declaration's keyword makes."""
    if keyword.startswith((b"function", b"async")):
        return "function"
    return KINDS.get(keyword) or keyword.decode()


class Declared:
    """The kinds of what lines that start with a declaration name."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._asked = 0
        self._kinds: dict[bytes, str] = {}

    def kind(self, name: bytes) -> str:
        """Empty where no line declares it. A few names are searched for; for many, all lines are read once."""
        self._asked += 1
        if self._asked < ECMA_SEARCHED:
            return _search(self._text, name)
        if self._asked == ECMA_SEARCHED:
            for match in _DECLARING.finditer(self._text):
                self._kinds.setdefault(match[2], kind_named(match[1]))
        return self._kinds.get(name, "")


def _search(text: bytes, name: bytes) -> str:
    sought = b" " + name
    at = text.find(sought)
    while at >= 0:
        if not word(text, at + len(sought)):
            match = _DECLARED.fullmatch(text, text.rfind(b"\n", 0, at) + 1, at)
            if match:
                return kind_named(match[1])
        at = text.find(sought, at + 1)
    return ""


class Imported:
    """What a file's imports bind, read when first asked for: only lists without a source ask."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._bound: dict[str, tuple[str, str]] | None = None

    def get(self, name: str) -> tuple[str, str] | None:
        """What the name is called in its module, and that module as written."""
        if self._bound is None:
            self._bound = _bindings(self._text)
        return self._bound.get(name)


def _bindings(text: bytes) -> dict[str, tuple[str, str]]:
    bound: dict[str, tuple[str, str]] = {}
    at = 0
    while at >= 0:
        match = _IMPORT.match(text, at)
        if match:
            _bind(bound, match)
        at = text.find(b"\nimport", at) + 1 or -1
    return bound


def _bind(bound: dict[str, tuple[str, str]], match: re.Match[bytes]) -> None:
    default, namespace, listed, source = match.groups()
    module = said(source)
    if default:
        bound[said(default)] = DEFAULT, module
    if namespace:
        bound[said(namespace)] = STAR, module
    for name, local, _ in pairs(listed or b"") or ():
        bound[local] = name, module


def pairs(listed: bytes) -> list[tuple[str, str, bool]] | None:
    """The members of `{ a, b as c, type d }`: before `as`, after it, and whether a type; None if it is odd."""
    if b"/" in listed:
        listed = COMMENT.sub(b" ", listed)
    if b"'" in listed or b'"' in listed or b"\\" in listed:
        return None
    found = []
    for piece in listed.split(b","):
        words = piece.decode("utf-8", "replace").split()
        is_type = len(words) in {2, 4} and words[0] == "type"
        if is_type:
            del words[0]
        if len(words) == 1:
            found.append((words[0], words[0], is_type))
        elif len(words) == 3 and words[1] == "as":
            found.append((words[0], words[2], is_type))
        elif words:
            return None
    return found
