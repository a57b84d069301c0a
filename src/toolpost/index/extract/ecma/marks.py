"""Facts about a text that tags are made of; each is a word found and then looked at where it stands.

One pass tells which of the words a text holds at all, in a quarter of the time that a search for each would take;
most texts hold none, or one.
"""

import re
from collections.abc import Callable

import re2

from toolpost.index.extract.ecma.decorators import DECORATED, decorators
from toolpost.index.extract.ecma.found import Found
from toolpost.index.extract.ecma.names import NAME, said, word
from toolpost.index.extract.ecma.place import Places

_Reader = Callable[[Places, list[str]], None]

_CALL = re.compile(rb"\s*\(|<")
_STYLED = re.compile(rb"\s*(?:[(`]|\.%b\s*[(`.<]|<)" % NAME)
_TEST = re.compile(rb"(?:\.%b)*\s*[(`]" % NAME)
_GAP = rb"(?:\s++|//[^\n]*+|/\*.*?\*/)*+"
_EXTENDS = re.compile(
    rb"class\b(?:\s+(?!extends\b)%b)?%b(?:<(?:(?! \{\n).){1,400}?>%b)?\bextends\s+(?:%b\.)*(%b)(?!\s*\()"
    % (NAME, _GAP, _GAP, NAME, NAME),
    re.DOTALL,
)
_ELEMENT_END = re.compile(rb"</(?:[A-Za-z][\w.:$-]*\s*)?>|(?<![\\(=,:\[!&|?])/>(?!/[gimsuy]*[,).;])")
"""No pattern such as `/>/g`."""
_PROLOGUE = re.compile(rb"(?:#![^\n]*|\s|//[^\n]*|/\*.*?\*/|['\"]use [a-z ]+['\"];?)*+", re.DOTALL)
_USE = re.compile(rb"^['\"]use (client|server)['\"]", re.MULTILINE)
_USES_CLIENT = tuple(
    before + use for use in (b'"use client"', b"'use client'") for before in (b"", b'"use strict";\n')
)
_RUNS = re.compile(
    rb"^(?!import\b|export\b|type\b|interface\b|declare\b)[A-Za-z_$(\[!+@{]|^import\s*['\"]", re.MULTILINE
)
_RUNS_AT_ALL = re.compile(rb"^(?!import\b|export\b)[A-Za-z_$(\[!+@{]|^import\s*['\"]", re.MULTILINE)
_TYPES = frozenset(("type", "interface"))


def marks(places: Places, found: Found, *, elements: bool) -> tuple[str, ...]:
    """Sorted; `elements` tells whether the language has JSX."""
    made: list[str] = []
    for sign in (_WITH_ELEMENTS if elements else _SIGNS).Match(places.text) or ():
        _READERS[sign](places, made)
    if found.exports:
        _shape(places.text, found, made)
    made.sort()
    return tuple(made)


def _calls(name: str, call: re.Pattern[bytes] = _CALL) -> _Reader:
    sought, mark = name.encode(), f"calls:{name}"

    def read(places: Places, made: list[str]) -> None:
        text, length = places.text, len(sought)
        at = text.find(sought)
        while at >= 0:
            follows = (at == 0 or not word(text, at - 1)) and call.match(text, at + length)
            if follows and _no_definition(text, at) and places.code(at):
                made.append(mark)
                return
            at = text.find(sought, at + length)

    return read


def _no_definition(text: bytes, at: int) -> bool:
    return not text.endswith((b"function ", b"function* "), max(0, at - 10), at)


def _tests(name: str) -> _Reader:
    """Calls that start a line; what stands deeper is within one of them."""
    sought, mark = name.encode(), f"calls:{name}"

    def read(places: Places, made: list[str]) -> None:
        text = places.text
        at = 0 if text.startswith(sought) else text.find(b"\n" + sought) + 1
        while at or text.startswith(sought):
            if _TEST.match(text, at + len(sought)) and places.starts(at):
                made.append(mark)
                return
            at = text.find(b"\n" + sought, at) + 1
            if not at:
                return

    return read


def _element(places: Places, made: list[str]) -> None:
    """Its end is looked for, which is rarer in other code than its beginning."""
    text = places.text
    for end in (b"</", b"/>"):
        at = text.find(end)
        while at >= 0:
            if _ELEMENT_END.match(text, at) and places.code(at):
                made.append("jsx")
                return
            at = text.find(end, at + 2)


def _bases(places: Places, made: list[str]) -> None:
    text = places.text
    names = set()
    at = text.find(b"class")
    while at >= 0:
        if at == 0 or not word(text, at - 1):
            match = _EXTENDS.match(text, at)
            if match and places.code(at):
                names.add(said(match[1]))
        at = text.find(b"class", at + 5)
    made.extend(f"extends:{name}" for name in names)


def _decorators(places: Places, made: list[str]) -> None:
    made.extend(f"decorator:{name}" for name in decorators(places))


def _shebang(_: Places, made: list[str]) -> None:
    made.append("shebang")


def _conflict(places: Places, _: list[str]) -> None:
    """What a merge left behind; the text is two, and neither."""
    places.doubt()


def _directives(places: Places, made: list[str]) -> None:
    text = places.text
    if text.startswith(_USES_CLIENT):
        made.append("use-client")
        return
    prologue = _PROLOGUE.match(text)
    end = prologue.end() if prologue else 0
    made.extend(f"use-{said(match[1])}" for match in _USE.finditer(text, 0, end))


_EACH: tuple[tuple[bytes, _Reader], ...] = (
    (rb"\bcreateContext\s*[(<]", _calls("createContext")),
    (rb"\bdefineComponent\s*[(<]", _calls("defineComponent")),
    (rb"\bcustomElements\.define\s*[(<]", _calls("customElements.define")),
    (rb"\bforwardRef\s*[(<]", _calls("forwardRef")),
    (rb"\bmemo\s*[(<]", _calls("memo")),
    (rb"\blazy\s*[(<]", _calls("lazy")),
    (rb"\bstyled\s*[(`.<]", _calls("styled", _STYLED)),
    (rb"(?m)^describe\b", _tests("describe")),
    (rb"(?m)^it\b", _tests("it")),
    (rb"(?m)^test\b", _tests("test")),
    (rb"\bextends\s", _bases),
    (DECORATED, _decorators),
    (rb"\A#!", _shebang),
    (rb"use (?:client|server)['\"]", _directives),
    (rb"(?m)^(?:<<<<<<<|>>>>>>>) ", _conflict),
    (rb"</[A-Za-z>]|/>", _element),
)
"""What a text surely holds where the mark may be made; the last is no sign in languages without elements."""
_READERS = tuple(read for _, read in _EACH)


def _compiled(patterns: tuple[bytes, ...]) -> re2.Set:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    made = re2.Set.SearchSet(options)
    for pattern in patterns:
        made.Add(pattern)
    made.Compile()
    return made


_WITH_ELEMENTS = _compiled(tuple(pattern for pattern, _ in _EACH))
_SIGNS = _compiled(tuple(pattern for pattern, _ in _EACH[:-1]))


def _shape(text: bytes, found: Found, made: list[str]) -> None:
    """Whether all it exports are types, or passed on from others, and nothing in it runs."""
    exports = found.exports
    if exports[0].kind in _TYPES and all(export.kind in _TYPES for export in exports):
        runs: re.Pattern[bytes] = _RUNS
        mark = "types-only"
    elif all(export.source for export in exports):
        runs = _RUNS_AT_ALL
        mark = "reexports-only"
    else:
        return
    if not runs.search(text):
        made.append(mark)
