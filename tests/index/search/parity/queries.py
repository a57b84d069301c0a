"""Queries made of a text, of every sort ripgrep knows: as it is told them, and as we are."""

import random
import re
from typing import Any

from msgspec import Struct, structs

from toolpost.workspace.walking.globs import Glob
from toolpost.workspace.walking.patterns import How, Pattern
from toolpost.workspace.walking.within import Mode, Question


class Query(Struct, frozen=True):
    text: str
    flags: tuple[str, ...]
    regex: bool = True
    case: bool = True
    how: How = How()
    glob: str = ""
    mode: Mode = Mode.CONTENT
    around: int = 0

    def question(self) -> Question:
        return Question(
            pattern=Pattern(self.text, regex=self.regex, case=self.case, how=self.how),
            include=Glob(self.glob) if self.glob else None,
            mode=self.mode,
            before=self.around,
            after=self.around,
        )


_PUNCTUATION = ("(", " = ", ".", ", ", ": ", "=", "[", "/", "-", "'", '"')
_SHAPES = (
    *(r"{start}\w+", r"\b{one}\b", "{one}.*{two}", "({one}|{two})", r"^\s*{one}", "{start}[A-Za-z]+{end}"),
    *(r"{one}\s*[(=:]", r"\w*{end}$", r"[^\w\s]{one}[^\w]", "(?i:{one}) ?{two[0]}", r"\d+\W+{start}"),
    *(r"{one}\W+\w+\b", r"{start}\S{{2,6}}{end}\D", r"\B{end}", r"{one}s?|\A{two}"),
    "(?:{start}){{1,2}}[{one[1]}{two[1]}]",
)
_SETTINGS: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    ((), {}),
    ((), {}),
    (("-i",), {"case": False}),
    (("-w",), {"how": How(word=True)}),
    (("-x",), {"how": How(line=True)}),
    (("-S",), {"how": How(smart=True)}),
    (("-l",), {"mode": Mode.FILES}),
    (("-c",), {"mode": Mode.COUNT}),
    (("-C2",), {"around": 2}),
    (("-g*.py",), {"glob": "*.py"}),
    (("-g*.{js,txt,rst}",), {"glob": "*.{js,txt,rst}"}),
    (("-g/*/[a-m]*/**",), {"glob": "/*/[a-m]*/**"}),
    (("-i", "-w"), {"case": False, "how": How(word=True)}),
)
FIXED = (
    Query(r"\w{40,}", ("--crlf",)),
    Query(r"\w+é\w*", ("--crlf",)),
    Query("é", ("-F",), regex=False),
    Query("É", ("-F", "-i"), regex=False, case=False),
    Query(r"\d\d:\d\d", ("--crlf",)),
    Query(r"\s\S\s\S\s", ("--crlf",)),
    Query(r"^\W+$", ("--crlf",)),
    Query(r"[^\W\d_]{25,}", ("--crlf",)),
    Query(r"\w+\s\w+\s[^\w\s]\s", ("--crlf",)),
    Query(r"(?i)straße|STRASSE", ("--crlf",)),
    Query(r"import\s+\(\s", ("-U", "--crlf"), how=How(multiline=True)),
    Query(r"return\s+[^;\s]+\s+\}", ("-U", "--crlf"), how=How(multiline=True)),
    Query(r":\n\s+pass\b", ("-U", "--crlf"), how=How(multiline=True)),
    Query(r"\)\s*:\s*\w+\s*=", ("-U", "--crlf"), how=How(multiline=True)),
)


def made(text: str, seed: int, count: int) -> list[Query]:
    """So many, always the same for the same text."""
    chance = random.Random(seed)
    words = re.findall(r"[A-Za-z_]\w{3,20}", text)
    return [*FIXED, *(_one(chance, words, number) for number in range(count - len(FIXED)))]


def _one(chance: random.Random, words: list[str], number: int) -> Query:
    one, two = chance.choice(words), chance.choice(words)
    flags, settings = chance.choice(_SETTINGS)
    if number % 3 == 0:
        text = chance.choice([one, one[:3], one + chance.choice(_PUNCTUATION), f"{one} {two}"])
        return structs.replace(Query(text, ("-F", *flags), regex=False), **settings)
    shape = chance.choice(_SHAPES)
    text = shape.format(one=one, two=two, start=one[:3], end=one[-2:])
    return structs.replace(Query(text, ("--crlf", *flags)), **settings)
