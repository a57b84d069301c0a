"""Python source read line by line: what begins at the margin is a statement of the module.

Only pieces that bind names in ways a line does not tell (blocks, several targets, `__all__`) are parsed.
"""

import re

import re2
from stringzilla import find

from toolpost.index.extract.grammars import parse
from toolpost.index.extract.python.findings import Findings
from toolpost.index.extract.python.imports import read_import
from toolpost.index.extract.python.tree import Reader, value_kind
from toolpost.index.model import Export

_WORD = rb"[\w\x80-\xff]+"
# An indented line matters only for what it imports, or if it prints as Python 2 did. Most lines are left after two
# steps: nothing is tried with less of their indent, and nothing else is tried with them. It takes 40 % of the time.
_HEAD = re.compile(
    rb"\n(?:[ \t]++(?P<inner>from[ \t.]|import[ \t]|print[ \t]+[\"'\w])"
    rb"|(?=[^\s#)\]}\"'])(?:(?:async[ \t]+)?def[ \t]+(?P<function>" + _WORD + rb")"
    rb"|class[ \t]+(?P<class>" + _WORD + rb")"
    rb"|(?P<import>(?:from[ \t.\\]|import[ \t\\]))"
    rb"|@[ \t]*(?P<decorator>[\w.\x80-\xff]+)"
    rb"|(?P<name>" + _WORD + rb")[ \t]*(?:(?P<equals>=(?!=))|:(?!=))"
    rb"|(?P<other>.)))",
    re.DOTALL,
)
_BLOCK_WORDS = frozenset({b"if", b"try", b"with", b"for", b"while", b"match"})
_BLOCK_FOLLOWS = frozenset({b"elif", b"else", b"except", b"finally", b"case"})
_NO_NAMES = _BLOCK_FOLLOWS | {b"lambda"}
_FIRST_WORD = re.compile(_WORD)
_CHAINED = re.compile(rb"[\w.,*\[\] \t\x80-\xff]*=(?!=)")
_CALL = re.compile(rb"[\w.\x80-\xff]+\(")
_TARGETS = re.compile(rb"(?:[^=\n]*,|[(\[*]|[^=\n]*=[\w.,*\[\] \t]*=(?!=))")
_TYPE_ALIAS = re.compile(rb"type[ \t]+(" + _WORD + rb")[ \t]*(?:\[[^\n]*\][ \t]*)?=(?!=)")
_NOTED_ALIAS = re.compile(rb"[\w.]*\bTypeAlias\b")
_NAMES_LIST = re.compile(
    rb"__all__[ \t]*(?::[^=\n]*)?=[ \t]*[\[(]((?:[\s,]++|#[^\n]*+|\"\w+\"|'\w+')*+)[\])]\s*(?:#[^\n]*\s*)*"
)
_NAME_LISTED = re.compile(rb"#[^\n]*|[\"'](\w+)[\"']")
_MAIN = re.compile(rb"if[ \t(]+__name__[ \t]*==[ \t]*[\"']__main__[\"']")
_PRINTS = re.compile(rb"(?:print|exec)[ \t]+[\"'\w]")
_QUOTED_OR_SAID = re.compile(rb'"(?:[^"\\\n]++|\\[\s\S])*+"|\'(?:[^\'\\\n]++|\\[\s\S])*+\'|#[^\n]*+')
_OPENS = (b"(", b"[", b"{")
_FOLLOWED = re.compile(rb"\n(?:elif|else)\b")
_UNSURE = frozenset({"name", "equals", "other"})
_NO_STATEMENT = frozenset(b"<>=$?!%&|^/,;:)]}`")
_NOT_BRACKETS = bytes(set(range(256)) - set(b"()[]{}"))
_ONE_LINER = re2.compile(rb"[:;][ \t]*(?:from|import)[ \t]")  # 4 times as fast as `re`
_ONE_LINED = re.compile(rb"[:;][ \t]*((?:from|import)[ \t])")
_BROKEN_PIECES = 3
_BACKSLASH = ord("\\")


