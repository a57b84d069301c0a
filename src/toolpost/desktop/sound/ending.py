"""Asking processes to end, each held by a descriptor, so that the signal reaches no other with its number."""

import math
import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Self

from toolpost.desktop.sound.processes import Process, Processes
from toolpost.limits import MIC_LOOK_S


class Ending:
    """Those that were asked; their descriptors live as long as this does."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._handles: list[int] = []
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def ask(self, process: Process) -> bool:
        """SIGTERM, if that very process is still there. False when it is not, or may not be asked."""
        try:
            handle = os.pidfd_open(process.pid)
            self._open.callback(os.close, handle)
            now = self._processes.look(process.pid)
            if now is None or now.began != process.began:
                return False
            signal.pidfd_send_signal(handle, signal.SIGTERM)
        except (
            AttributeError,
            OSError,
        ):  # gone, not ours, or a system that cannot hold one: then none is signalled
            return False
        self._handles.append(handle)
        return True

    def wait(self, within_s: float, is_done: Callable[[], bool]) -> None:
        """Until all have ended, or something else is done."""
        left = select.poll()
        for handle in self._handles:
            left.register(handle, select.POLLIN)
        running = set(self._handles)
        for left_s in _ticking(within_s):
            for handle, _ in left.poll(math.ceil(1000 * min(left_s, MIC_LOOK_S))):
                left.unregister(handle)
                running.discard(handle)
            if not running or is_done():
                return


def _ticking(within_s: float) -> Iterator[float]:
    """The seconds that are left, as long as there are some."""
    limit = time.monotonic() + within_s
    while (left_s := limit - time.monotonic()) > 0:
        yield left_s
