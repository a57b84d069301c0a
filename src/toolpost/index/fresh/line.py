"""A line each way over a socket of this machine, between processes of one user."""

import os
import socket
import struct
import time
from pathlib import Path

_CREDENTIALS = struct.Struct("3i")
_PEER = getattr(socket, "SO_PEERCRED", None)
_ADDRESS_BYTES = 100  # what every system takes for a socket's path; Linux takes 107


class Broken(Exception):
    """Nobody is there, it takes too long, or what comes is no line."""


def address(path: Path, folder: int) -> bytes:
    """What a socket is bound or connected to; a path that is too long goes by its open folder."""
    whole = os.fsencode(path)
    return (
        whole if len(whole) <= _ADDRESS_BYTES else b"/proc/self/fd/%d/%b" % (folder, os.fsencode(path.name))
    )


def open_folder(path: Path) -> int:
    return os.open(path, getattr(os, "O_PATH", 0) | os.O_DIRECTORY | os.O_CLOEXEC)


def is_ours(connection: socket.socket) -> bool:
    """Whether the other side is of the same user. Where a system does not tell, the folder's mode has to do."""
    if _PEER is None:
        return True
    told = connection.getsockopt(socket.SOL_SOCKET, _PEER, _CREDENTIALS.size)
    return bool(_CREDENTIALS.unpack(told)[1] == os.geteuid())


def receive(connection: socket.socket, most: int, until: float) -> bytes:
    """One line without its end, by a moment of the monotonic clock. Raises Broken."""
    held = bytearray()
    while not held.endswith(b"\n"):
        left = until - time.monotonic()
        if left <= 0 or len(held) > most:
            raise Broken
        connection.settimeout(left)
        try:
            part = connection.recv(min(most + 1, 1 << 16))
        except OSError:
            raise Broken from None
        if not part:
            raise Broken
        held += part
    return bytes(held[:-1])


def send(connection: socket.socket, line: bytes, until: float) -> None:
    """Raises Broken."""
    connection.settimeout(max(until - time.monotonic(), 0.001))
    try:
        connection.sendall(line + b"\n")
    except OSError:
        raise Broken from None
