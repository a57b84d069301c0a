import asyncio
import ctypes
import os
import socket
import struct
from errno import EACCES, EINPROGRESS, EINVAL, ENOSYS, EPERM, ETIMEDOUT

import pytest
from tests.sandbox.ground import USERS, Ground, interpreter, missing
from tests.sandbox.standin import LOOPBACK, reach, standing

from toolpost.sandbox import kernel, seccomp
from toolpost.sandbox.model import Level
from toolpost.sandbox.proxy import connects
from toolpost.sandbox.proxy.inside import Door
from toolpost.sandbox.proxy.serving import Refusals
from toolpost.sandbox.seccomp import Scope, program
from toolpost.sandbox.syscalls import AARCH64, X86_64, Machine

_WAYS = """
import ctypes, os, select, socket, sys, threading, urllib.request
where = urllib.request.getproxies()["http"].rpartition("@")[2].removeprefix("http://").split(":")
here = (where[0], int(where[1]))
I, V, S = socket.AF_INET, socket.AF_INET6, socket.SOCK_STREAM

def said(made):
    made.sendall(b"GET / HTTP/1.1\\r\\n\\r\\n")
    return made.recv(12, socket.MSG_WAITALL).decode()

def waiting():
    with socket.socket(I, S) as made:
        made.connect(here)
        assert os.get_blocking(made.fileno())
        return said(made)

def at_once():
    with socket.socket(I, S) as made:
        made.setblocking(False)
        code = made.connect_ex(here)
        select.select([], [made], [], 30)
        assert not os.get_blocking(made.fileno())
        made.setblocking(True)
        return code in {0, 115} and said(made)

def six():
    with socket.socket(V, S) as made:
        made.connect(("::ffff:127.0.0.1", here[1]))
        return said(made)

def in_threads():
    found = []
    threads = [threading.Thread(target=lambda: found.append(waiting())) for _ in range(20)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return sorted(set(found)), len(found)

def odd(*words):
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.connect(*words), ctypes.get_errno()

for way in (waiting, at_once, six, in_threads):
    print(way.__name__, way())
pair = socket.socketpair()
raw = bytes([2, 0]) + here[1].to_bytes(2, "big") + bytes([127, 0, 0, 1]) + bytes(8)
with socket.socket(I, S) as made:
    print("short", odd(made.fileno(), raw, 8))
    print("nowhere", odd(made.fileno(), 8, 16))
    print("beyond", odd(made.fileno(), ctypes.c_void_p(2**64 - 8), 16))
    print("unspecified", odd(made.fileno(), bytes(16), 16))
    print("six", odd(made.fileno(), bytes([10, 0]) + bytes(26), 28))
print("unix", odd(pair[0].fileno(), raw, 16))
print("none", odd(999, raw, 16))
"""


@pytest.mark.parametrize("ground", [(user, Level.LANDLOCK) for user in USERS], indirect=True, ids=USERS)
def test_every_way_to_connect_leads_to_the_proxy_or_nowhere(ground: Ground) -> None:
    runs, readable = interpreter(ground.user)
    done = reach(ground, runs, "-I", "-S", "-c", _WAYS, hosts=("a.test",), readable=readable)
    assert done.out.splitlines() == [
        *("waiting HTTP/1.1 400", "at_once HTTP/1.1 400", "six HTTP/1.1 400"),
        *("in_threads (['HTTP/1.1 400'], 20)",),
        *("short (-1, 13)", "nowhere (-1, 5)", "beyond (-1, 14)", "unspecified (-1, 13)", "six (-1, 13)"),
        *("unix (-1, 13)", "none (-1, 9)"),
    ]
    assert done.violations == ("net: [::]:0 refused (not through the proxy)",)


MACHINES = [pytest.param("x86_64", X86_64, id="x86_64"), pytest.param("aarch64", AARCH64, id="aarch64")]
ALLOW, FAILS, HANDED_ON = 0x7FFF0000, 0x00050000 | EPERM, 0x7FC00000


def _judged(steps: bytes, number: int, *args: int, audit: int) -> int:
    data = struct.pack("=iIQ6Q", number, audit, 0, *args, *[0] * (6 - len(args)))
    found = [struct.unpack_from("=HBBI", steps, place) for place in range(0, len(steps), 8)]
    place = loaded = 0
    while found[place][0] != 0x06:
        code, jump, fall, value = found[place]
        if code in {0x20, 0x54}:
            loaded = struct.unpack_from("=I", data, value)[0] if code == 0x20 else loaded & value
            place += 1
            continue
        held = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}[code]
        place += 1 + (jump if held else fall)
    return int(found[place][3])


