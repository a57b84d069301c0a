"""What one search was asked for, once its options are read."""

from enum import StrEnum
from typing import Literal

from msgspec import Struct


class Show(StrEnum):
    """What is told of a file."""

    LINES = "lines"
    MATCHES = "matches"
    """The matching parts alone, or each with its line."""
    COUNT = "count"
    COUNT_MATCHES = "count_matches"
    NAME = "name"
    WITHOUT = "without"
    """The names of files in which nothing matches."""
    LISTED = "listed"
    """The names of files that would be searched."""
    JSON = "json"
    NOTHING = "nothing"
    """Only whether there is a match."""


class Wanted(Struct, frozen=True, kw_only=True):
    """What is looked for."""

    patterns: tuple[str, ...] = ()
    fixed: bool = False
    case: Literal["sensitive", "ignore", "smart"] = "sensitive"
    edges: Literal["", "word", "line"] = ""
    multiline: bool = False
    invert: bool = False
    max_count: int | None = None
    """Matching lines of one file."""
    limit: int | None = None
    """And of all."""


class Where(Struct, frozen=True, kw_only=True):
    """In which files."""

    paths: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    types_not: tuple[str, ...] = ()
    hidden: bool = False
    ignored: bool = False
    """Also what ignore files leave out."""


class Form(Struct, frozen=True, kw_only=True):
    """How it is shown."""

    show: Show = Show.LINES
    only: bool = False
    """The matching parts, not their lines."""
    before: int = 0
    after: int = 0
    numbers: bool = True
    column: bool = False
    filenames: bool | None = None
    """Unless told, where more than one file may be searched."""
    heading: bool = False
    color: bool = False
    stats: bool = False
