"""Everything a command prints: tables on a terminal, plain text and JSON in a pipe, troubles on stderr.

Text that tools or files bring cannot move the cursor or change the title of a terminal: it is cleaned.
"""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any

from toolpost.cli.trouble import Trouble, Unheard

if TYPE_CHECKING:
    from rich.console import Console

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_HIGHLIGHTED_CHARS = 200_000  # more takes rich seconds, and nobody reads it
_COLORS = {"ok": "green", "warn": "yellow", "fail": "red", "error": "red", "warning": "yellow"}


def on_terminal() -> bool:
    return sys.stdout.isatty()


def clean(text: str) -> str:
    """The text without what a terminal would obey."""
    return _UNSAFE.sub("\ufffd", text)


def one_line(text: str) -> str:
    return clean(" ".join(text.split()))


@contextmanager
def strangers_aside() -> Iterator[None]:
    """What plugins and tools print, in any thread, goes to stderr: stdout is for the answer alone."""
    with redirect_stdout(sys.stderr):
        yield


def out(text: str) -> None:
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except OSError as error:
        raise Unheard(error) from None


def as_json(value: Any) -> None:
    """One line for a program; for a person indented and highlighted."""
    from toolpost import codec

    out(pretty(value) if on_terminal() else codec.encode(value).decode("utf-8"))


def as_line(value: Any) -> None:
    """One of many JSON lines, on a terminal too."""
    from toolpost import codec

    out(codec.encode(value).decode("utf-8"))


def pretty(value: Any) -> str:
    """Indented JSON, with escapes, which JSON allows, for what is unsafe; in color on a terminal."""
    from toolpost import codec

    text = _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", codec.pretty(value))
    return _highlighted(text) if on_terminal() and len(text) <= _HIGHLIGHTED_CHARS else text


def _highlighted(text: str) -> str:
    """The same characters in the same lines: nothing is wrapped, so it can still be copied as JSON."""
    from rich.highlighter import JSONHighlighter
    from rich.text import Text

    screen = console()
    with screen.capture() as captured:
        screen.print(JSONHighlighter()(Text(text)), soft_wrap=True, end="")
    return captured.get()


def note(text: str) -> None:
    err(f"note: {one_line(text)}")


def trouble(message: str, next_step: str = "") -> None:
    first, *others = message.splitlines() or [""]
    err(f"error: {one_line(first)}")
    for line in others:
        err(f"  | {clean(line)}")
    step(next_step)


def step(next_step: str) -> None:
    if next_step:
        err(f"  next: {one_line(next_step)}")


def styled(*lines: tuple[str, str]) -> None:
    """Lines for a person on stderr, each with a style; nothing in them is markup."""
    from rich.text import Text

    there = console(to_stderr=True)
    for line, style in lines:
        there.print(Text(one_line(line), style=style))


def err(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    cells = [[one_line(cell) for cell in row] for row in rows]
    if on_terminal():
        _rich_table(columns, cells)
    else:
        _plain_table(columns, cells)


def _plain_table(columns: Sequence[str], cells: list[list[str]]) -> None:
    lines = [list(columns), *cells] if any(columns) else cells
    widths = [max(len(line[at]) for line in lines) for at in range(len(columns))]
    for line in lines:
        out("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _rich_table(columns: Sequence[str], cells: list[list[str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    view = Table(box=None, pad_edge=False, header_style="bold", show_header=any(columns))
    for at, column in enumerate(columns):
        view.add_column(column, overflow="fold", no_wrap=at == 0 and len(columns) > 2)
    for row in cells:
        view.add_row(*(Text(cell, style=_COLORS.get(cell, "")) for cell in row))
    console().print(view)


def colored(*parts: tuple[str, str]) -> None:
    """One line of texts, each with its color on a terminal; they are clean already."""
    if not on_terminal():
        out("".join(text for text, _ in parts))
        return
    from rich.text import Text

    console().print(Text.assemble(*parts), soft_wrap=True)


def console(*, to_stderr: bool = False) -> "Console":
    from rich.console import Console

    plain = bool(os.environ.get("NO_COLOR")) or color() == "never"
    return Console(
        color_system=None if plain else "auto", highlight=False, emoji=False, markup=False, stderr=to_stderr
    )


def color() -> str:
    """The setting; a file that cannot be read is told elsewhere, and must not stop this."""
    from toolpost.cli.settings import settled
    from toolpost.config.model import ConfigError

    try:
        return settled().config.color
    except (ConfigError, Trouble):
        return "auto"
