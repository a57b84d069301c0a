"""What lies between us and a command: its output to hear, its input to feed, its end to notice."""

import os
import select
from collections.abc import Iterator
from contextlib import suppress
from threading import Lock

from toolpost.limits import EXEC_CHUNK_BYTES, EXEC_POLL_S
from toolpost.sandbox.output import Output, Stream
from toolpost.sandbox.terminals import Size, open_terminal

_IN = select.POLLIN | select.POLLHUP | select.POLLERR
_OUT = select.POLLOUT | select.POLLERR


class Pipes:
    """One thread takes turns; `say`, `end_input` and `wake` are for any."""

    def __init__(self, output: Output, *, has_input: bool = False, size: Size | None = None) -> None:
        """With a size there is a terminal instead of pipes. Raises OSError."""
        self._output = output
        self._lock = Lock()
        self._unsaid = bytearray()
        self._is_input_over = False
        self._heard: dict[int, Stream] = {}
        self._input: int | None = None
        self._end: int | None = None
        self._theirs: list[int] = []
        self._poll = select.poll()
        self._woken, self._waker = os.pipe()
        self._poll.register(self._woken, select.POLLIN)
        os.set_blocking(self._waker, False)
        try:
            self._open(has_input=has_input, size=size)
        except OSError:
            self.close()
            raise

    def _open(self, *, has_input: bool, size: Size | None) -> None:
        if size is not None:
            terminal = open_terminal(size)
            self._theirs = [terminal.theirs]
            self._input = terminal.ours
            self.streams = (terminal.theirs,) * 3
            self._listen(terminal.ours, Stream.STDOUT)
            return
        stdin = self._source() if has_input else os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        self._theirs.append(stdin)
        self.streams = (stdin, self._sink(Stream.STDOUT), self._sink(Stream.STDERR))

    def _source(self) -> int:
        theirs, self._input = os.pipe()
        os.set_blocking(self._input, False)
        return theirs

    def _sink(self, stream: Stream) -> int:
        ours, theirs = os.pipe()
        self._theirs.append(theirs)
        self._listen(ours, stream)
        return theirs

    def _listen(self, handle: int, stream: Stream) -> None:
        os.set_blocking(handle, False)
        self._heard[handle] = stream
        self._poll.register(handle, _IN)

    def watch(self, pid: int) -> None:
        """The command has started: its own ends are its own now, and its end is noticed."""
        self._let_go()
        with suppress(AttributeError, OSError):  # not Linux, or no descriptor left
            self._end = os.pidfd_open(pid)
            self._poll.register(self._end, select.POLLIN)

    @property
    def is_open(self) -> bool:
        """Whether somebody can still say something."""
        return bool(self._heard)

    def turn(self, within_s: float) -> bool:
        """Hear and say what can be now, waiting so long at most; whether there was anything to hear."""
        self._offer()
        wait_s = within_s if self._end is not None else min(within_s, EXEC_POLL_S)
        ready = dict(self._poll.poll(max(wait_s, 0) * 1000))
        if self._woken in ready:
            os.read(self._woken, EXEC_CHUNK_BYTES)
        if self._end in ready:  # once is enough: it stays so
            self._poll.unregister(self._end)
            os.close(self._end)
            self._end = None
        if self._input in ready and ready[self._input] & _OUT:
            self._feed()
        heard = [self._hear(handle) for handle in list(self._heard) if ready.get(handle, 0) & _IN]
        return any(heard)

    def say(self, data: bytes) -> None:
        with self._lock:
            self._unsaid += data
        self.wake()

    def end_input(self) -> None:
        with self._lock:
            self._is_input_over = True
        self.wake()

    @property
    def unsaid_bytes(self) -> int:
        return len(self._unsaid)

    def wake(self) -> None:
        """The turn that waits now comes back at once."""
        with suppress(OSError):  # woken already, or closed
            os.write(self._waker, b"\0")

    def close(self) -> None:
        for handle in self._all():
            with suppress(OSError):
                os.close(handle)
        self._heard.clear()
        self._input = self._end = None
        self._woken = self._waker = -1

    def _all(self) -> Iterator[int]:
        self._let_go()
        own = {self._woken, self._waker, *self._heard, self._input, self._end}
        return (handle for handle in own if handle is not None and handle >= 0)

    def _let_go(self) -> None:
        for handle in self._theirs:
            os.close(handle)
        self._theirs.clear()

    def _hear(self, handle: int) -> bool:
        try:
            data = os.read(handle, EXEC_CHUNK_BYTES)
        except BlockingIOError:
            return False
        except OSError:  # a terminal nobody holds any more
            data = b""
        if data:
            self._output.hear(self._heard[handle], data)
        else:
            self._poll.unregister(handle)
            del self._heard[handle]
            if handle == self._input:
                self._input = None
            os.close(handle)
        return bool(data)

    def _offer(self) -> None:
        """Ask for room only while there is something to say; close what is over."""
        if self._input is None:
            return
        is_terminal = self._input in self._heard
        with self._lock:
            has_more, is_over = bool(self._unsaid), self._is_input_over
        if is_terminal:
            self._poll.modify(self._input, _IN | select.POLLOUT if has_more else _IN)
        elif has_more:
            self._poll.register(self._input, _OUT)
        elif is_over:
            self._drop_input()
        else:
            with suppress(KeyError):
                self._poll.unregister(self._input)

    def _feed(self) -> None:
        if self._input is None:
            return
        with self._lock:
            part = bytes(self._unsaid[:EXEC_CHUNK_BYTES])
        try:
            sent = os.write(self._input, part)
        except BlockingIOError:
            return
        except OSError:  # it has heard enough
            self._drop_input()
            return
        with self._lock:
            del self._unsaid[:sent]

    def _drop_input(self) -> None:
        handle, self._input = self._input, None
        if handle is None or handle in self._heard:
            return
        with suppress(KeyError):
            self._poll.unregister(handle)
        os.close(handle)
