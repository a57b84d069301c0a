"""A proxy for one command: every request is judged, what is refused is answered, and remembered for the report."""

import asyncio
import socket
from base64 import b64decode
from binascii import Error as NotBase64
from hmac import compare_digest

from toolpost.limits import PROXY_CONNECTIONS, PROXY_HEAD_BYTES, PROXY_HEAD_S, PROXY_REFUSALS
from toolpost.sandbox.proxy.answers import FAILURES, TUNNEL, Unknown, answer
from toolpost.sandbox.proxy.dialing import Dialer, Refused, Streams
from toolpost.sandbox.proxy.heads import Malformed, Request, header, request
from toolpost.sandbox.proxy.relaying import closed, exchange, farewell, tunnel

USER = "command"
_BUSY_S = 0.05  # until another descriptor may be free


class Refusals:
    """What a command asked for in vain, each once."""

    def __init__(self) -> None:
        self._found: dict[str, None] = {}

    def add(self, what: object, reason: str = "") -> None:
        if len(self._found) < PROXY_REFUSALS:
            self._found[f"net: {what} refused" + (f" ({reason})" if reason else "")] = None

    def all(self) -> tuple[str, ...]:
        return tuple(self._found)


class Serving:
    """`secret`: what a client has to know, where others than the command could reach the listener."""

    def __init__(self, dialer: Dialer, refusals: Refusals, secret: str = "") -> None:
        self._dialer = dialer
        self._refusals = refusals
        self._secret = secret
        self._clients: set[asyncio.Task[None]] = set()
        self._free = asyncio.Semaphore(PROXY_CONNECTIONS)

    async def serve(self, listener: socket.socket) -> None:
        """Until it is cancelled. More clients than there is room for wait in the listener's queue."""
        listener.settimeout(0)
        loop = asyncio.get_running_loop()
        while True:
            await self._free.acquire()
            try:
                client, _ = await loop.sock_accept(listener)
            except OSError:  # no descriptor is free, or the client is gone
                self._free.release()
                await asyncio.sleep(_BUSY_S)
                continue
            task = loop.create_task(self._client(client))
            self._clients.add(task)
            task.add_done_callback(self._gone)

    def _gone(self, task: asyncio.Task[None]) -> None:
        self._clients.discard(task)
        self._free.release()

    async def _client(self, client: socket.socket) -> None:
        reader, writer = await asyncio.open_connection(sock=client, limit=PROXY_HEAD_BYTES)
        try:
            await self._served((reader, writer))
            await closed(writer)
        except* (OSError, EOFError, Malformed):  # one of them went away, or took too long
            pass
        finally:
            writer.transport.abort()

    async def _served(self, client: Streams) -> None:
        asked: Request | None = None
        try:
            asked = await self._head(client[0])
            server = await self._dialer.dial(asked.asked)
        except FAILURES as wrong:
            if asked is not None and isinstance(wrong, Refused):
                self._refusals.add(asked.asked, wrong.reason)
            await farewell(client, answer(wrong))
            return
        try:
            await _relay(asked, client, server)
            await closed(server[1])
        finally:
            server[1].transport.abort()

    async def _head(self, reader: asyncio.StreamReader) -> Request:
        async with asyncio.timeout(PROXY_HEAD_S):
            asked = request(await reader.readuntil(b"\r\n\r\n"))
        if self._secret and not _knows(header(asked.headers, "proxy-authorization"), self._secret):
            raise Unknown
        return asked


def _knows(given: str, secret: str) -> bool:
    scheme, _, code = given.partition(" ")
    try:
        known = b64decode(code.strip(), validate=True)
    except (NotBase64, ValueError):
        return False
    return scheme.lower() == "basic" and compare_digest(known, f"{USER}:{secret}".encode())


async def _relay(asked: Request, client: Streams, server: Streams) -> None:
    if asked.is_tunnel:
        client[1].write(TUNNEL)
        await tunnel(client, server)
    else:
        await exchange(asked, client, server)
