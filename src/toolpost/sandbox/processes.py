"""Processes as the kernel shows them.

A number may be another's by the time it is used: a process is its number and when it began.
"""

import math
import os
import resource
import signal
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

_PROC = Path("/proc")
_ZOMBIE = {"Z", "X"}
_ENVIRONMENT = slice(47, 49)
"""Where the environment begins and ends in memory, among the fields after the name."""


class Process(Struct, frozen=True):
    pid: int
    parent: int
    session: int
    began: int
    """In ticks since the machine started."""
    state: str = "R"

    @property
    def is_gone(self) -> bool:
        """Ended, and only not yet waited for."""
        return self.state in _ZOMBIE


def look(pid: int) -> Process | None:
    """None when there is no such process, or no way to see it."""
    fields = _fields(pid)
    if not fields:
        return None
    return Process(pid, int(fields[1]), int(fields[3]), int(fields[19]), fields[0].decode())


def _fields(pid: int) -> list[bytes]:
    """From the state on: a name may hold anything, also parentheses."""
    try:
        text = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return []
    return text[text.rfind(b")") + 2 :].split()


def every() -> dict[int, Process]:
    try:
        names = [path.name for path in _PROC.iterdir()]
    except OSError:
        return {}
    found = (look(int(name)) for name in names if name.isdigit())
    return {process.pid: process for process in found if process is not None}


def below(roots: Iterable[int], known: dict[int, Process]) -> set[int]:
    """The descendants of some processes, without these."""
    children: dict[int, list[int]] = {}
    for process in known.values():
        children.setdefault(process.parent, []).append(process.pid)
    found: set[int] = set()
    waiting = list(roots)
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def children(pid: int) -> Iterator[Process]:
    """Of all its threads."""
    listings = list(_PROC.glob(f"{pid}/task/*/children"))
    if not listings:  # a kernel that keeps no such list
        yield from (process for process in every().values() if process.parent == pid)
    for listing in listings:
        with suppress(OSError):
            found = (look(int(word)) for word in listing.read_bytes().split())
            yield from (process for process in found if process is not None)


def environment(pid: int) -> bytes | None:
    """As it was when its program began; None when that cannot be said.

    A process that is about to begin a program, or to end, shows an empty one for a moment: it tells where its own
    lies only in between, and elsewhere for each program.
    """
    place = _fields(pid)[_ENVIRONMENT]
    try:
        text = (_PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return None
    is_settled = place == _fields(pid)[_ENVIRONMENT] and place and b"0" not in place
    return text if is_settled else None


def variable(pid: int, name: str) -> str | None:
    return value(environment(pid) or b"", name)


def value(environment: bytes, name: str) -> str | None:
    sign = f"{name}=".encode()
    for entry in environment.split(b"\0"):
        if entry.startswith(sign):
            return entry[len(sign) :].decode(errors="replace")
    return None


def is_bound(pid: int) -> bool:
    """Whether it is held closer than we are, by what no process can take off itself or its children.

    That it can gain no rights any more, or that it may only write smaller files.
    """
    own = os.getpid()
    if _gains_nothing(pid) and not _gains_nothing(own):
        return True
    try:
        return _largest_file(pid) < _largest_file(own)
    except (AttributeError, OSError):  # not Linux, or not ours to look at
        return False


def _gains_nothing(pid: int) -> bool:
    try:
        return b"\nNoNewPrivs:\t1\n" in (_PROC / str(pid) / "status").read_bytes()
    except OSError:
        return False


def _largest_file(pid: int) -> float:
    hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
    return math.inf if hard == resource.RLIM_INFINITY else hard


def is_inner(pid: int) -> bool:
    """Whether it has numbers in more namespaces than we have, so that it cannot have been started by us."""
    return _numbers(pid) > _numbers(os.getpid())


def _numbers(pid: int) -> int:
    try:
        text = (_PROC / str(pid) / "status").read_bytes()
    except OSError:
        return 0
    return len(text.partition(b"\nNSpid:")[2].partition(b"\n")[0].split())


def program(pid: int) -> str:
    """The file it runs; empty when that cannot be seen."""
    try:
        return str((_PROC / str(pid) / "exe").readlink())
    except OSError:
        return ""


def send(process: Process, number: signal.Signals) -> bool:
    """Whether that very process was there to get the signal."""
    try:
        handle = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        return False
    try:
        now = look(process.pid)
        if now is None or now.began != process.began or now.is_gone:
            return False
        signal.pidfd_send_signal(handle, number)
    except OSError:  # it has just ended, or is not ours to end
        return False
    else:
        return True
    finally:
        os.close(handle)


def reap(process: Process) -> None:
    """Let it go, if it is an ended child of ours. Only for one whose exit code nobody waits for."""
    now = look(process.pid)
    if now is not None and now.began == process.began and now.is_gone:
        with suppress(ChildProcessError):
            os.waitpid(process.pid, os.WNOHANG)
