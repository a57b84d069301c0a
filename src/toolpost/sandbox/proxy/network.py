"""What a proxy asks others: who decides beside the fence, and who knows the addresses of names."""

import socket
from collections.abc import Callable, Sequence

from msgspec import Struct

Allows = Callable[[str, int, str], bool]
"""Of a host, a port and a scheme."""
Resolves = Callable[[str], Sequence[str]]
"""Addresses of a name; OSError: it has none."""


def everything(_host: str, _port: int, _scheme: str) -> bool:
    """Nothing beside the fence decides."""
    return True


def resolved(host: str) -> Sequence[str]:
    """By the system's resolver."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


class Network(Struct, frozen=True, kw_only=True):
    allows: Allows = everything
    """A further say about hosts that the fence allows: a deny, or a grant that was taken back meanwhile."""
    resolves: Resolves = resolved
