"""The proxy's port in a network of the command's own (L3), without a program that stays there to serve it.

A listener belongs to the network it was made in, whoever holds it. So a few lines of Python make it inside, hand it
out to the server through a socket they inherited, and become the command: nothing stands between the two.
"""

import asyncio
import os
import socket
import sys
from functools import cache
from pathlib import Path
from typing import Self

from msgspec.structs import replace

from toolpost.errors import SandboxUnavailable
from toolpost.sandbox.model import Spawn
from toolpost.sandbox.toolchains import beneath, system

PORT = 3128
"""Nobody else is there who could have it."""
_STARTER = """
import _signal, _socket, os, sys
door, port = int(sys.argv[1]), int(sys.argv[2])
made = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
made.bind(("127.0.0.1", port))
made.listen(128)
way = _socket.socket(fileno=door)
way.sendmsg([b"."], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, made.fileno().to_bytes(4, sys.byteorder))])
way.close()
made.close()
for number in (_signal.SIGPIPE, _signal.SIGXFSZ):
    _signal.signal(number, _signal.SIG_DFL)
os.execvp(sys.argv[3], sys.argv[3:])
"""
_OTHERS = ("/usr/bin/python3", "/usr/local/bin/python3")


class Door:
    """Through which the listener comes out."""

    def __init__(self) -> None:
        self._own, self._theirs = socket.socketpair()

    @property
    def handle(self) -> int:
        """The command's end, which its first program must inherit."""
        return self._theirs.fileno()

    def around(self, argv: tuple[str, ...]) -> tuple[str, ...]:
        return (interpreter()[0], "-I", "-S", "-c", _STARTER, str(self.handle), str(PORT), *argv)

    def readable(self, spawn: Spawn) -> Spawn:
        """With what the interpreter needs."""
        folder, fence = interpreter()[1], spawn.fence
        if not folder or any(beneath(folder, place) for place in (*system(), *fence.roots)):
            return spawn
        return replace(spawn, fence=replace(fence, readable=(*fence.readable, folder)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        """The command has its end: a second one would keep us from learning that it is gone."""
        self._theirs.close()

    async def listener(self) -> socket.socket:
        """Once it is made; never, if the command did not come that far."""
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        self._own.settimeout(0)
        with self._own:
            loop.add_reader(self._own, ready.set_result, None)
            try:
                await ready
            finally:
                loop.remove_reader(self._own)
            handles = socket.recv_fds(self._own, 1, 1, socket.MSG_CMSG_CLOEXEC)[1]
        if not handles:
            await loop.create_future()
        return socket.socket(fileno=handles[0])


@cache
def interpreter() -> tuple[str, str]:
    """One that a command can run, and the folder it needs to read."""
    own = (os.path.realpath(sys.executable), os.path.realpath(sys.base_prefix))
    others = ((path, "") for path in _OTHERS)
    for program, folder in (own, *others):
        if os.access(program, os.X_OK) and (not folder or os.access(Path(folder, "lib"), os.R_OK | os.X_OK)):
            return program, folder
    raise SandboxUnavailable(
        "A command with a network of its own needs a Python it may run to reach its proxy: install python3."
    )
