"""The kernel's own word on what changes in a tree: Linux only.

The kernel queues an event before the call that caused it returns, so what is drained before a question holds
every change that was finished by then. A watch is on a folder itself, not on its path: it moves with the folder.
"""

import ctypes
import fcntl
import os
import struct
import sys
import termios
from collections.abc import Iterable, Iterator
from errno import EACCES, ENODEV, ENOSYS, ENOTDIR

from toolpost.index.fresh.happened import Happened
from toolpost.index.fresh.ladder import Ladder
from toolpost.index.fresh.watcher import NoRoom
from toolpost.index.limits import EVENTS_BYTES

MODIFY, ATTRIB, CLOSE_WRITE, MOVED_FROM, MOVED_TO = 0x2, 0x4, 0x8, 0x40, 0x80
CREATE, DELETE = 0x100, 0x200
UNMOUNT, OVERFLOW, IGNORED, IS_FOLDER = 0x2000, 0x4000, 0x8000, 0x40000000
_ONLY_FOLDERS, _UNLINKED_NOT = 0x01000000, 0x04000000
_WATCHED = (
    *(MODIFY, ATTRIB, CLOSE_WRITE, MOVED_FROM, MOVED_TO, CREATE, DELETE),
    *(_ONLY_FOLDERS, _UNLINKED_NOT),
)
_MASK = sum(_WATCHED)
_EVENT = struct.Struct("=iIII")
_COUNT = struct.Struct("i")
_PASSED = frozenset({ENOTDIR, EACCES, ENODEV})
"""A folder that may not be read: the one that holds it tells when that changes."""

_libc = ctypes.CDLL(None, use_errno=True)


class Inotify:
    """Not for several threads at once."""

    is_prompt = True

    def __init__(self) -> None:
        """Raises OSError where there is no inotify, or no more descriptors of it."""
        if sys.platform != "linux":
            raise OSError(ENOSYS, os.strerror(ENOSYS))
        self._descriptor: int = _libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._descriptor < 0:
            raise _failed()
        self._folders: dict[int, bytes] = {}
        self._watches: dict[bytes, int] = {}

    @property
    def folders(self) -> frozenset[bytes]:
        return frozenset(self._watches)

    def add(self, top: int, folders: Iterable[bytes]) -> None:
        """Those beneath an open one; in sorted order it is fastest. One that is gone is passed. Raises NoRoom."""
        with Ladder(top) as ladder:
            for folder in folders:
                try:
                    descriptor = ladder.at(folder)
                except OSError:
                    continue
                self.enter(descriptor, folder)

    def enter(self, descriptor: int, folder: bytes) -> None:
        """From now on changes in an open folder are told. Raises NoRoom."""
        # By its descriptor: a path could be another folder by now, even one outside.
        watch: int = _libc.inotify_add_watch(self._descriptor, b"/proc/self/fd/%d" % descriptor, _MASK)
        if watch < 0:
            if ctypes.get_errno() not in _PASSED:
                raise NoRoom(os.strerror(ctypes.get_errno()))
            return
        old = self._folders.get(watch)
        if old is not None and self._watches.get(old) == watch:
            del self._watches[old]  # it was moved, and its own event is still to come
        self._folders[watch] = folder
        self._watches[folder] = watch

    def leave(self, folders: Iterable[bytes]) -> None:
        for folder in folders:
            watch = self._watches.pop(folder, None)
            if watch is not None:
                self._folders.pop(watch, None)
                _libc.inotify_rm_watch(
                    self._descriptor, watch
                )  # EINVAL: the folder went, and its watch with it

    def drain(self) -> Happened | None:
        """All that happened before this call; None for nothing, which takes 2 microseconds to find out."""
        try:
            data = os.read(self._descriptor, EVENTS_BYTES)
        except BlockingIOError:
            return None
        happened = Happened()
        # What is queued by now, and no more: somebody who writes without end must not hold up an answer.
        left = _COUNT.unpack(fcntl.ioctl(self._descriptor, termios.FIONREAD, bytes(4)))[0]
        self.note(data, happened)
        while left > 0:
            data = os.read(self._descriptor, EVENTS_BYTES)
            left -= len(data)
            self.note(data, happened)
        return happened

    def note(self, data: bytes, happened: Happened) -> None:
        """Events as the kernel writes them."""
        for watch, kind, name in decode(data):
            folder = self._folders.get(watch)
            if kind & (OVERFLOW | UNMOUNT):
                happened.is_lost = True
            elif folder is None:
                continue  # a folder that is not watched any more
            elif kind & IGNORED:
                self._forget(watch, folder)
            elif not name:  # what happens to a folder itself is told by the one above, if there is one
                if not folder and kind & ATTRIB:
                    happened.folders.add(folder)
            else:
                path = b"%b/%b" % (folder, name) if folder else name
                (happened.folders if kind & IS_FOLDER else happened.files).add(path)

    def _forget(self, watch: int, folder: bytes) -> None:
        del self._folders[watch]
        if self._watches.get(folder) == watch:
            del self._watches[folder]

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


def decode(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Watch, kind and name of each event."""
    at = 0
    while at < len(data):
        watch, kind, _, length = _EVENT.unpack_from(data, at)
        at += _EVENT.size
        yield watch, kind, data[at : at + length].rstrip(b"\0")
        at += length


def _failed() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
