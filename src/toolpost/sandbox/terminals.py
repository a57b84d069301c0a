"""A terminal for a command that wants one, with a size, and without what only a person needs of it."""

import fcntl
import os
import pty
import struct
import termios

from msgspec import Struct

from toolpost.limits import TERMINAL_COLUMNS, TERMINAL_ROWS


class Size(Struct, frozen=True):
    columns: int = TERMINAL_COLUMNS
    rows: int = TERMINAL_ROWS


class Terminal(Struct, frozen=True):
    """Two descriptors: `ours` is read and written by us, `theirs` is the command's three streams."""

    ours: int
    theirs: int


def open_terminal(size: Size) -> Terminal:
    ours, theirs = pty.openpty()
    try:
        resize(ours, size)
        _make_plain(theirs)
    except (OSError, termios.error):
        os.close(ours)
        os.close(theirs)
        raise
    return Terminal(ours, theirs)


def resize(ours: int, size: Size) -> None:
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", size.rows, size.columns, 0, 0))


def _make_plain(theirs: int) -> None:
    r"""Lines end in `\n` alone, and what we write is not told back to us as if the command had said it."""
    settings = termios.tcgetattr(theirs)
    settings[1] &= ~termios.ONLCR
    settings[3] &= ~(termios.ECHO | termios.ECHONL)
    termios.tcsetattr(theirs, termios.TCSANOW, settings)
