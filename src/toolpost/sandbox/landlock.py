"""L2: Landlock for files, a filter for sockets and the rest, taken on by a thread that starts the command and ends.

The command inherits what the thread took on; the server stays free. Landlock only grants: what lies in a granted
folder cannot be taken out of it, so a folder that holds something masked is opened name by name.
"""

import os
import subprocess
from _thread import allocate_lock, start_new_thread
from collections.abc import Callable, Iterable, Iterator
from errno import EACCES, ELOOP, ENOENT, ENOTDIR
from functools import cache
from stat import S_ISDIR, S_ISLNK

from msgspec import Struct

from toolpost.errors import SandboxUnavailable
from toolpost.limits import SANDBOX_GRANTS
from toolpost.sandbox import kernel, seccomp
from toolpost.sandbox.model import Fence
from toolpost.sandbox.seccomp import Scope
from toolpost.sandbox.toolchains import beneath

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_CHAR, _MAKE_DIR, _MAKE_REG = 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8
_MAKE_SOCK, _MAKE_FIFO, _MAKE_BLOCK, _MAKE_SYM = 1 << 9, 1 << 10, 1 << 11, 1 << 12
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_KNOWN = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
"""Rights of files, by ABI."""
_TCP = 0b11  # bind and connect, from ABI 4
_SCOPES = 0b11  # abstract unix sockets and signals
SCOPED = 6
"""The ABI from which on they are."""

READ = _EXECUTE | _READ_FILE | _READ_DIR
CHANGE = (
    *(_WRITE_FILE, _REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG),
    *(_MAKE_SOCK, _MAKE_FIFO, _MAKE_SYM, _REFER, _TRUNCATE),
)
WRITE = READ | sum(CHANGE)
_DEVICE = _READ_FILE | _WRITE_FILE | _TRUNCATE | _IOCTL_DEV
_LISTED = _READ_DIR | sum(CHANGE)
"""What a folder gets that holds something masked: all but the reading of files."""
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_KERNEL_FACTS = (
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg", "/proc/uptime", "/proc/version"),
    *("/proc/filesystems", "/proc/sys/kernel", "/proc/sys/vm", "/proc/sys/fs"),
)
"""Of /proc nothing that belongs to a process: which one `self` is, is not known before it runs."""
_GONE = {ENOENT, ENOTDIR, ELOOP, EACCES}


class Grant(Struct, frozen=True):
    path: str
    rights: int


class Carved(Struct, frozen=True):
    grants: tuple[Grant, ...]
    folders: tuple[str, ...]
    """Those that were opened name by name."""


@cache
def abi() -> int:
    """0: this kernel has no Landlock, or it is switched off."""
    try:
        return kernel.landlock_abi()
    except OSError:
        return 0


def grants(
    fence: Fence,
    readable: Iterable[str],
    own: Iterable[str],
    closed: tuple[str, ...] = (),
    terminal: str = "",
) -> Carved:
    """`readable`: of the system and its tools, but for what is `closed`; `own`: the command's private folders."""
    whole = [Grant(path, READ) for path in _KERNEL_FACTS]
    for path in readable:
        whole += _opened(path, closed, (READ, _READ_DIR), [])
    whole += [Grant(path, _DEVICE) for path in (*DEVICES, *(("/dev/tty", terminal) if terminal else ()))]
    whole += [Grant(path, WRITE) for path in own]
    carved: list[str] = []
    for path in fence.readable:
        whole += _opened(path, fence.masked, (READ, _READ_DIR), carved)
    for path in fence.roots:
        whole += _opened(path, fence.masked, (WRITE, _LISTED) if fence.writes else (READ, _READ_DIR), carved)
    if len(whole) > SANDBOX_GRANTS:
        raise SandboxUnavailable(
            f"More than {SANDBOX_GRANTS:,} files lie beside those that must not be read, which L2 cannot fence: "
            "bubblewrap can (L3).",
            beside=carved[:5],
        )
    return Carved(tuple(whole), tuple(carved))


