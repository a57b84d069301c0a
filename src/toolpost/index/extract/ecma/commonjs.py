"""What CommonJS modules export: assignments to `exports` wherever they stand, as Node's own lexer has it."""

import re
from collections.abc import Iterator

from toolpost.index.extract.ecma.defaults import default_of
from toolpost.index.extract.ecma.found import Found
from toolpost.index.extract.ecma.names import NAME, said, word
from toolpost.index.extract.ecma.objects import closing, members
from toolpost.index.extract.ecma.place import Hard, Places
from toolpost.index.limits import ECMA_GETTER_BYTES, ECMA_LOOK_BACK_BYTES, ECMA_LOOP_BYTES
from toolpost.index.model import DEFAULT, STAR, Export

_USE = re.compile(
    rb"exports(?:\.(%b)|\[\s*['\"]([^'\"\\\n]+)['\"]\s*\])?\s*(?:(=(?![=>])\s*)|,\s*['\"]([^'\"\\\n]+)['\"])?"
    % NAME
)
_CHAIN = re.compile(
    rb"(?:(?:module\s*\.\s*)?exports(?:\.%b|\[['\"][^'\"\n]*['\"]\])?\s*=(?![=>])\s*)*" % NAME
)
_REQUIRE = re.compile(
    rb"(?:(?:%b\.)?%b\(\s*)?require\(\s*['\"]([^'\"\\\n]+)['\"]\s*\)+(?:\.(%b))?" % (NAME, NAME, NAME)
)
_HOLDS = re.compile(rb" = (?:(?:%b\.)?%b\(\s*)?require\(\s*['\"]([^'\"\\\n]+)['\"]" % (NAME, NAME))
"""Behind a variable's name: what begins with a letter of any kind is sought four times as long."""
_LAST_NAME = re.compile(rb"%b\Z" % NAME)
_COMPILED = re.compile(
    rb"exports, \"(%b)\", \{\n  enumerable: true,\n  get: function \(\) \{\n    return (%b)\.(%b);\n  \}\n\}\);"
    % (NAME, NAME, NAME)
)
"""How Babel writes what is passed on: a barrel has thousands of these."""
_DEFINES = b"\nObject.defineProperty("
_STARS = re.compile(
    rb"__export(?:Star)?\(\s*require\(\s*['\"]([^'\"\\\n]+)['\"]|Object\.keys\((%b)\)\.forEach\(" % NAME
)
_BOUND = re.compile(rb"(?:var|let|const)\s+(%b)\s*=\s*(?:module\s*\.\s*)?" % NAME)
_GETTER = re.compile(rb"return\s+(%b)\.(%b)\s*;?\s*\}" % (NAME, NAME))
_BARE_VALUE = re.compile(rb"\s*(%b)\s*[,}]" % NAME)
_SPACES = re.compile(rb"\s*")
_ASSIGNS = re.compile(rb"(?<![\w$.])Object\.assign\((?:module\.)?\Z")
_ASSIGNS_BYTES = len(b"Object.assign(module.")
_NEXT_ARGUMENT = re.compile(rb"\s*,\s*")
_ES_MODULE = b"__esModule"
_VOID = b"void 0"
_MADE_UP = frozenset(("_default",))
"""Names a compiler made; nobody asks for them."""


