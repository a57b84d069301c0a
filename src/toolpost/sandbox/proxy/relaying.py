"""Carrying bytes between a client and a server, as long as some move."""

import asyncio
import re
from collections.abc import AsyncIterator

from toolpost.limits import PROXY_CHUNK_BYTES, PROXY_IDLE_S, PROXY_LINGER_S, PROXY_TOTAL_S
from toolpost.sandbox.proxy.dialing import Streams
from toolpost.sandbox.proxy.heads import Malformed, Request

_SIZE = re.compile(rb"([0-9A-Fa-f]{1,12})[ \t]*(?:;[^\r\n]*)?\r\n")


async def tunnel(client: Streams, server: Streams) -> None:
    """Until both have nothing more to say. Raises OSErrors in a group, or TimeoutError."""
    async with _total(), _idle() as idle, asyncio.TaskGroup() as ways:
        ways.create_task(_carry(client[0], server[1], idle))
        ways.create_task(_carry(server[0], client[1], idle))


async def exchange(request: Request, client: Streams, server: Streams) -> None:
    """One request with its body, and one answer: what the client says after its body goes nowhere."""
    server[1].write(request.head())
    async with _total(), _idle() as idle, asyncio.TaskGroup() as ways:
        sent = ways.create_task(_send(request, client[0], server[1], idle))
        await _carry(server[0], client[1], idle)
        sent.cancel()


def _total() -> asyncio.Timeout:
    return asyncio.timeout(PROXY_TOTAL_S)


def _idle() -> asyncio.Timeout:
    """Every byte puts it off."""
    return asyncio.timeout(PROXY_IDLE_S)


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, idle: asyncio.Timeout) -> None:
    while data := await reader.read(PROXY_CHUNK_BYTES):
        await _write(writer, data, idle)
    writer.write_eof()


async def _send(
    request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, idle: asyncio.Timeout
) -> None:
    parts = _chunks(reader) if request.length is None else _plain(reader, request.length)
    async for data in parts:
        await _write(writer, data, idle)


async def _write(writer: asyncio.StreamWriter, data: bytes, idle: asyncio.Timeout) -> None:
    writer.write(data)
    await writer.drain()
    if not idle.expired():
        idle.reschedule(asyncio.get_running_loop().time() + PROXY_IDLE_S)


async def _plain(reader: asyncio.StreamReader, length: int) -> AsyncIterator[bytes]:
    while length:
        data = await reader.read(min(length, PROXY_CHUNK_BYTES))
        if not data:
            raise ConnectionResetError("The client ended within the body.")
        length -= len(data)
        yield data


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Written anew: what servers read differently, extensions and trailers, is left out."""
    while size := await _size(reader):
        yield b"%x\r\n" % size
        async for data in _plain(reader, size):
            yield data
        if await reader.readexactly(2) != b"\r\n":
            raise Malformed("A chunk of the body is not as long as it says.")
        yield b"\r\n"
    while await _line(reader) != b"\r\n":
        continue
    yield b"0\r\n\r\n"


async def _size(reader: asyncio.StreamReader) -> int:
    found = _SIZE.fullmatch(await _line(reader))
    if found is None:
        raise Malformed("A chunk of the body does not say how long it is.")
    return int(found[1], 16)


async def _line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readuntil(b"\r\n")
    except (asyncio.LimitOverrunError, asyncio.IncompleteReadError) as cut:
        raise Malformed("A line within the body has no end.") from cut


async def farewell(client: Streams, answer: bytes) -> None:
    """Answer, and listen until the client has read it: to close on a client that still speaks would reset it."""
    reader, writer = client
    async with asyncio.timeout(PROXY_LINGER_S):
        writer.write(answer)
        await writer.drain()
        writer.write_eof()
        while await reader.read(PROXY_CHUNK_BYTES):
            continue


async def closed(writer: asyncio.StreamWriter) -> None:
    """What is still to be sent is sent, for a while."""
    try:
        async with asyncio.timeout(PROXY_LINGER_S):
            writer.close()
            await writer.wait_closed()
    except OSError:
        return
    finally:
        writer.transport.abort()
