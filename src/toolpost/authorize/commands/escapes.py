"""Which arguments of a command run, write or reconfigure: a rule's final `*` covers none of them unless it names it."""

from fnmatch import fnmatchcase
from functools import lru_cache

from toolpost.atom import Word
from toolpost.authorize.commands import escapes_code, escapes_git, escapes_net, escapes_text
from toolpost.authorize.commands.awk import is_choosing
from toolpost.authorize.commands.escape import Escape
from toolpost.authorize.commands.interpreters import CODE_FLAGS, SHELLS, language
from toolpost.authorize.commands.patterns import folded
from toolpost.authorize.commands.sed import is_simple
from toolpost.limits import COMMANDS_REMEMBERED

ESCAPES: dict[str, Escape] = {
    **escapes_text.ROWS,
    **escapes_git.ROWS,
    **escapes_code.ROWS,
    **escapes_net.ROWS,
}
_EVERYTHING = Escape(everything=True)
_GLOBBED = frozenset({"tar", "gtar", "bsdtar", "rsync", "zip", "7z", "ssh", "scp", "chown", "chmod"})
"""A file named `--checkpoint-action=exec=sh` is an option once a bare `*` has found it."""


class _Table:
    """Rows made ready: flags by kind."""

    def __init__(self, rows: tuple[Escape, ...]) -> None:
        names = frozenset(name for row in rows for name in row.flags.split())
        self.exact = frozenset(name for name in names if "*" not in name)
        self.begun = tuple(name for name in names if "*" in name)
        self.first = frozenset(name for row in rows for name in row.first.split())
        self.words = tuple(word for row in rows for word in row.words.split())
        self.values = frozenset(letter for row in rows for letter in row.values)
        self.clusters = all(row.clusters for row in rows)
        self.everything = any(row.everything for row in rows)
        self.script = any(row.script for row in rows)
        self.runner = any(row.runner for row in rows)
        self.awk = any(row.awk for row in rows)


@lru_cache(COMMANDS_REMEMBERED)
def _table(program: str, sub: str) -> _Table | None:
    rows = [row for row in (ESCAPES.get(program), ESCAPES.get(f"{program} {sub}")) if row is not None]
    if not rows and (program in SHELLS or language(program) in CODE_FLAGS):
        rows = [_EVERYTHING]
    return _Table(tuple(rows)) if rows else None


def escaping(program: str, words: tuple[Word, ...], start: int, named: frozenset[str]) -> bool:
    """Whether an argument from `start` on is one that only a rule which names it covers."""
    operand = _first_operand(words)
    table = _table(program, words[operand].text if operand < len(words) else "")
    if table is None:
        return False
    if table.everything:
        return start < len(words)
    if table.runner:
        return start <= operand or escaping(
            folded(words[operand].text), words[operand:], start - operand, named
        )
    if table.awk:
        return start < len(words) and not is_choosing([word.text for word in words])
    if table.script and not is_simple([word.text for word in words]):
        return True
    ended = _end_of_flags(words, table)
    return any(
        _is_word(words[index].text, table, named)
        or _is_globbed(program, words[index])
        or (index < ended and _is_flag(words[index].text, table, named, before=index < operand))
        for index in range(start, len(words))
    )


def _end_of_flags(words: tuple[Word, ...], table: _Table) -> int:
    """Where `--` stands; of a program with sub-commands it may belong to another, so all its flags count."""
    if table.first:
        return len(words)
    return next((index for index, word in enumerate(words) if word.text == "--"), len(words))


def _first_operand(words: tuple[Word, ...]) -> int:
    """Values of options before the sub-command are passed over only when glued: then more flags count, not fewer."""
    index = 1
    while index < len(words) and words[index].text.startswith("-"):
        index += 1
    return index


def _is_globbed(program: str, word: Word) -> bool:
    return word.glob and program in _GLOBBED and word.text[:1] in {"*", "?", "["}


def _is_word(text: str, table: _Table, named: frozenset[str]) -> bool:
    return bool(table.words) and text.startswith(table.words) and text not in named


def _is_flag(text: str, table: _Table, named: frozenset[str], *, before: bool) -> bool:
    name = text.partition("=")[0]
    if text[:1] not in {"-", "+", "@"} or name in named:
        return False
    flags = table.exact | table.first if before else table.exact
    if name in flags or any(fnmatchcase(text, begun) for begun in table.begun):
        return True
    if text.startswith("--"):
        return len(name) > 3 and any(flag.startswith(name) and flag not in named for flag in flags)
    return table.clusters and _in_cluster(text, flags - named, table.values)


def _in_cluster(text: str, flags: frozenset[str], values: frozenset[str]) -> bool:
    for letter in text[1:]:
        if f"-{letter}" in flags:
            return True
        if letter in values or not letter.isalnum():
            return False
    return False
