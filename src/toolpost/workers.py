"""Threads for work that blocks: kept for the next, and never waited for.

Starting a thread costs more than reading a file does. One that hangs keeps no other waiting, and being a
daemon keeps no process alive; it comes back when its work really ends.
"""

import threading
from collections import deque
from collections.abc import Callable
from queue import Empty, SimpleQueue

from toolpost.limits import WORKER_IDLE_S

Work = Callable[[], None]


class Workers:
    """As many threads as there is work at once; how much that may be is the caller's to say."""

    def __init__(self, idle_most: int) -> None:
        self._idle_most = idle_most
        self._idle: deque[SimpleQueue[Work]] = deque()

    def do(self, work: Work) -> None:
        """Begin it at once, in a thread that waits for work or a new one."""
        try:
            self._idle.pop().put(work)
        except IndexError:
            threading.Thread(target=self._serve, args=(work,), name="toolpost-tool", daemon=True).start()

    def _serve(self, work: Work) -> None:
        waiting: SimpleQueue[Work] = SimpleQueue()
        work()
        while len(self._idle) < self._idle_most:
            self._idle.append(waiting)
            try:
                work = waiting.get(timeout=WORKER_IDLE_S)
            except Empty:
                if self._leaves(waiting):
                    return
                work = waiting.get()  # it was given work at the very last moment
            work()

    def _leaves(self, waiting: SimpleQueue[Work]) -> bool:
        try:
            self._idle.remove(waiting)
        except ValueError:
            return False
        return True
