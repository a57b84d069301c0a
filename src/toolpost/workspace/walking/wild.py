"""Wildcard patterns as regular expressions: the language of .gitignore files, and braces on demand.

The rules are those of git's `wildmatch` with slashes kept apart, also where they are odd: an unclosed `[`
matches nothing, `]` may stand first in a set, and `**` crosses folders only as a whole name.
"""

Span = tuple[int, int]

_END = "\0"
_SLASH = ord("/")
_CLASSES: dict[str, tuple[Span, ...]] = {
    "alnum": ((48, 57), (65, 90), (97, 122)),
    "alpha": ((65, 90), (97, 122)),
    "blank": ((9, 9), (32, 32)),
    "cntrl": ((0, 31), (127, 127)),
    "digit": ((48, 57),),
    "graph": ((33, 126),),
    "lower": ((97, 122),),
    "print": ((32, 126),),
    "punct": ((33, 47), (58, 64), (91, 96), (123, 126)),
    "space": ((9, 10), (13, 13), (32, 32)),  # git's own: without vertical tab and form feed
    "upper": ((65, 90),),
    "xdigit": ((48, 57), (65, 70), (97, 102)),
}


class NeverMatches(ValueError):
    """The pattern is broken, or asks for what no name can be."""


def translate(pattern: str, *, braces: bool = False, at_start: bool = True) -> str:
    """RE2 source for the whole pattern; `.` in it must match every character (`(?s)`)."""
    return _Reader(pattern, braces=braces, at_start=at_start).read()


class _Reader:
    """Reads a pattern once, left to right."""

    def __init__(self, pattern: str, *, braces: bool, at_start: bool) -> None:
        self.text = pattern + _END
        self.at = 0
        self.at_start = at_start
        """Whether a name begins here: only there `**` may cross folders."""
        self.steps = {"*": self._stars, "?": self._one, "[": self._set, "\\": self._escaped}
        if braces:
            self.steps["{"] = self._choice

    def read(self) -> str:
        parts = []
        while self.text[self.at] != _END:
            parts.append(self.steps.get(self.text[self.at], self._literal)())
        return "".join(parts)

    def _literal(self) -> str:
        letter = self.text[self.at]
        self.at += 1
        self.at_start = letter == "/"
        return letter if letter.isascii() and letter.isalnum() else f"\\x{{{ord(letter):x}}}"

    def _escaped(self) -> str:
        self.at += 1
        if self.text[self.at] == _END:
            raise NeverMatches("it ends with a backslash that takes nothing; write `\\\\` for a backslash")
        return self._literal()

    def _one(self) -> str:
        self.at += 1
        self.at_start = False
        return "[^/]"

    def _stars(self) -> str:
        begin = self.at
        while self.text[self.at] == "*":
            self.at += 1
        after = self.text[self.at : self.at + 2]
        if self.at - begin == 1 or not self.at_start or not (after[0] in "/\0" or after == "\\/"):
            self.at_start = False
            return "[^/]*"
        if after[0] != "/":
            self.at_start = False
            return ".*"
        self.at += 1
        return "(?:.*/)?"

    def _choice(self) -> str:
        end, options = _options(self.text, self.at)
        if self.text[end] == "/":  # `{**,a}/b` is `{**/,a/}b`: what follows `**` decides what it means
            options, end = [f"{option}/" for option in options], end + 1
        readers = [_Reader(option, braces=True, at_start=self.at_start) for option in options]
        parts = [reader.read() for reader in readers]
        self.at = end
        self.at_start = all(reader.at_start for reader in readers)
        return f"(?:{'|'.join(parts)})"

    def _set(self) -> str:
        self.at += 1
        is_negated = self.text[self.at] in "!^"
        self.at += is_negated
        spans = self._members()
        self.at += 1
        self.at_start = False
        if is_negated:
            return f"[^/{_ranges(spans)}]"
        spans = [part for span in spans for part in _without_slash(span)]
        if not spans:
            raise NeverMatches("a set that holds no character, or only `/`, which no name has")
        return f"[{_ranges(spans)}]"

    def _members(self) -> list[Span]:
        """What a set holds; `at` is left on its closing bracket. The first character may be a `]`."""
        spans: list[Span] = []
        before = ""
        while True:
            letter, after = self._member(self.at), self.text[self.at + 1 : self.at + 2]
            if letter == "-" and before and after not in {"]", _END}:
                self.at += 1
                spans.append((ord(before), ord(self._unescaped())))
                before = ""
            elif letter == "[" and after == ":":
                named = self._named()
                spans += named or ((ord("["), ord("[")),)
                before = "" if named else "["
            else:
                before = self._unescaped()
                spans.append((ord(before), ord(before)))
            self.at += 1
            if self._member(self.at) == "]":
                return spans

    def _member(self, at: int) -> str:
        if self.text[at] == _END:
            raise NeverMatches("a `[` that no `]` closes; write `\\[` for the bracket itself")
        return self.text[at]

    def _unescaped(self) -> str:
        self.at += self.text[self.at] == "\\"
        return self._member(self.at)

    def _named(self) -> tuple[Span, ...]:
        """`[:alpha:]`, left on its last bracket; nothing when it only begins like one."""
        begin = self.at + 2
        end = self.text.find("]", begin)
        self._member(end)  # -1, where the end mark stands, when there is none
        if end == begin or self.text[end - 1] != ":":
            return ()
        name = self.text[begin : end - 1]
        if name not in _CLASSES:
            raise NeverMatches(f"there is no set [:{name}:]; known are {', '.join(_CLASSES)}")
        self.at = end
        return _CLASSES[name]


def _options(text: str, begin: int) -> tuple[int, list[str]]:
    """What stands between the commas of a `{`, and where the text goes on after its `}`."""
    depth, at, start = 0, begin, begin + 1
    options: list[str] = []
    while at < len(text) - 1:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0 or (depth == 1 and text[at] == ","):
            options.append(text[start:at])
            start = at + 1
        if depth == 0:
            return at + 1, options
        at += 2 if text[at] == "\\" else 1
    raise NeverMatches("a `{` that no `}` closes; write `\\{` for the brace itself")


def _without_slash(span: Span) -> list[Span]:
    low, high = span
    return [
        part for part in ((low, min(high, _SLASH - 1)), (max(low, _SLASH + 1), high)) if part[0] <= part[1]
    ]


def _ranges(spans: list[Span]) -> str:
    return "".join(f"\\x{{{low:x}}}-\\x{{{high:x}}}" for low, high in spans if low <= high)
