"""The modules a text names: imports of every form, and `require` of a literal."""

import re

from toolpost.index.extract.ecma.found import Found
from toolpost.index.extract.ecma.names import said, word
from toolpost.index.extract.ecma.place import Places
from toolpost.index.limits import ECMA_LOOK_BACK_BYTES

_STATIC = re.compile(rb"import\b([^'\"();`]*+)(['\"])([^'\"\\\n]+)\2")
_FROM = re.compile(rb"\bfrom\s*\Z")
_CALL = re.compile(
    rb"(?:import|require)\s*\(\s*(?:/\*.*?\*/\s*|//[^\n]*\n\s*)*(['\"`])([^'\"`\\\n$]+)\1\s*[,)]", re.DOTALL
)
_BEFORE_STATEMENT = (b";", b"}", b"*/")


def imports(places: Places, found: Found) -> tuple[str, ...]:
    """Each once, in order; those of re-exports are in `found` already."""
    sources = found.sources
    passed_on = len(sources)
    _imported(places, sources)
    at_imports = len(sources)
    _required(places, sources)
    if (passed_on and len(sources) > passed_on) or (at_imports and len(sources) > at_imports):
        sources.sort()
    return tuple(dict.fromkeys([source for _, source in sources]))


def _imported(places: Places, sources: list[tuple[int, str]]) -> None:
    text = places.text
    at = text.find(b"import")
    while at >= 0:
        end = at + 6
        if at == 0 or text[at - 1] == 0x0A:
            match = _STATIC.match(text, at)
            if match:
                if _names_module(match[1]) and places.starts(at):
                    sources.append((at, said(match[3])))
                end = match.start(2)
            elif text[end : end + 1] == b"(":
                _called(places, sources, at)
        elif text[end : end + 1] in _MAY_GO_ON and not word(text, at - 1):
            _within_line(places, sources, at)
        at = text.find(b"import", end)


_MAY_GO_ON = frozenset((b"(", b" ", b"{", b"'", b'"', b"*"))


def _within_line(places: Places, sources: list[tuple[int, str]], at: int) -> None:
    text = places.text
    if text[at + 6] == 0x28:  # a parenthesis
        _called(places, sources, at)
        return
    before = text[max(at - ECMA_LOOK_BACK_BYTES, text.rfind(b"\n", 0, at) + 1) : at].strip()
    if before and not before.endswith(_BEFORE_STATEMENT):
        return
    match = _STATIC.match(text, at)
    if match and _names_module(match[1]) and places.code(at):
        sources.append((at, said(match[3])))


def _names_module(clause: bytes) -> bool:
    """Of what stands between `import` and a string."""
    return (
        clause.endswith((b" from ", b"}from", b" from"))
        or not clause.strip()
        or _FROM.search(clause) is not None
    )


def _required(places: Places, sources: list[tuple[int, str]]) -> None:
    text = places.text
    at = text.find(b"require(")
    while at >= 0:
        if at == 0 or (not word(text, at - 1) and (text[at - 1] != 0x2E or text.endswith(b"module.", 0, at))):
            _called(places, sources, at)
        at = text.find(b"require(", at + 8)


def _called(places: Places, sources: list[tuple[int, str]], at: int) -> None:
    match = _CALL.match(places.text, at)
    if match and places.code(at):
        sources.append((at, said(match[2])))