class Scan:
    """`code` begins and ends with a line end of our own, so that every line stands between two."""

    def __init__(self, code: bytes, findings: Findings) -> None:
        self.code = code
        self.findings = findings
        self.binds_all = findings.passes_on or find(code, b"__all__") >= 0
        self.broken = 0
        self._line = 0
        self._counted = 0
        self._depth = 0
        self._checked = 0

    def run(self) -> None:
        """A statement is read once the next one shows where it ends; definitions and imports at once."""
        begun: re.Match[bytes] | None = None
        code = self.code
        for head in _HEAD.finditer(code):
            if code[head.start() - 1] == _BACKSLASH and self._joined(head.start()):
                continue
            if head.lastgroup == "inner":
                self._inner(head)
                continue
            sure = head.lastgroup not in _UNSURE
            if self._in_brackets(head, sure=sure):
                continue
            if not sure and self._follows(begun, head):
                continue
            if begun is not None:
                self._statement(begun, head.start())
            begun = None if sure else head
            if sure:
                self._at_once(head)
        if begun is not None:
            self._statement(begun, len(self.code))
        if _ONE_LINER.search(self.code):
            self._one_liners()

    # Where statements begin

    def _joined(self, line_end: int) -> bool:
        """Whether the backslash at the end of the line before joins this one to it."""
        begin = self.code.rfind(b"\n", 0, line_end) + 1
        return _QUOTED_OR_SAID.sub(b"", self.code[begin:line_end]).endswith(b"\\")

    def _in_brackets(self, head: re.Match[bytes], *, sure: bool) -> bool:
        """Whether a bracket is open here; a definition or an import in one shows that it was never closed."""
        if self._depth or not sure:
            self._depth = max(0, self._depth + self._deeper(self._checked, head.start()))
        if self._depth and sure:
            self.findings.whole, self._depth = False, 0
        self._checked = head.start()
        return self._depth > 0

    def _deeper(self, begin: int, end: int) -> int:
        """How many brackets opened here are not closed here; strings and comments hold none."""
        piece = self.code[begin:end]
        brackets = piece.translate(None, _NOT_BRACKETS)
        if not brackets or _balanced(brackets):
            return 0
        brackets = _QUOTED_OR_SAID.sub(b"", piece).translate(None, _NOT_BRACKETS)
        return 2 * sum(map(brackets.count, _OPENS)) - len(brackets)

    def _follows(self, begun: re.Match[bytes] | None, head: re.Match[bytes]) -> bool:
        return begun is not None and not head["equals"] and self._word(head) in _BLOCK_FOLLOWS

    def _word(self, head: re.Match[bytes]) -> bytes:
        found = _FIRST_WORD.match(self.code, head.start() + 1)
        return found[0] if found else b""

    def _line_of(self, at: int) -> int:
        """The line after the line end at `at`, which is never before the last one asked for."""
        self._line += self.code.count(b"\n", self._counted, at)
        self._counted = at
        return self._line + 1

    # Statements a line tells all of

    def _inner(self, head: re.Match[bytes]) -> None:
        if head["inner"].startswith(b"print"):
            self.findings.whole = False
            return
        read_import(self.code, head.start("inner"), 0, self.findings, binds=False)

    def _one_liners(self) -> None:
        """`try: import x`: no line begins with it."""
        for found in _ONE_LINED.finditer(_QUOTED_OR_SAID.sub(b"", self.code)):
            read_import(found.string, found.start(1), 0, self.findings, binds=False)

    def _at_once(self, head: re.Match[bytes]) -> None:
        if head.lastgroup == "import":
            self._import(head)
        elif head.lastgroup == "decorator":
            self.findings.marks.add(f"decorator:{head['decorator'].decode(errors='replace')}")
        else:
            self._define(head)

    def _define(self, head: re.Match[bytes]) -> None:
        kind = head.lastgroup or ""
        name = head[kind].decode(errors="replace")
        self.findings.bind(name, kind, self._line_of(head.start()))
        if kind == "class":
            line = self.code[head.end() : self.code.find(b"\n", head.end())]
            tests = name.startswith("Test") or b"TestCase" in line
        else:
            tests = name.startswith("test_")
        if tests:
            self.findings.marks.add("tests")

    def _import(self, head: re.Match[bytes]) -> None:
        begin = head.start("import")
        end = self.code.find(b"\n", begin)
        binds = self.binds_all or b" as " in (line := self.code[begin:end]) or b"(" in line or b"*" in line
        line_number = self._line_of(head.start()) if binds else 0
        if not read_import(self.code, begin, line_number, self.findings, binds=binds):
            self.findings.whole = False
        if b";" in self.code[begin:end]:
            self._parse(head.start(), end)

    # Statements that are looked into

    def _statement(self, head: re.Match[bytes], end: int) -> None:
        word = self._word(head)
        if head["equals"]:
            self._assignment(word, head, end)
        elif word in _BLOCK_WORDS:
            self._block(head.start(), end)
        elif head.lastgroup == "name":
            if word not in _NO_NAMES:
                self._assignment(word, head, end)
        else:
            self._expression(word, head.start(), end)

    def _block(self, begin: int, end: int) -> None:
        if _MAIN.match(self.code, begin + 1) and not _FOLLOWED.search(self.code, begin, end):
            self.findings.marks.add("main")
        else:
            self._parse(begin, end)

    def _assignment(self, word: bytes, head: re.Match[bytes], end: int) -> None:
        piece = self.code[head.start() : end]
        if word == b"__all__" and (simple := _NAMES_LIST.fullmatch(piece, 1)):
            names = [found[1] for found in _NAME_LISTED.finditer(simple[1]) if found[1]]
            line = self._line_of(head.start())
            self.findings.list_names([Export(name.decode()) for name in names], line, more=False)
        elif word == b"__all__" or self._is_more(piece, head.end() - head.start()):
            self._parse(head.start(), end)
        else:
            name = word.decode(errors="replace")
            noted = not head["equals"] and _NOTED_ALIAS.match(self.code, head.end())
            self.findings.bind(name, "type" if noted else value_kind(name), self._line_of(head.start()))

    def _is_more(self, piece: bytes, value: int) -> bool:
        """Whether more than one name may be bound."""
        return b";" in piece or b":=" in piece or _CHAINED.match(piece, value) is not None

    def _expression(self, word: bytes, begin: int, end: int) -> None:
        piece = self.code[begin:end]
        if word == b"type" and (alias := _TYPE_ALIAS.match(piece, 1)):
            self.findings.bind(alias[1].decode(errors="replace"), "type", self._line_of(begin))
        elif word == b"del" or piece.startswith(b"\n__all__") or b":=" in piece or b";" in piece:
            self._parse(begin, end)
        elif _PRINTS.match(piece, 1) or piece[1] in _NO_STATEMENT:
            self.findings.whole = False
        elif _CALL.match(piece, 1) is None and _TARGETS.match(piece, 1):
            self._parse(begin, end)

    def _parse(self, begin: int, end: int) -> None:
        if self.broken >= _BROKEN_PIECES:
            return
        piece = self.code[begin + 1 : end] + b"\n"
        parsed = parse("python", piece)
        if not parsed.whole:
            self.broken += 1
            self.findings.whole = False
        Reader(self.findings, piece, self._line_of(begin)).read(parsed.root)


def _balanced(brackets: bytes) -> bool:
    return (
        brackets.count(b"(") == brackets.count(b")")
        and brackets.count(b"[") == brackets.count(b"]")
        and brackets.count(b"{") == brackets.count(b"}")
    )
