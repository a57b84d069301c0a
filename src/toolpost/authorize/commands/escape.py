"""A row of the table of escape flags."""

from msgspec import Struct


class Escape(Struct, frozen=True, kw_only=True):
    """Flags are parted by blanks; `-exec*` stands for all that begin so."""

    flags: str = ""
    first: str = ""
    """Flags that count only before the first operand: git's own, not those of its sub-commands."""
    words: str = ""
    """Beginnings of operands that count, such as `SHELL=`, parted by blanks."""
    values: str = ""
    """Letters that end a cluster, because the rest is their value."""
    clusters: bool = True
    everything: bool = False
    """Any argument at all."""
    runner: bool = False
    """Its first operand is a program: a rule has to name that, and what follows is the program's own."""
    awk: bool = False
    """An awk program that does more than choose and print."""
    script: bool = False
    """A sed script that does more than print and replace."""


def each(names: str, escape: Escape) -> dict[str, Escape]:
    return dict.fromkeys(names.split(), escape)
