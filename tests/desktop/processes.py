"""Processes that a test starts and ends, and nobody else's."""

import ctypes
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WAIT_S = 20.0

_HOLDER = """
import signal, sys
if sys.argv[2] == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
held = open(sys.argv[1])
if sys.argv[2] == "yielding":
    signal.signal(signal.SIGTERM, lambda *_: held.close())
sys.stdout.write("ready\\n")
sys.stdout.flush()
while True:
    signal.pause()
"""


@contextmanager
def holding(file: Path, manner: str = "willing") -> Iterator[subprocess.Popen[bytes]]:
    """A child that keeps a file open; it ends when asked, or only lets go, or is stubborn."""
    argv = [sys.executable, "-I", "-S", "-c", _HOLDER, str(file), manner]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        try:
            yield child
        finally:
            child.kill()
            child.wait(WAIT_S)


@contextmanager
def adopting(*, orphans: bool) -> Iterator[None]:
    """Whether those whose parent ended come to this process, for a while."""
    control = ctypes.CDLL(None, use_errno=True).prctl
    before = ctypes.c_int()
    control(37, ctypes.byref(before), 0, 0, 0)
    control(36, int(orphans), 0, 0, 0)
    try:
        yield
    finally:
        control(36, before.value, 0, 0, 0)


def ended(pid: int) -> bool:
    """Whether a process, that need not be a child, ends within the time a test has."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        watch = select.poll()
        watch.register(handle, select.POLLIN)
        return bool(watch.poll(WAIT_S * 1000))
    finally:
        os.close(handle)
