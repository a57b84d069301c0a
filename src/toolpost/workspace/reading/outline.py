"""What a source file defines, and on which lines: enough to choose the part to read.

Each line is looked at alone, and only its beginning, so that the time taken grows with the text and no faster.
A definition spread in an unusual way may be missed, and one within a string be taken for real.
"""

import re
from collections.abc import Iterable, Iterator
from heapq import nsmallest

from msgspec import Struct

from toolpost.limits import OUTLINE_CHARS, OUTLINE_LINE_CHARS, OUTLINE_SYMBOLS


class Symbol(Struct, frozen=True, gc=False):
    line: int
    text: str
    """The line itself, its indentation kept: it shows what stands within what."""


def outline(text: str, name: str, *, most: int = OUTLINE_SYMBOLS) -> list[Symbol]:
    """Definitions in the order of the file; where there are too many, those indented least."""
    language = _LANGUAGES.get(_suffix(name))
    if language is None:
        return []
    lines = _lines(text)
    found = _definitions(_unfenced(lines) if language == "markdown" else lines, _PATTERNS[language])
    return sorted(nsmallest(most, found, key=_indent), key=_line)


def _definitions(lines: Iterable[tuple[int, str]], pattern: re.Pattern[str]) -> Iterator[Symbol]:
    for number, line in lines:
        if pattern.match(line) and not _NO_DEFINITION.match(line):
            yield Symbol(number, line.rstrip()[:OUTLINE_CHARS])


def _lines(text: str) -> Iterator[tuple[int, str]]:
    number, start = 1, 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield number, text[start : min(end, start + OUTLINE_LINE_CHARS)]
        number, start = number + 1, end + 1


def _unfenced(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Without code that stands between fences."""
    is_inside = False
    for number, line in lines:
        if line.lstrip().startswith(("```", "~~~")):
            is_inside = not is_inside
        elif not is_inside:
            yield number, line


def _indent(symbol: Symbol) -> int:
    return len(symbol.text) - len(symbol.text.lstrip())


def _line(symbol: Symbol) -> int:
    return symbol.line


def _suffix(name: str) -> str:
    last = name.rpartition("/")[2].casefold()
    return last.rpartition(".")[2] if "." in last else last


_NO_DEFINITION = re.compile(
    r"\s*+(?:if|else|for|foreach|while|switch|catch|return|throw|new|do|when|with|await|yield|case(?!\s+(?:class|object)))\b"
)
_SOURCES = {
    "python": r"\s*+(?:async\s+)?(?:def|class)\s+\w",
    "script": r"""
        \s*+(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?
            (?:function\b|(?:class|interface|enum|namespace)\s+[\w$]|type\s+[\w$]+[^=]*=)
      | (?:export\s+)?(?:const|let|var)\s+[\w$]+\s*(?::[^=]*)?=\s*(?:async\b\s*)?(?:\(|function\b|[\w$]+\s*=>|<)
      | export\s+(?:default|const|let|var)\b
      | \s+(?:(?:static|async|get|set|public|private|protected|readonly|override)\s+)*[\w$\#]+\s*\([^;]*\{\s*$
      | (?:describe|it|test)\s*\(
    """,
    "go": r"func\b|type\s+\w",
    "rust": r"""
        \s*+(?:pub(?:\([^)]*\))?\s+)?(?:(?:default|async|const|unsafe|extern(?:\s+"[^"]*")?)\s+)*
            (?:(?:fn|struct|enum|trait|union|mod|type)\s+\w|macro_rules!|impl\b)
    """,
    "java": r"""
        \s*+(?:@\w+\s+)*(?:[a-z]+\s+)*(?:class|interface|@?interface|enum|record|object|struct|namespace|fun)\s+[\w<`]
      | \s*+(?:(?:public|private|protected|internal|static|final|abstract|override|virtual|async|sealed
            |synchronized|partial|extern|unsafe|default)\s+)++[\w<>\[\],.?@\s]*\w\s*\(
    """,
    "c": r"""
        \s*+(?:typedef\s+)?(?:class|struct|union|enum(?:\s+class)?|namespace)\s+\w[^;]*$
      | template\s*<
      | \#\s*define\s+\w+\(
      | [A-Za-z_][\w\s*&:<>,~\[\]]*\([^;]*$
    """,
    "ruby": r"\s*+(?:def|class|module)\s+\w",
    "php": r"""
        \s*+(?:(?:abstract|final|public|private|protected|static|readonly)\s+)*
            (?:function\s+&?\w|(?:class|interface|trait|enum|namespace)\s+\w)
    """,
    "swift": r"""
        \s*+(?:@\w+\s+)*(?:[a-z]+(?:\(set\))?\s+)*(?:(?:func|class|struct|enum|protocol|extension|actor)\s+\S|init\b)
    """,
    "scala": r"\s*+(?:[a-z]+(?:\[\w+\])?\s+)*(?:def|class|object|trait|enum|given)\s+\S",
    "elixir": r"\s*+def(?:module|p|macro|protocol|impl|struct)?\s+\S",
    "lua": r"\s*+(?:local\s+)?function\b",
    "shell": r"\s*+(?:function\s+[\w:.-]+|[\w:.-]+\s*\(\s*\))\s*(?:\(\s*\))?\s*\{?\s*(?:\#.*)?$",
    "sql": r"\s*(?i:create|alter)\s+\S",
    "protobuf": r"\s*+(?:message|service|enum|rpc|extend)\s+\w",
    "style": r"[^\s/*@{}][^{}]*\{|@(?:media|mixin|include|keyframes|font-face)\b",
    "table": r"\s*\[[^\]]+\]",
    "make": r"[\w.%/-]+(?:\s+[\w.%/-]+)*\s*:(?!=)",
    "markdown": r"\#{1,6}\s+\S",
}
_PATTERNS = {language: re.compile(source, re.VERBOSE) for language, source in _SOURCES.items()}
_SUFFIXES = {
    "python": "py pyi pyx",
    "script": "js jsx mjs cjs ts tsx mts cts vue svelte",
    "go": "go",
    "rust": "rs",
    "java": "java kt kts cs groovy gradle",
    "c": "c h cc cpp cxx hh hpp hxx m mm cu ino",
    "ruby": "rb rake gemspec",
    "php": "php",
    "swift": "swift",
    "scala": "scala sc",
    "elixir": "ex exs",
    "lua": "lua",
    "shell": "sh bash zsh ksh",
    "sql": "sql",
    "protobuf": "proto",
    "style": "css scss less",
    "table": "toml ini cfg conf",
    "make": "makefile mk",
    "markdown": "md markdown mdx",
}
_LANGUAGES = {suffix: language for language, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