@pytest.mark.parametrize(("name", "machine"), MACHINES)
def test_the_filter_knows_tcp_and_hands_its_connects_on(name: str, machine: Machine) -> None:
    steps = program(Scope(proxied=True), name)

    def judged(number: int, *args: int) -> int:
        return _judged(steps, number, *args, audit=machine.audit)

    flags = socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC
    allowed = [(2, 1, 0), (10, 1, 0), (2, 1 | flags, 6), (10, 1, 6)]
    refused = [(1, 1, 0), (16, 3, 0), (2, 2, 0), (2, 3, 1), (2, 1, 262), (2, 1, 132), (2, 5, 0), (40, 1, 0)]
    assert {judged(machine.socket, *args) for args in allowed} == {ALLOW}
    assert {judged(machine.socket, *args) for args in refused} == {FAILS}
    assert judged(machine.connect) == HANDED_ON
    assert {judged(number) for number in machine.serving} == {FAILS}
    assert judged(machine.sendmsg, 3, 0, 0x4000) == ALLOW
    assert judged(machine.sendmsg, 3, 0, 0x20000000) == FAILS
    assert {judged(number, 3, 0, 0x20000000, 0) for number in machine.sending} == {ALLOW}
    assert {judged(number, 3, 0, 1, 0x20004000) for number in machine.sending} == {FAILS}


def test_an_older_kernel_listens_without_the_newer_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []

    def call(_number: int, _mode: object, flags: ctypes.c_uint, _head: bytes) -> int:
        given.append(flags.value)
        if len(given) == 1:
            raise OSError(EINVAL, "no")
        return 7

    monkeypatch.setattr(kernel, "_call", call)
    assert kernel.filter_and_listen(b"\0" * 8, seccomp.number()) == 7
    assert given == [40, 8]


def test_a_kernel_that_refuses_to_listen_fails_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    def call(*_args: object) -> int:
        raise OSError(16, "another listens")

    monkeypatch.setattr(kernel, "_call", call)
    with pytest.raises(OSError, match="another listens"):
        kernel.filter_and_listen(b"\0" * 8, 0)


@pytest.mark.parametrize(
    ("error", "reason"),
    [(EPERM, "something around this server forbids it"), (ENOSYS, "the kernel is too old")],
)
def test_what_is_missing_is_said(error: int, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def takes(_process: int, _handle: int) -> int:
        raise OSError(error, "no")

    monkeypatch.setattr(kernel, "take_descriptor", takes)
    connects.missing.cache_clear()
    try:
        assert connects.missing() == reason
    finally:
        connects.missing.cache_clear()


def test_without_handles_of_processes_it_cannot_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    connects.missing.cache_clear()
    try:
        assert connects.missing() == "the kernel is too old"
    finally:
        connects.missing.cache_clear()


async def test_a_waiting_connect_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connects, "PROXY_DIAL_S", 0.05)

    class Full(socket.socket):
        """Stands for a queue that is full: the connection stays on its way."""

    async def never(*_args: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", never, raising=False)
    with Full() as made:
        assert await connects._connect(made, (LOOPBACK, 9)) == ETIMEDOUT
        assert os.get_blocking(made.fileno())


async def test_a_connect_that_does_not_wait_is_not_waited_for() -> None:
    with standing() as port, socket.socket() as made:
        made.settimeout(0)
        assert await connects._connect(made, (LOOPBACK, port)) in {0, EINPROGRESS}


def test_closing_what_never_listened_does_nothing() -> None:
    made = connects.Connects(1, Refusals())
    made.close()
    made.close()


async def test_a_command_that_did_not_come_to_listen_has_no_proxy() -> None:
    door = Door()
    waiting = asyncio.ensure_future(door.listener())
    await asyncio.sleep(0)
    with door:
        pass
    done, _ = await asyncio.wait({waiting}, timeout=0.1)
    assert not done
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


def test_a_descriptor_that_is_not_open_cannot_be_taken() -> None:
    if missing("ordinary", Level.LANDLOCK):
        pytest.skip("needs Landlock")
    assert connects._leader(os.getpid()) == os.getpid()
    with pytest.raises(OSError, match="Bad file descriptor") as raised:
        connects._taken(os.getpid(), 9999)
    assert raised.value.errno != EACCES
