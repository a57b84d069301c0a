"""A filter of system calls, assembled by hand: what no command needs, and what would lead around the other fences.

The kernel runs it at every call of the filtered process and all its children. It sees numbers and plain arguments,
never what a pointer points to. Of an `int` only the low half of the register counts, as for the kernel itself.
"""

import platform
import struct
from errno import ENOSYS, EPERM
from functools import lru_cache
from socket import AF_INET, AF_INET6, AF_UNIX, IPPROTO_TCP, SOCK_STREAM

from msgspec import Struct

from toolpost.errors import SandboxUnavailable
from toolpost.sandbox.syscalls import CLONE3, MACHINES, Machine

NETWORKED = (int(AF_UNIX), int(AF_INET), int(AF_INET6), 16)  # 16: AF_NETLINK, how libc asks for its addresses
"""What may be opened in a network of one's own. Not AF_VSOCK: no namespace holds it."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN, _MASK = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND, _THIRD, _FOURTH = (
    0,
    4,
    16,
    24,
    32,
    40,
)  # offsets in struct seccomp_data, low halves
_ALLOW, _KILL, _FAIL, _HAND_ON = 0x7FFF0000, 0x80000000, 0x00050000, 0x7FC00000
_FAST_OPEN = 0x20000000  # MSG_FASTOPEN: to connect by sending
_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_TYPING = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX put words into a terminal as if the user had typed them

_Step = tuple[int, int, int, int]


class Scope(Struct, frozen=True, kw_only=True):
    """What else holds the command, and so what is left to the filter."""

    apart: bool = False
    """It has a network and shared memory of its own. Otherwise it gets neither; socketpair always works."""
    proxied: bool = False
    """Not apart, it may still open TCP sockets, whose connects are handed on to who listens to the filter."""
    writes: bool = True
    """False: it has no business with the modes, owners and times of files either."""
    truncates: bool = True
    """False: Landlock does not know truncate(2) yet, which needs no open file."""


def number() -> int:
    """Of seccomp(2) itself."""
    return _machine(platform.machine()).seccomp


def _machine(name: str) -> Machine:
    known = MACHINES.get(name.lower())
    if known is None:
        raise SandboxUnavailable("There is no filter of system calls for this processor.", machine=name)
    return known


@lru_cache
def program(scope: Scope, machine: str = "") -> bytes:
    """An array of struct sock_filter."""
    known = _machine(machine or platform.machine())
    cases = {
        **{number: [_answer(EPERM)] for number in _refused(known, scope)},
        known.clone: _if_any_bit(_FIRST, _NAMESPACES),
        CLONE3: [_answer(ENOSYS)],  # its flags lie behind a pointer; libc falls back to clone
        known.ioctl: _if_one_of(_SECOND, _TYPING),
        known.socket: _unless_one_of(_FIRST, NETWORKED if scope.apart else ()),
        known.prlimit: _unless_one_of(_FIRST, (0,)),  # its own limits, not those of another process
        **(_handed_on(known) if scope.proxied else {}),
    }
    steps = [*_guarded(known), *_tree(sorted(cases.items()))]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _handed_on(machine: Machine) -> dict[int, list[_Step]]:
    return {
        machine.socket: _unless_tcp(),
        machine.connect: [_ret(_HAND_ON)],
        **{number: [_answer(EPERM)] for number in machine.serving},
        machine.sendmsg: _if_any_bit(_THIRD, _FAST_OPEN),
        **{number: _if_any_bit(_FOURTH, _FAST_OPEN) for number in machine.sending},
    }


def _unless_tcp() -> list[_Step]:
    """Not MPTCP, SCTP or SMC either, which other fences do not know."""
    return [
        (_LOAD, 0, 0, _FIRST),
        (_EQUAL, 1, 0, int(AF_INET)),
        (_EQUAL, 0, 6, int(AF_INET6)),
        (_LOAD, 0, 0, _SECOND),
        (_MASK, 0, 0, 0xF),  # above it are flags
        (_EQUAL, 0, 3, int(SOCK_STREAM)),
        (_LOAD, 0, 0, _THIRD),
        (_EQUAL, 2, 0, 0),
        (_EQUAL, 1, 0, int(IPPROTO_TCP)),
        _answer(EPERM),
        _ret(_ALLOW),
    ]


def _tree(cases: list[tuple[int, list[_Step]]]) -> list[_Step]:
    """Halved until few are left: the kernel tries a filter with every number when it is set up."""
    if len(cases) <= 3:
        return [*(step for number, steps in cases for step in _case(number, steps)), _ret(_ALLOW)]
    half = len(cases) // 2
    below, above = _tree(cases[:half]), _tree(cases[half:])
    return [(_AT_LEAST, len(below), 0, cases[half][0]), *below, *above]


def _refused(machine: Machine, scope: Scope) -> tuple[int, ...]:
    return (
        *machine.refused,
        *(() if scope.apart else machine.shared),
        *(() if scope.writes else machine.marks),
        *(() if scope.truncates else (machine.truncate,)),
    )


def _guarded(machine: Machine) -> list[_Step]:
    foreign = [(_AT_LEAST, 0, 1, machine.foreign), _ret(_KILL)] if machine.foreign else []
    return [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, machine.audit),
        _ret(_KILL),
        (_LOAD, 0, 0, _NUMBER),
        *foreign,
    ]


def _case(number: int, steps: list[_Step]) -> list[_Step]:
    """The steps, which must end in an answer, for one system call."""
    return [(_EQUAL, 0, len(steps), number), *steps]


def _if_any_bit(argument: int, bits: int) -> list[_Step]:
    return [(_LOAD, 0, 0, argument), (_ANY_BIT, 0, 1, bits), _answer(EPERM), _ret(_ALLOW)]


def _if_one_of(argument: int, values: tuple[int, ...]) -> list[_Step]:
    tests = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [(_LOAD, 0, 0, argument), *tests, _ret(_ALLOW), _answer(EPERM)]


def _unless_one_of(argument: int, values: tuple[int, ...]) -> list[_Step]:
    tests = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [(_LOAD, 0, 0, argument), *tests, _answer(EPERM), _ret(_ALLOW)]


def _answer(error: int) -> _Step:
    return _ret(_FAIL | error)


def _ret(action: int) -> _Step:
    return (_RETURN, 0, 0, action)
