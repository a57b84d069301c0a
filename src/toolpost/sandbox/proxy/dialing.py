"""From a host that is asked for to a connection: judged, looked up once, every address judged, one of these dialed."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread

from msgspec import Struct

from toolpost.limits import PROXY_ADDRESSES, PROXY_CHUNK_BYTES, PROXY_DIAL_S, PROXY_LOOKUP_S
from toolpost.sandbox.proxy.addresses import objection
from toolpost.sandbox.proxy.hosts import Asked, Hosts, is_address, is_local_name
from toolpost.sandbox.proxy.network import Network, Resolves

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Refused(PermissionError):
    """`reason` is short, for the line that others see; the sentence says which rule is missing."""

    def __init__(self, sentence: str, reason: str = "") -> None:
        super().__init__(sentence)
        self.reason = reason


class Unreachable(OSError):
    """It may be reached, but does not answer."""


class Dialer(Struct, frozen=True, kw_only=True):
    hosts: Hosts
    network: Network

    async def dial(self, asked: Asked) -> Streams:
        """Raises Refused, or Unreachable."""
        opened = self._judge(asked)
        found = (
            (asked.host,) if is_address(asked.host) else await _looked_up(asked.host, self.network.resolves)
        )
        for address in found:
            if reason := objection(address, opened=opened):
                raise Refused(
                    f"{asked} leads to {address}, which is {reason}. {_opening(asked, reason)}", reason
                )
        return await _connected(found[:PROXY_ADDRESSES], asked)

    def _judge(self, asked: Asked) -> bool:
        """Whether private addresses are open to it."""
        allowed = self.hosts.allow(asked) and self.network.allows(asked.host, asked.port, asked.scheme)
        if not allowed:
            raise Refused(
                f"{asked} is not among the hosts this command may reach: no rule net({_rule(asked)}) allows it."
            )
        opened = self.hosts.open(asked)
        if is_local_name(asked.host) and not opened:
            raise Refused(
                f"{asked} is a name of this machine or its network. {_opening(asked, '')}", "a private name"
            )
        return opened


def _rule(asked: Asked) -> str:
    host = f"[{asked.host}]" if ":" in asked.host else asked.host
    return host if asked.port in {80, 443} else f"{host}:{asked.port}"


def _opening(asked: Asked, reason: str) -> str:
    if reason in {"", "a private address"}:
        return f"Only a rule net!({_rule(asked)}) opens it."
    return "No rule opens it."


async def _looked_up(host: str, resolves: Resolves) -> tuple[str, ...]:
    """In a thread that nobody waits for at the end: a resolver may hang for half a minute."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Sequence[str]] = loop.create_future()

    def tell(found: Sequence[str]) -> None:
        if not answer.done():
            answer.set_result(found)

    def look() -> None:
        found: Sequence[str] = ()
        with suppress(OSError, UnicodeError):
            found = resolves(host)
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(tell, found)

    Thread(target=look, name="toolpost-lookup", daemon=True).start()
    found: Sequence[str] = ()
    with suppress(TimeoutError):
        found = await asyncio.wait_for(answer, PROXY_LOOKUP_S)
    if not found:
        raise Unreachable(f"There is no address of {host}.")
    return tuple(found)


async def _connected(addresses: Sequence[str], asked: Asked) -> Streams:
    for address in addresses:
        with suppress(OSError):
            async with asyncio.timeout(PROXY_DIAL_S):
                return await asyncio.open_connection(address, asked.port, limit=PROXY_CHUNK_BYTES)
    raise Unreachable(f"{asked} does not answer.")
