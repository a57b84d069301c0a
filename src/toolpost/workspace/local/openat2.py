"""The kernel's own way to open beneath a folder: Linux 5.6 and later."""

import ctypes
import os
from errno import EAGAIN, EINVAL, EXDEV

from toolpost.limits import OPEN_TRIES
from toolpost.workspace.local.inside import inside

_OPENAT2 = 437  # the same number on every architecture we run on
_NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH, _CACHED = 0x02, 0x04, 0x08, 0x20
_FOLLOWING = _BENEATH | _NO_MAGICLINKS
_STRAIGHT = _BENEATH | _NO_SYMLINKS


class _How(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


_SIZE = ctypes.sizeof(_How)
# No argtypes, and errno asked for only once a call has failed: ctypes would take as long as the open itself.
# libffi widens the ints to registers, so nothing is cut.
_fast = ctypes.CDLL(None).syscall
_telling = ctypes.CDLL(None, use_errno=True).syscall
_IN_MEMORY = 1 << 62  # keeps the two ways apart in `_hows`
_hows = dict[int, object]()  # a handful: one for each set of flags the code uses


class Openat2:
    """Nothing here is checked before it is used: the kernel resolves and opens in one step."""

    name = "openat2"

    def open(self, root: int, path: str, flags: int, mode: int = 0) -> int:
        if "\0" in path:  # C would stop reading there, and open another file
            raise OSError(EINVAL, os.strerror(EINVAL), path)
        name = path.encode() or b"."
        key = flags | mode << 32
        how = _hows.get(key) or _how(flags, mode, _FOLLOWING, key)
        descriptor: int = _fast(_OPENAT2, root, name, how, _SIZE)
        return descriptor if descriptor >= 0 else _again(root, path, flags, mode)


def open_cached(root: int, path: str, flags: int) -> int:
    """Open what the kernel has in memory; BlockingIOError where it would have to look, or anything else is odd.

    Linux 5.12 and later; before it every open is odd.
    """
    if "\0" in path:
        raise BlockingIOError(EAGAIN, os.strerror(EAGAIN), path)
    how = _hows.get(flags | _IN_MEMORY) or _how(flags, 0, _FOLLOWING | _CACHED, flags | _IN_MEMORY)
    descriptor: int = _fast(_OPENAT2, root, path.encode() or b".", how, _SIZE)
    if descriptor < 0:
        raise BlockingIOError(EAGAIN, os.strerror(EAGAIN), path)
    return descriptor


def _again(root: int, path: str, flags: int, mode: int) -> int:
    try:
        return _open(root, path, _How(flags, mode, _FOLLOWING))
    except OSError as refused:
        if refused.errno != EXDEV:
            raise
    # Perhaps an absolute link that points back inside, which the kernel does not take.
    return _open(root, inside(root, path), _How(flags, mode, _STRAIGHT))


def _open(root: int, path: str, how: _How) -> int:
    failed = EAGAIN
    for _ in range(OPEN_TRIES):  # EAGAIN: something was renamed while the kernel looked at a `..`
        descriptor: int = _telling(_OPENAT2, root, os.fsencode(path) or b".", ctypes.byref(how), _SIZE)
        if descriptor >= 0:
            return descriptor
        failed = ctypes.get_errno()
        if failed != EAGAIN:
            break
    raise OSError(failed, os.strerror(failed), path)


def _how(flags: int, mode: int, resolve: int, key: int) -> object:
    reference = ctypes.byref(_How(flags, mode, resolve))  # it keeps the struct alive
    return _hows.setdefault(key, reference)