def _opened(
    path: str, masked: tuple[str, ...], rights: tuple[int, int], carved: list[str]
) -> Iterator[Grant]:
    whole, holding = rights
    within = tuple(mask for mask in masked if beneath(mask, path))
    if path in within:
        return
    if not within:
        yield Grant(path, whole)
        return
    carved.append(path)
    yield Grant(path, holding)
    for name in _names(path):
        yield from _opened(f"{path.rstrip('/')}/{name}", within, rights, carved)


def _names(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries]
    except OSError:
        return []


def confined(
    start: Callable[[], subprocess.Popen[bytes]],
    ruleset: int,
    *,
    writes: bool,
    listened: Callable[[int], None] | None = None,
) -> subprocess.Popen[bytes]:
    """Call `start` in a thread that may do no more than the rules allow, and so what it starts.

    `listened` gets, before that, the descriptor which tells of connects; without it there are no sockets.
    """
    task = Confined(start, ruleset, writes=writes, listened=listened)
    start_new_thread(task.run, ())  # a Thread would take 0.1 ms longer, most of it to say that it has started
    return task.result()


class Confined:
    """What a thread is to start, which it then ends with."""

    def __init__(
        self,
        start: Callable[[], subprocess.Popen[bytes]],
        ruleset: int,
        *,
        writes: bool,
        listened: Callable[[int], None] | None = None,
    ) -> None:
        self._start = start
        scope = Scope(writes=writes, truncates=abi() >= 3, proxied=listened is not None)
        self._calls = seccomp.program(scope)
        self._listened = listened
        self._ruleset = ruleset
        self._process: subprocess.Popen[bytes] | None = None
        self._failed: OSError | subprocess.SubprocessError | SandboxUnavailable | None = None
        self._ended = allocate_lock()
        self._ended.acquire()

    def run(self) -> None:
        """Binds the calling thread for good."""
        try:
            _restrict(self._ruleset, self._calls, self._listened)
            self._process = self._start()
        except (OSError, subprocess.SubprocessError, SandboxUnavailable) as failed:
            self._failed = failed
        finally:
            self._ended.release()

    def result(self) -> subprocess.Popen[bytes]:
        self._ended.acquire()
        if self._process is not None:
            return self._process
        raise self._failed or SandboxUnavailable("The command was not started: what was to fence it broke.")


def _restrict(ruleset: int, calls: bytes, listened: Callable[[int], None] | None) -> None:
    """The calling thread, for good. Whatever fails here must fail the call: never go on half fenced."""
    kernel.set_no_new_privileges()
    if os.geteuid() == 0:
        kernel.drop_capabilities()  # else CAP_PERFMON would open /proc of the server
    kernel.restrict_self(ruleset)
    if listened is None:
        kernel.filter_calls(calls)
    else:
        listened(kernel.filter_and_listen(calls, seccomp.number()))


def ruleset(granted: tuple[Grant, ...]) -> int:
    """A descriptor; what is granted is what lies at the paths now, wherever it goes."""
    version = abi()
    handled = _KNOWN[min(max(version, 1), 5)]
    fields = (handled, _TCP, _SCOPES)[: 1 if version < 4 else 2 if version < SCOPED else 3]
    made = kernel.create_ruleset(fields)
    try:
        for grant in granted:
            _allow(made, grant, handled)
    except OSError:
        os.close(made)
        raise
    return made


def _allow(ruleset: int, grant: Grant, handled: int) -> None:
    try:
        place = os.open(grant.path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as failed:
        if failed.errno in _GONE:
            return  # what is not there needs no right
        raise
    try:
        mode = os.fstat(place).st_mode
        rights = handled & (grant.rights if S_ISDIR(mode) else grant.rights & _OF_A_FILE)
        if rights and not S_ISLNK(
            mode
        ):  # a link opens nothing; what it points to has, or has not, its own right
            kernel.allow_beneath(ruleset, rights, place)
    finally:
        os.close(place)
