"""A shell script as data: what was parsed, before any variable or folder is known."""

from enum import IntEnum
from typing import TypeAlias

from msgspec import Struct


class Part(IntEnum):
    """How a piece of a word came to be; only plain ones hold globs, braces and tildes that count."""

    PLAIN = 0
    QUOTED = 1
    VARIABLE = 2
    QUOTED_VARIABLE = 3
    UNKNOWN = 4
    COMMAND = 5
    """`$(...)` or backticks."""
    PROCESS = 6
    """`<(...)` or `>(...)`."""


class Piece(Struct, frozen=True, gc=False):
    part: Part
    text: str = ""
    """The text, or a variable's name."""
    otherwise: str = ""
    """What a variable stands for when it is not set: `${x:-this}`."""


class Raw(Struct, frozen=True):
    """One word as it stands in a script."""

    pieces: tuple[Piece, ...]


class Redirect(Struct, frozen=True):
    operator: str
    target: Raw


class Assign(Struct, frozen=True):
    name: str
    value: Raw | None = None
    """None: an array, or a name alone, as in `export PATH`."""


class Sum(Struct, frozen=True):
    """What arithmetic computes with."""

    names: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    """Variables that it makes numbers."""
    spoiled: tuple[str, ...] = ()
    """Variables that get a text: `${x:=text}`."""
    unsure: bool = False
    """Something besides variables and numbers is in it."""


class Simple(Struct, frozen=True):
    """One command, or assignments and redirects without one."""

    words: tuple[Raw, ...] = ()
    assigns: tuple[Assign, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    inner: "tuple[Block, ...]" = ()
    """What its words substitute; runs before it does."""
    documents: tuple[Raw, ...] = ()
    """What it reads from here-documents and here-strings."""
    lasting: bool = False
    """Its assignments outlive it, as those of `export` do."""
    sums: Sum | None = None


class Loop(Struct, frozen=True):
    name: str
    values: tuple[Raw, ...]


class Block(Struct, frozen=True):
    steps: "tuple[Step, ...]"
    redirects: tuple[Redirect, ...] = ()
    own: bool = False
    """A process of its own: folders and variables that change in it stay in it."""
    piped: bool = False
    """It reads what another command wrote."""
    background: bool = False
    sure: bool = False
    """Each step runs only if the one before it succeeded: `a && b`."""
    function: str = ""
    loop: Loop | None = None


Step: TypeAlias = Simple | Block


class Script(Struct, frozen=True):
    steps: tuple[Step, ...]
    unreadable: bool = False
    commands: int = 0
