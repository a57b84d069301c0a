"""ES module exports read from the head of each statement, found by the word `export`.

Lines that start with it outside comments and templates are exports; a regular expression reads the head. What
the head does not settle (destructuring, several declarators, odd layouts) raises Hard.
"""

import re
from collections.abc import Callable

from toolpost.index.extract.ecma.balance import SILENT
from toolpost.index.extract.ecma.defaults import default_of
from toolpost.index.extract.ecma.found import Found, alias
from toolpost.index.extract.ecma.names import ALIAS, NAME, kind_named, pairs, said
from toolpost.index.extract.ecma.place import Hard, Lines, Places
from toolpost.index.limits import ECMA_LOOK_BACK_BYTES
from toolpost.index.model import STAR

_DECLARATION = re.compile(
    rb"[ \t]+(declare[ \t]+)?(async[ \t]+function(?:[ \t]*\*)?|function(?:[ \t]*\*)?|abstract[ \t]+class|class|interface"
    rb"|type|const[ \t]+enum|enum|const|let|var|namespace|module)(?:[ \t]+|(?<=\*))(%b)\s*([^\w\s]|extends\b|implements\b)?"
    % NAME
)
_HEADS: dict[bytes, frozenset[bytes]] = {
    b"function": frozenset((b"(", b"<")),
    b"class": frozenset((b"{", b"<", b"extends", b"implements")),
    b"interface": frozenset((b"{", b"<", b"extends")),
    b"type": frozenset((b"=", b"<")),
    b"enum": frozenset((b"{",)),
    b"namespace": frozenset((b"{", b".")),
}
"""What may follow the name, so that the keyword was one."""
_LIST = re.compile(
    rb"\s*(type\b\s*)?\{((?:[^}/]++|//[^\n]*+|/\*.*?\*/)*+)\}(?:\s*from\s*(['\"])([^'\"\\\n]*)\3)?", re.DOTALL
)
_ONE_PASSED = re.compile(rb" \{ (?:(%b) as )?(%b) \} from (['\"])([^'\"\\\n]*)\3" % (NAME, NAME))
_STAR = re.compile(rb"\s*(type\s+)?\*\s*(?:as\s+(%b)\s+)?from\s*(['\"])([^'\"\\\n]*)\3" % NAME)
_GLOBAL = re.compile(rb"[ \t]+as[ \t]+namespace\b")
_NEXT_STATEMENT = re.compile(rb"\n(?=[A-Za-z_$@/'\"])")
_SECOND_DECLARATOR = re.compile(
    rb",(?:\s++|//[^\n]*+\n|/\*.{0,400}?\*/)*+(?:%b\s*+(?::[^=;(){}\[\]]{0,400}+)?+=(?![=>])"
    rb"|[{\[](?:[^=;<]{1,400}+|<(?!\w[\w.]*\s+[\w-]+=)){0,8}+=(?![=>]))" % NAME,
    re.DOTALL,
)
"""Types and patterns are taken to be no longer than that, so that long data is read once; `<A b=` is an element."""
_FROM = re.compile(rb"\s*from\b")
_ENDS_OPEN = frozenset(b",=([{+-*/%&|?:<!~^.")


def exports(places: Lines, found: Found) -> bool:
    """Collect them; True where the text also says `exports`, as CommonJS does."""
    text = places.text
    common = False
    at = text.find(b"export")
    while at >= 0:
        after = text[at + 6 : at + 7]
        if after == b"s":
            common = True
        elif at == 0 or text[at - 1] == 0x0A:
            if not after.isalnum() and after not in _NO_HEAD and places.starts(at):
                _statement(found, at)
        elif after in _GOES_ON and _may_start(text, at) and places.code(at):
            raise Hard
        at = text.find(b"export", at + 6)
    return common


def salvage(places: Places, found: Found) -> None:
    """Collect what lines that start with `export` say by themselves, of a text that does not parse."""
    for match in _LINE.finditer(found.text):
        at = match.start()
        if not places.starts(at):
            continue
        try:
            _statement(found, at)
        except Hard:
            _first_name(found, at)


def _first_name(found: Found, at: int) -> None:
    match = _DECLARATION.match(found.text, at + 6)
    if match and match[2] in _VARIABLE_WORDS:
        found.add(at, said(match[3]), said(match[2]))


_LINE = re.compile(rb"^export\b(?=[\s{*])", re.MULTILINE)
_VARIABLE_WORDS = frozenset((b"const", b"let", b"var"))
_NO_HEAD = frozenset((b"_", b"$", b":", b"(", b")", b",", b".", b""))
"""After `export` at the start of a line, these make it no statement: a name, a key, a word in prose."""
_GOES_ON = frozenset((b" ", b"{", b"*", b"=", b"\n", b"\t", b"\r", b"/", b"@"))