class _Held:
    """Which module a variable holds, read when first asked for."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._modules: dict[bytes, str] | None = None

    def get(self, name: bytes) -> str:
        if self._modules is None:
            self._modules = dict(self._read())
        return self._modules.get(name, "")

    def _read(self) -> Iterator[tuple[bytes, str]]:
        for match in _HOLDS.finditer(self._text):
            end = match.start()
            before = self._text[max(0, end - ECMA_LOOK_BACK_BYTES) : end]
            name = _LAST_NAME.search(before.rpartition(b" ")[2])
            if name:
                yield name[0], said(match[1])


def exports(places: Places, found: Found) -> None:
    text = places.text
    held = _Held(text)
    _stars(places, found, held)
    at = text.find(b"exports")
    while at >= 0:
        is_defined = text.startswith(_DEFINES, at - len(_DEFINES)) and _compiled(places, found, held, at)
        match = _USE.match(text, at) if not is_defined and _own(text, at) else None
        if match and (match[3] or match[4]) and _ES_MODULE not in match[0] and places.code(at):
            _use(found, match, held)
        elif match and _ASSIGNS.search(text, max(0, at - _ASSIGNS_BYTES), at) and places.code(at):
            _merged(found, match.end())
        at = text.find(b"exports", at + 7)
    _settle(found)


def _compiled(places: Places, found: Found, held: _Held, at: int) -> bool:
    """Whether it is what a compiler writes; then it is read."""
    match = _COMPILED.match(found.text, at)
    if match is None or not places.starts(at - len(_DEFINES) + 1):
        return False
    name, module, local = match.groups()
    source = held.get(module)
    if source:
        found.add(at, said(name), "", said(local), source)
    return bool(source)


def _own(text: bytes, at: int) -> bool:
    """That it is the module's `exports`, no other object's and no part of a longer name."""
    before = text[at - 1 : at]
    if before == b".":
        return text.endswith(b"module.", 0, at) and (at == 7 or not word(text, at - 8))
    return not before or not word(text, at - 1)


def _use(found: Found, match: re.Match[bytes], held: _Held) -> None:
    text, at = found.text, match.start()
    if match[4]:
        if text[max(0, at - 40) : at].rstrip().endswith(b"defineProperty("):
            _defined(found, match, held)
        return
    name = match[1] or match[2]
    begin = match.end()
    if name:
        _assigned(found, at, said(name), begin)
    elif text[at - 1 : at] == b".":
        _whole(found, at, begin)


def _assigned(found: Found, at: int, name: str, begin: int) -> None:
    """`exports.name = value`; `void 0` only says that it will come."""
    text = found.text
    chain = _CHAIN.match(text, begin)
    begin = chain.end() if chain else begin
    if text.startswith(_VOID, begin):
        found.announced.setdefault(name, at)
        return
    required = None if text.startswith(b"(", begin) else _REQUIRE.match(text, begin)
    if required:
        found.add(at, name, "" if required[2] else "namespace", said(required[2] or b"*"), said(required[1]))
        return
    kind, local = _value(found, begin)
    found.add(at, name, kind, local or _bound_before(text, at))


def _whole(found: Found, at: int, begin: int) -> None:
    """`module.exports = value`."""
    text = found.text
    chain = _CHAIN.match(text, begin)
    begin = chain.end() if chain else begin
    required = _REQUIRE.match(text, begin)
    if required and not required[2]:
        found.add(at, STAR, "", "", said(required[1]))
    elif text[begin : begin + 1] == b"{":
        _object(found, begin)
    else:
        kind, local = _value(found, begin)
        found.add(at, DEFAULT, kind, local or _bound_before(text, at))


def _merged(found: Found, begin: int) -> None:
    """What follows in `Object.assign(module.exports, { a, b }, require("x"))`, as far as it is written there."""
    text = found.text
    while next_one := _NEXT_ARGUMENT.match(text, begin):
        begin = next_one.end()
        required = _REQUIRE.match(text, begin)
        if required and not required[2]:
            found.add(begin, STAR, "", "", said(required[1]))
            begin = text.find(b")", required.end(1)) + 1
        elif text[begin : begin + 1] == b"{":
            _object(found, begin)
            begin = closing(text, begin)
        else:
            return


def _object(found: Found, begin: int) -> None:
    text = found.text
    for name, at, value in members(text, begin):
        if name == b"...":
            required = _REQUIRE.match(text, value)
            if required:
                found.add(at, STAR, "", "", said(required[1]))
        elif value < 0:
            found.add(at, said(name), "function")
        elif value == at:
            found.add(at, said(name), found.declared.kind(name))
        else:
            _member(found, at, said(name), value)


def _member(found: Found, at: int, name: str, value: int) -> None:
    """`name: value` within an object."""
    bare = _BARE_VALUE.match(found.text, value)
    if bare:
        local = bare[1]
        found.add(at, name, found.declared.kind(local) or "value", said(local))
    else:
        space = _SPACES.match(found.text, value)
        _assigned(found, at, name, space.end() if space else value)


def _value(found: Found, begin: int) -> tuple[str, str]:
    text = found.text
    if text.startswith(b"(0, ", begin):  # how compilers call what they imported
        return "value", ""
    try:
        kind, local = default_of(text, begin)
    except Hard:
        return "value", ""
    return kind or found.declared.kind(local.encode()) or "value", local


def _bound_before(text: bytes, at: int) -> str:
    """The name in `var Name = exports.name = …`."""
    match = _BOUND.fullmatch(text, text.rfind(b"\n", 0, at) + 1, at)
    name = said(match[1]) if match else ""
    return "" if name in _MADE_UP else name


def _defined(found: Found, match: re.Match[bytes], held: _Held) -> None:
    """`Object.defineProperty(exports, "name", { get: … return module.name })`."""
    returned = found.text.find(b"return ", match.end(), match.end() + ECMA_GETTER_BYTES)
    getter = _GETTER.match(found.text, returned) if returned >= 0 else None
    source = held.get(getter[1]) if getter else ""
    if getter and source:
        found.add(match.start(), said(match[4]), "", said(getter[2]), source)
    else:
        found.add(match.start(), said(match[4]), "value")


def _stars(places: Places, found: Found, held: _Held) -> None:
    """Helpers of compilers that pass on all of another module."""
    text = places.text
    if b"__export" not in text and b"Object.keys(" not in text:
        return
    for match in _STARS.finditer(text):
        source = said(match[1]) if match[1] else held.get(match[2])
        passes = match[1] or text.find(b"exports", match.end(), match.end() + ECMA_LOOP_BYTES) >= 0
        if source and passes and places.code(match.start()):
            found.add(match.start(), STAR, "", "", source)


def _settle(found: Found) -> None:
    """One export a name, the first; what is only announced comes last. Stars are all kept."""
    named = {export.name for export in found.exports}
    for name, at in found.announced.items():
        if name not in named:
            found.add(at, name, "")
    if len(found.exports) < 2:
        return
    kept: dict[tuple[str, str], Export] = {}
    for export in sorted(found.exports, key=lambda export: export.line):
        kept.setdefault((export.name, export.source if export.name == STAR else ""), export)
    found.exports = list(kept.values())
