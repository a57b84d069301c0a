"""A proxy's thread: it begins before its command and ends with it, whatever event loop the server has."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import Any

from toolpost.limits import PROXY_END_S
from toolpost.sandbox.proxy.dialing import Dialer
from toolpost.sandbox.proxy.serving import Refusals, Serving

Listens = Callable[[], Awaitable[socket.socket]]


class Proxy:
    """`listens` gives the listener, when there is one; the proxy closes it."""

    def __init__(self, dialer: Dialer, listens: Listens, *, secret: str = "") -> None:
        self.refusals = Refusals()
        self._dialer = dialer
        self._listens = listens
        self._secret = secret
        self._running: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = Future()
        self._thread = Thread(target=self._live, name="toolpost-proxy", daemon=True)
        self._thread.start()

    def _live(self) -> None:
        with suppress(asyncio.CancelledError):
            asyncio.run(self._serve())

    async def _serve(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._running.set_result((asyncio.get_running_loop(), task))
        listener = await self._listens()
        with listener:
            await Serving(self._dialer, self.refusals, self._secret).serve(listener)

    def soon(self, act: Callable[[], object]) -> None:
        """Have something done in its loop."""
        self._running.result(PROXY_END_S)[0].call_soon_threadsafe(act)

    def close(self) -> tuple[str, ...]:
        """All its connections end. What was refused is returned."""
        loop, task = self._running.result(PROXY_END_S)
        with suppress(RuntimeError):  # it has ended by itself
            loop.call_soon_threadsafe(task.cancel)
        self._thread.join(PROXY_END_S)
        return self.refusals.all()
