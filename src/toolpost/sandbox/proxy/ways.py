"""How a command comes to its proxy: what has to run before it begins, and which variables tell it."""

import socket
from secrets import token_hex

from msgspec import Struct

from toolpost.errors import SandboxUnavailable
from toolpost.sandbox.model import Fence
from toolpost.sandbox.proxy import connects, inside
from toolpost.sandbox.proxy.connects import LOOPBACK, Connects
from toolpost.sandbox.proxy.dialing import Dialer
from toolpost.sandbox.proxy.hosts import hosts
from toolpost.sandbox.proxy.inside import Door
from toolpost.sandbox.proxy.network import Network
from toolpost.sandbox.proxy.running import Proxy
from toolpost.sandbox.proxy.serving import USER

GAP = "only programs that heed HTTP_PROXY and HTTPS_PROXY reach the hosts that are allowed"
_NAMES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_DIRECT = "localhost,127.0.0.1,::1"


class Way(Struct, frozen=True, kw_only=True):
    """`variables` are the command's, whatever else it was given."""

    variables: dict[str, str]
    proxy: Proxy
    door: Door | None = None
    """At L3."""
    connects: Connects | None = None
    """At L2."""

    def listened(self, handle: int) -> None:
        """At L2, before the command begins: the filter's handle, through which its connects come."""
        assert self.connects is not None
        self.connects.take(handle)
        self.proxy.soon(self.connects.watch)

    def close(self) -> tuple[str, ...]:
        """What was refused."""
        refused = self.proxy.close()
        if self.connects is not None:
            self.connects.close()
        return refused


def is_wanted(fence: Fence) -> bool:
    """A fence that names a proxy has one already."""
    return bool(fence.hosts) and not fence.proxy


def into_namespaces(fence: Fence, network: Network) -> Way:
    inside.interpreter()
    door = Door()
    proxy = Proxy(_dialer(fence, network), door.listener)
    return Way(variables=_variables(f"{LOOPBACK}:{inside.PORT}"), proxy=proxy, door=door)


def into_landlock(fence: Fence, network: Network) -> Way:
    if why := connects.missing():
        raise SandboxUnavailable(
            f"At L2 the connections of a command cannot be led to the proxy of its hosts, since {why}: "
            "install bubblewrap (L3), or allow the command no hosts.",
            level="L2",
        )
    listener = socket.create_server((LOOPBACK, 0), backlog=128)
    port, secret = listener.getsockname()[1], token_hex(16)

    async def listens() -> socket.socket:
        return listener

    proxy = Proxy(_dialer(fence, network), listens, secret=secret)
    return Way(
        variables=_variables(f"{USER}:{secret}@{LOOPBACK}:{port}"),
        proxy=proxy,
        connects=Connects(port, proxy.refusals),
    )


def _dialer(fence: Fence, network: Network) -> Dialer:
    return Dialer(hosts=hosts(fence.hosts), network=network)


def _variables(place: str) -> dict[str, str]:
    """In both spellings, as programs heed one or the other."""
    found = {**dict.fromkeys(_NAMES, f"http://{place}"), "NO_PROXY": _DIRECT}
    return {**found, **{name.lower(): value for name, value in found.items()}}
