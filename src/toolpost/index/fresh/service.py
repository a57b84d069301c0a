"""One process watches for all: others that open an index ask it what changed, instead of looking at every file.

A socket of the user's own in a folder of the user's own; whoever else connects is not answered.
"""

import fcntl
import os
import selectors
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from errno import EACCES
from pathlib import Path
from threading import Thread

import msgspec

from toolpost.errors import ToolError
from toolpost.index.disk.damage import Damaged
from toolpost.index.fresh.line import Broken, address, is_ours, open_folder, receive, send
from toolpost.index.fresh.live import Live
from toolpost.index.fresh.told import Ask, Reply, Told
from toolpost.index.limits import FRESH_CALLERS, FRESH_REPLY_BYTES, FRESH_REQUEST_BYTES, FRESH_WAIT_S
from toolpost.store import private

Find = Callable[[str], Live | None]
"""The live tree of a root's key, if this process has it."""
_asks = msgspec.json.Decoder(Ask)
_UNKNOWN = msgspec.json.encode(Reply())


class Taken(Exception):
    """Another process serves at that socket."""


def serve(find: Find, path: Path) -> "Service":
    """Answer at a socket until stopped. Raises Taken, OSError: PermissionError where others may enter its folder."""
    return Service(find, path)


class Service:
    """In threads of its own."""

    def __init__(self, find: Find, path: Path) -> None:
        self._find = find
        self._path = path
        private.make(path.parent)
        _refuse_open(path.parent)
        self._lock = _locked(path.with_name(f"{path.name}.lock"))
        try:
            self._server = _bound(path)
        except OSError:
            os.close(self._lock)
            raise
        self._ear, self._mouth = socket.socketpair()
        self._answering = ThreadPoolExecutor(FRESH_CALLERS, thread_name_prefix="toolpost-fresh")
        self._thread = Thread(target=self._listen, name="toolpost-fresh", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Those who asked already are answered. Once is enough; a second time does nothing."""
        self._mouth.close()
        self._thread.join()
        self._answering.shutdown()
        if self._lock >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._lock)  # last: until here nobody else binds
            self._lock = -1

    def _listen(self) -> None:
        with self._ear, self._server, selectors.DefaultSelector() as ready:
            ready.register(self._server, selectors.EVENT_READ)
            ready.register(self._ear, selectors.EVENT_READ)
            while self._ear not in {key.fileobj for key, _ in ready.select()}:
                with suppress(OSError):  # who called went away, or there are no descriptors left
                    connection, _ = self._server.accept()
                    self._answering.submit(self._answer, connection, time.monotonic() + FRESH_WAIT_S)

    def _answer(self, connection: socket.socket, until: float) -> None:
        """One that waited in line for too long is not answered: it does not wait any more."""
        with closing(connection), suppress(Broken):
            if is_ours(connection):
                line = receive(connection, FRESH_REQUEST_BYTES, until)
                send(connection, self._reply(line), time.monotonic() + FRESH_WAIT_S)

    def _reply(self, line: bytes) -> bytes:
        try:
            asked = _asks.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return _UNKNOWN
        reply = _encoded(self._told(asked))
        return reply if len(reply) <= FRESH_REPLY_BYTES else _UNKNOWN

    def _told(self, asked: Ask) -> Told | None:
        live = self._find(asked.key)
        try:
            return live.told(asked.generation) if live else None
        except (ToolError, OSError, Damaged):
            return None


def _encoded(told: Told | None) -> bytes:
    try:
        return msgspec.json.encode(Reply(told))
    except UnicodeEncodeError:  # a name that is not UTF-8 has no place in JSON
        return _UNKNOWN


def _refuse_open(folder: Path) -> None:
    status = folder.stat()
    if status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise PermissionError(EACCES, "Others may enter the folder of the socket", str(folder))


def _locked(path: Path) -> int:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise Taken(f"Another process serves at {path.parent}.") from None
    return handle


def _bound(path: Path) -> socket.socket:
    """With the lock in hand: a socket that is there already is a dead server's."""
    path.unlink(missing_ok=True)
    folder = open_folder(path.parent)
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        server.settimeout(0)
        server.bind(address(path, folder))
        path.chmod(0o600)
        server.listen(FRESH_CALLERS)
    except OSError:
        server.close()
        raise
    finally:
        os.close(folder)
    return server
