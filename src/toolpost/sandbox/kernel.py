"""System calls that Python has no words for: Landlock, seccomp, capabilities. They bind the calling thread.

What a thread takes on here it keeps, and every process it starts inherits it; the other threads stay free.
"""

import ctypes
import os
import struct
from errno import EINVAL

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same numbers on every architecture
_VERSION = 1
_PATH_BENEATH = 1
_SET_SECCOMP, _FILTER, _SET_NO_NEW_PRIVS = 22, 2, 38
_CAPABILITIES_3 = 0x20080522
_PIDFD_GETFD = 438
_SET_MODE_FILTER, _NEW_LISTENER, _WAIT_KILLABLE = 1, 1 << 3, 1 << 5

_libc = ctypes.CDLL(None, use_errno=True)
_syscall = _libc.syscall
_syscall.restype = ctypes.c_long


def landlock_abi() -> int:
    """Which Landlock the kernel has; OSError ENOSYS: none, EOPNOTSUPP: it is switched off at boot."""
    return _call(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))


def create_ruleset(fields: tuple[int, ...]) -> int:
    """A descriptor. The fields are those of struct landlock_ruleset_attr, as many as the kernel's ABI knows."""
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    return _call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))


def allow_beneath(ruleset: int, rights: int, place: int) -> None:
    """`place` is a descriptor of a file, or of a folder with all below it."""
    rule = struct.pack("=Qi", rights, place)
    _call(_ADD_RULE, ruleset, _PATH_BENEATH, rule, ctypes.c_uint32(0))


def restrict_self(ruleset: int) -> None:
    _call(_RESTRICT_SELF, ruleset, ctypes.c_uint32(0))


def set_no_new_privileges() -> None:
    _prctl(_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), ctypes.c_ulong(0))


def filter_calls(program: bytes) -> None:
    steps = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("=H6xQ", len(program) // 8, ctypes.addressof(steps))
    _prctl(_SET_SECCOMP, ctypes.c_ulong(_FILTER), head)


def filter_and_listen(program: bytes, number: int) -> int:
    """A descriptor that tells of the calls the filter hands on. `number`: of seccomp(2) on this processor."""
    steps = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("=H6xQ", len(program) // 8, ctypes.addressof(steps))
    flags = (
        _NEW_LISTENER | _WAIT_KILLABLE,
        _NEW_LISTENER,
    )  # the former from 5.19: signals do not break a call off
    try:
        return _call(number, ctypes.c_uint(_SET_MODE_FILTER), ctypes.c_uint(flags[0]), head)
    except OSError as failed:
        if failed.errno != EINVAL:
            raise
    return _call(number, ctypes.c_uint(_SET_MODE_FILTER), ctypes.c_uint(flags[1]), head)


def take_descriptor(process: int, handle: int) -> int:
    """A copy of what another process holds open, by a descriptor of that process. One of its own is inherited by none."""
    return _call(_PIDFD_GETFD, process, handle, ctypes.c_uint(0))


def drop_capabilities() -> None:
    """All of them; with no new privileges set, running a program as root brings none back."""
    header = struct.pack("=Ii", _CAPABILITIES_3, 0)
    _checked(_libc.capset(header, bytes(24)))


def _call(number: int, *args: object) -> int:
    return _checked(_syscall(ctypes.c_long(number), *args))


def _prctl(option: int, *args: object) -> None:
    # Every argument as wide as a register: the kernel refuses rubbish in those it does not use.
    _checked(_libc.prctl(option, *args, ctypes.c_ulong(0), ctypes.c_ulong(0)))


def _checked(answer: int) -> int:
    if answer >= 0:
        return answer
    number = ctypes.get_errno() or EINVAL
    raise OSError(number, os.strerror(number))
