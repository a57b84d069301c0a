r"""Globs: names and paths matched in linear time, whatever the pattern.

`*` and `?` stay within one name, `**` crosses folders, `[a-z]` and `[!a]` are sets, `{a,b}` is a choice and
`\` takes the next character as it is. A pattern without `/` is matched against the name, one with `/`
against the whole path relative to the folder searched; a leading `/` or `./` says the latter. `docs/` means
everything in a folder of that name. Case counts, and a leading dot is a character like any other.

A glob becomes one RE2 expression; choices become alternatives and are never multiplied out.
"""

from functools import lru_cache
from typing import NoReturn

from toolpost.errors import InvalidArgument
from toolpost.limits import GLOB_BRACES, GLOB_CHARS, GLOB_MEMORY, GLOB_STARS
from toolpost.workspace.walking.patterns import Expression, expression
from toolpost.workspace.walking.wild import NeverMatches, translate

_ALLOWED = "Globs know `*`, `?`, `**`, `[a-z]`, `[!a]`, `{a,b}` and `\\` before a character taken as it is."


class Glob:
    def __init__(self, pattern: str, *, parameter: str = "glob") -> None:
        """Raises InvalidArgument, which names the parameter and what is allowed."""
        _refuse_unbounded(pattern, parameter)
        self.pattern = pattern
        self.is_of_names = "/" not in pattern
        try:
            self._regex = _compiled(pattern)
        except NeverMatches as error:
            _refuse(f"The glob matches nothing: {error}. {_ALLOWED}", parameter)

    def matches(self, path: str) -> bool:
        """`path` is relative to the folder searched."""
        subject = path.rpartition("/")[2] if self.is_of_names else path
        # A byte that is no UTF-8 comes as half a surrogate pair; passed on, it is one character to RE2.
        return self._regex.fullmatch(subject.encode("utf-8", "surrogatepass")) is not None


@lru_cache(32)
def _compiled(pattern: str) -> Expression:
    body, is_folder = pattern.removesuffix("/"), pattern.endswith("/")
    anywhere = "(?:.*/)?" if is_folder and "/" not in body else ""
    body = body.removeprefix("./").removeprefix("/")
    below = "(?:/.*)?" if is_folder else ""
    return expression(f"(?s){anywhere}{translate(body, braces=True)}{below}", memory=GLOB_MEMORY)


def _refuse_unbounded(pattern: str, parameter: str) -> None:
    if len(pattern) > GLOB_CHARS:
        _refuse(f"The glob has {len(pattern):,} characters; at most {GLOB_CHARS:,} are taken.", parameter)
    if not pattern.strip("./"):
        _refuse(
            "The glob names nothing; `*` stands for every name, `**/*.py` for every Python file.", parameter
        )
    if "\0" in pattern or not _is_text(pattern):
        _refuse("The glob holds NUL or half of a surrogate pair, which no name can match.", parameter)
    if ".." in pattern.translate(_SEPARATORS).split("/"):
        _refuse("The glob holds `..`; search in `path` instead, and give a glob relative to it.", parameter)
    bare = pattern.replace("\\\\", "")
    for mark, most, what in (("{", GLOB_BRACES, "groups `{a,b}`"), ("*", GLOB_STARS, "stars")):
        found = bare.count(mark) - bare.count(f"\\{mark}")
        if found > most:
            _refuse(
                f"The glob has {found} {what}; at most {most} are taken. Search more than once.", parameter
            )


_SEPARATORS = str.maketrans("{},", "///")


def _is_text(pattern: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in pattern)


def _refuse(sentence: str, parameter: str) -> NoReturn:
    raise InvalidArgument(sentence, parameter=parameter)
