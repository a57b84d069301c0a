import errno
import os
import termios
from pathlib import Path

import pytest

from toolpost.sandbox import terminals
from toolpost.sandbox.output import Output
from toolpost.sandbox.pipes import Pipes
from toolpost.sandbox.terminals import Size, open_terminal


def open_count() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("size", [None, Size()])
def test_what_was_opened_is_closed(size: Size | None) -> None:
    before = open_count()
    pipes = Pipes(Output(), has_input=True, size=size)
    assert open_count() > before
    pipes.close()
    pipes.close()
    assert open_count() == before


def test_a_system_without_terminals_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> tuple[int, int]:
        raise OSError(errno.ENOSPC, "no terminal left")

    monkeypatch.setattr("toolpost.sandbox.terminals.pty.openpty", refused)
    before = open_count()
    with pytest.raises(OSError, match="no terminal left"):
        Pipes(Output(), size=Size())
    assert open_count() == before


def test_a_terminal_that_cannot_be_set_up_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_handle: int) -> None:
        raise termios.error(errno.EIO, "broken")

    monkeypatch.setattr(terminals, "_make_plain", refused)
    before = open_count()
    with pytest.raises(termios.error):
        open_terminal(Size())
    assert open_count() == before


def test_what_is_said_is_heard_and_an_end_is_noticed() -> None:
    output = Output()
    pipes = Pipes(output, has_input=True)
    stdin, stdout, stderr = pipes.streams
    os.write(stdout, b"out")
    os.write(stderr, b"err")
    assert pipes.turn(30)
    pipes.say(b"in")
    pipes.turn(30)
    pipes.turn(0)
    assert os.read(stdin, 9) == b"in"
    pipes.end_input()
    pipes.turn(30)
    pipes.turn(0)
    assert os.read(stdin, 9) == b""
    pipes.watch(os.getpid())  # lets their ends go, as after a start
    pipes.turn(30)
    assert not pipes.is_open
    assert (output.stdout.head(9), output.stderr.head(9)) == (b"out", b"err")
    pipes.close()
    pipes.wake()
