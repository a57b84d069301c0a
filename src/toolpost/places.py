"""So many at once: a place is taken without waiting when one is free, else in turn.

Places may be taken in one event loop or thread and given back in another.
"""

import asyncio
from collections import deque
from threading import Lock


class Places:
    def __init__(self, count: int) -> None:
        self._lock = Lock()
        self._free = [None] * count  # popping and appending are whole steps, so no lock is needed for them
        self._waiting: deque[asyncio.Future[None]] = deque()

    def take_free(self) -> bool:
        """A place, if one is free and nobody waits for it."""
        return not self._waiting and self._taken()

    def _taken(self) -> bool:
        try:
            self._free.pop()
        except IndexError:
            return False
        return True

    async def take(self) -> None:
        if self.take_free():
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._lock:
            self._waiting.append(turn)
        self._pass_on()  # one may have come free between the two looks
        try:
            await turn
        except asyncio.CancelledError:
            self._step_aside(turn)
            raise

    def give(self) -> None:
        """The place goes to whoever waits longest, else it is free."""
        self._free.append(None)
        if self._waiting:
            self._pass_on()

    def _pass_on(self) -> None:
        with self._lock:
            if not self._waiting or not self._taken():
                return
            turn = self._waiting.popleft()
        try:
            turn.get_loop().call_soon_threadsafe(self._call, turn)
        except RuntimeError:  # its loop is closed, and with it whoever waited there
            self.give()

    def _call(self, turn: "asyncio.Future[None]") -> None:
        if turn.done():
            self.give()
        else:
            turn.set_result(None)

    def _step_aside(self, turn: "asyncio.Future[None]") -> None:
        with self._lock:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return
        if not turn.cancelled():
            self.give()  # it was this one's turn already
