"""The kernel's own way to open beneath a folder: Linux 5.6 and later."""

import ctypes
import os
from errno import EAGAIN, EINVAL, EXDEV

from toolpost.limits import OPEN_TRIES
from toolpost.workspace.local.inside import inside

_OPENAT2 = 437  # the same number on every architecture we run on
_NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH = 0x02, 0x04, 0x08
_FOLLOWING = _BENEATH | _NO_MAGICLINKS
_STRAIGHT = _BENEATH | _NO_SYMLINKS


class _How(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


_SIZE = ctypes.sizeof(_How)
# No argtypes, and errno asked for only once a call has failed: ctypes would take as long as the open itself.
# libffi widens the ints to registers, so nothing is cut.
_fast = ctypes.CDLL(None).syscall
_telling = ctypes.CDLL(None, use_errno=True).syscall
_hows = dict[int, object]()  # a handful: one for each set of flags the code uses


class Openat2:
    """Nothing here is checked before it is used: the kernel resolves and opens in one step."""

    name = "openat2"

    def open(self, root: int, path: str, flags: int, mode: int = 0) -> int:
        if "\0" in path:  # C would stop reading there, and open another file
            raise OSError(EINVAL, os.strerror(EINVAL), path)
        name = path.encode() or b"."
        how = _hows.get(flags | mode << 32) or _how(flags, mode)
        descriptor: int = _fast(_OPENAT2, root, name, how, _SIZE)
        return descriptor if descriptor >= 0 else _again(root, path, flags, mode)


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


def _how(flags: int, mode: int) -> object:
    reference = ctypes.byref(_How(flags, mode, _FOLLOWING))  # it keeps the struct alive
    return _hows.setdefault(flags | mode << 32, reference)
