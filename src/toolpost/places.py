"""So many at once: a place is taken without waiting when one is free, else in turn."""

import asyncio
from collections import deque


class Places:
    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: deque[asyncio.Future[None]] = deque()

    def take_free(self) -> bool:
        """A place, if one is free and nobody waits for it."""
        if self._free < 1 or self._waiting:
            return False
        self._free -= 1
        return True

    async def take(self) -> None:
        if self.take_free():
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            self._step_aside(turn)
            raise

    def give(self) -> None:
        """The place goes to whoever waits longest, else it is free."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _step_aside(self, turn: "asyncio.Future[None]") -> None:
        if turn.done() and not turn.cancelled():
            self.give()  # it was this one's turn already: pass it on
        elif turn in self._waiting:
            self._waiting.remove(turn)