def _may_start(text: bytes, at: int) -> bool:
    """Of an `export` within a line: that what stands before it may end a statement or a decorator."""
    before = text[max(at - ECMA_LOOK_BACK_BYTES, text.rfind(b"\n", 0, at) + 1) : at].strip()
    return not before or before.endswith((b";", b")", b"}", b"*/")) or before.startswith(b"@")


def _statement(found: Found, at: int) -> None:
    text = found.text
    match = _ONE_PASSED.match(text, at + 6)
    if match:  # a quarter of the time for barrels of thousands of these
        local, name, _, source = match.groups()
        found.passed(at, [(said(local or name), said(name), False)], "", source)
        return
    match = None if text.startswith(b" default ", at + 6) else _DECLARATION.match(text, at + 6)
    if match:
        _declaration(found, at, match)
        return
    for pattern, read in _OTHERS:
        match = pattern.match(text, at + 6)
        if match:
            read(found, at, match)
            return
    raise Hard


def _declaration(found: Found, at: int, match: re.Match[bytes]) -> None:
    _, keyword, name, follows = match.groups()
    kind = kind_named(keyword if keyword in _PLAIN else b" ".join(keyword.split()))
    if kind in _VARIABLES:
        _one_declarator(found.text, match, sole=kind == "const" and not match[1])
    elif follows not in _HEADS[kind.encode()]:
        raise Hard
    found.add(at, said(name), kind)


_PLAIN = frozenset((b"const", b"function", b"class", b"interface", b"type"))
_VARIABLES = frozenset(("const", "let", "var"))


def _one_declarator(text: bytes, match: re.Match[bytes], *, sole: bool) -> None:
    """Raise Hard unless the statement surely declares one name.

    A second one follows a comma and has an initializer, unless `let`, `var` or `declare` spare it. In code with
    lines as people lay them out, a statement is over where the next line starts with a word.
    """
    begin = match.end(3)
    if match[4] not in {b"=", b":", b";"} and sole:
        raise Hard
    following = _NEXT_STATEMENT.search(text, begin)
    end = following.start() if following else len(text)
    if not sole and text.find(b",", begin, end) >= 0:
        raise Hard
    if text[begin:end].rstrip()[-1:] in _OPEN:
        raise Hard
    if _SECOND_DECLARATOR.search(text, begin, end) and _is_second_outside(text[begin:end]):
        raise Hard


def _is_second_outside(piece: bytes) -> bool:
    """Whether what looks like a second declarator stands in no brackets: in them it is a parameter or a member."""
    code = SILENT.sub(_kept, piece)
    depth = 0
    for match in _BRACKET.finditer(code):
        depth += _DEEPER[match[0]]
        if depth < 0 or (depth == 0 and _SECOND_DECLARATOR.match(code, match.start())):
            return True
    return depth > 0


def _kept(silent: re.Match[bytes]) -> bytes:
    """Of what is no code. A pattern with a comma may be two divisions: a bracket that nothing closes says so."""
    found = silent[0]
    if found.startswith((b"//", b"/*")):
        return b" "
    return b"(" if found[:1] == b"/" and b"," in found else b'""'


_BRACKET = re.compile(rb"[()\[\]{},]")
_DEEPER = {b"(": 1, b"[": 1, b"{": 1, b")": -1, b"]": -1, b"}": -1, b",": 0}
_OPEN = frozenset(bytes((byte,)) for byte in _ENDS_OPEN)


def _list(found: Found, at: int, match: re.Match[bytes]) -> None:
    is_type, listed, quote, source = match.groups()
    members = pairs(listed)
    if members is None or (quote is None and _FROM.match(found.text, match.end())):
        raise Hard
    found.lists = True
    kind = "type" if is_type else ""
    if quote is not None:
        found.passed(at, members, kind, source)
        return
    for local, name, type_too in members:
        found.listed(at, local, name, "type" if type_too else kind)


def _star(found: Found, at: int, match: re.Match[bytes]) -> None:
    is_type, name, _, source = match.groups()
    module = said(source)
    found.lists = True
    found.sources.append((at, module))
    if name is None:
        found.add(at, STAR, "type" if is_type else "", "", module)
    else:
        found.add(at, said(name), "namespace", STAR, module)


def _default(found: Found, at: int, match: re.Match[bytes]) -> None:
    found.default(at, *default_of(found.text, match.end()))


def _global(found: Found, at: int, match: re.Match[bytes]) -> None:
    """`export as namespace X` names a global, not an export."""


_Reader = Callable[[Found, int, "re.Match[bytes]"], None]
_OTHERS: tuple[tuple[re.Pattern[bytes], _Reader], ...] = (
    (re.compile(rb"[ \t]+default\b\s*"), _default),
    (_LIST, _list),
    (_STAR, _star),
    (_GLOBAL, _global),
    (ALIAS, alias),
)
