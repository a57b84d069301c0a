"""The proxy's port where the command has no network of its own (L2): its connects are made for it, to nowhere else.

Landlock knows ports but no addresses: a port it opens is open on every machine. So it opens none, and the filter hands
each connect(2) to the server, which takes the command's socket and connects it to the proxy itself. What the
command wrote as the address decides only whether that is done, never where to.
"""

import asyncio
import os
import select
import socket
import struct
from contextlib import suppress
from errno import EACCES, EFAULT, EPERM, ETIMEDOUT
from fcntl import ioctl
from functools import cache
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

from toolpost.limits import PROXY_DIAL_S
from toolpost.sandbox import kernel
from toolpost.sandbox.proxy.serving import Refusals

LOOPBACK = "127.0.0.1"
_MAPPED = "::ffff:127.0.0.1"
_RECEIVE, _SEND, _IS_VALID = 0xC0502100, 0xC0182101, 0x40082102  # SECCOMP_IOCTL_NOTIF_*
_NOTE_BYTES = 80
_ADDRESS_BYTES = 28  # of struct sockaddr_in6

Goal = tuple[str, int]


class Connects:
    """`port`: the proxy's."""

    def __init__(self, port: int, refusals: Refusals) -> None:
        self._goals = {(LOOPBACK, port), (_MAPPED, port)}
        self._port = port
        self._refusals = refusals
        self._handle = -1
        self._tasks: set[asyncio.Task[None]] = set()

    def take(self, handle: int) -> None:
        """What the filter gave: it is this one's to close."""
        self._handle = handle

    def watch(self) -> None:
        """From now on, in the loop that runs."""
        asyncio.get_running_loop().add_reader(self._handle, self._next)

    def close(self) -> None:
        """After that loop has ended. Who still wants to connect cannot."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _next(self) -> None:
        loop = asyncio.get_running_loop()
        look = select.poll()
        look.register(self._handle, select.POLLIN)
        if not any(events & select.POLLIN for _, events in look.poll(0)):
            loop.remove_reader(self._handle)  # nobody is left who could call
            return
        note = bytearray(_NOTE_BYTES)
        with suppress(OSError):  # who called is gone
            ioctl(self._handle, _RECEIVE, note)
            task = loop.create_task(self._answer(bytes(note)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _answer(self, note: bytes) -> None:
        ticket, caller = struct.unpack_from("=QI", note)
        handle, address, size = struct.unpack_from("=3Q", note, 32)
        try:
            goal = _goal(caller, address, size & 0xFFFFFFFF)
            error = await self._connected(ticket, caller, handle & 0xFFFFFFFF, goal)
        except OverflowError:  # no such place in memory
            error = EFAULT
        except OSError as failed:
            error = failed.errno or EACCES
        with suppress(OSError):
            ioctl(self._handle, _SEND, struct.pack("=QqiI", ticket, 0, -error, 0))

    async def _connected(self, ticket: int, caller: int, handle: int, goal: Goal) -> int:
        """0, or what went wrong."""
        if goal not in self._goals:
            host, port = goal
            self._refusals.add(
                f"[{host}]:{port}" if ":" in host else f"{host}:{port}", "not through the proxy"
            )
            return EACCES
        with _taken(caller, handle) as taken:
            ioctl(self._handle, _IS_VALID, struct.pack("=Q", ticket))  # else it may be another's by now
            if taken.type != socket.SOCK_STREAM or taken.family not in {socket.AF_INET, socket.AF_INET6}:
                return EACCES
            return await _connect(
                taken, (LOOPBACK if taken.family == socket.AF_INET else _MAPPED, self._port)
            )


async def _connect(taken: socket.socket, goal: Goal) -> int:
    """The command's socket is ours as well: that it waits is taken from it only while it does."""
    if not os.get_blocking(taken.fileno()):
        return taken.connect_ex(goal)
    taken.settimeout(0)
    try:
        await asyncio.wait_for(asyncio.get_running_loop().sock_connect(taken, goal), PROXY_DIAL_S)
    except TimeoutError:
        return ETIMEDOUT
    finally:
        taken.settimeout(None)
    return 0


def _goal(caller: int, address: int, size: int) -> Goal:
    """What the command wrote; it may change that at any time."""
    with Path(f"/proc/{caller}/mem").open("rb", buffering=0) as memory:
        raw = os.pread(memory.fileno(), min(size, _ADDRESS_BYTES), address)
    if len(raw) < 16:
        raise OSError(EACCES, "not an address")
    family, port = struct.unpack_from("=H", raw)[0], struct.unpack_from(">H", raw, 2)[0]
    if family == socket.AF_INET:
        return str(IPv4Address(raw[4:8])), port
    if family != socket.AF_INET6 or len(raw) < 24:
        raise OSError(EACCES, "not an address of the internet")
    inner = IPv6Address(raw[8:24])
    return (f"::ffff:{inner.ipv4_mapped}" if inner.ipv4_mapped else str(inner)), port


def _taken(caller: int, handle: int) -> socket.socket:
    process = os.pidfd_open(_leader(caller))
    try:
        return socket.socket(fileno=kernel.take_descriptor(process, handle))
    finally:
        os.close(process)


def _leader(thread: int) -> int:
    lines = Path(f"/proc/{thread}/status").read_text("utf-8", "surrogateescape").splitlines()
    return int(next(line for line in lines if line.startswith("Tgid:")).split()[1])


@cache
def missing() -> str:
    """Why this cannot be done here; empty: it can."""
    try:
        process = os.pidfd_open(os.getpid())
    except (AttributeError, OSError):
        return "the kernel is too old"
    try:
        os.close(kernel.take_descriptor(process, process))
    except OSError as failed:
        return "something around this server forbids it" if failed.errno == EPERM else "the kernel is too old"
    finally:
        os.close(process)
    return ""
